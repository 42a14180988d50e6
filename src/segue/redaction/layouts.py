"""Secrets that are known by a layout: items of a list, the end of a key, text in base64.

A pattern finds the name; what belongs to it stands elsewhere, in several places, or inside something else. So these rows
say themselves where their candidates are, each of which is then checked as that of any other row is. All of them look
at a bounded stretch of text.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

from segue.model.patterns import compiled
from segue.redaction import checks
from segue.redaction.assignments import ending
from segue.redaction.random_values import drawn_key
from segue.redaction.rule import Rule, Span

_SECRETS = ("secret", "token", "api_key", "apikey", "access_key", "secret_key", "private_key")

_ITEM = compiled(
    rb"(?:\s|\\[nrt]){0,64}+(?P<dash>-[ \t]{1,4}(?!-))?(?:[bru](?=\\{0,3}[\"']))?(?P<q>\\{0,3}[\"'`]?)(?P<item>[^\s\"'`,\[\]{}:\\]{1,512}+)(?P=q)[ \t]{0,8}(?:,|(?=\r?\n|\\n|[ \t]*\]|\Z))"
)
_MOST_ITEMS = 256

_MOST_KEY_LINES = 256
_FULL_LINE = 20
"""Characters that every line of a key but its last has, however narrow it was wrapped."""
_LONGEST_KEY_LINE = 256
_LINE_END = compiled(rb"\n|\\n")
_AFTER_KEY = b" \t\r\"'`,;|)\\" + "│".encode()
_NUMBERS = rb"[0-9]+"

_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_LONGEST_TEXT = 64 * 1024
_NARROWEST, _WIDEST = 60, 160
_WRAPPED = compiled(rb"\r?\n[ \t]{0,16}[A-Za-z0-9+/]{1,128}+(?=={0,2}[ \t]{0,4}(?:\r?\n|\Z))")
_WRAPPED_ABOVE = rb"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{60,128}\r?\n[ \t]{0,16}\Z"
"""More of a text in base64, below and above: all lines but the last are long."""
_LINE_ENDS = dict.fromkeys(map(ord, "\t\r\n"))
_TOLD = (
    'password|PASSWORD|Password|passwd|secret|SECRET|_TOKEN|"token|"auth"|_KEY=|access_key|PRIVATE KEY|postgres'
    "|mysql://|mongodb|redis://|amqp|Bearer "
)
"""What settings in base64 say in clear."""


def _encoded(word: str) -> Iterator[str]:
    """How a word is written in base64, whatever number of bytes stands before it."""
    for before in range(3):
        text = binascii.b2a_base64(b"\0" * before + word.encode(), newline=False).decode().rstrip("=")
        yield text[(before * 8 + 5) // 6 : (before + len(word)) * 8 // 6]


def _encoded_forms() -> Iterator[str]:
    """What tells of settings in base64, and in base64 of base64."""
    for word in _TOLD.split("|"):
        for once in _encoded(word):
            yield once.lower()
            yield from map(str.lower, _encoded(once))


def items(found: re.Match[bytes]) -> Iterator[Span]:
    """The items of the list that a pattern ends before: all of them begin with a dash, or all but the last end with a
    comma."""
    at, dashed = found.end(), None
    for _ in range(_MOST_ITEMS):
        item = _ITEM.match(found.string, at)
        if item is None or dashed not in (None, bool(item["dash"])):
            return
        yield item.span("item")
        at, dashed = item.end(), bool(item["dash"])
        if not dashed and not item[0].endswith(b","):
            return


def key_lines(found: re.Match[bytes]) -> Iterator[Span]:
    """The lines of base64 above the last line of a private key, or below its first. Whatever stands before that line (a
    quotation's mark, a number, the name of a file) stands before each of them, too."""
    data, at = found.string, found.start()
    start, is_last = _line_start(data, at), found[0].startswith(b"-----END")
    margin = _shape(data[start:at])
    first = last = None
    for line, end in _lines_above(data, start) if is_last else _lines_below(data, found.end()):
        text = data[line:end].rstrip(_AFTER_KEY).removesuffix(b" +").rstrip(_AFTER_KEY)
        if not text:
            continue
        before = text.rstrip(b"=").rstrip(_BASE64)
        is_short = len(text) - len(before) < (2 if is_last and last is None else _FULL_LINE)
        if is_short or _shape(before) != margin:
            break
        begin, stop = line + len(before), line + len(text)
        first, last = min(begin, begin if first is None else first), max(stop, last or 0)
    if first is not None and last is not None:
        yield first, last


def _line_start(data: bytes, at: int) -> int:
    """Where the line begins, also behind a line end that is written out."""
    low = max(0, at - _LONGEST_KEY_LINE)
    return max(low, data.rfind(b"\n", low, at) + 1, (data.rfind(b"\\n", low, at) + 1 or -1) + 1)


def _lines_above(data: bytes, start: int) -> Iterator[Span]:
    for _ in range(_MOST_KEY_LINES):
        end = start - (2 if data.endswith(b"\\n", 0, start) else 1)
        if end <= 0:
            return
        start = _line_start(data, end)
        yield start, end


def _lines_below(data: bytes, at: int) -> Iterator[Span]:
    for _ in range(_MOST_KEY_LINES):
        mark = _LINE_END.search(data, at, at + _LONGEST_KEY_LINE)
        if mark is None:
            return
        at = mark.end()
        end = _LINE_END.search(data, at, at + _LONGEST_KEY_LINE)
        yield at, end.start() if end is not None else min(len(data), at + _LONGEST_KEY_LINE)


def _shape(margin: bytes) -> bytes:
    """What stands before a line, whatever its numbers and blanks; a sign of base64 may belong to either."""
    return b" ".join(compiled(_NUMBERS).sub(b"0", margin).split()).rstrip(b"+/ ")


def encoded_text(found: re.Match[bytes]) -> Iterator[Span]:
    """All of the base64 around a place, also where it was wrapped into long lines."""
    data, at = found.string, found.start()
    begin, end = _run(data, at)
    low, high = at - _LONGEST_TEXT, at + _LONGEST_TEXT
    while begin > low and (above := compiled(_WRAPPED_ABOVE).search(data[max(0, begin - _WIDEST) : begin])):
        begin -= len(above[0])
    while (
        end < high
        and end - data.rfind(b"\n", begin, end) > _NARROWEST
        and (below := _WRAPPED.match(data, end))
    ):
        end = below.end()
    yield begin, end


def _run(data: bytes, at: int) -> Span:
    before, after = data[max(0, at - _LONGEST_TEXT) : at], data[at : at + _LONGEST_TEXT]
    return at - len(before) + len(before.rstrip(_BASE64)), at + len(after) - len(after.lstrip(_BASE64))


def holds_secret(value: str) -> bool:
    """True for base64 of a text that holds a secret; inside it, too, base64 is looked into, which gets shorter each
    time."""
    from segue.redaction import scan  # which is made of the rows

    value = "".join(value.split())
    for skipped in range(4):
        rest = value[skipped : len(value) - ((len(value) - skipped) % 4 == 1)]
        text = checks.decoded(rest + "=" * (-len(rest) % 4))
        if text and text.translate(_LINE_ENDS).isprintable():
            return bool(scan.spans(text.encode()))
    return False


LAYOUTS: tuple[Rule, ...] = (
    Rule(
        "assignment",
        ending(_SECRETS, "s="),
        r"[A-Z_]{3,16}S=",
        ("API_KEYS=old,", "k2j9x81m44pqZt7R", "\n"),
        "MAX_TOKENS=409600000000, API_KEYS=read,write\nSECRETS=db-credentials-2024\nTOKENS=$TOKENS\n",
        drawn_key,
        within=items,
    ),
    Rule(
        "private-key",
        ("-----end ",),
        r"-----END [A-Z0-9 ]{0,32}PRIVATE KEY",
        ("", "MIIEpAIBAAKCAQEA7vHqk9Zs\nd0dkw82jf93jfkd02jf0==", "\n-----END " + "RSA PRIVATE KEY-----"),
        "'-----END " + "RSA PRIVATE KEY-----'\nMIIB\n-----END CERTIFICATE-----",
        checks.key_body,
        within=key_lines,
    ),
    Rule(
        "private-key",
        ("-----begin ",),
        r"-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----",
        (
            "> -----BEGIN " + "RSA PRIVATE KEY-----\n> ",
            "MIIEpAIBAAKCAQEA7vHqk9Zs\n> d0dkw82jf93jfkd02jf0",
            "\n> [… cut …]",
        ),
        "> -----BEGIN " + "RSA PRIVATE KEY-----\n> thenTheNextLine\n> of_the_configuration_of_the_file\n",
        checks.key_body,
        within=key_lines,
    ),
    Rule(
        "encoded-secret",
        tuple(dict.fromkeys(_encoded_forms())),
        "",
        (
            ".dockerconfigjson: ",
            binascii.b2a_base64(b'{"auths":{"r.test":{"password":"Kr4ken_tide-9917"}}}')
            .decode()
            .strip()
            .rstrip("="),
            "==\n",
        ),
        binascii.b2a_base64(
            b'{"title": "the password field", "password": "Required", "kind": "token"}'
        ).decode(),
        holds_secret,
        within=encoded_text,
    ),
)
