"""Frames: what the log is made of.

A frame is one canonical JSON object in one stream at one sequence number. Readers get it as
`Frame`: the few fields every reader needs, and the body as bytes, decoded only when somebody
asks for the payload. The table below is the vocabulary; a new frame type is one row.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any, NamedTuple

from segue.errors import BadInput

Payload = dict[str, Any]

CONTINUITY = "continuity"
STREAM_KINDS = (CONTINUITY, "session", "artifact")
ENVELOPE = ("id", "stream_kind", "stream_id", "seq", "timestamp_ms", "type")


class Frame(NamedTuple):
    """One frame as stored. `body` is the whole frame as canonical JSON, `hash` its chain hash."""

    stream_id: str
    seq: int
    id: str
    type: str
    body: bytes
    hash: bytes

    @property
    def data(self) -> Payload:
        """The whole frame, envelope included."""
        decoded: Payload = json.loads(self.body)
        return decoded


framed = partial(tuple.__new__, Frame)
"""`Frame._make` without its check, for those who make frames by the million: a third faster."""


class Draft(NamedTuple):
    """A frame to be: the store adds identity, order and time."""

    type: str
    payload: Payload
    id: str | None = None
    """Given when another frame of the same commit must name this one; otherwise the store makes it."""


class Rule(NamedTuple):
    """What a frame type demands of its payload."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    provenance: bool = True


CREATED = "continuity_created"
MESSAGE = "continuity_message_appended"
RUN_SPAWNED = "continuity_run_spawned"
RUN_ENDED = "continuity_run_ended"
SIDE_EFFECTS = "continuity_tool_side_effects"
BRANCHED = "continuity_branched"
HANDOFF = "continuity_handoff_created"
REFERENCED = "continuity_thread_referenced"
SELECTION = "continuity_context_selection_decided"
COMPILED = "continuity_context_compiled"
CHECKPOINT = "continuity_compaction_checkpoint_created"
JOB_SPAWNED = "continuity_job_spawned"
JOB_ENDED = "continuity_job_ended"
RENAMED = "continuity_renamed"
ARCHIVED = "continuity_archived"
TAGGED = "continuity_tagged"

WARNED = "auto_compact_warning"
REQUIRED = "auto_compact_required"
PRUNED = "context_window_pruned"
TRANSCRIPT_ARCHIVED = "transcript_archived"
DRAFTED = "handoff_drafted"
APPROVED = "handoff_approved"
REJECTED = "handoff_rejected"
TAIL_REFRESHED = "handoff_tail_refreshed"
REPLAYED = "handoff_replayed"
ACKNOWLEDGED = "handoff_acknowledged"
MAINTAINED = "post_compact_maintenance"

_OCCUPANCY = ("tokens", "context_window_tokens", "utilization_percent", "action")
_DECIDED = ("compiler_id", "compiler_strategy")

RULES: dict[str, Rule] = {
    CREATED: Rule(("workspace",), ("title", "default", "actor_id", "origin", "source"), provenance=False),
    MESSAGE: Rule(("role", "content"), ("native_id", "run_session_id", "source")),
    RUN_SPAWNED: Rule(("run_session_id", "message_id")),
    RUN_ENDED: Rule(("run_session_id", "message_id", "reason")),
    SIDE_EFFECTS: Rule(
        ("run_session_id", "tool_id", "tool_name", "affected_paths"),
        ("command", "exit_code", "is_error", "excerpt"),
    ),
    BRANCHED: Rule(("parent_thread_id", "parent_seq"), ("parent_message_id",)),
    HANDOFF: Rule(
        ("from_thread_id", "from_seq"),
        ("from_message_id", "goal", "redactions", "sensitivity", "agent", "session_id"),
        any_of=("summary_artifact_id", "summary_markdown"),
    ),
    REFERENCED: Rule(("to_thread_id", "to_seq"), ("note",)),
    SELECTION: Rule(
        (*_DECIDED, "limits", "resets", "reason"),
        ("run_session_id", "message_id", "compaction_checkpoint", "compaction_checkpoints"),
    ),
    COMPILED: Rule((*_DECIDED, "bundle_artifact_id", "from_seq"), ("run_session_id", "from_message_id")),
    CHECKPOINT: Rule(
        ("checkpoint_id", "cut_rule_id", "summary_kind", "summary_artifact_id", "from_seq", "to_seq"),
        ("from_message_id", "to_message_id"),
    ),
    JOB_SPAWNED: Rule(("job_id", "job_kind"), ("details",)),
    JOB_ENDED: Rule(("job_id", "job_kind", "status"), ("result", "error")),
    RENAMED: Rule(("title",)),
    ARCHIVED: Rule(("archived",)),
    TAGGED: Rule(("added", "removed")),
    WARNED: Rule(_OCCUPANCY),
    REQUIRED: Rule(_OCCUPANCY),
    PRUNED: Rule(("tokens_before", "tokens_after", "context_window_tokens", "pruned_ids")),
    TRANSCRIPT_ARCHIVED: Rule(("sha256", "bytes", "entries"), any_of=("artifact_id", "path")),
    DRAFTED: Rule(("artifact_id", "approval"), ("sensitivity", "score")),
    APPROVED: Rule(("artifact_id",)),
    REJECTED: Rule(("artifact_id",), ("reason",)),
    TAIL_REFRESHED: Rule(("sha256", "bytes")),
    REPLAYED: Rule(
        ("host", "session_id", "sha256", "source", "durable"), ("replay_id", "sensitivity", "clearance")
    ),
    ACKNOWLEDGED: Rule(("host", "session_id", "sha256", "evidence")),
    MAINTAINED: Rule(("archive", "backfill", "consolidation")),
}
"""Every continuity frame type this version writes. Types it does not know are read, kept and passed on."""


_DEMANDED = {
    kind: frozenset((*rule.required, "actor_id", "origin") if rule.provenance else rule.required)
    for kind, rule in RULES.items()
}


def checked(draft: Draft) -> Draft:
    """The draft, once its payload satisfies its rule. Types without a row are the caller's business."""
    rule = RULES.get(draft.type)
    if rule is None:
        return draft
    if not _DEMANDED[draft.type].issubset(draft.payload):
        missing = sorted(_DEMANDED[draft.type].difference(draft.payload))
        raise BadInput(f"A {draft.type} frame needs {', '.join(missing)}.")
    if rule.any_of and not any(name in draft.payload for name in rule.any_of):
        raise BadInput(f"A {draft.type} frame needs one of {', '.join(rule.any_of)}.")
    return draft
