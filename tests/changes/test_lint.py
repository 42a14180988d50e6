"""Every rule of the handoff format as a finding, with an example that breaks it and one that does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from segue.changes import lint
from segue.changes.document import Document
from segue.changes.lint import BLOCKER, CONTEXT, NOTE, PROGRESS, RATIONALE, STEP, TextRule
from segue.model import prose_rules as prose
from segue.model.change import HandoffBlock, Status
from segue.model.finding import Finding, report

Make = Callable[..., Document]

RULES = [*PROGRESS, *STEP, *BLOCKER, *CONTEXT, *RATIONALE, *NOTE]
GOOD: dict[str, Any] = {
    "progress_summary": "Implemented JWT signing with HS256, wired the auth middleware into the main router, "
    "and added two passing unit tests for the happy path.",
    "next_steps": [
        "Add integration test for invalid token (401)",
        "Update README with the new POST /login endpoint",
        "Run `pytest tests/auth/` and capture output as evidence T2",
    ],
    "key_context": [
        "The `legacy_auth` module is being phased out — do NOT extend it. New code goes in `src/auth/`.",
        "We use HS256 (not RS256) because the secret rotation tooling does not support asymmetric keys yet.",
        "There is a hidden import cycle if you import `User` from `models.user` instead of `models`.",
    ],
    "decisions_made": [
        {
            "decision": "Use HS256 instead of RS256 for JWT signing",
            "rationale": "Secret rotation tooling does not support asymmetric keys",
            "timestamp": "2026-04-05T14:32:00+00:00",
        }
    ],
}
BLOCKERS = [
    "Test fixtures for the user model do not exist; need to create `tests/fixtures/user.py`",
    "Waiting for product to confirm whether refresh tokens are in scope (asked in #product channel)",
]


def rules(found: list[Finding]) -> list[str]:
    return [finding.rule for finding in found]


def linted(status: Status = "in_progress", notes: str = "", **block: Any) -> list[Finding]:
    return lint.lint_block(msgspec.convert({**GOOD, **block}, HandoffBlock), status, notes)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_finds_its_bad_example_and_leaves_its_good_one(rule: TextRule) -> None:
    assert (rule.breaks(rule.bad), rule.breaks(rule.good)) == (True, False)


def test_a_good_block_has_no_finding() -> None:
    assert linted() == []
    assert linted("blocked", blockers=BLOCKERS) == []


@pytest.mark.parametrize(
    "text", ["Working on auth.", "Wrote a bunch of code.", "Made good progress", "stuff"]
)
def test_vague_progress_is_found(text: str) -> None:
    assert rules(linted(progress_summary=text)) == ["progress_vague"]


@pytest.mark.parametrize(
    "step",
    [
        "Finish the feature",
        "Make it better",
        "continue",
        "Continue.",
        "keep going",
        "fix bugs",
        "Continue with the work",
        "TODO",
    ],
)
def test_a_step_nobody_could_act_on_is_an_error(step: str) -> None:
    found = linted(next_steps=[step])
    assert [(f.rule, f.severity) for f in found] == [("step_vague", "error")]
    assert found[0].hint.startswith("For example: ")


@pytest.mark.parametrize("text", ["It's hard.", "I'm tired.", "no time", "Everything is complicated here"])
def test_a_mood_is_not_a_blocker(text: str) -> None:
    assert rules(linted("blocked", blockers=[text])) == ["blocker_vague"]


@pytest.mark.parametrize("text", ["Be careful.", "There might be bugs.", "Good luck"])
def test_a_warning_of_nothing_is_found(text: str) -> None:
    assert rules(linted(key_context=[text])) == ["context_vague"]


@pytest.mark.parametrize("status", ["in_progress", "blocked", "paused"])
def test_an_empty_block_is_an_error_while_there_is_work(status: Status) -> None:
    found = lint.lint_block(HandoffBlock(), status)
    assert [(f.rule, f.severity) for f in found] == [("block_empty", "error")]


@pytest.mark.parametrize("status", ["planned", "implemented", "tested"])
def test_an_empty_block_is_fine_before_and_after_the_work(status: Status) -> None:
    assert lint.lint_block(HandoffBlock(), status) == []


def test_missing_progress_and_missing_steps_are_found() -> None:
    assert rules(linted(progress_summary="")) == ["progress_missing"]
    assert rules(linted(next_steps=[])) == ["steps_missing"]


def test_repeated_entries_are_found_where_they_repeat() -> None:
    found = linted(next_steps=["Add a test for 401", "add  a test for 401"])
    assert [(f.rule, f.where) for f in found] == [("repeated", "session_context.handoff.next_steps[2]")]


def test_a_decision_buried_in_the_notes_is_found_unless_it_is_recorded() -> None:
    assert rules(linted(notes="[2026] Decision: keep SQLite")) == ["decision_in_notes"]
    recorded = [
        {"decision": "Keep SQLite", "rationale": "One server", "timestamp": "2026-04-05T14:32:00+00:00"}
    ]
    assert linted(notes="[2026] Decision: keep SQLite", decisions_made=recorded) == []


def test_a_blocker_buried_in_the_notes_is_found_unless_it_is_resolved() -> None:
    assert rules(linted(notes="Waiting for the fixtures")) == ["blocker_in_notes"]
    assert linted(notes="[2026] Resolved: Waiting for the fixtures") == []


def test_a_decision_without_a_rationale_is_found() -> None:
    bare = [{"decision": "Use HS256", "rationale": " ", "timestamp": "2026-04-05T14:32:00+00:00"}]
    assert rules(linted(decisions_made=bare)) == ["decision_unexplained"]


def test_blockers_without_the_status_are_noted() -> None:
    assert [(f.rule, f.severity) for f in linted(blockers=BLOCKERS)] == [("blockers_ignored", "note")]


def test_a_file_mid_edit_that_is_not_listed_as_affected_is_found(make: Make) -> None:
    document = make(files_in_progress=[{"path": "src/a.py", "state": "editing"}])
    assert rules(lint.lint_record(document)) == ["file_unlisted"]


def test_a_block_that_the_work_left_behind_for_an_hour_is_stale(make: Make, amend: Make) -> None:
    block = {"progress": "Added `retry()` to upload.py.", "add_next": ["Add a test for 503"]}
    document = amend(make(), status="in_progress", **block)
    later = amend(document, at="2026-04-05T15:30:00+00:00", add_tags=["a"])
    assert lint.lint_record(later) == []
    much_later = amend(later, at="2026-04-05T15:33:00+00:00", add_tags=["b"])
    assert rules(lint.lint_record(much_later)) == ["block_stale"]
    assert (
        lint.lint_record(amend(much_later, at="2026-04-05T15:34:00+00:00", add_next=["Tag release 2"])) == []
    )


def test_open_tests_and_parts_of_a_tested_change_are_found(make: Make, amend: Make) -> None:
    test = {"procedure": ["run it"], "expected_result": "ok"}
    document = make(
        motivation="Uploads fail",
        files=[{"path": "a.py"}],
        add_subs=[{"title": "A part"}],
        add_tests=[{"title": "First one", **test}, {"title": "Second one", **test}],
        test_results=[{"test_id": "T1", "status": "skip", "actual_result": "no device"}],
    )
    document["status"] = "tested"
    found = [f for f in lint.lint_record(document) if f.rule in ("test_open", "sub_change_open")]
    assert [(f.rule, f.where) for f in found] == [
        ("test_open", "test_cases[T2]"),
        ("sub_change_open", "sub_tcs[TC-007.A]"),
    ]


def test_a_motivation_nobody_stated_is_asked_for(make: Make, amend: Make) -> None:
    assert rules(lint.lint_record(amend(make(), motivation=lint.NOT_STATED))) == ["motivation_missing"]


def test_a_record_that_does_not_fit_the_schema_has_that_one_finding(make: Make) -> None:
    document = make()
    document["priority"] = "whenever"
    found = lint.lint_record(document)
    assert [(f.rule, f.where) for f in found] == [("shape", "priority")]


def test_only_errors_fail_and_no_rule_costs_more_than_twice() -> None:
    warning, error = Finding("a", "warning", "x", "y"), Finding("b", "error", "x", "y")
    assert [report(found)["pass"] for found in ([], [warning], [warning, error])] == [True, True, False]
    assert [report(found)["score"] for found in ([], [warning], [error], [error] * 9)] == [100, 94, 75, 50]


@pytest.mark.parametrize("text", ["продолжить", "続ける", "계속하다"])
def test_a_text_in_other_letters_passes_every_rule(text: str) -> None:
    assert not any(check(text) for check in (prose.is_vague, prose.is_complaint, prose.is_empty_warning))
    assert prose.is_imperative(text) and prose.is_past(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("One", 1), ("One. Two.", 2), ("Set v1.2.3 in a.py. Done.", 2), ("Ran e.g. pytest.", 1)],
)
def test_sentences_are_counted(text: str, count: int) -> None:
    assert prose.sentence_count(text) == count
