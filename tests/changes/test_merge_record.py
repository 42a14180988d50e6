"""Two branches that worked on the same change: both kept, or a conflict that a person can see."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from segue.changes import record
from segue.changes.document import Document
from segue.changes.merge import merge_records

Make = Callable[..., Document]

NOON, EVENING = "2026-04-06T12:00:00+00:00", "2026-04-06T18:00:00+00:00"
TEST = {"title": "It retries", "procedure": ["run it"], "expected_result": "works"}


def merged(base: Document, ours: Document, theirs: Document) -> Document:
    made, conflicts = merge_records(base, ours, theirs)
    assert conflicts == []
    assert record.errors(made) == []
    return made


def test_what_either_side_did_is_kept(make: Make, amend: Make) -> None:
    base = make(add_next=["Add one", "Add two"], add_tags=["a"], files=[{"path": "a.py"}])
    ours = amend(base, at=NOON, complete_next=["1"], add_tags=["ours"], notes=["from ours"], priority="high")
    theirs = amend(
        base,
        at=EVENING,
        add_next=["Add three"],
        add_tags=["theirs"],
        notes=["from theirs"],
        files=[{"path": "a.py", "description": "new"}, {"path": "b.py"}],
        status="in_progress",
    )
    made = merged(base, ours, theirs)
    assert made["session_context"]["handoff"]["next_steps"] == ["Add two", "Add three"]
    assert made["tags"] == ["a", "ours", "theirs"]
    assert made["notes"] == f"[{NOON}] from ours\n[{EVENING}] from theirs"
    assert [(f["path"], f["description"]) for f in made["files_affected"]] == [
        ("a.py", "new"),
        ("b.py", None),
    ]
    assert (made["priority"], made["status"], made["updated"]) == ("high", "in_progress", EVENING)


def test_ours_keeps_its_history_theirs_follows_and_a_seal_closes_it(make: Make, amend: Make) -> None:
    base = make()
    ours, theirs = amend(base, at=NOON, add_tags=["ours"]), amend(base, at=EVENING, add_tags=["theirs"])
    made = merged(base, ours, theirs)
    history = made["revision_history"]
    assert history[:2] == ours["revision_history"]
    assert [(r["revision_id"], r["summary"]) for r in history[2:]] == [
        ("R3", "+tag 'theirs'"),
        ("R4", "merged with another branch: 1 revisions"),
    ]
    assert record.findings(made) == []
    history[2]["author"] = "intruder"
    assert [f.rule for f in record.errors(made)] == ["history-rewritten"]


def test_tests_and_parts_that_both_sides_added_are_all_there_under_their_own_names(
    make: Make, amend: Make
) -> None:
    base = make(add_tests=[TEST])
    ours = amend(base, at=NOON, add_tests=[{**TEST, "title": "Ours"}], add_subs=[{"title": "Our part"}])
    theirs = amend(
        base,
        at=EVENING,
        add_tests=[{**TEST, "title": "Theirs"}, {**TEST, "title": "Theirs too"}],
        add_subs=[{"title": "Their part"}],
    )
    made = merged(base, ours, theirs)
    assert [(t["test_id"], t["title"]) for t in made["test_cases"]] == [
        ("T1", "It retries"),
        ("T2", "Ours"),
        ("T3", "Theirs"),
        ("T4", "Theirs too"),
    ]
    assert [(s["sub_id"], s["title"]) for s in made["sub_tcs"]] == [
        ("TC-007.A", "Our part"),
        ("TC-007.B", "Their part"),
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "field"),
    [
        ({"title": "One title"}, {"title": "Another title"}, "title"),
        ({"status": "in_progress"}, {"status": "voided"}, "status"),
        ({"progress": "Did this."}, {"progress": "Did that."}, "session_context.handoff.progress_summary"),
        (
            {"test_results": [{"test_id": "T1", "status": "pass"}]},
            {"test_results": [{"test_id": "T1", "status": "fail"}]},
            "test_cases[T1].status",
        ),
    ],
)
def test_what_both_sides_set_differently_is_a_conflict(
    make: Make, amend: Make, ours: Document, theirs: Document, field: str
) -> None:
    base = make(add_tests=[TEST])
    found = merge_records(base, amend(base, at=NOON, **ours), amend(base, at=NOON, **theirs))[1]
    assert field in found


def test_merging_with_what_did_not_change_gives_the_other_side(make: Make, amend: Make) -> None:
    base = make()
    ours = amend(base, at=NOON, add_tags=["a"])
    made = merged(base, ours, base)
    assert {k: v for k, v in made.items() if k not in ("revision_history", "metadata")} == {
        k: v for k, v in ours.items() if k not in ("revision_history", "metadata")
    }
