"""The handoff block of a change record."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from segue.handoff.tc import UNSTATED, handoff_block
from segue.model.facts import Evidence, Facts, Prompt, SourceFacts

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
    golden(GOLDEN / "tc.json", json.dumps(handoff_block(facts), ensure_ascii=False, indent=2) + "\n")


def test_a_decision_bears_the_time_of_the_line_that_shows_it(facts: Facts) -> None:
    block = handoff_block(facts, times={120: 0})
    assert block["decisions_made"][0]["timestamp"] == "1970-01-01T00:00:00+00:00"


def test_a_session_without_times_borrows_the_present(facts: Facts) -> None:
    timeless = replace(facts, source=SourceFacts(agent="aider"))
    assert handoff_block(timeless, now_ms=0)["decisions_made"][0]["timestamp"] == "1970-01-01T00:00:00+00:00"


def test_the_cause_beside_a_decision_is_its_rationale_and_without_one_the_block_admits_it(
    facts: Facts,
) -> None:
    made = handoff_block(facts)["decisions_made"]
    assert [(row["decision"], row["rationale"]) for row in made] == [
        (
            "Back off exponentially with full jitter instead of a fixed delay.",
            "Fixed delays made the clients retry in step.",
        ),
        ("Decided to keep the old name.", UNSTATED),
    ]


def test_prompts_stand_in_their_order_and_rules_are_the_last_to_go() -> None:
    asked = [Prompt(text=f"prompt {n}", evidence=(Evidence(n),), score=float(n)) for n in range(40)]
    asked[2] = replace(asked[2], role="rule")
    context = handoff_block(Facts(source=SourceFacts(agent="pi"), prompts=tuple(asked)))["key_context"]
    kept = [2, *range(17, 40)]
    assert context[:-1] == [f'The person: "prompt {n}" [#{n}]' for n in kept]
    assert context[-1].startswith("Pointers like [#12]")


def test_only_a_question_that_waits_is_a_blocker(facts: Facts) -> None:
    waiting = ['Waiting for an answer to "How long may the largest delay be?" [#333]']
    assert handoff_block(facts)["blockers"] == waiting
    assert handoff_block(replace(facts, questions=()))["blockers"] == []


def test_a_line_whose_kind_went_well_since_is_not_told_as_failing(facts: Facts) -> None:
    summary = handoff_block(facts)["progress_summary"]
    assert "`pytest tests/test_retry.py -q` failed: E assert 3 == 4" in summary
    assert "mypy" not in summary
    well = replace(facts, commands=tuple(c for c in facts.commands if c.state != "failing"))
    assert (
        "The last run of `ruff check src` went well: All checks passed!"
        in handoff_block(well)["progress_summary"]
    )


@given(st.from_type(Facts))
def test_a_block_has_exactly_the_fields_of_the_record(facts: Facts) -> None:
    block = json.loads(json.dumps(handoff_block(facts)))
    assert {name: type(value) for name, value in block.items()} == FIELDS
    assert all(isinstance(step, str) and "\n" not in step for step in block["next_steps"])
    assert all(set(file) == {"path", "state", "notes"} for file in block["files_in_progress"])
    assert all(set(made) == {"decision", "rationale", "timestamp"} for made in block["decisions_made"])
