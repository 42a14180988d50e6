"""The current handoff document: `transcripts/.handoff.md`, and what is known about it.

One current document per workspace (a session that an approved one is not about gets its own beside it); every version
also lives as an artifact. A rich body is written by a person or an agent and approved; a mechanical one is derived from
evidence and says so. Text and what is known of it are two files that change together, under a lock. They are only
files: what of them may be said to a session is asked of the log, in `approvals.py`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from segue.model.ids import now_ms
from segue.model.value import NamedTuple
from segue.service import withheld
from segue.service.workspace import Workspace, write_private
from segue.stores import private_files
from segue.stores.marks import safe


class About(NamedTuple):
    """What is known of the document beside its text."""

    rich: bool = False
    sensitivity: str = "private"
    host: str = ""
    session_id: str = ""
    root: str = ""
    written_ms: int = 0
    cleared: tuple[str, ...] = ()
    """Channels below its sensitivity that a person authorized for it."""
    place: str = ""
    """The repository below the workspace that it is about; nothing stands for the workspace itself."""
    tail_of: tuple[str, ...] = ()
    """Host and session whose last messages the tail holds."""
    tail_ms: int = 0
    """When the tail was made."""


class Document(NamedTuple):
    text: str
    sha256: str
    about: About
    path: str


def tail_key(session_id: str, sha256: str) -> str:
    """The key under which a hook records a document that got the tail of a session."""
    return f"tail:{session_id}:{sha256}"


def path_of(workspace: Workspace) -> str:
    return os.path.join(workspace.folder, "transcripts", ".handoff.md")


def _about_path(workspace: Workspace) -> str:
    return os.path.join(workspace.folder, "transcripts", ".handoff.json")


def current(workspace: Workspace) -> Document | None:
    """The document as it is on disk now, whoever edited it last; None when there is none."""
    if not os.path.exists(path_of(workspace)):
        return None
    with _locked(workspace):
        return _current(workspace)


def _current(workspace: Workspace) -> Document | None:
    try:
        text = private_files.read(path_of(workspace)).decode(errors="replace")
    except OSError:
        return None
    return Document(text, hashlib.sha256(text.encode()).hexdigest(), _about(workspace), path_of(workspace))


@contextmanager
def _locked(workspace: Workspace) -> Iterator[None]:
    """One process at a time; where the disk knows no locks, all of them."""
    import fcntl

    private_files.require_folders(path_of(workspace))
    folder = os.open(os.path.dirname(path_of(workspace)), os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _about(workspace: Workspace) -> About:
    try:
        known: dict[str, Any] = json.loads(private_files.read(_about_path(workspace)))
        about = About(**{name: known[name] for name in About._fields if name in known})
        return about._replace(cleared=tuple(map(str, about.cleared)), tail_of=tuple(map(str, about.tail_of)))
    except (OSError, ValueError, TypeError):
        return About(root=workspace.root)


def write(workspace: Workspace, text: str, about: About, record: Callable[[Document], None]) -> Document:
    """Replaces the document, whatever it is, and keeps this version as an artifact. `record` puts it into the log before
    anybody else can read it: without that it counts for nothing."""
    data = _store(workspace, text, about)
    with _locked(workspace):
        document = _write_files(workspace, data, about)
        record(document)
        return document


def write_over(workspace: Workspace, before: Document | None, text: str, about: About) -> Document | None:
    """Replaces the document that `before` was read from; None, with nothing written, when an approved one came or went
    since. Mechanical ones of sessions at the same boundary replace each other."""
    data = _store(workspace, text, about)
    with _locked(workspace):
        now = _current(workspace)
        if now != before and any(document is not None and document.about.rich for document in (now, before)):
            return None
        return _write_files(workspace, data, about)


def _store(workspace: Workspace, text: str, about: About) -> bytes:
    """The text, as an artifact that leaves only as far as it is cleared, and a folder for it."""
    private_files.make_folder(os.path.join(workspace.establish().folder, "transcripts"))
    withheld.store(workspace, text, about.sensitivity)
    return text.encode()


def _write_files(workspace: Workspace, data: bytes, about: About) -> Document:
    about = about._replace(root=workspace.root, written_ms=about.written_ms or now_ms())
    write_private(_about_path(workspace), (json.dumps(about._asdict(), indent=2) + "\n").encode())
    write_private(path_of(workspace), data)
    return Document(data.decode(), hashlib.sha256(data).hexdigest(), about, path_of(workspace))


def write_beside(workspace: Workspace, text: str, about: About) -> Document:
    """Writes the document of one session and leaves the current one, which is about another, as it is."""
    data = _store(workspace, text, about)
    folder = os.path.dirname(path_of(workspace))
    path = os.path.join(folder, f".handoff-{safe(about.host)}-{safe(about.session_id)}.md")
    write_private(path, data)
    about = about._replace(root=workspace.root, written_ms=now_ms())
    return Document(text, hashlib.sha256(data).hexdigest(), about, path)
