"""Every way into a record: what an update changes, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from segue.changes import edit
from segue.changes.document import Document
from segue.changes.draft import Draft
from segue.errors import BadInput, Refused
from segue.model.change_update import Update

Make = Callable[..., Document]

TEST = {"title": "It retries", "procedure": ["run it"], "expected_result": "works"}


def block(document: Document) -> Document:
    found: Document = document["session_context"]["handoff"]
    return found


def test_every_field_of_an_update_has_its_edit_in_the_same_order() -> None:
    assert list(edit.EDITS) == list(Update.__struct_fields__)


@pytest.mark.parametrize(
    ("update", "path", "value"),
    [
        ({"title": "Retry all uploads"}, "title", "Retry all uploads"),
        ({"priority": "critical"}, "priority", "critical"),
        ({"project": "dock"}, "metadata.project", "dock"),
        ({"scope": "bugfix"}, "description.scope", "bugfix"),
        ({"summary": "Another summary"}, "description.summary", "Another summary"),
        ({"motivation": "Because"}, "description.motivation", "Because"),
        ({"detailed_design": "A\nB"}, "description.detailed_design", "A\nB"),
        ({"effort": "epic"}, "metadata.estimated_effort", "epic"),
        ({"add_breaking_changes": ["API v1 is gone"]}, "description.breaking_changes", ["API v1 is gone"]),
        ({"add_dependencies": ["reportlab"]}, "description.dependencies", ["reportlab"]),
        ({"coverage": "partial"}, "approval.test_coverage_status", "partial"),
        ({"parent": "TC-001-04-05-26-x"}, "parent_tc", "TC-001-04-05-26-x"),
        ({"relate": ["TC-001-04-05-26-x"]}, "related_tcs", ["TC-001-04-05-26-x"]),
        ({"add_tags": ["a", "a", "A"]}, "tags", ["a"]),
        (
            {"notes": ["seen", "heard"]},
            "notes",
            "[2026-04-05T14:32:00+00:00] seen\n[2026-04-05T14:32:00+00:00] heard",
        ),
        ({"threads": ["t-1"]}, "session_context.threads", ["t-1"]),
        ({"progress": " Did it. "}, "session_context.handoff.progress_summary", "Did it."),
        ({"add_next": ["Do this"]}, "session_context.handoff.next_steps", ["Do this"]),
        ({"add_blockers": ["Stuck on x"]}, "session_context.handoff.blockers", ["Stuck on x"]),
        ({"add_context": ["Mind y"]}, "session_context.handoff.key_context", ["Mind y"]),
        ({"maturity": {"level": "tested"}}, "maturity.level", "tested"),
        ({"status": "in_progress"}, "status", "in_progress"),
    ],
)
def test_a_field_is_set(make: Make, amend: Make, update: dict[str, Any], path: str, value: object) -> None:
    found: Any = amend(make(), **update)
    for name in path.split("."):
        found = found[name]
    assert found == value


@pytest.mark.parametrize(
    "update",
    [
        {"title": "Retry uploads"},
        {"add_tags": ["net"]},
        {"add_next": ["do  THIS"]},
        {"files": [{"path": "a.py", "action": "created"}]},
        {"add_tests": [TEST]},
        {"progress": "Did it."},
        {"decisions": [{"decision": "Use x", "rationale": "It is there"}]},
        {"files_in_progress": [{"path": "a.py", "state": "editing"}]},
        {"parent": ""},
        {},
    ],
)
def test_asking_for_what_is_already_so_does_nothing(make: Make, update: dict[str, Any]) -> None:
    import msgspec

    document = make(
        add_tags=["net"],
        add_next=["Do this"],
        files=[{"path": "a.py", "action": "created"}],
        add_tests=[TEST],
        progress="Did it.",
        decisions=[{"decision": "Use x", "rationale": "It is there"}],
        files_in_progress=[{"path": "a.py", "state": "editing"}],
    )
    draft = Draft(document, "fixer", "2026-04-06T00:00:00+00:00")
    edit.apply(draft, msgspec.convert(update, Update))
    assert (draft.done, draft.document) == ([], document)


def test_a_file_is_listed_with_its_action_and_changed_in_place(make: Make, amend: Make) -> None:
    document = amend(make(), files=[{"path": "a b:c.py", "action": "created"}])
    document = amend(document, files=[{"path": "a b:c.py", "description": "new", "lines_added": 3}])
    assert document["files_affected"] == [
        {
            "path": "a b:c.py",
            "action": "created",
            "description": "new",
            "lines_added": 3,
            "lines_removed": None,
        }
    ]
    assert amend(document, remove_files=["a b:c.py"])["files_affected"] == []


def test_steps_are_completed_dropped_and_moved_by_number_or_text(make: Make, amend: Make) -> None:
    document = make(add_next=["Add one", "Add two", "Add three", "Add four"])
    document = amend(document, complete_next=["1", "3"])
    assert block(document)["next_steps"] == ["Add two", "Add four"]
    assert "completed next step 'Add one'" in document["revision_history"][-1]["summary"]
    document = amend(document, move_next=[{"step": "Add four", "to": 1}])
    assert block(document)["next_steps"] == ["Add four", "Add two"]
    assert block(amend(document, remove_next=["add t"]))["next_steps"] == ["Add four"]


def test_a_step_that_names_several_or_none_is_refused_with_the_list(make: Make, amend: Make) -> None:
    document = make(add_next=["Add one", "Add two"])
    with pytest.raises(BadInput, match="fits 2 of them") as refusal:
        amend(document, complete_next=["add"])
    assert refusal.value.hint == "By number or text: 1. 'Add one'; 2. 'Add two'."
    with pytest.raises(BadInput, match="is none of them"):
        amend(document, complete_next=["3"])


def test_a_resolved_blocker_moves_to_the_notes(make: Make, amend: Make) -> None:
    document = amend(
        make(add_blockers=["No fixtures", "No device"]),
        resolve_blockers=[{"blocker": "1", "how": "made them"}],
    )
    assert block(document)["blockers"] == ["No device"]
    assert document["notes"].endswith("Resolved: No fixtures (made them)")


def test_a_file_in_progress_changes_its_state_and_goes(make: Make, amend: Make) -> None:
    document = make(files_in_progress=[{"path": "a.py", "state": "editing", "notes": "half"}])
    document = amend(document, files_in_progress=[{"path": "a.py", "state": "ready"}])
    assert block(document)["files_in_progress"] == [{"path": "a.py", "state": "ready", "notes": "half"}]
    assert block(amend(document, drop_files_in_progress=["a.py"]))["files_in_progress"] == []


def test_a_decision_has_rationale_and_time_and_can_be_taken_back(make: Make, amend: Make) -> None:
    document = make(decisions=[{"decision": "Use x", "rationale": "It is there"}])
    assert block(document)["decisions_made"] == [
        {"decision": "Use x", "rationale": "It is there", "timestamp": "2026-04-05T14:32:00+00:00"}
    ]
    assert block(amend(document, remove_decisions=["1"]))["decisions_made"] == []


def test_tests_get_numbers_results_and_evidence(make: Make, amend: Make) -> None:
    document = make(add_tests=[TEST, {**TEST, "title": "It gives up"}])
    document = amend(
        document,
        test_results=[{"test_id": "2", "status": "pass", "actual_result": "ok"}],
        add_evidence=[{"test_id": "T2", "type": "log_snippet", "description": "the log", "content": "done"}],
    )
    assert [test["test_id"] for test in document["test_cases"]] == ["T1", "T2"]
    second = document["test_cases"][1]
    assert (second["status"], second["tested_by"], second["tested_date"]) == (
        "pass",
        "fixer",
        "2026-04-05T14:32:00+00:00",
    )
    assert second["evidence"][0]["content"] == "done"
    reset = amend(document, test_results=[{"test_id": "T2", "status": "pending"}])["test_cases"][1]
    assert (reset["status"], reset["tested_by"]) == ("pending", None)


def test_empty_evidence_is_refused(make: Make, amend: Make) -> None:
    empty = {"test_id": "T1", "type": "log_snippet", "description": "the log", "content": "  "}
    with pytest.raises(BadInput, match="evidence for T1 is empty"):
        amend(make(add_tests=[TEST]), add_evidence=[empty])


def test_a_test_that_is_not_there_is_refused_with_those_that_are(make: Make, amend: Make) -> None:
    with pytest.raises(BadInput, match="no test 'T9'") as refusal:
        amend(make(add_tests=[TEST]), test_results=[{"test_id": "T9", "status": "pass"}])
    assert refusal.value.hint == "Known: T1."


def test_an_approval_is_given_and_taken_back(make: Make, amend: Make) -> None:
    document = amend(make(), approve={"by": "approver", "notes": "fine"})
    assert document["approval"] == {
        "approved": True,
        "approved_by": "approver",
        "approved_date": "2026-04-05T14:32:00+00:00",
        "approval_notes": "fine",
        "test_coverage_status": "none",
    }
    assert amend(document, revoke_approval=True)["approval"]["approved_by"] is None


def test_sub_changes_walk_the_same_states_and_keep_a_history(make: Make, amend: Make) -> None:
    document = make(add_subs=[{"title": "The parser"}, {"title": "The writer", "files": ["w.py"]}])
    document = amend(document, add_subs=[{"title": "Its tests", "under": "A"}])
    assert [sub["sub_id"] for sub in document["sub_tcs"]] == ["TC-007.A", "TC-007.B", "TC-007.A.1"]
    document = amend(document, sub_edits=[{"sub_id": "b", "status": "in_progress", "add_files": ["v.py"]}])
    writer = document["sub_tcs"][1]
    assert (writer["status"], writer["files_affected"]) == ("in_progress", ["w.py", "v.py"])
    assert [row["revision_id"] for row in writer["revision_history"]] == ["R1", "R2"]
    with pytest.raises(Refused, match=r"TC-007\.A is planned and cannot become deployed"):
        amend(document, sub_edits=[{"sub_id": "A", "status": "deployed"}])
    with pytest.raises(BadInput, match="lowest level"):
        amend(document, add_subs=[{"title": "Too deep", "under": "A.1"}])


def test_a_whole_block_replaces_the_fields_it_knows_and_leaves_others(make: Make, amend: Make) -> None:
    document = make(add_next=["Do this"])
    block(document)["x_mood"] = "calm"
    document = amend(document, handoff={"progress_summary": "Did it.", "next_steps": ["Do that"]})
    assert block(document) == {
        "progress_summary": "Did it.",
        "next_steps": ["Do that"],
        "blockers": [],
        "key_context": [],
        "files_in_progress": [],
        "decisions_made": [],
        "x_mood": "calm",
    }


def test_keys_this_version_does_not_know_survive_an_update(make: Make, amend: Make) -> None:
    document = make(files=[{"path": "a.py"}])
    document["x_team"] = {"owner": "desk"}
    document["files_affected"][0]["x_note"] = 1
    after = amend(document, files=[{"path": "a.py", "action": "deleted"}], add_tags=["t"])
    assert after["x_team"] == {"owner": "desk"}
    assert after["files_affected"][0]["x_note"] == 1
