"""Files of JSON records, read as they are found in the wild.

A file is opened once, must be a regular one, and is read up to the size it had then, so a
session that is still being written can be read at any time. Memory is bounded by the longest
line. Every byte ends up in a record or in an `unreadable` entry with its place and reason: two
records on one line are both read, damage before or after a record costs only the damage.
"""

from __future__ import annotations

import codecs
import errno
import os
import stat
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec

from segue.errors import BadInput, NotFound, SegueError
from segue.model.entry import Entry
from segue.model.value import NamedTuple

T = TypeVar("T")

MAX_LINE = 32 * 1024 * 1024
"""A longer line is skipped and reported. The longest seen in real sessions is 1.5 MB."""
LONGEST_OPENING = 4 * 1024 * 1024
"""Bytes of a first line that are read to learn whose it is."""
_BLOCK = 256 * 1024
_UNMARKED = b" " * len(codecs.BOM_UTF8)
"""What is read for a byte order mark: no offset changes, and before a record it says nothing."""

STILL_WRITTEN = "still being written"
EMPTY = "the file holds no records"

any_json: Callable[[bytes], Any] = msgspec.json.Decoder().decode


class Source(NamedTuple):
    """A regular file, open for reading, and what it was at that moment."""

    path: str
    fd: int
    size: int
    mtime_ns: int

    def read(self, offset: int, count: int) -> bytes:
        """Up to `count` bytes; fewer only at the end of what there was when the file was opened."""
        count = min(count, self.size - offset)
        data = os.pread(self.fd, count, offset) if count > 0 else b""
        while (
            data and len(data) < count and (more := os.pread(self.fd, count - len(data), offset + len(data)))
        ):
            data += more
        return (
            _UNMARKED + data[len(codecs.BOM_UTF8) :]
            if offset == 0 and data.startswith(codecs.BOM_UTF8)
            else data
        )

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)


def open_source(path: str) -> Source:
    """Opens a regular file. Raises NotFound or BadInput with a sentence for everything else: a pipe or
    a device would block or never end, a folder has no bytes."""
    fd = -1
    try:
        # A pipe must not be waited for, and some devices act on being opened at all.
        _regular(path, os.stat(path).st_mode)
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        status = os.fstat(fd)
        _regular(path, status.st_mode)
    except (OSError, ValueError, SegueError) as fault:
        if fd >= 0:
            os.close(fd)
        if isinstance(fault, SegueError):
            raise
        raise _sentence(path, fault) from None
    return Source(path, fd, status.st_size, status.st_mtime_ns)


def head(path: str, count: int = 64 * 1024) -> bytes:
    """The first bytes of a regular file."""
    with open_source(path) as source:
        return source.read(0, count)


def opening(path: str, count: int = 64 * 1024) -> bytes:
    """The first bytes of a regular file and the rest of the line they break off in, within LONGEST_OPENING."""
    with open_source(path) as source:
        raw = source.read(0, count)
        while not raw.endswith(b"\n") and len(raw) < LONGEST_OPENING:
            more = source.read(len(raw), _BLOCK)
            if not more:
                break
            raw += more[: more.find(b"\n") + 1] or more
        return raw


class Cut(NamedTuple):
    """Neighbouring whole lines at byte `offset`: the first `size` bytes of `data`, without the last line
    end. Only the file's last cut may be `open`: its line has no line end yet. A line over MAX_LINE comes
    alone, without its bytes and with its length in `overlong`."""

    offset: int
    data: bytes
    size: int
    open: bool = False
    overlong: int = 0


class Block(NamedTuple):
    """A cut with the number of its first line, and its lines."""

    line: int
    offset: int
    lines: list[bytes]
    open: bool = False
    overlong: int = 0


def cuts(source: Source) -> Iterator[Cut]:
    """A file, a few hundred kilobytes at a time, cut between lines."""
    position = offset = 0
    carry = b""
    while data := source.read(position, max(_BLOCK, len(carry))):
        position += len(data)
        data = carry + data
        end = data.rfind(b"\n")
        carry = data[end + 1 :]
        if end >= 0:
            yield Cut(offset, data, end)
            offset = position - len(carry)
        if len(carry) > MAX_LINE:
            position = line_end(source, position)
            yield Cut(offset, b"", 0, overlong=position - offset)
            offset, carry = position, b""
    if carry:
        yield Cut(offset, carry, len(carry), open=True)


def blocks(source: Source) -> Iterator[Block]:
    """The lines of a file without their line ends, some hundred at a time."""
    line = 1
    for offset, data, size, open_end, too_long in cuts(source):
        lines = [] if too_long else data[:size].split(b"\n")
        yield Block(line, offset, lines, open_end, too_long)
        line += len(lines) or 1


