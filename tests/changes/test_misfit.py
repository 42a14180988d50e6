"""Misfits: every place is named, with what would fit."""

from __future__ import annotations

from typing import Any

import pytest

from segue.changes.misfit import fitted, misfits
from segue.errors import BadInput
from segue.model.change import Record
from segue.model.change_update import Update


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"priority": "urgent"}, "priority: 'urgent' is none of critical, high, medium, low"),
        (
            {"files_in_progress": [{"path": "a.py", "state": "open"}]},
            "files_in_progress[0].state: 'open' is none of editing, needs_review, partially_done, ready",
        ),
        ({"title": "abc"}, "title: it is too short, 5 is the least"),
        ({"title": "x" * 121}, "title: it is too long, 120 is the most"),
        ({"progress": ""}, "progress: it is empty"),
        ({"files": [{"path": ""}]}, "files[0].path: it is empty"),
        (
            {"approve": {"by": "lead", "date": "yesterday"}},
            "approve.date: 'yesterday' is not what it should be: ISO 8601 date and time",
        ),
        ({"move_next": [{"step": "1", "to": 0}]}, "move_next[0].to: it is less than 1"),
        ({"approve": {}}, "approve: by is missing"),
        ({"colour": "red"}, "there is no field 'colour'"),
        ({"notes": "one"}, "notes: it is of type str where array is expected"),
        ([], "it is of type array where object is expected"),
    ],
)
def test_a_misfit_is_told_with_its_place_and_what_would_fit(value: Any, told: str) -> None:
    assert [str(found) for found in misfits(value, Update)] == [told]


def test_every_misfit_is_told_at_once() -> None:
    with pytest.raises(BadInput) as refusal:
        fitted({"status": "done", "scope": "new", "colour": 1}, Update, "The update", "See the schema.")
    assert refusal.value.message.startswith(
        "The update does not fit: scope: 'new' is none of feature, bugfix,"
    )
    assert "; status: 'done' is none of planned, in_progress," in refusal.value.message
    assert refusal.value.message.endswith("; there is no field 'colour'.")


def test_what_fits_has_no_misfit(make: Any) -> None:
    assert list(misfits(make(), Record)) == []
