"""Sessions kept as one JSON document.

Such a file must be held whole, so there is a limit. A document that breaks off, as one does whose
program was killed while writing, is closed behind its last complete value: everything before the
break is read, and an `unreadable` entry says where it was. One says, too, where bytes are no UTF-8;
what they stand in is read with a mark in their place.
"""

from __future__ import annotations

import re
from typing import Any

from segue.agents import _jsonl, _recovery
from segue.agents._record import record
from segue.model.entry import Entry
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

LIMIT = 256 * 1024 * 1024
"""Bytes of a document; a larger one is reported, not read."""

_TOKENS = compiled(rb'"(?:[^"\\]|\\.)*+"|["\[\]{},]', re.S)
"""Strings, the quote of a string that never ends, and what gives a document its structure."""
_CLOSERS = {ord("["): b"]", ord("{"): b"}"}


class Document(NamedTuple):
    """What a file holds, and the entry that reports what it does not."""

    value: Any
    flaw: Entry | None = None
    complete: bool = True
    """Nothing at its end is missing."""


def load(path: str) -> Document:
    """The document of a file. Raises NotFound or BadInput for a path that is no file."""
    with _jsonl.open_source(path) as source:
        if source.size > LIMIT:
            reason = f"a document of {source.size >> 20} MiB, larger than {LIMIT >> 20} MiB"
            return Document(None, _jsonl.unreadable(path, 1, 0, reason, source.size), False)
        try:
            raw = source.read(0, source.size)
        except OSError as fault:
            return Document(None, _jsonl.unreadable(path, 1, 0, f"cannot be read: {fault.strerror}"), False)
    return parse(path, raw)


def parse(path: str, raw: bytes) -> Document:
    """The document in some bytes of a file."""
    value = _decoded(raw)
    if value is not None:
        return Document(value)
    value, reason = _recovery.whole(raw)
    if not reason:
        return Document(value, _jsonl.not_utf8(path, raw))
    end, closed = _closed(raw)
    value = _decoded(closed)
    if value is None:
        value, _ = _recovery.whole(closed)
    if value is None:
        return Document(None, _jsonl.unreadable(path, 1, 0, reason, len(raw)), False)
    flaw = _jsonl.unreadable(path, 1, end, "the document breaks off here", len(raw) - end)
    return Document(value, flaw, False)


def object_in(value: Any) -> dict[str, Any]:
    """A JSON object, also where it was kept as text."""
    return record(parse("", value.encode("utf-8", "replace")).value if isinstance(value, str) else value)


def _closed(raw: bytes) -> tuple[int, bytes]:
    """A document up to its last complete value, its open brackets closed; and where that value ends."""
    opened: list[int] = []
    end = depth = 0
    for token in _TOKENS.finditer(raw):
        mark = raw[token.start()]
        if token[0] == b'"':
            break
        if mark in _CLOSERS:
            opened.append(mark)
        elif mark in b"]}":
            if not opened:
                break
            opened.pop()
            end, depth = token.end(), len(opened)
        elif mark in b",":
            end, depth = token.start(), len(opened)
    return end, raw[:end] + b"".join(_CLOSERS[mark] for mark in reversed(opened[:depth]))


def _decoded(raw: bytes) -> Any:
    try:
        return _jsonl.any_json(raw)
    except (ValueError, RecursionError):
        return None
