"""Keeping transcripts: a private copy, brought up to date at every boundary, never exported.

A copy that is the beginning of the transcript gets the rest appended. Where the transcript was written
anew, the copy is set aside under its hash before the new one is made: history that was kept once stays.
What did not change writes nothing.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, NamedTuple

from segue.errors import BadInput, Refused
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
    not the person's own regular file, and for one that holds no session of this host where one is kept."""
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
    copy = copy_path(workspace, host, session_id)
    digest, size, lines = _hashed(transcript, None)
    have = os.path.getsize(copy) if os.path.exists(copy) else 0
    if not size and not have:
        return None
    if have == size and _hashed(copy, None)[0] == digest:
        return Archived(copy, digest, size, lines)
    grown = 0 < have < size and _hashed(copy, None)[0] == _hashed(transcript, have)[0]
    if have and not grown:
        if not holds_session(host, transcript):
            raise no_session(host, transcript)
        os.replace(
            copy, os.path.join(folder, f"{safe(host)}-{safe(session_id)}.{_hashed(copy, None)[0]}.jsonl")
        )
    _copy(transcript, copy, have if grown else 0, size)
    return Archived(copy, digest, size, lines)


def copy_path(workspace: Workspace, host: str, session_id: str) -> str:
    """Where the transcript of a session is kept."""
    return os.path.join(workspace.folder, "transcripts", f"{safe(host)}-{safe(session_id)}.jsonl")


def holds_session(host: str, transcript: str) -> bool:
    """False for a file that is another agent's, or in which the host's reader finds nothing that was said. A
    host whose format segue does not read is believed."""
    from segue.agents.registry import READERS
    from segue.service.session_rows import FAULTS, Source

    if host not in READERS:
        return os.path.getsize(transcript) > 0
    try:
        said = any(entry.kind not in ("meta", "unreadable") for entry in Source(host, transcript).entries())
        return said and _writer(transcript, host) == host
    except FAULTS:
        return False


def _writer(transcript: str, otherwise: str) -> str:
    """The agent a file is recognised as; a beginning that nobody recognises contradicts nobody."""
    from segue.agents.locate import identify

    try:
        return identify(transcript)[0]
    except BadInput:
        return otherwise


def no_session(host: str, transcript: str) -> Refused:
    return Refused(
        f"{transcript} holds no session of {host}, so what was kept before stays as it is.",
        "Check the hook's payload.",
    )


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
