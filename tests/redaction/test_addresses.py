"""Passwords in addresses vanish whatever they are made of, and addresses without one stay whole."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Iterator

import pytest

from segue.redaction.redact import Redactor

ADDRESSES = (
    ("amqp://svc:", "@host:5672/v"),
    ("postgres://app:", "@db.internal/x"),
    ("https://u:", "@host/p"),
    ("redis://:", "@cache.internal"),
)
MARKS = "/\"'\\<>{}` #%!?&+"
ALPHABETS = (string.ascii_letters + string.digits, string.ascii_letters + string.digits + "#%!")
GONE = "[redacted:url-credential]"


def _in_json(text: str) -> str:
    return json.dumps(text)[1:-1]


def _in_shell(text: str) -> str:
    return text.replace("'", "'\\''")


AROUND = {
    "a line of settings": ("DATABASE_URL={}", str),
    "JSON": ('{{"url": "{}", "mail": "bob@host.test"}}', _in_json),
    "prose": ("connect with {} and tell bob@host.test", str),
    "quotes of a shell": ("psql '{}' -c 'select 1'", _in_shell),
    "a YAML file": ("  url: {}  # as agreed", str),
}


def _drawn(mark: str) -> Iterator[tuple[str, str, str]]:
    draw = random.Random(ord(mark))
    for length in range(8, 25):
        # A blank at either end cannot be told from one around the address.
        for place in range(1, length - 1) if mark == " " else range(length):
            letters = [draw.choice(draw.choice(ALPHABETS)) for _ in range(length)]
            letters[place] = mark
            yield "".join(letters), *draw.choice(ADDRESSES)


@pytest.mark.parametrize(("text", "written"), AROUND.values(), ids=AROUND.keys())
@pytest.mark.parametrize("mark", MARKS)
def test_no_password_drawn_with_a_mark_is_left(mark: str, text: str, written: object) -> None:
    assert callable(written)
    shown = {
        password: Redactor().redact(text.format(f"{before}{written(password)}{after}"))
        for password, before, after in _drawn(mark)
    }
    wanted = {text.format(f"{before}{GONE}{after}") for before, after in ADDRESSES}
    assert [password for password, left in shown.items() if left not in wanted] == []


VANISHING = [
    ("amqp://svc:", "fB{drl9v!KwqCLF", "@host:5672/v"),
    ("postgres://app:", "75<CJ4s412Jh", "@db.internal/x"),
    ("amqp://svc:", "cz jlJrUmMr!B", "@host:5672/v"),
    ("https://u:", "psDRPwTzRPGL x", "@host/p"),
    ("postgres://app:", "a/b@c9", "@db/x?mail=bob@host.test"),
    ("postgres://app:", 'Ab3@x"Yk9m', "@db/x"),
    ("postgres://app:", "12345", "@db/x"),
    ("postgres://app:", "!KwqCLFx", "@db/x"),
]


@pytest.mark.parametrize(("before", "password", "after"), VANISHING)
def test_a_password_ends_at_the_last_host_of_its_address(before: str, password: str, after: str) -> None:
    assert Redactor().redact(f"{before}{password}{after}") == f"{before}{GONE}{after}"


STAYING = r"""
http://host:8080/a@b
git@github.com:x/y
https://registry/@scope/pkg
http://localhost:4873/@scope/pkg/-/pkg-1.0.0.tgz
https://registry.test:443/@scope/pkg@1.2.3
http://localhost:3000/react@18.2.0/es2022/react.mjs
mail bob@host.test or see http://host:8080 and write to anna@host.test
<https://x.test/a?b=c@d> and <https://x.test:8080/a?b=c@d>
https://x.test:8080?mail=bob@host.test
ssh://user@host:22/path
https://user:${PASS}/x@host postgres://{user}:{password}@{host}:{port}/{db}
f"postgres://{settings.user}:{settings.password!r}@{host}" postgres://{user}:{quote(password)}@{host}/db
"postgres://" + user + ":" + password + "@" + host
`amqp://${user}:${encodeURIComponent(pass)}@${host}`
https://<user>:<password>@host https://user:<your password>@host/x https://user:***@host/path
https://user:%s@host/path http://$USER:$PASS@host:80/x http://user:$(cat pw)@host/x http://user:`cat pw`@host/x
[site](http://localhost:3000) by bob@host.test
<a href="http://localhost:3000">bob@host.test</a><url>http://host:x</url><mail>bob@host.test</mail>
{"url": "http://localhost:3000", "mail": "bob@host.test"}
{\"url\": \"http://localhost:path\", \"mail\": \"bob@host.test\"}
['http://localhost:3000','bob@host.test']
http://localhost:3000\nbob@host.test
docker://alpine:latest bob@host.test
oci://registry:5000/app/image@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
docker://alpine:3.18@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
http://localhost:5173/node_modules/.vite/deps/chunk-HSFG2D.js?v=8f2a3b@x
""".strip().splitlines()


@pytest.mark.parametrize("text", STAYING)
def test_an_address_without_a_password_stays_whole(text: str) -> None:
    assert Redactor().redact(text) == text
