"""Whether git tracks a folder, read from the repository's index without running git.

A hook asks this before it does anything, so it has to be cheap: the names stand in the index as they are, and a search
for bytes finds them. Only in its fourth version, where every name is told by what differs from the one before, those
up to the folder's are decoded. Names are compared without regard to case, since some file systems do not know any.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LARGEST = 1 << 30
_HEADER = 12
_TIMES_AND_MODES = 40
_EXTENDED = 0x4000
_LENGTH = 0xFFF


def tracks(folder: str) -> bool:
    """True when the repository around a folder has the folder, or anything in it, in its index."""
    place, name = os.path.split(os.path.realpath(folder))
    while not os.path.lexists(os.path.join(place, ".git")):
        place, part = os.path.split(place)
        if not part:
            return False
        name = f"{part}/{name}"
    repository = _repository(os.path.join(place, ".git"))
    return any(_holds(_bytes(path), name, repository) for path in _indexes(repository))


def _repository(place: str) -> str:
    """The folder of the repository; in a worktree or a submodule, `.git` is a file that names it."""
    told = _bytes(place)[:4096]
    if not told.startswith(b"gitdir:"):
        return place
    return os.path.join(os.path.dirname(place), os.fsdecode(told[len(b"gitdir:") :].strip()))


def _indexes(repository: str) -> list[str]:
    """The index, and the files that it may share its entries with."""
    try:
        names = os.listdir(repository)
    except OSError:
        return []
    return [
        os.path.join(repository, name) for name in names if name == "index" or name.startswith("sharedindex.")
    ]


def _bytes(path: str) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
            return b""
        parts = []
        while part := os.read(handle, 1 << 22):
            parts.append(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(handle)


def _holds(data: bytes, name: str, repository: str) -> bool:
    wanted = os.fsencode(name).lower()
    if data[:4] != b"DIRC":
        return False
    if data[4:8] == b"\0\0\0\4":
        hashed = 32 if b"sha256" in _bytes(os.path.join(repository, "config")).lower() else 20
        return any(
            found.lower() == wanted or found.lower().startswith(wanted + b"/")
            for found in _told_by_difference(data, hashed, wanted + b"0")
        )
    lower = data.lower()
    at = lower.find(wanted)
    while at >= 0:
        if lower[at + len(wanted) : at + len(wanted) + 1] in (b"/", b"\0") and _is_whole_name(data, at):
            return True
        at = lower.find(wanted, at + 1)
    return False


def _is_whole_name(data: bytes, at: int) -> bool:
    """True for the beginning of an entry's name: its length stands before it, and may be followed by further flags."""
    length = data.find(b"\0", at) - at
    for back in (2, 4):
        flags = int.from_bytes(data[at - back : at - back + 2], "big")
        if flags & _LENGTH == min(length, _LENGTH) and bool(flags & _EXTENDED) == (back == 4):
            return True
    return False


def _told_by_difference(data: bytes, hashed: int, end_at: bytes) -> Iterator[bytes]:
    """The names in an index of version 4 that come before another, as far as it can be understood. They are in order,
    and no spelling of a name comes after the one in small letters."""
    at, name = _HEADER, b""
    for _ in range(int.from_bytes(data[8:12], "big")):
        at += _TIMES_AND_MODES + hashed
        at += 4 if int.from_bytes(data[at : at + 2], "big") & _EXTENDED else 2
        byte = data[at] if at < len(data) else 0
        at, dropped = at + 1, byte & 127
        while byte & 128 and at < len(data):
            byte = data[at]
            at, dropped = at + 1, ((dropped + 1) << 7) + (byte & 127)
        end = data.find(b"\0", at)
        if end < 0:
            return
        name = name[: len(name) - dropped] + data[at:end]
        at = end + 1
        if name > end_at:
            return
        yield name
