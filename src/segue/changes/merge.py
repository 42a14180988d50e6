"""Merging two versions of the registry or of a record with their common ancestor, as git asks a merge driver to.

Rows of the registry are merged by name: a row that only one side changed or removed is taken from that side, one
that both changed from the side that updated its record last. Numbers never go back.

Of a record, two branches worked on the same change. What only one side touched is taken from it; lists take what both
sides added and lose what either removed; dates and sessions go to the later side. Ours keeps its history, theirs
follows it under new numbers, and a last revision seals the two. What both sides set differently is a conflict, which
only a person can settle.
"""

from __future__ import annotations

import copy
from typing import Any

from segue.changes import ids, registry, revisions
from segue.changes.document import Document
from segue.changes.record import later_of

_OWN = ("records", "statistics", "next_tc_number", "updated")
_LAST_SEALED = ("last_revision", "seal", "check")
AUTHOR = "merge"
_KEYS = {**revisions.KEYS, "session_history": "started"}
_LATER = ("updated", "last_modified", "last_active")
_WITH_THE_LATER = ("last_modified_by", "current_session")
_ABSENT = object()
"""Stands for what a side does not have at all."""


def merge_registries(base: Document, ours: Document, theirs: Document) -> Document:
    """The merged registry. Raises ValueError if one of the three is no registry."""
    old, mine, other = (_rows(side) for side in (base, ours, theirs))
    rows = []
    for tc_id in {**mine, **other}:
        row = _three_way(old.get(tc_id), mine.get(tc_id), other.get(tc_id))
        if row is not None:
            rows.append(row)
    promised = max(_number(ours), _number(theirs))
    top: Document = {}
    for key in [*ours, *(key for key in theirs if key not in ours)]:
        if key in _OWN:
            top[key] = ours.get(key, theirs.get(key))
            continue
        value = _three_way(base.get(key), ours.get(key), theirs.get(key))
        if value is not None:
            top[key] = value
    top.update(next_tc_number=promised)
    at = later_of(str(ours.get("updated", "")), str(theirs.get("updated", "")))
    made = registry.build(top, rows, at)
    made["updated"] = at
    return made


def _three_way(base: Any, ours: Any, theirs: Any) -> Any:
    if ours == theirs or theirs == base:
        return ours
    if ours == base:
        return theirs
    if isinstance(ours, dict) and isinstance(theirs, dict) and "updated" in ours and "updated" in theirs:
        mine, other = str(ours["updated"]), str(theirs["updated"])
        later = theirs if later_of(mine, other) != mine else ours
        # The merged record has a history of its own, with neither side's last seal at its end.
        return {name: value for name, value in later.items() if name not in _LAST_SEALED}
    return theirs if ours is None else ours


def _rows(side: Document) -> dict[str, Document]:
    rows = side.get("records", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) and "tc_id" in row for row in rows):
        raise ValueError("it has no list of records")
    return {row["tc_id"]: row for row in rows}


def _number(side: Document) -> int:
    number = side.get("next_tc_number", 1)
    return number if isinstance(number, int) else 1


def merge_records(base: Document, ours: Document, theirs: Document) -> tuple[Document, list[str]]:
    """The merged record, and the fields on which the two sides disagree."""
    theirs = _renumbered(base, ours, theirs)
    later = ours if later_of(str(ours["updated"]), str(theirs["updated"])) == ours["updated"] else theirs
    work = _Merge(later is ours)
    merged = work.objects(base, ours, theirs, "")
    merged[revisions.HISTORY] = _histories(base, ours, theirs)
    if not work.conflicts:
        count = len(theirs[revisions.HISTORY]) - len(base[revisions.HISTORY])
        revisions.append(
            merged, [], [f"merged with another branch: {count} revisions"], AUTHOR, str(later["updated"])
        )
    return merged, work.conflicts


class _Merge:
    """One merge on its way: `conflicts` are the fields on which the sides disagree."""

    def __init__(self, ours_is_later: bool) -> None:
        self.conflicts: list[str] = []
        self._ours_is_later = ours_is_later

    def objects(self, base: Document, ours: Document, theirs: Document, path: str) -> Document:
        merged: Document = {}
        for key in [*ours, *(key for key in theirs if key not in ours)]:
            field = f"{path}.{key}" if path else key
            if key == revisions.HISTORY and not path:
                merged[key] = []
                continue
            old, mine, other = (side.get(key, _ABSENT) for side in (base, ours, theirs))
            value = self._values(old, mine, other, field, key)
            if value is not _ABSENT:
                merged[key] = value
        return merged

    def _values(self, base: Any, ours: Any, theirs: Any, field: str, key: str) -> Any:
        if ours == theirs or theirs == base:
            return ours
        if ours == base:
            return theirs
        if key in _LATER and isinstance(ours, str) and isinstance(theirs, str):
            return later_of(ours, theirs)
        if key in _WITH_THE_LATER:
            return ours if self._ours_is_later else theirs
        if isinstance(ours, dict) and isinstance(theirs, dict):
            return self.objects(base if isinstance(base, dict) else {}, ours, theirs, field)
        if isinstance(ours, list) and isinstance(theirs, list):
            return self._lists(base if isinstance(base, list) else [], ours, theirs, field, key)
        sides = (str(ours), str(theirs))
        if key == "notes" and isinstance(base, str) and all(side.startswith(base) for side in sides):
            return f"{ours}\n{sides[1][len(base) :].lstrip(chr(10))}"
        self.conflicts.append(field)
        return ours

    def _lists(self, base: list[Any], ours: list[Any], theirs: list[Any], field: str, key: str) -> list[Any]:
        old, mine, other = (_named(items, key) for items in (base, ours, theirs))
        merged = []
        for name, item in mine.items():
            if name not in other:
                if name not in old or item != old[name]:
                    merged.append(item)
            elif isinstance(item, dict) and isinstance(other[name], dict):
                merged.append(self.objects(old.get(name, {}), item, other[name], f"{field}[{name}]"))
            else:
                merged.append(item)
        merged += [
            item
            for name, item in other.items()
            if name not in mine and (name not in old or item != old[name])
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
