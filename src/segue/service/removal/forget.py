"""Forgetting: what was named is removed for good, with what was derived from it; the chain stays verifiable.

What tells what to look for, the frames, goes last: an interrupted run is finished by the same call. Agents do not
forget; a person does.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from segue.errors import NotFound
from segue.model import tombstone
from segue.model.thread import LIBRARY, Provenance
from segue.service import forgotten
from segue.service.actors import require_person
from segue.service.removal import files
from segue.service.removal.plan import Plan, planned
from segue.service.removal.targets import Session, Targets, named
from segue.service.threads import incoming

if TYPE_CHECKING:
    from segue.model.answers import Forgotten
    from segue.service.workspace import Workspace

_STRANGE = "What another session says in the same words stays, also with --everywhere: name it to forget it."
_S3 = "A bucket that keeps versions of objects keeps those of the artifacts: whoever runs it has to see to these."


def forget(
    workspace: Workspace,
    targets: Sequence[str] = (),
    artifacts: Sequence[str] = (),
    sessions: Sequence[str] = (),
    reason: str = "",
    everywhere: bool = False,
    dry_run: bool = False,
    by: Provenance = LIBRARY,
) -> Forgotten:
    """Removes content for good: `targets` are THREAD@SEQ, a message id, or a THREAD for all that it says; `sessions` are
    AGENT:ID. What else quotes it is named in `also_in`, and goes with `everywhere`, unless it is another session's by the
    record. A dry run only says what would go."""
    require_person(by, "Forgetting")
    if not workspace.exists:
        raise NotFound("There is no workspace here, so nothing is kept.", "Name one with --workspace.")
    by = incoming.vouched(by)
    meant = named(workspace, targets, artifacts, sessions)
    plan = planned(workspace, meant, everywhere)
    remains = _remaining(workspace, meant.sessions)
    remains += [
        f"Artifact {one[:12]} stays: {frame.stream_id}@{frame.seq} names it, too."
        for one, frame in plan.shared.items()
    ]
    if plan.strange:
        remains.append(_STRANGE)
    if not dry_run:
        remains += _remove(workspace, meant, plan, incoming.title(reason) or "", by)
    return {
        "forgotten": not dry_run,
        "frames": [
            {"thread_id": stream_id, "seqs": [stone.seq for stone in stones]}
            for stream_id, stones in plan.stones.items()
        ],
        "artifacts": [{"artifact_id": one, "bytes": size} for one, size in plan.artifacts.items()],
        "files": [{"path": path, "bytes": size} for path, size in plan.files.items()],
        "bytes": plan.freed + sum(plan.artifacts.values()) + sum(plan.files.values()),
        "also_in": {
            "frames": [{"thread_id": frame.stream_id, "seq": frame.seq} for frame in plan.also_frames],
            "artifacts": list(plan.also_artifacts),
            "files": list(plan.also_files),
        },
        "remains": remains,
    }


def _remove(workspace: Workspace, meant: Targets, plan: Plan, reason: str, by: Provenance) -> list[str]:
    """Does what was planned; returns what is left elsewhere."""
    files.stop_archiving(workspace, meant.sessions)
    for path in plan.files:
        with suppress(FileNotFoundError):
            os.unlink(path)
    for artifact_id in plan.artifacts:
        if not forgotten.is_forgotten(workspace.log, artifact_id):
            forgotten.record(workspace.log, artifact_id, reason, by)
        workspace.artifacts.forget(artifact_id)
    for stones in plan.stones.values():
        for first in range(0, len(stones), tombstone.MOST):
            some = stones[first : first + tombstone.MOST]
            workspace.log.forget(some, tombstone.forgotten_draft(some, reason, by.stamp({})))
    workspace.catalog.wipe()
    _drop_caches()
    left = [workspace.log.wipe()]
    if plan.artifacts and workspace.settings["artifacts"].startswith("s3:"):
        left.append(_S3)
    return list(filter(None, left))


def _drop_caches() -> None:
    """What this person's machine keeps of sessions: all of it, since it is made again when it is wanted."""
    from segue.service.removal.retention import earlier_caches
    from segue.service.sessions.rows import drop_cache

    for cache in earlier_caches():
        cache.remove()
    drop_cache()


def _remaining(workspace: Workspace, sessions: Sequence[Session]) -> list[str]:
    """What segue does not own and therefore leaves."""
    return [
        f"{one.agent} still has the session in its own file {one.path}. Hooks keep and derive nothing of it."
        for one in sessions
        if one.path and os.path.exists(os.path.join(workspace.root, one.path))
    ]
