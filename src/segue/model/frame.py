"""Frames: what the log is made of.

A frame is one canonical JSON object in one stream at one sequence number. Readers get it as
`Frame`: the few fields every reader needs, and the body as bytes, decoded only when somebody
asks for the payload. The table below is the vocabulary; a new frame type is one row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypedDict

from segue.errors import BadInput, Unavailable
from segue.model.value import NamedTuple

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
        """The whole frame, envelope included. Raises Unavailable when the stored bytes are no frame."""
        try:
            decoded: Payload = json.loads(self.body)
        except (ValueError, TypeError, RecursionError):
            raise self._damaged() from None
        if type(decoded) is not dict:
            raise self._damaged()
        return decoded

    def _damaged(self) -> Unavailable:
        return Unavailable(
            f"Frame {self.seq} of stream {self.stream_id} is damaged: its content is no JSON object.",
            "`segue verify log` lists all damage; restore log.db from a backup.",
            "damaged",
        )


framed = partial(tuple.__new__, Frame)
"""`Frame._make` without its check, for those who make frames by the million: a third faster."""


class Draft(NamedTuple):
    """A frame to be: the store adds identity, order and time."""

    type: str
    payload: Payload
    id: str | None = None
    """Given when another frame of the same commit must name this one; otherwise the store makes it."""


class Which(TypedDict, total=False):
    """Which frames of a range are read, and in what order: of some types only, from the last on, so many at most."""

    types: Sequence[str]
    reverse: bool
    limit: int | None


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
COMPOSED = "handoff_composed"
DRAFTED = "handoff_drafted"
APPROVED = "handoff_approved"
REJECTED = "handoff_rejected"
TAIL_REFRESHED = "handoff_tail_refreshed"
CLEARANCE_DECIDED = "handoff_clearance_decided"
REPLAYED = "handoff_replayed"
ACKNOWLEDGED = "handoff_acknowledged"
MAINTAINED = "post_compact_maintenance"

FORGOTTEN = "content_forgotten"
LOST = "frames_lost"

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
    COMPOSED: Rule(
        ("artifact_id", "model", "passes", "shown", "corrected", "dropped"), ("destination", "leave")
    ),
    DRAFTED: Rule(("artifact_id", "approval"), ("sensitivity", "score")),
    APPROVED: Rule(("artifact_id",), ("cleared", "sensitivity", "sha256")),
    REJECTED: Rule(("artifact_id",), ("reason",)),
    TAIL_REFRESHED: Rule(("sha256", "bytes"), ("rich",)),
    CLEARANCE_DECIDED: Rule(
        ("channel", "sha256", "sensitivity", "clearance", "allowed"), ("authorized", "session_id")
    ),
    REPLAYED: Rule(
        ("host", "session_id", "sha256", "source", "durable"),
        ("replay_id", "sensitivity", "clearance", "authorized"),
    ),
    ACKNOWLEDGED: Rule(("host", "session_id", "sha256", "evidence")),
    MAINTAINED: Rule(("archive", "backfill", "consolidation")),
    FORGOTTEN: Rule(("forgotten", "reason")),
    LOST: Rule(("from_seq", "to_seq", "head_hash")),
}
"""Every continuity frame type this version writes. Types it does not know are read, kept and passed on."""


class Kind(NamedTuple):
    """What a field may hold: how a person says it, and the test."""

    words: str
    holds: Callable[[Any], bool]


def _texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)


TEXT = Kind("a text", lambda value: isinstance(value, str))
TEXTS = Kind("a list of texts", _texts)
SEQ = Kind("a whole number from 0 on", lambda value: type(value) is int and 0 <= value < 1 << 32)
PATHS = Kind("a list of texts, or null", lambda value: value is None or _texts(value))
NUMBER = Kind("a whole number", lambda value: type(value) is int)
FLAG = Kind("true or false", lambda value: type(value) is bool)

KINDS: dict[str, Kind] = {
    name: kind
    for kind, names in (
        (TEXT, "actor_id origin workspace title role content native_id run_session_id message_id"),
        (TEXT, "tool_id tool_name command excerpt parent_thread_id parent_message_id note goal"),
        (TEXT, "from_thread_id from_message_id to_thread_id to_message_id summary_markdown summary_kind"),
        (TEXT, "summary_artifact_id bundle_artifact_id artifact_id checkpoint_id compiler_id"),
        (TEXT, "compiler_strategy host session_id sha256 head_hash channel sensitivity clearance"),
        (SEQ, "parent_seq from_seq to_seq"),
        (TEXTS, "added removed"),
        (PATHS, "affected_paths"),
        (NUMBER, "exit_code"),
        (FLAG, "archived is_error default allowed authorized rich"),
    )
    for name in names.split()
}
"""What the fields that readers rely on hold, in whatever frame they stand."""


class _Plan(NamedTuple):
    """A rule made ready for checking many drafts."""

    demanded: frozenset[str]
    any_of: tuple[str, ...]
    typed: tuple[tuple[str, Kind], ...]
    not_text: frozenset[str]


def _plan(rule: Rule) -> _Plan:
    named = (*rule.required, *rule.optional, *rule.any_of, "actor_id", "origin")
    typed = tuple((name, KINDS[name]) for name in named if name in KINDS)
    return _Plan(
        frozenset((*rule.required, "actor_id", "origin") if rule.provenance else rule.required),
        rule.any_of,
        typed,
        frozenset(name for name, kind in typed if kind is not TEXT),
    )


_PLANS = {kind: _plan(rule) for kind, rule in RULES.items()}
_STR = frozenset((str,))


def checked(draft: Draft) -> Draft:
    """The draft, once its payload satisfies its rule. Types without a row are the caller's business."""
    kind, payload, _ = draft
    plan = _PLANS.get(kind)
    if plan is None:
        return draft
    demanded, any_of, typed, not_text = plan
    if not demanded.issubset(payload):
        missing = sorted(demanded.difference(payload))
        raise _lacking(kind, ", ".join(missing), "Give every field that the type demands.")
    if any_of and not any(name in payload for name in any_of):
        raise _lacking(kind, f"one of {', '.join(any_of)}", "Give at least one of them.")
    if _STR.issuperset(map(type, payload.values())) and (not not_text or not_text.isdisjoint(payload)):
        return draft  # nothing but texts where texts belong: the common case, for half the time
    for name, (words, holds) in typed:
        if name in payload and not holds(payload[name]):
            hint = "Mend the field, or leave it out if it is optional."
            raise _lacking(kind, f"{name} to be {words}", hint)
    return draft


def _lacking(kind: str, what: str, hint: str) -> BadInput:
    return BadInput(f"A {kind} frame needs {what}.", hint)
