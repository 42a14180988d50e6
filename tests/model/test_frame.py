"""Every row of the table of frame types, with an example that must match and one that must not."""

from __future__ import annotations

from typing import Any

import pytest

from segue.errors import BadInput, Unavailable
from segue.model import frame as f
from segue.model.frame import ENVELOPE, KINDS, RULES, Draft, Frame, checked

WHO = {"actor_id": "user", "origin": "cli"}
OCCUPANCY = {"tokens": 9, "context_window_tokens": 10, "utilization_percent": 90, "action": "warn"}

EXAMPLES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    f.CREATED: ({"workspace": "w"}, {"title": "no workspace"}),
    f.MESSAGE: ({"role": "user", "content": "", **WHO}, {"role": "user", "content": "who says so?"}),
    f.RUN_SPAWNED: ({"run_session_id": "r", "message_id": "m", **WHO}, {"run_session_id": "r", **WHO}),
    f.RUN_ENDED: (
        {"run_session_id": "r", "message_id": "m", "reason": "done", **WHO},
        {"run_session_id": "r", "message_id": "m", **WHO},
    ),
    f.SIDE_EFFECTS: (
        {"run_session_id": "r", "tool_id": "t", "tool_name": "write", "affected_paths": None, **WHO},
        {"run_session_id": "r", "tool_id": "t", "tool_name": "write", **WHO},
    ),
    f.BRANCHED: ({"parent_thread_id": "t", "parent_seq": 0, **WHO}, {"parent_thread_id": "t", **WHO}),
    f.HANDOFF: (
        {"from_thread_id": "t", "from_seq": 4, "summary_markdown": "go on", **WHO},
        {"from_thread_id": "t", "from_seq": 4, "goal": "no summary", **WHO},
    ),
    f.REFERENCED: ({"to_thread_id": "t", "to_seq": 1, **WHO}, {"to_thread_id": "t", "note": "no cut", **WHO}),
    f.SELECTION: (
        {"compiler_id": "c", "compiler_strategy": "s", "limits": {}, "resets": [], "reason": "r", **WHO},
        {"compiler_id": "c", "compiler_strategy": "s", "limits": {}, "resets": [], **WHO},
    ),
    f.COMPILED: (
        {"compiler_id": "c", "compiler_strategy": "s", "bundle_artifact_id": "b", "from_seq": 1, **WHO},
        {"compiler_id": "c", "compiler_strategy": "s", "bundle_artifact_id": "b", **WHO},
    ),
    f.CHECKPOINT: (
        {
            "checkpoint_id": "c",
            "cut_rule_id": "r",
            "summary_kind": "k",
            "summary_artifact_id": "a",
            "from_seq": 0,
            "to_seq": 9,
            **WHO,
        },
        {"checkpoint_id": "c", "cut_rule_id": "r", "summary_kind": "k", "from_seq": 0, "to_seq": 9, **WHO},
    ),
    f.JOB_SPAWNED: ({"job_id": "j", "job_kind": "k", **WHO}, {"job_id": "j", **WHO}),
    f.JOB_ENDED: (
        {"job_id": "j", "job_kind": "k", "status": "completed", **WHO},
        {"job_id": "j", "job_kind": "k", **WHO},
    ),
    f.RENAMED: ({"title": "", **WHO}, {"title": "t", "actor_id": "user"}),
    f.ARCHIVED: ({"archived": False, **WHO}, WHO),
    f.TAGGED: ({"added": [], "removed": ["x"], **WHO}, {"added": ["x"], **WHO}),
    "auto_compact_warning": ({**OCCUPANCY, **WHO}, OCCUPANCY),
    "auto_compact_required": ({**OCCUPANCY, **WHO}, {"tokens": 1, **WHO}),
    "context_window_pruned": (
        {"tokens_before": 9, "tokens_after": 5, "context_window_tokens": 10, "pruned_ids": [], **WHO},
        {"tokens_before": 9, "tokens_after": 5, "context_window_tokens": 10, **WHO},
    ),
    "transcript_archived": (
        {"sha256": "s", "bytes": 1, "entries": 1, "path": "p", **WHO},
        {"sha256": "s", "bytes": 1, "entries": 1, **WHO},
    ),
    "handoff_composed": (
        {"artifact_id": "a", "model": "m", "passes": 1, "shown": 3, "corrected": 0, "dropped": 1, **WHO},
        {"artifact_id": "a", "model": "m", **WHO},
    ),
    "handoff_drafted": ({"artifact_id": "a", "approval": "ask", **WHO}, {"artifact_id": "a", **WHO}),
    "handoff_approved": ({"artifact_id": "a", **WHO}, {"artifact_id": "a", "origin": "cli"}),
    "handoff_rejected": ({"artifact_id": "a", "reason": "r", **WHO}, {"reason": "r", **WHO}),
    "handoff_tail_refreshed": ({"sha256": "s", "bytes": 1, **WHO}, {"sha256": "s", **WHO}),
    "handoff_clearance_decided": (
        {
            "channel": "mcp",
            "sha256": "x",
            "sensitivity": "private",
            "clearance": "team",
            "allowed": False,
            **WHO,
        },
        {"channel": "mcp", "sha256": "x", "sensitivity": "private", "clearance": "team", **WHO},
    ),
    "handoff_replayed": (
        {"host": "h", "session_id": "s", "sha256": "x", "source": "compact", "durable": False, **WHO},
        {"host": "h", "session_id": "s", "sha256": "x", "source": "compact", **WHO},
    ),
    "handoff_acknowledged": (
        {"host": "h", "session_id": "s", "sha256": "x", "evidence": "e", **WHO},
        {"host": "h", "session_id": "s", "sha256": "x", **WHO},
    ),
    "post_compact_maintenance": (
        {"archive": "completed", "backfill": "skipped", "consolidation": "failed", **WHO},
        {"archive": "completed", "backfill": "skipped", **WHO},
    ),
    "content_forgotten": (
        {"forgotten": [{"artifact_id": "a" * 64}], "reason": "a password", **WHO},
        {"reason": "a password", **WHO},
    ),
    "frames_lost": (
        {"from_seq": 4, "to_seq": 6, "head_hash": "0f", **WHO},
        {"from_seq": 4, "to_seq": "6", "head_hash": "0f", **WHO},
    ),
}


