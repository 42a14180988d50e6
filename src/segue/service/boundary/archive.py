"""Keeping transcripts: a private copy, brought up to date at every boundary, never exported.

A copy that is the beginning of the transcript gets the rest appended. Where the transcript was written
anew, the copy is set aside under its hash before the new one is made: history that was kept once stays.
What did not change writes nothing.
"""

from __future__ import annotations

import hashlib
import os
from typing import IO

from segue.errors import BadInput, SegueError
from segue.model.value import NamedTuple
from segue.service.refusals import refusal
from segue.service.workspace import Workspace
from segue.stores import private_files
from segue.stores.marks import safe

_CHUNK = 1024 * 1024


class Archived(NamedTuple):
    path: str
    sha256: str
    size: int
    lines: int


def archive(workspace: Workspace, host: str, session_id: str, transcript: str) -> Archived | None:
    """The archived transcript, None when there is nothing to archive. Raises Refused for a file that is
    not the person's own regular file, and for one that is no transcript of this host."""
    try:
        status = os.stat(transcript)
    except (OSError, ValueError):
        return None
    if not os.path.isfile(transcript) or status.st_uid != os.getuid():
        raise refusal("not-your-file", transcript=transcript)
    folder = os.path.join(workspace.establish().folder, "transcripts")
    private_files.make_folder(folder)
    copy = copy_path(workspace, host, session_id)
    private_files.require_file(copy)
    if is_forgotten(workspace, host, session_id):
        return None
    digest, size, lines = _hashed(transcript, None)
    have = os.path.getsize(copy) if os.path.exists(copy) else 0
    if not size and not have:
        return None
    if have == size and _hashed(copy, None)[0] == digest:
        return Archived(copy, digest, size, lines)
    grown = 0 < have < size and _hashed(copy, None)[0] == _hashed(transcript, have)[0]
    holding = SAID if grown else held(host, transcript)
    if holding == NO_TRANSCRIPT or (have and holding == NOTHING_YET):
        raise no_session(host, transcript)
    if holding == NOTHING_YET:
        return None
    if have and not grown:
        os.replace(
            copy, os.path.join(folder, f"{safe(host)}-{safe(session_id)}.{_hashed(copy, None)[0]}.jsonl")
        )
    _copy(transcript, copy, have if grown else 0, size)
    return Archived(copy, digest, size, lines)


def is_forgotten(workspace: Workspace, host: str, session_id: str) -> bool:
    """Whether somebody had something of this session removed. The agent's own file still says it, so that nothing
    is kept or made of that file unasked."""
    return os.path.exists(f"{copy_path(workspace, host, session_id).removesuffix('.jsonl')}.forgotten")


def copy_path(workspace: Workspace, host: str, session_id: str) -> str:
    """Where the transcript of a session is kept."""
    return os.path.join(workspace.folder, "transcripts", f"{safe(host)}-{safe(session_id)}.jsonl")


SAID, NOTHING_YET, NO_TRANSCRIPT = "said", "nothing yet", "no transcript"


def held(host: str, transcript: str) -> str:
    """Whether something was said in a file, nothing yet, or it is no transcript of the host: another agent's, or one of
    which the host's reader understands nothing. A host whose format segue does not read is believed."""
    from segue.agents.registry import READERS
    from segue.service.sessions.rows import FAULTS, Source

    if host not in READERS:
        return SAID if os.path.getsize(transcript) else NO_TRANSCRIPT
    try:
        if _writer(transcript, host) != host:
            return NO_TRANSCRIPT
        holding = NOTHING_YET
        for entry in Source(host, transcript).entries():
            if entry.kind == "unreadable":
                holding = NO_TRANSCRIPT
            elif entry.kind != "meta":
                return SAID
        return holding
    except FAULTS:
        return NO_TRANSCRIPT


def holds_session(host: str, transcript: str) -> bool:
    """True for a file of the host in which something was said."""
    return held(host, transcript) == SAID


def _writer(transcript: str, otherwise: str) -> str:
    """The agent a file is recognised as; a beginning that nobody recognises contradicts nobody."""
    from segue.agents.locate import identify

    try:
        return identify(transcript)[0]
    except BadInput:
        return otherwise


def no_session(host: str, transcript: str) -> SegueError:
    return refusal("no-session-in-file", transcript=transcript, host=host)


def _hashed(path: str, size: int | None) -> tuple[str, int, int]:
    """sha256, size and lines of a file, or of its first bytes."""
    digest, done, lines = hashlib.sha256(), 0, 0
    with _reading(path) as file:
        while chunk := file.read(_CHUNK if size is None else min(_CHUNK, size - done)):
            digest.update(chunk)
            done += len(chunk)
            lines += chunk.count(b"\n")
    return digest.hexdigest(), done, lines


def _reading(path: str) -> IO[bytes]:
    """A file that was looked at and is not waited for, should it have become a pipe since."""
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")


def _copy(source: str, target: str, start: int, size: int) -> None:
    """Copies bytes from `start` to `size`. From the beginning it goes through a second file, so that a
    copy is never half of one and half of another."""
    place = target if start else f"{target}.{os.getpid()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if start else os.O_TRUNC)
    with (
        _reading(source) as given,
        open(private_files.open_file(place, flags), "ab" if start else "wb") as kept,
    ):
        given.seek(start)
        left = size - start
        while left > 0 and (chunk := given.read(min(_CHUNK, left))):
            kept.write(chunk)
            left -= len(chunk)
        kept.flush()
        os.fsync(kept.fileno())
    if place != target:
        os.replace(place, target)
