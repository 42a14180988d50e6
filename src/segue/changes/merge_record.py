"""Merging two versions of one record with their common ancestor: two branches that worked on the same change.

What only one side touched is taken from it; lists take what both sides added and lose what either removed; dates
and sessions go to the later side. Ours keeps its history, theirs follows it under new numbers, and a last
revision seals the two. What both sides set differently is a conflict, which only a person can settle.
"""

from __future__ import annotations

import copy
from typing import Any

from segue.changes import ids, revisions
from segue.changes.document import Document
from segue.changes.record import later_of

AUTHOR = "merge"
_KEYS = {**revisions.KEYS, "session_history": "started"}
_LATER = ("updated", "last_modified", "last_active")
_WITH_THE_LATER = ("last_modified_by", "current_session")


def merge_records(base: Document, ours: Document, theirs: Document) -> tuple[Document, list[str]]:
    """The merged record, and the fields on which the two sides disagree."""
    theirs = _renumbered(base, ours, theirs)
    conflicts: list[str] = []
    later = ours if later_of(str(ours["updated"]), str(theirs["updated"])) == ours["updated"] else theirs
    merged = _objects(base, ours, theirs, "", conflicts, later is ours)
    merged[revisions.HISTORY] = _histories(base, ours, theirs)
    if not conflicts:
        count = len(theirs[revisions.HISTORY]) - len(base[revisions.HISTORY])
        revisions.append(
            merged, [], [f"merged with another branch: {count} revisions"], AUTHOR, str(later["updated"])
        )
    return merged, conflicts


def _objects(
    base: Document, ours: Document, theirs: Document, path: str, conflicts: list[str], ours_is_later: bool
) -> Document:
    merged: Document = {}
    for key in [*ours, *(key for key in theirs if key not in ours)]:
        field = f"{path}.{key}" if path else key
        if key == revisions.HISTORY and not path:
            merged[key] = []
            continue
        sides = [side.get(key, _ABSENT) for side in (base, ours, theirs)]
        value = _values(sides, field, key, conflicts, ours_is_later)
        if value is not _ABSENT:
            merged[key] = value
    return merged


class _Absent:
    """What a side does not have at all."""


_ABSENT = _Absent()


def _values(sides: list[Any], field: str, key: str, conflicts: list[str], ours_is_later: bool) -> Any:
    base, ours, theirs = sides
    if ours == theirs or theirs == base:
        return ours
    if ours == base:
        return theirs
    if key in _LATER and isinstance(ours, str) and isinstance(theirs, str):
        return later_of(ours, theirs)
    if key in _WITH_THE_LATER:
        return ours if ours_is_later else theirs
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return _objects(base if isinstance(base, dict) else {}, ours, theirs, field, conflicts, ours_is_later)
    if isinstance(ours, list) and isinstance(theirs, list):
        return _lists(
            base if isinstance(base, list) else [], ours, theirs, field, key, conflicts, ours_is_later
        )
    if (
        key == "notes"
        and isinstance(base, str)
        and str(theirs).startswith(base)
        and str(ours).startswith(base)
    ):
        return f"{ours}\n{str(theirs)[len(base) :].lstrip(chr(10))}"
    conflicts.append(field)
    return ours


def _lists(
    base: list[Any],
    ours: list[Any],
    theirs: list[Any],
    field: str,
    key: str,
    conflicts: list[str],
    ours_is_later: bool,
) -> list[Any]:
    old, mine, other = (_named(items, key) for items in (base, ours, theirs))
    merged = []
    for name, item in mine.items():
        if name not in other:
            if name not in old or item != old[name]:
                merged.append(item)
        elif isinstance(item, dict) and isinstance(other[name], dict):
            start = old.get(name, {})
            merged.append(_objects(start, item, other[name], f"{field}[{name}]", conflicts, ours_is_later))
        else:
            merged.append(item)
    merged += [
        item for name, item in other.items() if name not in mine and (name not in old or item != old[name])
    ]
    return merged


def _named(items: list[Any], key: str) -> dict[str, Any]:
    field = _KEYS.get(key)
    return {
        str(item[field]) if field and isinstance(item, dict) and field in item else repr(item): item
        for item in items
    }


def _histories(base: Document, ours: Document, theirs: Document) -> list[Document]:
    """Ours as it is, then what theirs added, numbered on; the seals of the latter no longer fit and go."""
    mine: list[Document] = ours[revisions.HISTORY]
    added = theirs[revisions.HISTORY][len(base[revisions.HISTORY]) :]
    follow = [
        {k: v for k, v in {**revision, "revision_id": f"R{number}"}.items() if k not in ("content", "seal")}
        for number, revision in enumerate(added, len(mine) + 1)
    ]
    return [*mine, *follow]


def _renumbered(base: Document, ours: Document, theirs: Document) -> Document:
    """Theirs, with the tests and sub-changes that it added named on from those of ours."""
    made = copy.deepcopy(theirs)
    for key, name in (("test_cases", "test_id"), ("sub_tcs", "sub_id")):
        old, mine = ({row[name]: row for row in side.get(key, [])} for side in (base, ours))
        taken = list(mine)
        for row in made.get(key, []):
            if row[name] in old or row == mine.get(row[name]):
                continue
            row[name] = f"T{len(taken) + 1}" if key == "test_cases" else ids.next_sub_id(ours["tc_id"], taken)
            taken.append(row[name])
    return made
