"""Files of JSON records, read as they are found in the wild.

A file is opened once, must be a regular one, and is read up to the size it had then, so a
session that is still being written can be read at any time. Memory is bounded by the longest
line. Every byte ends up in a record or in an `unreadable` entry with its place and reason: two
records on one line are both read, damage before or after a record costs only the damage.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import msgspec

from segue.agents import _mend
from segue.errors import BadInput, NotFound, SegueError
from segue.model.entry import Entry

T = TypeVar("T")

MAX_LINE = 32 * 1024 * 1024
"""A longer line is skipped and reported. The longest seen in real sessions is 1.5 MB."""
MAX_DOCUMENT = 512 * 1024 * 1024
"""A single JSON document has to be held whole; a larger one is refused."""
_BLOCK = 256 * 1024

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
        return data

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


class Block(NamedTuple):
    """Neighbouring lines, cut out of the file in one go.

    Only the file's last block may be `open`: its last line has no line end yet. A line over
    MAX_LINE comes as a block of its own, without its bytes and with its length in `overlong`."""

    line: int
    offset: int
    lines: list[bytes]
    open: bool = False
    overlong: int = 0


def blocks(source: Source) -> Iterator[Block]:
    """The lines of a file without their line ends, a few hundred kilobytes at a time."""
    line, offset, position = 1, 0, 0
    carry = b""
    while data := source.read(position, max(_BLOCK, len(carry))):
        position += len(data)
        lines = (carry + data).split(b"\n")
        carry = lines.pop()
        if lines:
            yield Block(line, offset, lines)
            line += len(lines)
            offset = position - len(carry)
        if len(carry) > MAX_LINE:
            position = _line_end(source, position)
            yield Block(line, offset, [], overlong=position - offset)
            line, offset, carry = line + 1, position, b""
    if carry:
        yield Block(line, offset, [carry], open=True)


def records(
    path: str, decode: Callable[[bytes], T] = any_json
) -> Iterator[tuple[int, int, T | dict[str, Any] | Entry]]:
    """Line, byte offset and value of every record of a JSONL file, in file order.

    The value is what `decode` made of it; a plain dict where the record is sound JSON of another shape
    than `decode` expects; or an `unreadable` entry, ready to be passed on. Blank lines are skipped."""
    line, offset, found = 1, 0, False
    with open_source(path) as source:
        try:
            for block in blocks(source):
                if block.overlong:
                    yield block.line, block.offset, overlong(path, block)
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
            yield line, offset, unreadable(path, line, offset, f"cannot be read further: {fault.strerror}")
            return
    if not found:
        yield 1, 0, unreadable(path, 1, 0, EMPTY)


def recover(
    path: str, line: int, offset: int, raw: bytes, decode: Callable[[bytes], T], open_end: bool
) -> Iterator[tuple[int, T | dict[str, Any] | Entry]]:
    """What a line still holds that did not decode in one go: (offset, value), as `records` gives them.
    `open_end` says that the line is the file's last and has no line end yet."""
    for piece in _mend.pieces(raw):
        at = offset + piece.at
        if piece.reason:
            cut_short = open_end and piece.last and piece.value is None and piece.reason != _mend.BINARY
            yield at, unreadable(path, line, at, STILL_WRITTEN if cut_short else piece.reason, piece.size)
        if piece.value is not None:
            yield at, _shaped(piece.value, decode)


def document(path: str, decode: Callable[[bytes], T] = any_json) -> T | Any:
    """The value of a file that is one JSON document; a plain value where `decode` expects another
    shape; an `unreadable` entry where it is none."""
    with open_source(path) as source:
        if source.size > MAX_DOCUMENT:
            raise BadInput(
                f"{path} is larger than {MAX_DOCUMENT >> 20} MiB, too large for one JSON document."
            )
        try:
            raw = source.read(0, source.size)
        except OSError as fault:
            return unreadable(path, 1, 0, f"cannot be read: {fault.strerror}")
    try:
        return decode(raw)
    except (ValueError, RecursionError):
        value, reason = _mend.whole(raw)
    if reason:
        return unreadable(path, 1, 0, reason, len(raw))
    return _shaped(value, decode)


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


def overlong(path: str, block: Block) -> Entry:
    reason = f"a line of {block.overlong} bytes, longer than {MAX_LINE >> 20} MiB"
    return unreadable(path, block.line, block.offset, reason, block.overlong)


def _shaped(value: Any, decode: Callable[[bytes], T]) -> T | Any:
    """A mended value in the shape the caller asked for, or as it is if it does not fit."""
    try:
        return decode(msgspec.json.encode(value))
    except (ValueError, OverflowError, RecursionError):
        return value


def _line_end(source: Source, position: int) -> int:
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
        return NotFound(f"There is no file {path}.")
    if number in (errno.EACCES, errno.EPERM):
        return BadInput(f"{path} may not be read by you.", "Check its permissions.")
    if number == errno.ELOOP:
        return BadInput(f"{path} is a link that leads back to itself.")
    reason = fault.strerror if isinstance(fault, OSError) else str(fault)
    return BadInput(f"{path!r} cannot be opened: {reason}.")
