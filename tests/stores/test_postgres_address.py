"""Addresses of PostgreSQL logs: where and how, never with a secret, never to another place than they show."""

from __future__ import annotations

import pytest

from segue.errors import BadInput
from segue.stores.postgres_address import parsed


@pytest.mark.parametrize(
    "option",
    [
        "hostaddr=10.0.0.1",
        "passfile=/tmp/x",
        "service=team",
        "sslkey=/tmp/k",
        "sslcert=/tmp/c",
        "gsslib=gssapi",
        "oauth_issuer=https://x",
    ],
)
def test_an_option_that_leads_elsewhere_or_to_credentials_is_refused(option: str) -> None:
    name, _, value = option.partition("=")
    with pytest.raises(BadInput, match=f"may not set {name}") as caught:
        parsed(f"postgresql://app@db.internal/app?workspace=x&{option}")
    assert value not in caught.value.message + caught.value.hint


@pytest.mark.parametrize("option", ["host=evil.example", "port=6432", "user=root", "dbname=other"])
def test_an_option_that_overrules_what_the_address_shows_is_refused(option: str) -> None:
    name, _, value = option.partition("=")
    with pytest.raises(BadInput, match=f"names its {name} twice") as caught:
        parsed(f"postgresql://app@db.internal:5432/app?workspace=x&{option}")
    assert value not in caught.value.message + caught.value.hint


def test_an_option_may_say_what_the_address_leaves_out() -> None:
    found = parsed("postgresql:///app?host=/run/postgresql&port=6432&user=app&workspace=x")
    assert found.options == {"host": "/run/postgresql", "port": "6432", "user": "app", "dbname": "app"}


def test_options_about_how_to_connect_are_told_to_libpq() -> None:
    found = parsed("postgresql://a,b/app?workspace=x&sslmode=verify-full&target_session_attrs=read-write")
    told = {"host": "a,b", "dbname": "app", "sslmode": "verify-full", "target_session_attrs": "read-write"}
    assert found.options.items() >= told.items()
