"""What only a record can show: what its notes bury, what it forgets to list, to test or to keep up to date."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from segue.changes import lint
from segue.changes.document import Document
from segue.changes.lint import NOTES, NoteRule
from segue.model.finding import Finding, report

Make = Callable[..., Document]


def rules(found: list[Finding]) -> list[str]:
    return [finding.rule for finding in found]


@pytest.mark.parametrize("rule", NOTES, ids=lambda rule: rule.name)
def test_a_rule_finds_its_bad_example_and_leaves_its_good_one(rule: NoteRule) -> None:
    assert (rule.breaks(rule.bad), rule.breaks(rule.good)) == (True, False)


def test_a_decision_buried_in_the_notes_is_found_unless_it_is_recorded(make: Make) -> None:
    assert rules(lint.lint_record(make(notes=["Decision: keep SQLite"]))) == ["buried-decision"]
    recorded = [{"decision": "Keep SQLite", "rationale": "One server"}]
    assert lint.lint_record(make(notes=["Decision: keep SQLite"], decisions=recorded)) == []


def test_a_blocker_buried_in_the_notes_is_found_unless_it_is_resolved(make: Make) -> None:
    assert rules(lint.lint_record(make(notes=["Waiting for the fixtures"]))) == ["buried-blocker"]
    assert lint.lint_record(make(notes=["Resolved: Waiting for the fixtures"])) == []


def test_blockers_without_the_status_are_noted(make: Make, amend: Make) -> None:
    blocked = {"add_blockers": ["Fixtures for `user` do not exist"], "files": [{"path": "a.py"}]}
    found = lint.lint_record(amend(make(), status="in_progress", **blocked))
    assert [(f.rule, f.severity) for f in found] == [("blockers-ignored", "note")]
    assert lint.lint_record(amend(make(), status="blocked", **blocked)) == []


def test_a_file_mid_edit_that_is_not_listed_as_affected_is_found(make: Make) -> None:
    document = make(files_in_progress=[{"path": "src/a.py", "state": "editing"}])
    assert rules(lint.lint_record(document)) == ["file-unlisted"]


def test_a_block_that_the_work_left_behind_for_an_hour_is_stale(make: Make, amend: Make) -> None:
    block = {"progress": "Added `retry()` to upload.py.", "add_next": ["Add a test for 503"]}
    document = amend(make(files=[{"path": "a.py"}]), status="in_progress", **block)
    later = amend(document, at="2026-04-05T15:30:00+00:00", add_tags=["a"])
    assert lint.lint_record(later) == []
    much_later = amend(later, at="2026-04-05T15:33:00+00:00", add_tags=["b"])
    assert rules(lint.lint_record(much_later)) == ["block-stale"]
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
    found = [f for f in lint.lint_record(document) if f.rule in ("test-open", "sub-change-open")]
    assert [(f.rule, f.where) for f in found] == [
        ("test-open", "test_cases[T2]"),
        ("sub-change-open", "sub_tcs[TC-007.A]"),
    ]


def test_a_motivation_nobody_stated_is_asked_for(make: Make, amend: Make) -> None:
    assert rules(lint.lint_record(amend(make(), motivation=lint.NOT_STATED))) == ["motivation-missing"]


def test_a_record_that_does_not_fit_the_schema_has_that_one_finding(make: Make) -> None:
    document = make()
    document["priority"] = "whenever"
    found = lint.lint_record(document)
    assert [(f.rule, f.where) for f in found] == [("shape", "priority")]


def test_an_error_or_many_warnings_fail_and_no_rule_costs_more_than_twice() -> None:
    warning, error = Finding("a", "warning", "x", "y"), Finding("b", "error", "x", "y")
    many = [warning._replace(rule=name) for name in "abcdef"]
    assert [report(found)["pass"] for found in ([], [warning], [warning, error], many)] == [
        True,
        True,
        False,
        False,
    ]
    assert [report(found)["score"] for found in ([], [warning], [error], [error] * 9)] == [100, 94, 75, 50]
