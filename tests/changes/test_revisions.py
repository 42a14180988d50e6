"""The history is complete, sealed, and only grows."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from segue.changes import record, revisions
from segue.changes.document import Document

Make = Callable[..., Document]

WORDS = st.sampled_from(["a", "b", "c", "d]", "e.f"])
ROWS = st.lists(WORDS, unique=True, max_size=4).flatmap(
    lambda paths: st.tuples(
        *(
            st.fixed_dictionaries(
                {"path": st.just(p), "action": WORDS, "evidence": st.lists(WORDS, max_size=2)}
            )
            for p in paths
        )
    ).map(list)
)
DOCUMENTS = st.fixed_dictionaries(
    {
        "status": WORDS,
        "notes": st.sampled_from(["", "x", "x\ny", "x\ny\nz", "q"]),
        "parent_tc": st.none() | WORDS,
        "tags": st.lists(WORDS, max_size=4),
        "files_affected": ROWS,
        "session_context": st.fixed_dictionaries(
            {"handoff": st.fixed_dictionaries({"next_steps": st.lists(WORDS, unique=True, max_size=4)})}
        ),
    },
    optional={"git": st.fixed_dictionaries({"release_tags": st.lists(WORDS, max_size=2)}), "x": WORDS},
)


def replayed(document: Document, changes: list[Document]) -> Document:
    """The record one gets by doing what the changes say: an independent reading of the history."""
    made = copy.deepcopy(document)
    for change in changes:
        _do(made, change)
    return made


def _do(place: Any, change: Document, path: str = "") -> bool:
    for key in list(place):
        field = f"{path}.{key}" if path else key
        if field == change["field"]:
            _put(place, key, change)
            return True
        value = place[key]
        if change["field"].startswith(f"{field}.") and isinstance(value, dict):
            return _do(value, change, field)
        if change["field"].startswith(f"{field}[") and isinstance(value, list):
            return any(
                _do(row, change, f"{field}[{row['path']}]")
                for row in value
                if change["field"].startswith(f"{field}[{row['path']}].")
            )
    if change["field"].rpartition(".")[0] == path:
        _put(place, change["field"].rpartition(".")[2], change)
        return True
    return False


def _put(place: Document, key: str, change: Document) -> None:
    action, old = change["action"], place.get(key)
    if action in ("set", "changed"):
        place[key] = change["new_value"]
    elif action == "added":
        place[key] = [*old, change["new_value"]] if isinstance(old, list) else f"{old}\n{change['new_value']}"
    elif isinstance(old, list):
        old.remove(change["old_value"])
    else:
        del place[key]


@given(DOCUMENTS, DOCUMENTS)
def test_the_differences_between_two_records_lead_from_one_to_the_other(old: Document, new: Document) -> None:
    changes = revisions.differences(old, new)
    assert replayed(old, changes) == new
    assert bool(changes) == (old != new)


@given(DOCUMENTS, DOCUMENTS)
def test_every_change_tells_the_value_before(old: Document, new: Document) -> None:
    for change in revisions.differences(old, new, "because"):
        assert change["reason"] == "because"
        assert ("old_value" in change) == (change["action"] in ("changed", "removed"))
        assert ("new_value" in change) == (change["action"] != "removed")


def test_one_update_is_one_revision_with_every_field(make: Make, amend: Make) -> None:
    document = amend(make(), reason="it is urgent", priority="high", add_tags=["net"], status="in_progress")
    last = document["revision_history"][-1]
    assert len(document["revision_history"]) == 2
    assert last["revision_id"] == "R2"
    assert [
        (c["field"], c["action"], c.get("old_value"), c["new_value"], c["reason"])
        for c in last["field_changes"]
    ] == [
        ("status", "changed", "planned", "in_progress", "it is urgent"),
        ("priority", "changed", "medium", "high", "it is urgent"),
        ("tags", "added", None, "net", "it is urgent"),
    ]


def test_items_of_lists_are_named_by_what_identifies_them(make: Make, amend: Make) -> None:
    test = {"title": "It retries", "procedure": ["run"], "expected_result": "ok"}
    document = amend(
        make(add_tests=[test]), test_results=[{"test_id": "t1", "status": "fail", "actual_result": "500"}]
    )
    fields = {change["field"]: change for change in document["revision_history"][-1]["field_changes"]}
    assert fields["test_cases[T1].status"]["old_value"] == "pending"
    assert fields["test_cases[T1].actual_result"]["new_value"] == "500"


def test_an_untouched_history_has_no_broken_seal(make: Make, amend: Make) -> None:
    document = amend(amend(make(), add_tags=["a"]), add_tags=["b"])
    assert revisions.broken_seals(document["revision_history"]) == []
    assert record.findings(document) == []


def test_a_rewritten_revision_is_found_from_there_on(make: Make, amend: Make) -> None:
    document = amend(amend(make(), add_tags=["a"]), add_tags=["b"])
    document["revision_history"][1]["author"] = "somebody else"
    assert revisions.broken_seals(document["revision_history"]) == ["R2", "R3"]
    assert [f.rule for f in record.findings(document)] == ["history-rewritten"]


def test_a_removed_revision_is_found(make: Make, amend: Make) -> None:
    document = amend(amend(make(), add_tags=["a"]), add_tags=["b"])
    del document["revision_history"][1]
    assert {f.rule for f in record.errors(document)} >= {"numbering", "history-rewritten"}


def test_an_edit_without_a_revision_is_found(make: Make, amend: Make) -> None:
    document = amend(make(), add_tags=["a"])
    document["notes"] = "slipped in"
    assert [f.rule for f in record.findings(document)] == ["edited-by-hand"]


def test_the_history_of_another_program_is_sealed_by_our_first_revision(make: Make, amend: Make) -> None:
    foreign = make()
    for name in ("content", "seal"):
        del foreign["revision_history"][0][name]
    assert record.findings(foreign) == []
    document = amend(foreign, add_tags=["a"])
    document["revision_history"][0]["summary"] = "rewritten"
    assert revisions.broken_seals(document["revision_history"]) == ["R2"]


def test_a_history_that_somebody_vouched_for_is_a_note_and_the_next_rewrite_an_error(
    make: Make, amend: Make
) -> None:
    document = amend(amend(make(), add_tags=["a"]), add_tags=["b"])
    document["revision_history"][1]["author"] = "merged by hand"
    vouching = {"field": "revision_history", "action": "changed", "reason": "merged by hand"}
    revisions.append(document, [vouching], ["history sealed anew"], "approver", document["updated"])
    assert [(f.rule, f.severity) for f in record.findings(document)] == [("history-vouched", "note")]
    later = amend(document, add_tags=["c"])
    later["revision_history"][0]["author"] = "again"
    assert [f.rule for f in record.errors(later)] == ["history-rewritten"]


def test_the_committed_history_must_be_where_todays_begins(make: Make, amend: Make) -> None:
    first = make()
    second = amend(first, add_tags=["a"])
    older, newer = first["revision_history"], second["revision_history"]
    assert (revisions.continues(older, newer), revisions.continues(newer, older)) == (True, False)
