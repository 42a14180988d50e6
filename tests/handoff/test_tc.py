"""The handoff block of a change record."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from segue.handoff.tc import UNSTATED, handoff_block, render_block
from segue.model.facts import Facts, SourceFacts

from ..conftest import Golden
from .conftest import GOLDEN

FIELDS = {
    "progress_summary": str,
    "next_steps": list,
    "blockers": list,
    "key_context": list,
    "files_in_progress": list,
    "decisions_made": list,
}


def test_the_block_of_a_session(facts: Facts, golden: Golden) -> None:
    golden(GOLDEN / "tc.json", render_block(handoff_block(facts)))


def test_a_decision_bears_the_time_of_the_line_that_shows_it(facts: Facts) -> None:
    block = handoff_block(facts, times={120: 0})
    assert block["decisions_made"][0]["timestamp"] == "1970-01-01T00:00:00+00:00"


def test_a_session_without_times_borrows_the_present(facts: Facts) -> None:
    timeless = replace(facts, source=SourceFacts(agent="aider"))
    assert handoff_block(timeless, now_ms=0)["decisions_made"][0]["timestamp"] == "1970-01-01T00:00:00+00:00"


def test_a_decision_without_a_reason_admits_it(facts: Facts) -> None:
    bare = replace(facts, decisions=(replace(facts.decisions[0], why=""),))
    assert handoff_block(bare)["decisions_made"][0]["rationale"] == UNSTATED


def test_a_superseded_word_is_told_only_beside_the_one_that_replaced_it(facts: Facts) -> None:
    block = json.dumps(handoff_block(facts))
    assert block.count("8080") == 1 and '(replaces \\"use port 8080' in block
    assert "retry on every status" not in block


@given(st.from_type(Facts))
def test_a_block_has_exactly_the_fields_of_the_record(facts: Facts) -> None:
    block = json.loads(render_block(handoff_block(facts)))
    assert {name: type(value) for name, value in block.items()} == FIELDS
    assert all(isinstance(step, str) and "\n" not in step for step in block["next_steps"])
    assert all(set(file) == {"path", "state", "notes"} for file in block["files_in_progress"])
    assert all(set(made) == {"decision", "rationale", "timestamp"} for made in block["decisions_made"])
