"""Files of a workspace's folder that hold words of sessions: archived transcripts, handoffs, notes.

Archived transcripts of a session go with what is forgotten of it. Others are looked through for its passages.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from segue.service.removal.targets import Session
from segue.service.workspace import Workspace
from segue.stores import private_files
from segue.stores.marks import safe, touch

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


def contents(workspace: Workspace) -> Iterator[tuple[str, int, bytes]]:
    """Path, size and content of every file that is not too large to look through."""
    for path, status in listed(workspace):
        if status.st_size <= _LARGEST:
            yield path, status.st_size, private_files.read(path, _LARGEST)


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
    return found


def with_about(found: dict[str, int]) -> dict[str, int]:
    """The files, and with the current handoff what is known of it."""
    about = [os.path.join(os.path.dirname(path), _ABOUT) for path in found if path.endswith(f"/{_DOCUMENT}")]
    return found | {path: os.path.getsize(path) for path in about if os.path.isfile(path)}


def stop_archiving(workspace: Workspace, sessions: tuple[Session, ...]) -> None:
    """Their transcripts are not archived again: the agents' own files still say what was forgotten."""
    for one in sessions:
        name = f"{safe(one.agent)}-{safe(one.session_id)}{_UNARCHIVED}"
        touch(os.path.join(workspace.folder, "transcripts", name))
