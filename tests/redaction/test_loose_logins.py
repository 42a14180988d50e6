"""Logins that no scheme, header or name of a secret introduces: `bob:…@tcp(db:3306)/app`, `use the cookie sid=…`."""

from __future__ import annotations

import pytest

from segue.redaction.redact import Redactor

CHOSEN = "KEjmlhnl1ks7Rg"
DRAWN = "ke7IDA69Z7zrpEFivB50756EHugmANb7"

TOLD = [
    ("panic: dsn bob:", CHOSEN, "@tcp(db:3306)/app", "url-credential"),
    ('DSN="root:', f"{CHOSEN}@{CHOSEN}", '@tcp(127.0.0.1:3306)/app?parseTime=true"', "url-credential"),
    ("app:", CHOSEN, "@unix(/run/mysqld/mysqld.sock)/app", "url-credential"),
    ("use the cookie sid=", DRAWN, " for it", "cookie"),
    ("Log in with the session cookie `connect.id=", DRAWN, "`.", "cookie"),
]
KEPT = [
    "user:password@tcp(localhost:3306)/db",
    'fmt.Sprintf("%s:%s@tcp(%s)/%s", user, pass, host, name)',
    "root:@tcp(db:3306)/app listens on 0.0.0.0@tcp(3306)",
    "the cookie SameSite=Strict and the cookie max-age=31536000",
    "set the cookie theme=solarized-dark-high-contrast-2 for all",
    "a cookie path=/srv/app/v2/users/settings, cookies name=session_identifier_v2",
]


@pytest.mark.parametrize(("before", "secret", "after", "kind"), TOLD)
def test_a_loose_login_vanishes(before: str, secret: str, after: str, kind: str) -> None:
    assert Redactor().redact(before + secret + after) == f"{before}[redacted:{kind}]{after}"


@pytest.mark.parametrize("text", KEPT)
def test_what_only_looks_like_one_stays(text: str) -> None:
    assert Redactor().redact(text) == text


@pytest.mark.parametrize(
    ("text", "secret", "spoken"),
    [
        (f"panic: dsn bob:{CHOSEN}@tcp(db:3306)/app", CHOSEN, False),
        (f"use the cookie sid={DRAWN} for it", DRAWN, True),
    ],
)
def test_a_loose_login_is_learnt(text: str, secret: str, spoken: bool) -> None:
    redactor = Redactor()
    redactor.learn_from(text, spoken)
    assert redactor.redact(f"bad value {secret}") == "bad value [redacted:known-value]"
