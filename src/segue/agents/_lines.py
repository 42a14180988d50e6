"""Sessions kept as text for people: their lines, with number and place."""

from __future__ import annotations

from collections.abc import Iterator

from segue.agents import _jsonl
from segue.model.entry import Entry

_REPORTED = 100
"""Lines with damage that are reported one by one."""


def lines(path: str, first: int = 1, start: int = 0) -> Iterator[tuple[int, int, bytes]]:
    """Number, byte offset and bytes of every line from a place on, one block in memory at a time."""
    with _jsonl.open_source(path) as source:
        for block in _jsonl.blocks(source):
            line, offset = block.line, block.offset
            if line + len(block.lines) <= first and not block.overlong:
                continue
            for raw in block.lines:
                if offset >= start:
                    yield line, offset, raw
                line += 1
                offset += len(raw) + 1


def damaged(path: str, start: int = 0, end: int | None = None) -> Iterator[Entry]:
    """Reports of the lines between two places whose bytes are no UTF-8, and of those too long to be read."""
    reported = 0
    with _jsonl.open_source(path) as source:
        for block in _jsonl.blocks(source):
            line, offset = block.line, block.offset
            if end is not None and offset >= end:
                return
            if block.overlong and offset >= start:
                yield _jsonl.overlong(path, line, offset, block.overlong)
            for raw in block.lines:
                if start <= offset < (source.size if end is None else end) and not raw.isascii():
                    flaw = _jsonl.not_utf8(path, raw, line, offset)
                    if flaw is not None:
                        yield flaw
                        reported += 1
                if reported == _REPORTED:
                    return
                line += 1
                offset += len(raw) + 1
