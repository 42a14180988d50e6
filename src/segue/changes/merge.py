"""Merging two versions of the registry with their common ancestor, as git asks a merge driver to.

Rows are merged by name: a row that only one side changed or removed is taken from that side, one
that both changed from the side that updated its record last. Numbers never go back.
"""

from __future__ import annotations

from typing import Any

from segue.changes import registry
from segue.changes.document import Document
from segue.changes.record import later_of

_OWN = ("records", "statistics", "next_tc_number", "updated")
_LAST_SEALED = ("last_revision", "seal", "check")


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
