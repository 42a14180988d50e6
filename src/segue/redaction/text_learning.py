"""Which values a text that is no settings file by profession teaches: a `config.toml`, a diff, a sentence.

What the rules find by its surroundings goes there anyway; of that, what nobody writes by chance is learnt and
goes everywhere. What is known by its own shape is found again by it, and need not be learnt.
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.model.patterns import compiled
from segue.redaction import checks, scan
from segue.redaction.random_values import made_up
from segue.redaction.tokens import TOKENS

_NAMES_OF_PASSWORDS = (b"pass", b"pwd", b"pw")
_NAMES_OF_OTHERS = tuple(b"token secret key credential bearer authorization cookie auth".split())
_NAME = 64
"""Bytes before a value in which its name stands."""
_JOINTS = 3
_COOKIE = "cookie"
_BETWEEN_COOKIES = r"[;,\"'\s]+"
_NAME_OF_COOKIE = r"^[\w.\[\]-]{1,80}=(?=[^=])"
_SIGNED = "s%3A"
_KIND_OF_MANIFEST = rb"""(?m)^[ \t"'\d+:|]{0,12}kind["']?:[ \t]{1,4}["']?Secret\b"""
_ENCODED = r"""(?m)["']?[\w.-]{1,80}["']?:[ \t]{1,4}["']?([A-Za-z0-9+/]{8,4096}={0,2})["']?[ \t,]{0,4}$"""

_URL_PASSWORD = r"[a-z][a-z0-9+.-]{1,15}://[^\s/:@]{0,128}:([^\s/@]{4,256})@"


def secrets_in(data: bytes) -> Iterator[str]:
    """The secrets that any text tells: what stands where one stands, and was made up or drawn at random.

    What is known by its own shape is found again by it, and need not be learnt.
    """
    for span in scan.merged(scan.spans(data)):
        if span.rank < len(TOKENS):
            continue
        before = data[max(0, span.start - _NAME) : span.start].lower()
        of_others = max(map(before.rfind, _NAMES_OF_OTHERS))
        value = data[span.start : span.end].decode("utf-8", "replace")
        of_password = of_others <= max(map(before.rfind, _NAMES_OF_PASSWORDS))
        for part in _cookies(value) if span.kind == _COOKIE else (value,):
            if made_up(part, of_password) or (of_password and _is_phrase(part)):
                yield part
    if b"kind" in data and compiled(_KIND_OF_MANIFEST).search(data):
        yield from _in_manifest(data.decode("utf-8", "replace"))


def _cookies(text: str) -> Iterator[str]:
    """The values of a cookie and of those behind it, without what says that one is signed."""
    for part in compiled(_BETWEEN_COOKIES).split(text):
        value = compiled(_NAME_OF_COOKIE).sub("", part)
        yield value.removeprefix(_SIGNED).partition(".")[0] if value.startswith(_SIGNED) else value


def _is_phrase(value: str) -> bool:
    """Words as dice give them, so many that nobody joins them by chance."""
    return value.count("-") >= _JOINTS and value.replace("-", "").isalpha() and checks.joined_words(value)


def _in_manifest(text: str) -> Iterator[str]:
    """What a Kubernetes secret holds in base64, whatever it is called there."""
    for found in compiled(_ENCODED).finditer(text):
        value = checks.decoded(found.group(1)).strip()
        address = compiled(_URL_PASSWORD).match(value)
        if address is not None:
            value = address.group(1)
        if made_up(value):
            yield from (value, found.group(1).rstrip("="))