def records(
    path: str, decode: Callable[[bytes], T] = any_json
) -> Iterator[tuple[int, int, T | dict[str, Any] | Entry]]:
    """Line, byte offset and value of every record of a JSONL file, in file order.

    The value is what `decode` made of it; a plain dict where the record is sound JSON of another shape
    than `decode` expects; or an `unreadable` entry, ready to be passed on. Blank lines are skipped."""
    found, line, offset = False, 1, 0
    with open_source(path) as source:
        try:
            for block in blocks(source):
                if block.overlong:
                    found = True
                    yield block.line, block.offset, overlong(path, block.line, block.offset, block.overlong)
                line, offset = block.line, block.offset
                for raw in block.lines:
                    try:
                        value: Any = decode(raw)
                        if decode is any_json and type(value) is not dict:
                            raise ValueError
                    except (ValueError, RecursionError):
                        for at, value in recover(path, line, offset, raw, decode, block.open):
                            found = True
                            yield line, at, value
                    else:
                        found = True
                        yield line, offset, value
                    line += 1
                    offset += len(raw) + 1
        except OSError as fault:
            yield line, offset, broken_off(path, line, offset, fault)
            return
    if not found:
        yield 1, 0, unreadable(path, 1, 0, EMPTY)


def recover(
    path: str, line: int, offset: int, raw: bytes, decode: Callable[[bytes], T], open_end: bool
) -> Iterator[tuple[int, T | dict[str, Any] | Entry]]:
    """What a line still holds that did not decode in one go: (offset, value), as `records` gives them.
    `open_end` says that the line is the file's last and has no line end yet."""
    from segue.agents import _recovery  # 1 ms, and few files are damaged

    for piece in _recovery.pieces(raw):
        at = offset + piece.at
        if piece.reason:
            cut_short = open_end and piece.last and piece.value is None and piece.reason != _recovery.BINARY
            yield at, unreadable(path, line, at, STILL_WRITTEN if cut_short else piece.reason, piece.size)
        if piece.value is not None:
            yield at, _shaped(piece.value, decode)


def unreadable(path: str, line: int, offset: int, reason: str, size: int = 0) -> Entry:
    """The entry that stands for `size` bytes nobody could read."""
    return Entry(
        kind="unreadable",
        file=path,
        line=line,
        offset=offset,
        by="harness",
        reason=reason,
        data={"bytes": size} if size else {},
    )


def not_utf8(path: str, raw: bytes, line: int = 1, offset: int = 0) -> Entry | None:
    """The entry that reports the first byte that is no UTF-8 of some bytes that were read without it."""
    try:
        raw.decode()
    except UnicodeDecodeError as fault:
        at = offset + fault.start
        return unreadable(path, line, at, f"not UTF-8 at byte {at}", fault.end - fault.start)
    return None


def overlong(path: str, line: int, offset: int, size: int) -> Entry:
    return unreadable(path, line, offset, f"a line of {size} bytes, longer than {MAX_LINE >> 20} MiB", size)


def broken_off(path: str, line: int, offset: int, fault: OSError) -> Entry:
    return unreadable(path, line, offset, f"cannot be read further: {fault.strerror}")


def _shaped(value: Any, decode: Callable[[bytes], T]) -> T | Any:
    """A mended value in the shape the caller asked for, or as it is if it does not fit."""
    try:
        return decode(msgspec.json.encode(value))
    except (ValueError, OverflowError, RecursionError):
        return value


def line_end(source: Source, position: int) -> int:
    while data := source.read(position, _BLOCK):
        end = data.find(b"\n")
        if end >= 0:
            return position + end + 1
        position += len(data)
    return position


def _regular(path: str, mode: int) -> None:
    if stat.S_ISREG(mode):
        return
    kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
    kind = next((name for test, name in kinds if test(mode)), "a device")
    raise BadInput(f"{path} is {kind}, not a file.", "Name the session file itself.")


def _sentence(path: str, fault: OSError | ValueError) -> SegueError:
    number = fault.errno if isinstance(fault, OSError) else None
    if number in (errno.ENOENT, errno.ENOTDIR):
        return NotFound(f"There is no file {path}.", "`segue sessions list` shows the sessions there are.")
    if number in (errno.EACCES, errno.EPERM):
        return BadInput(f"{path} may not be read by you.", "Check its permissions.")
    if number == errno.ELOOP:
        return BadInput(f"{path} is a link that leads back to itself.", "Name the session file itself.")
    reason = fault.strerror if isinstance(fault, OSError) else str(fault)
    return BadInput(f"{path!r} cannot be opened: {reason}.", "Name another file or session.")


_REPORTED = 100
"""Lines with damage that are reported one by one."""


def lines(path: str, first: int = 1, start: int = 0) -> Iterator[tuple[int, int, bytes]]:
    """Number, byte offset and bytes of every line from a place on, one block in memory at a time."""
    with open_source(path) as source:
        for block in blocks(source):
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
    with open_source(path) as source:
        for block in blocks(source):
            line, offset = block.line, block.offset
            if end is not None and offset >= end:
                return
            if block.overlong and offset >= start:
                yield overlong(path, line, offset, block.overlong)
            for raw in block.lines:
                if start <= offset < (source.size if end is None else end) and not raw.isascii():
                    flaw = not_utf8(path, raw, line, offset)
                    if flaw is not None:
                        yield flaw
                        reported += 1
                if reported == _REPORTED:
                    return
                line += 1
                offset += len(raw) + 1
