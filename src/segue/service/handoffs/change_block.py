"""The block of a change record, filled from the draft of a session: proposed, reviewed elsewhere, applied as a revision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from segue.handoff.tc import handoff_block
from segue.model import wire
from segue.service.changes import sessions

if TYPE_CHECKING:
    from segue.model.thread import Provenance
    from segue.service.handoffs.draft import Draft
    from segue.service.workspace import Workspace


def propose(workspace: Workspace, tc_id: str, made: Draft) -> dict[str, Any]:
    """What the session would make of the record's block; nothing is written."""
    ended_ms = made.facts.source.ended_ms
    return sessions.propose_handoff(workspace, tc_id, handoff_block(made.facts, now_ms=ended_ms), ended_ms)


def apply(workspace: Workspace, tc_id: str, made: Draft, text: str, reason: str, by: Provenance) -> Any:
    """Puts the block, as JSON and as it was reviewed, into the record."""
    told = made.facts.source
    return sessions.apply_handoff(
        workspace,
        tc_id,
        wire.decode(text),
        reason=reason or "Handoff",
        source=(told.agent, told.session_id, told.model),
        started_ms=told.started_ms,
        by=by,
    )
