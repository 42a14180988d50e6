"""Files of a workspace's folder that hold words of sessions: archived transcripts, handoffs, notes.

Archived transcripts of a session go with what is forgotten of it. Of the others, what quotes it is found by its passages.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from segue.service.removal.passages import Passages
from segue.service.removal.targets import Session
from segue.stores import private_files
from segue.stores.marks import safe, touch

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

FOLDERS = ("transcripts", "boundary", "spool")
_LARGEST = 256 * 1024 * 1024
_UNARCHIVED = ".forgotten"
_DOCUMENT, _ABOUT = ".handoff.md", ".handoff.json"


def listed(workspace: Workspace, *folders: str) -> Iterator[tuple[str, os.stat_result]]:
    """Every regular file in these folders of the workspace."""
    for name in folders or FOLDERS:
        folder = os.path.join(workspace.folder, name)
        for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            path = os.path.join(folder, entry)
            if private_files.is_file(path):
                yield path, os.lstat(path)


def of_sessions(workspace: Workspace, sessions: tuple[Session, ...]) -> dict[str, int]:
    """Paths and sizes of what was archived of the sessions and made from them."""
    names = [f"{safe(one.agent)}-{safe(one.session_id)}" for one in sessions]
    found = {}
    for path, status in listed(workspace, "transcripts"):
        for name in names:
            own = (f"{name}.", f"proposals-{name}.", f".handoff-{name}.")
            if os.path.basename(path).startswith(own) and not path.endswith(_UNARCHIVED):
                found[path] = status.st_size
    return found


def quoting(workspace: Workspace, passages: Passages) -> tuple[dict[str, int], dict[str, int]]:
    """Paths and sizes of files with one of the passages: handoffs and notes, and transcripts of other sessions."""
    notes: dict[str, int] = {}
    transcripts: dict[str, int] = {}
    for path, status in listed(workspace):
        if status.st_size > _LARGEST or not passages:
            continue
        if passages.occur_in_bytes(private_files.read(path, _LARGEST)):
            (transcripts if path.endswith(".jsonl") else notes)[path] = status.st_size
    about = os.path.join(workspace.folder, "transcripts", _ABOUT)
    if os.path.join(workspace.folder, "transcripts", _DOCUMENT) in notes and os.path.isfile(about):
        notes[about] = os.path.getsize(about)
    return notes, transcripts


def copies(workspace: Workspace, artifacts: set[str]) -> dict[str, int]:
    """Paths and sizes of the handoffs that are the same as one of these artifacts or rest on the approval of one, and of
    notes that name one."""
    from segue.model.wire import content_id
    from segue.service.boundary import approvals, documents

    document = documents.current(workspace)
    approved = approvals.approval(workspace, document.about) if document and document.about.rich else None
    resting = approved is not None and approved.data.get("artifact_id") in artifacts
    found = {}
    for path, status in listed(workspace, "transcripts"):
        name = os.path.basename(path)
        if status.st_size > _LARGEST or not name.startswith((".handoff", ".draft")):
            continue
        data = private_files.read(path, _LARGEST)
        rests = resting and name == _DOCUMENT
        if rests or content_id(data) in artifacts or any(one.encode() in data for one in artifacts):
            found[path] = status.st_size
            if name == _DOCUMENT:
                about = os.path.join(os.path.dirname(path), _ABOUT)
                found |= {about: os.path.getsize(about)} if os.path.isfile(about) else {}
    return found


def stop_archiving(workspace: Workspace, sessions: tuple[Session, ...]) -> None:
    """Their transcripts are not archived again: the agents' own files still say what was forgotten."""
    for one in sessions:
        name = f"{safe(one.agent)}-{safe(one.session_id)}{_UNARCHIVED}"
        touch(os.path.join(workspace.folder, "transcripts", name))
