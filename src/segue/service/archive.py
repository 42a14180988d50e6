"""Keeping transcripts: a private copy, brought up to date at every boundary, never exported.

A copy that is the beginning of the transcript gets the rest appended; anything else is copied anew. What
did not change writes nothing.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, NamedTuple

from segue.errors import Refused
from segue.stores.marks import safe

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

_CHUNK = 1024 * 1024


class Archived(NamedTuple):
    path: str
    sha256: str
    size: int
    lines: int


def archive(workspace: Workspace, host: str, session_id: str, transcript: str) -> Archived | None:
    """The archived transcript, None when there is nothing to archive. Raises Refused for a file that is
    not the person's own regular file."""
    try:
        status = os.stat(transcript)
    except (OSError, ValueError):
        return None
    if not os.path.isfile(transcript) or status.st_uid != os.getuid():
        raise Refused(
            f"{transcript} is not a file of yours, so it is not archived.", "Check the hook's payload."
        )
    folder = os.path.join(workspace.establish().folder, "transcripts")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    copy = os.path.join(folder, f"{safe(host)}-{safe(session_id)}.jsonl")
    digest, size, lines = _hashed(transcript, None)
    have = os.path.getsize(copy) if os.path.exists(copy) else 0
    if have == size and _hashed(copy, None)[0] == digest:
        return Archived(copy, digest, size, lines)
    grown = 0 < have < size and _hashed(copy, None)[0] == _hashed(transcript, have)[0]
    _copy(transcript, copy, have if grown else 0, size)
    return Archived(copy, digest, size, lines)


def _hashed(path: str, size: int | None) -> tuple[str, int, int]:
    """sha256, size and lines of a file, or of its first bytes."""
    digest, done, lines = hashlib.sha256(), 0, 0
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK if size is None else min(_CHUNK, size - done)):
            digest.update(chunk)
            done += len(chunk)
            lines += chunk.count(b"\n")
    return digest.hexdigest(), done, lines


def _copy(source: str, target: str, start: int, size: int) -> None:
    """Copies bytes from `start` to `size`. From the beginning it goes through a second file, so that a
    copy is never half of one and half of another."""
    place = target if start else f"{target}.{os.getpid()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if start else os.O_TRUNC)
    with open(source, "rb") as given, open(os.open(place, flags, 0o600), "ab" if start else "wb") as kept:
        given.seek(start)
        left = size - start
        while left > 0 and (chunk := given.read(min(_CHUNK, left))):
            kept.write(chunk)
            left -= len(chunk)
        kept.flush()
        os.fsync(kept.fileno())
    if place != target:
        os.replace(place, target)
