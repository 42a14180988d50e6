"""Records as text: read with every fault named, written back in the manner they were found.

People and other programs edit these files and git merges them, so a rewrite keeps the indentation,
the line ends, the escapes and the order of keys that were there. `write(*read(data)) == data` for
whatever `json.dump` wrote.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from segue.changes.sentences import refusal
from segue.errors import BadInput
from segue.model.value import NamedTuple

Document = dict[str, Any]

_MARKER = re.compile(rb"^(?:<{7}|>{7}|\|{7}) |^={7}\r?$", re.M)
_NEEDLESS_ESCAPE = re.compile(rb"(?<!\\)(?:\\\\)*\\u(?!00[01])")
_FIRST_KEY = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\r?\n([ \t]+)\"")
_BEGINNING = 200


class Manner(NamedTuple):
    """How a file is written. `indent` is the text before a first-level key; empty for all on one line."""

    indent: str = "  "
    ascii: bool = False
    newline: bool = True
    crlf: bool = False


OURS = Manner()


def read(data: bytes, name: str) -> tuple[Document, Manner]:
    """The document in a file's bytes. Raises BadInput with a sentence about the file `name`."""
    marker = (
        _MARKER.search(data) if b"<<<<<<<" in data or b">>>>>>>" in data or b"\n=======" in data else None
    )
    if marker:
        line = data.count(b"\n", 0, marker.start()) + 1
        raise refusal("merge-markers", name=name, line=line)
    try:
        value = json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=_without_duplicates, parse_constant=_no_constant
        )
    except (ValueError, RecursionError) as fault:
        raise BadInput(f"{name} is not JSON: {fault}.", "Restore it from git, or mend it by hand.") from None
    if not isinstance(value, dict):
        raise BadInput(f"{name} is not a JSON object.", "Restore it from git, or mend it by hand.")
    return value, _manner(data)


def read_quickly(data: bytes, name: str) -> tuple[Document, Manner]:
    """`read`, five times as fast, for what can be made again: of two equal keys it takes the last."""
    import msgspec  # 25 ms

    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return read(data, name)
    return (value, _manner(data)) if isinstance(value, dict) else read(data, name)


def write(document: Document, manner: Manner = OURS) -> bytes:
    """The bytes of a document. msgspec indents ten times as fast as the standard library, which does it in Python."""
    if manner.ascii or manner.indent.strip(" ") or not manner.indent:
        return _written(json.dumps(document, indent=manner.indent or None, ensure_ascii=manner.ascii), manner)
    import msgspec  # 25 ms

    try:
        text = msgspec.json.format(msgspec.json.encode(document), indent=len(manner.indent)).decode()
    except (UnicodeEncodeError, OverflowError):
        return write(document, manner._replace(ascii=True))
    return _written(text, manner)


def _written(text: str, manner: Manner) -> bytes:
    text += "\n" if manner.newline else ""
    return (text.replace("\n", "\r\n") if manner.crlf else text).encode()


def _manner(data: bytes) -> Manner:
    found = _FIRST_KEY.match(data)
    return Manner(
        indent=found[1].decode() if found else "",
        ascii=b"\\u" in data and data.isascii() and _NEEDLESS_ESCAPE.search(data) is not None,
        newline=data.endswith(b"\n"),
        crlf=b"\r\n" in data[:_BEGINNING],
    )


def _without_duplicates(pairs: list[tuple[str, Any]]) -> Document:
    made = dict(pairs)
    if len(made) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return made


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON value")
