"""The validator finds what the original's did not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from segue.changes import record
from segue.changes.document import Document
from segue.errors import BadInput

Make = Callable[..., Document]

COMMIT = {
    "sha": "0123456789abcdef0123456789abcdef01234567",
    "short_sha": "0123456",
    "author": "maker",
    "authored_date": "2026-04-05T14:32:00+00:00",
    "subject": "Retry",
    "parent_count": 1,
    "linked_at": "2026-04-05T14:32:00+00:00",
    "link_source": "manual",
}


def test_a_new_record_is_sound(make: Make) -> None:
    document = make()
    assert record.findings(document) == []
    assert document["revision_history"][0]["field_changes"] == [
        {"field": "status", "action": "set", "new_value": "planned", "reason": "Initial creation"}
    ]


@pytest.mark.parametrize(
    ("spoil", "rule", "where"),
    [
        (lambda d: d.update(title="x"), "shape", "title"),
        (lambda d: d.update(status="done"), "shape", "status"),
        (lambda d: d.pop("approval"), "shape", "the top"),
        (lambda d: d["session_context"].update(handoff={"next_steps": "one"}), "shape", "session_context.handoff.next_steps"),
        (lambda d: d["session_context"]["handoff"].update(files_in_progress=[{"path": "a", "state": "odd"}]), "shape", "session_context.handoff.files_in_progress[0].state"),
        (lambda d: d.update(sub_tcs=[{"sub_id": "TC-7.a", "title": "abc", "status": "planned"}]), "shape", "sub_tcs[0].sub_id"),
        (lambda d: d.update(sub_tcs=[{"sub_id": "TC-008.A", "title": "abc", "status": "planned"}]), "sub-id", "TC-008.A"),
        (lambda d: d.update(sub_tcs=[{"sub_id": "TC-007.A", "title": "abc", "status": "planned"}] * 2), "twice", "sub_tcs[TC-007.A]"),
        (lambda d: d["test_cases"].append({"test_id": "T2", "title": "abc", "procedure": ["x"], "expected_result": "y", "status": "pending"}), "numbering", "test_cases"),
        (lambda d: d["test_cases"].append({"test_id": "T1", "title": "abc", "procedure": [], "expected_result": "y", "status": "pending"}), "shape", "test_cases[0].procedure"),
        (lambda d: d["approval"].update(approved=True), "approval", "approval"),
        (lambda d: d.update(created="yesterday at noon"), "moment", "created"),
        (lambda d: d.update(parent_tc=d["tc_id"]), "parent", "parent_tc"),
        (lambda d: d.update(git={"commits": [COMMIT, COMMIT]}), "twice", f"git.commits[{COMMIT['sha']}]"),
        (lambda d: d.update(git={"commits": [{**COMMIT, "sha": "xyz"}]}), "shape", "git.commits[0].sha"),
        (lambda d: d.update(tc_id="TC-1-x"), "shape", "tc_id"),
    ],
)  # fmt: skip
def test_a_fault_is_found_where_it_is(
    make: Make, spoil: Callable[[Document], Any], rule: str, where: str
) -> None:
    document = make()
    spoil(document)
    assert [(f.rule, f.where) for f in record.errors(document)] == [(rule, where)]


def test_a_status_that_the_history_does_not_tell_of_is_an_error(make: Make, amend: Make) -> None:
    document = amend(make(files=[{"path": "a.py"}]), status="in_progress")
    document["status"] = "implemented"
    assert [(f.rule, f.severity) for f in record.findings(document)] == [
        ("edited-by-hand", "warning"),
        ("status-history", "error"),
    ]


def test_a_step_that_no_rule_allows_is_found_in_the_history(make: Make, amend: Make) -> None:
    document = amend(make(files=[{"path": "a.py"}]), status="tested")
    assert [(f.rule, f.where) for f in record.findings(document)] == [
        ("status-test", "status"),
        ("status-history", "revision_history[R2]"),
    ]


def test_a_view_of_what_does_not_fit_names_the_place(make: Make) -> None:
    with pytest.raises(BadInput, match="TC-007-04-05-26-retry-uploads does not fit the schema at priority"):
        record.view({**make(), "priority": 3})


def test_a_moment_without_a_zone_is_taken_as_utc() -> None:
    assert str(record.parse_moment("2026-04-05T14:32:00")) == "2026-04-05 14:32:00+00:00"
    assert record.parse_moment("soon") is None


def test_every_place_that_does_not_fit_the_schema_is_found(make: Make) -> None:
    faulty = {**make(), "priority": "urgent", "status": "done", "tags": None}
    del faulty["notes"]
    assert {(finding.rule, finding.where) for finding in record.findings(faulty)} == {
        ("shape", "priority"),
        ("shape", "status"),
        ("shape", "tags"),
        ("shape", "the top"),
    }
