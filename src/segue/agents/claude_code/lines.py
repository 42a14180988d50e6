"""The lines of a session file, decoded some hundred at a time.

The decoder takes a whole stretch of the file in one call, which is a third faster than line by
line. Where it refuses, or finds another number of records than there are lines, the stretch is read
again with care, and everything in it gets its own place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

from segue.agents._jsonl import MAX_LINE, Source, broken_off, line_end, overlong, recover
from segue.agents.claude_code.branches import Range
from segue.agents.claude_code.wire import Fault, Line, Whole, decode, decode_lines, decode_whole, fit
from segue.model.entry import Entry
from segue.model.value import NamedTuple

_STRETCH = 128 * 1024


class Batch(NamedTuple):
    """Neighbouring records with their line numbers and byte offsets, in file order; `data` is what stands
    in the file from byte `base` on."""

    numbers: Sequence[int]
    offsets: Sequence[int]
    records: Sequence[Line]
    data: bytes
    base: int

    def whole(self, offset: int) -> Whole:
        """The record at a byte with all its fields."""
        start = offset - self.base
        end = self.data.find(b"\n", start)
        raw = self.data[start : end if end >= 0 else len(self.data)]
        try:
            return decode_whole(raw)
        except (ValueError, RecursionError):
            found = (value for _, value in recover("", 0, 0, raw, decode_whole, False))
            value = next((value for value in found if not isinstance(value, Entry)), Whole())
            return fit(value, Whole) if isinstance(value, dict) else value


class Lines:
    """The lines of a file without those that begin in one of the ranges `left_out`."""

    def __init__(self, source: Source, left_out: Sequence[Range]) -> None:
        self._source = source
        self._gaps = deque(left_out)

    def batches(self) -> Iterator[Batch]:
        source, size = self._source, _STRETCH
        base, number = 0, 1
        while base < source.size:
            size = min(size, source.size - base)
            try:
                data = source.read(base, size)
            except OSError as fault:
                yield _faulty(broken_off(source.path, number, base, fault))
                return
            last = len(data) < size or base + size == source.size
            end = len(data) if last else data.rfind(b"\n") + 1
            if not end and not last:
                if size <= MAX_LINE:
                    size *= 2
                    continue
                end = line_end(source, base + size) - base
                yield _faulty(overlong(source.path, number, base, end))
                number, base, size = number + 1, base + end, _STRETCH
                continue
            batch, count = _batch(source, number, data, base, end)
            gaps = self._gaps_between(base, base + end) if self._gaps else ()
            yield _without(batch, gaps) if gaps else batch
            if last:
                return
            number, base, size = number + count, base + end, _STRETCH

    def _gaps_between(self, start: int, end: int) -> list[Range]:
        """What is left out between two bytes; what is left out before them is over."""
        gaps = self._gaps
        while gaps and gaps[0][1] <= start:
            gaps.popleft()
        return list(takewhile(lambda gap: gap[0] < end, gaps))


def _batch(source: Source, number: int, data: bytes, base: int, size: int) -> tuple[Batch, int]:
    """The first `size` bytes of `data`, and how many lines they are."""
    find = data.find
    offsets = [base]
    end = find(b"\n", 0, size)
    while end >= 0:
        offsets.append(base + end + 1)
        end = find(b"\n", end + 1, size)
    if offsets[-1] == base + size:
        offsets.pop()
    try:
        records = decode_lines(memoryview(data)[:size])
        if len(records) == len(offsets):
            return Batch(range(number, number + len(offsets)), offsets, records, data, base), len(offsets)
    except (ValueError, RecursionError):
        pass
    return _careful(source, number, data[:size], base), len(offsets)


def _careful(source: Source, number: int, data: bytes, base: int) -> Batch:
    numbers: list[int] = []
    offsets: list[int] = []
    records: list[Line] = []
    offset = base
    for line, raw in enumerate(data.split(b"\n"), number):
        try:
            found = [(offset, decode(raw))]
        except (ValueError, RecursionError):
            still_open = offset + len(raw) == source.size
            recovered = recover(source.path, line, offset, raw, decode, still_open)
            found = [(at, _line(value)) for at, value in recovered]
        for at, record in found:
            numbers.append(line)
            offsets.append(at)
            records.append(record)
        offset += len(raw) + 1
    return Batch(numbers, offsets, records, data, base)


def _line(value: Line | dict[str, Any] | Entry) -> Line:
    if isinstance(value, dict):
        return fit(value, Line)
    return Fault(type="unreadable", entry=value) if isinstance(value, Entry) else value


def _faulty(entry: Entry) -> Batch:
    return Batch([entry.line], [entry.offset], [_line(entry)], b"", entry.offset)


def _without(batch: Batch, gaps: Sequence[Range]) -> Batch:
    """The batch without what begins in the gaps; damage is reported wherever it is."""
    kept: list[int] = []
    position = 0
    for first, last in gaps:
        start = bisect_left(batch.offsets, first, position)
        end = bisect_left(batch.offsets, last, start)
        kept += range(position, start)
        kept += [place for place in range(start, end) if type(batch.records[place]) is Fault]
        position = end
    kept += range(position, len(batch.offsets))
    return Batch(
        [batch.numbers[place] for place in kept],
        [batch.offsets[place] for place in kept],
        [batch.records[place] for place in kept],
        batch.data,
        batch.base,
    )