def test_every_frame_type_has_an_example_that_matches_and_one_that_does_not() -> None:
    assert EXAMPLES.keys() == RULES.keys()


@pytest.mark.parametrize("kind", RULES)
def test_the_matching_example_is_accepted_as_it_is(kind: str) -> None:
    draft = Draft(kind, EXAMPLES[kind][0])
    assert checked(draft) is draft


@pytest.mark.parametrize("kind", RULES)
def test_the_other_example_is_refused_in_a_sentence_that_names_the_type(kind: str) -> None:
    with pytest.raises(BadInput, match=f"A {kind} frame needs "):
        checked(Draft(kind, EXAMPLES[kind][1]))


@pytest.mark.parametrize("kind", RULES)
def test_no_required_field_may_be_left_out(kind: str) -> None:
    rule, payload = RULES[kind], EXAMPLES[kind][0]
    demanded = (*rule.required, *(WHO if rule.provenance else ()))
    for name in demanded:
        with pytest.raises(BadInput, match=name):
            checked(Draft(kind, {k: v for k, v in payload.items() if k != name}))


@pytest.mark.parametrize("kind", RULES)
def test_no_row_names_a_field_twice_or_one_that_the_log_writes_itself(kind: str) -> None:
    rule = RULES[kind]
    named = (*rule.required, *rule.optional, *rule.any_of)
    assert len(set(named)) == len(named)
    assert set(named).isdisjoint(ENVELOPE)


HELD: dict[f.Kind, tuple[list[Any], list[Any]]] = {
    f.TEXT: (["", "t"], [5, None, ["t"], b"t"]),
    f.TEXTS: ([[], ["t"], ("t",)], ["t", None, [5], {"t": 1}]),
    f.PATHS: ([None, [], ["p"]], ["p", 5, [None]]),
    f.SEQ: ([0, 7, 2**32 - 1], [-1, 2**32, True, 1.0, "0", None]),
    f.NUMBER: ([-9, 0], [True, 1.5, "1"]),
    f.FLAG: ([True, False], [0, 1, "yes", None]),
}


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in RULES for name in KINDS if name in EXAMPLES[kind][0]]
)
def test_a_field_holds_what_its_kind_allows_and_nothing_else(kind: str, name: str) -> None:
    payload = EXAMPLES[kind][0]
    fit, unfit = HELD[KINDS[name]]
    for value in fit:
        draft = Draft(kind, {**payload, name: value})
        assert checked(draft) is draft
    for value in unfit:
        with pytest.raises(BadInput, match=f"A {kind} frame needs {name} to be {KINDS[name].words}"):
            checked(Draft(kind, {**payload, name: value}))


def test_every_typed_field_stands_in_a_row() -> None:
    named = {name for rule in RULES.values() for name in (*rule.required, *rule.optional, *rule.any_of)}
    assert KINDS.keys() - named - WHO.keys() == set()


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[]", b"5", b"[" * 100_000])
def test_a_body_that_is_no_object_is_said_to_be_damaged_by_stream_and_number(body: bytes) -> None:
    with pytest.raises(Unavailable, match="Frame 7 of stream s is damaged") as caught:
        _ = Frame("s", 7, "i", "t", body, b"").data
    assert caught.value.code == "damaged"


def test_a_type_without_a_row_is_passed_on() -> None:
    draft = Draft("from_the_future", {"anything": 1})
    assert checked(draft) is draft


def test_a_frame_decodes_its_body_envelope_included() -> None:
    frame = Frame("s", 0, "i", "t", b'{"id":"i","seq":0,"x":[1]}', b"")
    assert frame.data == {"id": "i", "seq": 0, "x": [1]}
