"""The registry is derived, keeps what others added, and merges by name."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest

from segue.changes import registry, revisions
from segue.changes.document import Document
from segue.changes.merge import merge_registries

Make = Callable[..., Document]


def row(number: int, updated: str = "2026-04-05T10:00:00+00:00", **more: object) -> Document:
    return {
        "tc_id": f"TC-{number:03d}-04-05-26-x",
        "title": "x",
        "status": "planned",
        "scope": "feature",
        "priority": "low",
        "updated": updated,
        **more,
    }


def listing(*rows: Document, number: int = 1, **more: object) -> Document:
    base = {**registry.empty("desk", "2026-04-01T00:00:00+00:00"), "next_tc_number": number, **more}
    return registry.build(base, rows, "2026-04-05T10:00:00+00:00")


def test_a_row_is_what_the_record_says(make: Make) -> None:
    test = {"title": "It retries", "procedure": ["run"], "expected_result": "ok"}
    document = make(add_tests=[test], add_tags=["net"], add_subs=[{"title": "A part"}])
    assert registry.row(document) == {
        "tc_id": "TC-007-04-05-26-retry-uploads",
        "title": "Retry uploads",
        "status": "planned",
        "scope": "feature",
        "priority": "medium",
        "created": "2026-04-05T14:32:00+00:00",
        "updated": "2026-04-05T14:32:00+00:00",
        "path": "records/TC-007-04-05-26-retry-uploads/tc_record.json",
        "sub_tc_count": 1,
        "test_summary": {"total": 1, "pass": 0, "fail": 0, "pending": 1, "skip": 0, "blocked": 0},
        "tags": ["net"],
        "last_revision": "R1",
        "seal": document["revision_history"][0]["seal"],
    }


def test_a_row_keeps_to_the_revision_that_a_history_lost_until_somebody_vouches(
    make: Make, amend: Make
) -> None:
    full = registry.row(amend(make(), add_tags=["a"]))
    assert full["last_revision"] == "R2"
    assert registry.row(make(), full)["seal"] == full["seal"]
    vouched = make()
    change = {"field": "revision_history", "action": "changed"}
    revisions.append(vouched, [change], ["history sealed anew"], "approver", vouched["updated"])
    assert registry.row(vouched, full)["seal"] == vouched["revision_history"][-1]["seal"]


@pytest.mark.parametrize(
    "path", ["records/TC-007-04-05-26-retry-uploads", "records/TC-007-04-05-26-retry-uploads/tc_record.json"]
)
def test_a_row_keeps_its_form_of_path_and_what_others_added(make: Make, path: str) -> None:
    known = registry.row(make(), {"path": path, "x_owner": "desk"})
    assert (known["path"], known["x_owner"]) == (path, "desk")


def test_a_path_that_leads_elsewhere_is_not_kept(make: Make) -> None:
    assert registry.row(make(), {"path": "../../etc"})["path"].startswith("records/TC-007")


def test_a_row_of_a_faulty_record_is_made_all_the_same() -> None:
    made = registry.row({"tc_id": "TC-001-04-05-26-x", "description": 3, "test_cases": [1], "tags": "t"})
    assert (made["scope"], made["test_summary"]["total"], made["tags"]) == ("", 0, [])


def test_numbers_and_statistics_follow_the_rows() -> None:
    made = listing(row(9, status="blocked"), row(2), number=4)
    assert [r["tc_id"][:6] for r in made["records"]] == ["TC-002", "TC-009"]
    assert made["next_tc_number"] == 10
    assert made["statistics"]["total"] == 2
    assert made["statistics"]["by_status"] == {
        **dict.fromkeys(made["statistics"]["by_status"], 0),
        "blocked": 1,
        "planned": 1,
    }


def test_building_what_is_already_built_changes_nothing() -> None:
    made = listing(row(1))
    assert registry.build(made, made["records"], "2030-01-01T00:00:00+00:00") == made


def test_disagreements_say_what_is_wrong_with_each_row() -> None:
    derived = {r["tc_id"]: r for r in (row(1), row(2, status="blocked"), row(3))}
    wrong = registry.disagreements([row(1), row(1), row(2), row(4)], derived)
    assert {tc_id[:6]: what for tc_id, what in wrong.items()} == {
        "TC-001": "is listed twice",
        "TC-002": "differs from its record in status",
        "TC-004": "is listed but has no record",
        "TC-003": "is not listed",
    }


def test_a_merge_keeps_what_both_sides_added_and_the_higher_number() -> None:
    base = listing(row(1))
    merged = merge_registries(base, listing(row(1), row(2)), listing(row(1), row(3), number=9))
    assert [r["tc_id"][:6] for r in merged["records"]] == ["TC-001", "TC-002", "TC-003"]
    assert (merged["next_tc_number"], merged["statistics"]["total"]) == (9, 3)


def test_a_merge_takes_the_side_that_changed_a_row_and_the_later_if_both_did() -> None:
    base, mine = listing(row(1), row(2), row(3)), "2026-04-05T12:00:00+00:00"
    later = "2026-04-05T12:00:00-05:00"
    ours = listing(row(1), row(2, mine, title="ours"), row(3, mine, title="ours"))
    theirs = listing(row(1, mine, title="theirs"), row(2), row(3, later, title="theirs"))
    merged = merge_registries(base, ours, theirs)
    assert [r["title"] for r in merged["records"]] == ["theirs", "ours", "theirs"]


def test_a_row_that_one_side_removed_and_the_other_left_alone_is_gone() -> None:
    base = listing(row(1), row(2))
    assert [r["tc_id"][:6] for r in merge_registries(base, listing(row(1)), base)["records"]] == ["TC-001"]
    touched = listing(row(1), row(2, "2026-04-06T00:00:00+00:00", title="new"))
    assert len(merge_registries(base, listing(row(1)), touched)["records"]) == 2


def test_a_merge_does_not_depend_on_whose_side_one_stands() -> None:
    sides = [listing(row(1), row(n, f"2026-04-0{n}T00:00:00+00:00"), x_theirs=True) for n in (2, 3)]
    merged = [merge_registries(listing(row(1)), *pair) for pair in permutations(sides)]
    assert merged[0] == merged[1]
    assert merged[0]["x_theirs"] is True


def test_what_is_no_registry_cannot_be_merged() -> None:
    with pytest.raises(ValueError, match="no list of records"):
        merge_registries({}, {"records": 3}, {})
