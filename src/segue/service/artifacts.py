"""Artifacts: bytes under the name of their hash.

Text in any encoding is redacted before it is stored, unless the caller says that it must stay as it is; the answer
says whether it was, and counts what was taken out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from segue.errors import BadInput
from segue.model.ids import is_artifact_id
from segue.model.value import NamedTuple
from segue.service import withheld
from segue.service.paging import page
from segue.service.refusals import refusal

if TYPE_CHECKING:
    from segue.model.answers import ArtifactList, Stored
    from segue.service.workspace import Workspace

MAX_BYTES = 1024 * 1024 * 1024
_SHOWN_UP_TO = 64 * 1024 * 1024


class Content(NamedTuple):
    """Bytes of an artifact, and how many they will be."""

    size: int
    pieces: Iterator[bytes]


def put(workspace: Workspace, data: bytes, verbatim: bool = False) -> Stored:
    """Stores bytes and says under which name."""
    from segue.redaction.redact import Redactor

    redactor = Redactor()
    clean = None if verbatim else redactor.redact_bytes(data)
    artifact_id, size = workspace.establish().artifacts.put(data if clean is None else clean)
    answer: Stored = {"artifact_id": artifact_id, "bytes": size, "redacted": clean is not None}
    _, total, by_kind = redactor.receipt()
    if total:
        answer["redactions"] = {"total": total, "by_kind": by_kind}
    return answer


def get(
    workspace: Workspace,
    artifact_id: str,
    offset: int = 0,
    max_bytes: int | None = None,
    channel: str | None = None,
) -> bytes:
    """The bytes of an artifact, or a range of them; no version of the handoff document through a channel."""
    name = _resolve_readable(workspace, artifact_id, offset, max_bytes, channel)
    return workspace.artifacts.get(name, offset, max_bytes)


def read(
    workspace: Workspace,
    artifact_id: str,
    offset: int = 0,
    max_bytes: int | None = None,
    channel: str | None = None,
) -> Content:
    """What `get` gives, in pieces of bounded size; whether it may be given at all is known before the first."""
    name = _resolve_readable(workspace, artifact_id, offset, max_bytes, channel)
    left = max(0, (workspace.artifacts.size(name) or 0) - offset)
    size = left if max_bytes is None else min(left, max_bytes)
    return Content(size, workspace.artifacts.read(name, offset, max_bytes))


def _resolve_readable(
    workspace: Workspace, artifact_id: str, offset: int, max_bytes: int | None, channel: str | None
) -> str:
    """The full id of an artifact that may be given."""
    if offset < 0 or (max_bytes is not None and max_bytes < 0):
        raise BadInput("An offset and a number of bytes are 0 or more.", "Leave them out to get all of it.")
    name = workspace.artifacts.resolve(artifact_id)
    if channel:
        withheld.require_open(workspace, name)
    return name


def text_for(workspace: Workspace, artifact_id: str) -> str:
    """The text of an artifact for a channel that leaves this machine's own agents: redacted, and no version of the
    handoff document, which goes out only as far as it is cleared."""
    from segue.redaction.redactor import Redactor, encoding_of

    name = workspace.artifacts.resolve(artifact_id)
    withheld.require_open(workspace, name)
    size = workspace.artifacts.size(name) or 0
    clean = Redactor().redact_bytes(workspace.artifacts.get(name)) if size <= _SHOWN_UP_TO else None
    encoding = None if clean is None else encoding_of(clean)
    if clean is None or encoding is None:
        raise refusal("not-a-text", name=name[:12])
    return clean.decode(encoding, "replace")


def list_artifacts(workspace: Workspace, limit: int | None = None, after: str | None = None) -> ArtifactList:
    """Every artifact with its size, by name; at most `limit` of those that follow the one named `after`. Where more
    follow, `next_after` is where the next page begins."""
    if after is not None and not is_artifact_id(after):
        raise BadInput(f"{after!r} is not the id of an artifact.", "Give `next_after` of the page before.")
    rows, more = page(workspace.artifacts.ids(after or "") if workspace.exists else (), limit)
    found: ArtifactList = {
        "artifacts": [{"artifact_id": artifact_id, "bytes": size} for artifact_id, size in rows]
    }
    if more:
        found["next_after"] = rows[-1][0]
    return found
