"""Artifacts that leave only as far as they are cleared: every version of the handoff document, drafts included.

Each has a small stream of kind `artifact` in the log, made when it is stored, whose id follows from the artifact's. So
what a text looks like decides nothing, and every store and server agrees. Wherever the text of an artifact goes out
through a channel, or into something that may (a compiled context), it is asked for here.
"""

from __future__ import annotations

from contextlib import suppress

from segue.errors import Conflict
from segue.model.frame import DRAFTED, TAIL_REFRESHED, Draft
from segue.model.wire import stream_named
from segue.service.refusals import refusal
from segue.service.workspace import Workspace
from segue.stores.contract import NEW

STORED = "document_stored"
_KIND = "artifact"


def store(workspace: Workspace, text: str, sensitivity: str) -> str:
    """Stores a version of the handoff document, marked as one, and returns its id."""
    artifact_id, _ = workspace.establish().artifacts.put(text.encode())
    _mark(workspace, artifact_id, sensitivity)
    return artifact_id


def mark_earlier(workspace: Workspace) -> None:
    """Marks what versions of segue stored that did not: frames name every draft and every version with a tail."""
    for head in workspace.log.heads():
        for frame in workspace.log.read(head.stream_id, types=(DRAFTED, TAIL_REFRESHED)):
            artifact_id = str(frame.data.get("artifact_id") or frame.data.get("sha256"))
            _mark(workspace, artifact_id, str(frame.data.get("sensitivity") or "private"))


def _mark(workspace: Workspace, artifact_id: str, sensitivity: str) -> None:
    if not is_withheld(workspace, artifact_id):
        told = {"artifact_id": artifact_id, "sensitivity": sensitivity}
        with suppress(Conflict):
            workspace.log.append(_stream(artifact_id), [Draft(STORED, told)], expect=NEW, stream_kind=_KIND)


def is_withheld(workspace: Workspace, artifact_id: str) -> bool:
    """Whether an artifact, named by its whole id, is a version of the handoff document."""
    return workspace.exists and workspace.log.head(_stream(artifact_id)) is not None


def require_open(workspace: Workspace, artifact_id: str) -> None:
    """Raises Refused for a version of the handoff document."""
    if is_withheld(workspace, artifact_id):
        raise refusal("handoff-version", artifact_id=artifact_id[:12])


class OpenArtifacts:
    """The artifacts of a workspace whose text may go into another one."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes:
        """The bytes. Raises Refused for a version of the handoff document."""
        require_open(self._workspace, artifact_id)
        return self._workspace.artifacts.get(artifact_id, offset, max_bytes)


def _stream(artifact_id: str) -> str:
    return stream_named(f"document:{artifact_id}")
