"""What can be said against a workspace: every check of `segue verify`, each a stream of findings.

A check never stops at the first damage. Where damage leaves it nothing to go on with, that is a finding,
too, and the other checks run all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from segue.errors import BadInput, Unavailable
from segue.model import frame as kinds
from segue.model.frame import Draft, Frame, checked
from segue.service import catalogs
from segue.service.forgotten import is_forgotten
from segue.service.workspace import Workspace
from segue.stores.contract import ERROR, NOTE, Finding, Head
from segue.stores.verify import REBUILD, RESTORE
from segue.threads.links import LINK_SEQ

Check = Callable[["Workspace"], Iterator[Finding]]

_LEADS_TO = {
    kinds.BRANCHED: ("parent_thread_id", "parent_seq"),
    kinds.HANDOFF: ("from_thread_id", "from_seq"),
    kinds.REFERENCED: ("to_thread_id", "to_seq"),
}
_NAMES_BLOB = {
    kinds.HANDOFF: "summary_artifact_id",
    kinds.CHECKPOINT: "summary_artifact_id",
    kinds.COMPILED: "bundle_artifact_id",
}
_ABOUT_HEADS = ("head_mismatch", "frames_lost")
_SEEN_BY_HEADS = ("dangling_link", "stale_cache")
"""What a head that lies makes look broken; whether it is shows once the heads are made again."""
_LOST = "Restore the artifact from a backup or another copy of the workspace."


def findings(workspace: Workspace, what: str) -> list[Finding]:
    """All findings of one part, or of `all`, without those that another one explains."""
    found: list[Finding] = []
    for part, checks in CHECKS.items():
        if what in (part, "all"):
            for name, check in checks.items():
                found += _guarded(workspace, name, check, bool(found))
    if any(finding.kind in _ABOUT_HEADS for finding in found):
        return [finding for finding in found if finding.kind not in _SEEN_BY_HEADS]
    return found


def _guarded(workspace: Workspace, name: str, check: Check, damaged: bool) -> Iterator[Finding]:
    try:
        for finding in check(workspace):
            damaged = True
            yield finding
    except Unavailable as fault:
        if fault.code != "damaged":
            raise
        message = f"The check of the {name} could not go on. {fault.message}"
        first = "Mend what else was found first, then verify again." if damaged else RESTORE
        yield Finding("unchecked" if damaged else "damaged", name, message, first)


def _log(workspace: Workspace) -> Iterator[Finding]:
    for finding in workspace.log.verify():
        # The log's own advice on damage is to verify it, which is what is being done.
        yield finding._replace(hint=RESTORE) if "segue verify" in finding.hint else finding


def _artifacts(workspace: Workspace) -> Iterator[Finding]:
    return workspace.artifacts.verify()


def _links(workspace: Workspace) -> Iterator[Finding]:
    """Links that lead nowhere, and blobs that frames name and the store does not have."""
    log = workspace.log
    heads = {head.stream_id: head for head in log.heads() if head.stream_kind == kinds.CONTINUITY}
    for thread_id in heads:
        for frame in log.read(thread_id, LINK_SEQ, LINK_SEQ, types=(kinds.BRANCHED, kinds.HANDOFF)):
            yield from _link_findings(workspace, heads, frame)
        for frame in log.read(thread_id, types=(kinds.REFERENCED, kinds.CHECKPOINT, kinds.COMPILED)):
            yield from _link_findings(workspace, heads, frame)


def _link_findings(workspace: Workspace, heads: dict[str, Head], frame: Frame) -> Iterator[Finding]:
    where = f"{frame.stream_id}@{frame.seq}"
    try:
        data = checked(Draft(frame.type, frame.data)).payload
    except BadInput as fault:
        yield Finding("malformed", where, fault.message, "Another program wrote it; this link is not used.")
        return
    except Unavailable:
        return  # the check of the frames says it
    if frame.type in _LEADS_TO:
        to_thread, to_seq = (data[name] for name in _LEADS_TO[frame.type])
        head = heads.get(to_thread)
        if head is None or to_seq > head.seq:
            target = f"thread {to_thread}" if head is None else f"seq {to_seq} of thread {to_thread}"
            hint = "The log is incomplete: restore it from a backup or another copy."
            message = f"It points to {target}, which is not in this log."
            severity = NOTE if _is_recorded_as_lost(workspace, to_thread, to_seq) else ERROR
            yield Finding("dangling_link", where, message, hint, severity)
    artifact_id = data.get(_NAMES_BLOB.get(frame.type, ""))
    if artifact_id is not None:
        yield from _blob_findings(workspace, where, artifact_id)


def _is_recorded_as_lost(workspace: Workspace, thread_id: str, seq: int) -> bool:
    told = (frame.data for frame in workspace.log.read(thread_id, types=(kinds.LOST,)))
    return any(data["from_seq"] <= seq <= data["to_seq"] for data in told)


def _blob_findings(workspace: Workspace, where: str, artifact_id: str) -> Iterator[Finding]:
    try:
        if workspace.artifacts.size(artifact_id) is None and not is_forgotten(workspace.log, artifact_id):
            message = f"It names artifact {artifact_id}, which is not stored."
            yield Finding("missing_blob", where, message, _LOST)
    except (BadInput, Unavailable) as fault:
        yield Finding(
            "damaged_blob", where, f"It names an artifact that is of no use. {fault.message}", _LOST
        )


def _cache(workspace: Workspace) -> Iterator[Finding]:
    """What the catalog says of each thread, and what it leaves out, against a fold of its frames. The heads
    are read first: what comes later the catalog may know already, but need not."""
    log = workspace.log
    before = [head.stream_id for head in log.heads() if head.stream_kind == kinds.CONTINUITY]
    catalog = workspace.catalog
    rows, counts = {row["thread_id"]: row for row in catalog.states()}, catalog.counts()
    for thread_id in before:
        if thread_id not in rows:
            yield Finding("stale_cache", thread_id, "The catalog does not know this thread.", REBUILD)
    for thread_id, row in rows.items():
        if log.head(thread_id) is None:
            yield Finding("stale_cache", thread_id, "The catalog knows a thread that has no frames.", REBUILD)
            continue
        state, *truth = catalogs.folded(log, thread_id, row.get("seq"))
        if {**row, "tags": tuple(row.get("tags", ()))} != state._asdict():
            message = "The catalog says something else of this thread than its frames."
            yield Finding("stale_cache", thread_id, message, REBUILD)
        elif list(counts.get(thread_id, (0, 0))) != truth:
            message = "Search and message names do not know all of this thread, or too much of it."
            yield Finding("stale_cache", thread_id, message, REBUILD)


CHECKS: dict[str, dict[str, Check]] = {
    "log": {"frames": _log, "links": _links, "cache": _cache},
    "artifacts": {"artifacts": _artifacts},
}
