"""Sessions kept as text for people: their lines, with number and place."""

from __future__ import annotations

from collections.abc import Iterator

from segue.agents import _jsonl


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
