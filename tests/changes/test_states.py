"""Every row of the state machine, and what each status must have earned."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from segue.changes import record, states
from segue.changes.document import Document
from segue.errors import Refused
from segue.model.change import STATUSES, Status

Make = Callable[..., Document]

ALLOWED = {
    "planned": {"in_progress", "blocked", "voided"},
    "in_progress": {"blocked", "implemented", "paused", "voided"},
    "blocked": {"in_progress", "planned", "paused", "voided"},
    "paused": {"in_progress", "voided"},
    "implemented": {"tested", "in_progress"},
    "tested": {"deployed", "in_progress"},
    "deployed": {"in_progress"},
    "voided": set(),
}
TEST = {"title": "It retries", "procedure": ["run it"], "expected_result": "works"}
PASSED = {"test_id": "T1", "status": "pass"}
SHOWN = {"test_id": "T1", "type": "command_output", "description": "run", "content": "1 passed"}
IMPLEMENTED: dict[str, Any] = {"files": [{"path": "a.py"}]}
TESTED: dict[str, Any] = {"add_tests": [TEST], "test_results": [PASSED], "add_evidence": [SHOWN]}
EARNED = {
    **IMPLEMENTED,
    **TESTED,
    "add_blockers": ["Waiting for the fixtures"],
    "approve": {"by": "approver"},
}


def entered(document: Document, status: str, old: Status, reason: str = "why") -> None:
    states.require_entry(record.view({**document, "status": status}), old, reason)


@pytest.mark.parametrize(("old", "new"), list(product(STATUSES, STATUSES)))
def test_one_status_follows_another_exactly_as_the_table_says(make: Make, old: Status, new: Status) -> None:
    earned = EARNED | ({"add_blockers": []} if (old, new) == ("blocked", "in_progress") else {})
    document = make(**earned)
    if new == old or new in ALLOWED[old]:
        entered(document, new, old)
    else:
        with pytest.raises(Refused) as refusal:
            entered(document, new, old)
        assert refusal.value.code == "illegal_transition"


def test_a_refused_step_names_the_steps_there_are_and_the_way(make: Make) -> None:
    with pytest.raises(Refused) as refusal:
        entered(make(**EARNED), "tested", "planned")
    assert (
        refusal.value.message == "TC-007-04-05-26-retry-uploads is planned and cannot become tested directly."
    )
    assert "in_progress or blocked or voided" in refusal.value.hint
    assert "planned → in_progress → implemented → tested" in refusal.value.hint
    assert "`segue change update TC-007-04-05-26-retry-uploads --status in_progress`" in refusal.value.hint


@pytest.mark.parametrize(
    ("old", "new", "update", "missing", "command"),
    [
        ("in_progress", "blocked", {}, "no blocker is named", "--blocker"),
        (
            "in_progress",
            "implemented",
            {"files_in_progress": [{"path": "a.py", "state": "ready"}]},
            "a.py was worked on but is not listed",
            "--add-file a.py`",
        ),
        (
            "in_progress",
            "implemented",
            {"files": [{"path": "a.py"}], "files_in_progress": [{"path": "a.py", "state": "editing"}]},
            "a.py is still editing",
            "--file-state a.py ready`",
        ),
        (
            "in_progress",
            "implemented",
            {"add_subs": [{"title": "A part", "files": ["part.py"]}]},
            "part.py was worked on but is not listed",
            "--add-file",
        ),
        *(
            (
                old,
                new,
                {"add_subs": [{"title": "A part"}]},
                "its part TC-007.A (A part) is still planned",
                "--sub-status TC-007.A in_progress --sub-status TC-007.A implemented`",
            )
            for old, new in (
                ("in_progress", "implemented"),
                ("implemented", "tested"),
                ("tested", "deployed"),
            )
        ),
        ("in_progress", "implemented", {}, "no file is listed as affected", "--add-file PATH:ACTION"),
        (
            "in_progress",
            "implemented",
            {"notes": ["Has no files: or so"]},
            "no file is listed",
            "--no-files 'why'",
        ),
        ("implemented", "tested", {}, "no test has passed with evidence", "--test-result"),
        ("implemented", "tested", {"add_tests": [TEST]}, "no test has passed with evidence", "--evidence"),
        (
            "implemented",
            "tested",
            {"add_tests": [TEST], "test_results": [PASSED]},
            "no passing test has evidence",
            "--evidence",
        ),
        (
            "implemented",
            "tested",
            {"add_tests": [TEST], "test_results": [{"test_id": "T1", "status": "skip"}]},
            "the skipped test does not say why",
            "skip 'why'",
        ),
        (
            "implemented",
            "tested",
            {
                "add_tests": [TEST],
                "test_results": [{"test_id": "T1", "status": "fail"}],
                "add_evidence": [SHOWN],
            },
            "no test has passed",
            "--add-test",
        ),
        ("tested", "deployed", {}, "it is not approved", "--approve"),
    ],
)
def test_a_status_that_is_not_earned_is_refused_with_what_is_missing_and_the_command_for_it(
    make: Make, old: Status, new: str, update: dict[str, Any], missing: str, command: str
) -> None:
    with pytest.raises(Refused) as refusal:
        entered(make(**update), new, old)
    assert refusal.value.code == "entry_condition"
    assert missing in refusal.value.message
    assert "segue change update TC-007-04-05-26-retry-uploads" in refusal.value.hint
    assert command in refusal.value.hint


@pytest.mark.parametrize(
    ("old", "new", "update"),
    [
        ("in_progress", "blocked", {"add_blockers": ["Waiting for the fixtures"]}),
        ("in_progress", "implemented", {"files": [{"path": "a.py"}]}),
        ("in_progress", "implemented", {"notes": ["No files: the setting is on the server"]}),
        (
            "in_progress",
            "implemented",
            {"files": [{"path": "a.py"}], "files_in_progress": [{"path": "a.py", "state": "needs_review"}]},
        ),
        ("implemented", "tested", IMPLEMENTED | TESTED),
        (
            "implemented",
            "tested",
            {
                **IMPLEMENTED,
                "add_tests": [TEST],
                "test_results": [{"test_id": "T1", "status": "skip", "actual_result": "no device"}],
            },
        ),
        ("tested", "deployed", IMPLEMENTED | TESTED | {"approve": {"by": "approver"}}),
    ],
)
def test_a_status_that_is_earned_is_entered(
    make: Make, old: Status, new: str, update: dict[str, Any]
) -> None:
    entered(make(**update), new, old)


@pytest.mark.parametrize(
    ("lost", "missing"),
    [
        ({"remove_files": ["a.py"]}, "no file is listed"),
        ({"test_results": [{"test_id": "T1", "status": "fail"}]}, "no test has passed"),
        ({"files_in_progress": [{"path": "a.py", "state": "editing"}]}, "a.py is still editing"),
    ],
)
def test_a_later_status_keeps_what_the_earlier_ones_needed(
    make: Make, amend: Make, lost: dict[str, Any], missing: str
) -> None:
    document = amend(make(**EARNED), **lost)
    with pytest.raises(Refused, match=missing):
        entered(document, "deployed", "tested")


def test_a_part_of_a_part_is_to_be_finished_first(make: Make) -> None:
    document = make(**IMPLEMENTED, add_subs=[{"title": "A part"}, {"title": "Its own part", "under": "A"}])
    with pytest.raises(Refused) as refusal:
        entered(document, "implemented", "in_progress")
    assert "--sub-status TC-007.A.1 in_progress" in refusal.value.hint


def test_who_has_no_test_is_told_to_add_one(make: Make) -> None:
    with pytest.raises(Refused) as refusal:
        entered(make(**IMPLEMENTED), "tested", "implemented")
    assert (
        "--add-test TITLE --test-procedure STEP --test-expected TEXT --test-result T1" in refusal.value.hint
    )


@pytest.mark.parametrize("gap", [{"approved_by": None}, {"approved_by": " "}, {"approved_date": None}])
def test_an_approval_without_by_or_date_deploys_nothing(make: Make, gap: dict[str, Any]) -> None:
    document = make(**EARNED)
    document["approval"].update(gap)
    with pytest.raises(Refused, match="the approval"):
        entered(document, "deployed", "tested")


def test_a_blocked_change_goes_on_once_its_blockers_are_gone(make: Make) -> None:
    with pytest.raises(Refused, match="still blocked by 'Waiting for the fixtures'") as refusal:
        entered(make(add_blockers=["Waiting for the fixtures"]), "in_progress", "blocked")
    assert "--status in_progress --resolve-blocker 1" in refusal.value.hint
    entered(make(), "in_progress", "blocked")


def test_a_part_that_is_not_wanted_stops_nothing(make: Make) -> None:
    document = make(
        files=[{"path": "a.py"}],
        add_subs=[{"title": "A part"}],
        sub_edits=[{"sub_id": "A", "status": "voided"}],
    )
    entered(document, "implemented", "in_progress")


def test_a_part_is_done_after_what_is_below_it(make: Make, amend: Make) -> None:
    document = make(add_subs=[{"title": "A part"}, {"title": "Below it", "under": "A"}])
    walk = [{"sub_id": "A", "status": status} for status in ("in_progress", "implemented")]
    with pytest.raises(Refused, match=r"its part TC-007\.A\.1 \(Below it\) is still planned") as refusal:
        amend(document, sub_edits=walk)
    assert "--sub-status TC-007.A.1 in_progress --sub-status TC-007.A.1 implemented`" in refusal.value.hint


def test_voiding_needs_a_reason(make: Make) -> None:
    with pytest.raises(Refused, match="no reason is given"):
        entered(make(), "voided", "planned", " ")


def test_nothing_leads_out_of_voided() -> None:
    with pytest.raises(Refused, match="cannot become planned") as refusal:
        states.require_step("TC-007", "voided", "planned")
    assert "it is final" in refusal.value.hint


@pytest.mark.parametrize("status", ["blocked", "tested", "deployed"])
def test_a_record_edited_by_hand_into_a_status_is_found_by_the_validator(make: Make, status: str) -> None:
    document = make()
    document["status"] = status
    assert {finding.rule for finding in record.errors(document)} >= {
        {"blocked": "status-blocker", "tested": "status-test", "deployed": "status-approval"}[status],
        "status-history",
    }
