"""The registry: a table of all records, for people and for speed, always derivable from the records.

Only its name, its date of birth and the next number are its own; rows and statistics are computed.
Keys that other programs put there survive, and an existing row keeps the form of `path` it has. A row also
remembers the last sealed revision, and keeps to it while the record's history denies it. Its `check` proves
that nobody changed the row, and that the record's file has the size it had.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from segue.changes import ids, revisions
from segue.changes.document import Document
from segue.model import wire
from segue.model.change import PRIORITIES, SCOPES, STATUSES, TEST_STATUSES

_COUNTED = (
    ("by_status", "status", STATUSES),
    ("by_scope", "scope", SCOPES),
    ("by_priority", "priority", PRIORITIES),
)
_COMPARED = ("title", "status", "scope", "priority", "created", "updated")
_ADDED = ("sub_tc_count", "test_summary", "tags", "parent_tc")
"""Fields that rows of other programs may not have."""
_ANEW = ("parent_tc", "check")
"""Fields that a row does not keep from the one before."""
_CHECK_LENGTH = 16


def empty(project: str, at: str) -> Document:
    return {
        "project_name": project,
        "created": at,
        "updated": at,
        "next_tc_number": 1,
        "records": [],
        "statistics": statistics([]),
    }


def row(record: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> Document:
    """A record's row. Tolerates what the schema does not, since a faulty record must be listed too."""
    tc_id = record["tc_id"]
    description = record.get("description")
    tests = [test for test in _rows(record.get("test_cases")) if isinstance(test, dict)]
    counts = {status: sum(test.get("status") == status for test in tests) for status in TEST_STATUSES}
    parent = record.get("parent_tc")
    return {
        **{name: value for name, value in (before or {}).items() if name not in _ANEW},
        "tc_id": tc_id,
        "title": record.get("title", ""),
        "status": record.get("status", ""),
        "scope": description.get("scope", "") if isinstance(description, dict) else "",
        "priority": record.get("priority", ""),
        "created": record.get("created", ""),
        "updated": record.get("updated", ""),
        "path": _path(tc_id, (before or {}).get("path")),
        "sub_tc_count": len(_rows(record.get("sub_tcs"))),
        "test_summary": {
            "total": len(tests),
            **{s: counts[s] for s in ("pass", "fail", "pending", "skip", "blocked")},
        },
        "tags": list(_rows(record.get("tags"))),
        **({"parent_tc": parent} if isinstance(parent, str) else {}),
        **_last_sealed(_rows(record.get(revisions.HISTORY)), before or {}),
    }


def proven(rows: Mapping[str, Document], sizes: Mapping[str, int]) -> dict[str, Document]:
    """Rows, each with the proof of itself and of the size that its record's file has."""
    checks = _checks(list(rows.values()), [sizes[tc_id] for tc_id in rows])
    return {tc_id: {**row, "check": check} for (tc_id, row), check in zip(rows.items(), checks, strict=True)}


def unproven(rows: Mapping[str, Document], sizes: Mapping[str, int]) -> set[str]:
    """Names of the rows that were not written like this, or whose record has another size by now."""
    due = _checks(list(rows.values()), [sizes.get(tc_id, -1) for tc_id in rows])
    return {tc_id for (tc_id, row), check in zip(rows.items(), due, strict=True) if row.get("check") != check}


def _checks(rows: list[Document], sizes: list[int]) -> list[str]:
    import msgspec  # 25 ms

    encode = msgspec.json.Encoder(order="sorted").encode

    def check(row: Document, size: int) -> str:
        bare = {name: value for name, value in row.items() if name != "check"}
        try:
            body = encode(bare)
        except (UnicodeEncodeError, OverflowError):
            body = wire.canonical(bare)
        return hashlib.sha256(b"%d %b" % (size, body)).hexdigest()[:_CHECK_LENGTH]

    return [check(row, size) for row, size in zip(rows, sizes, strict=True)]


def build(registry: Document, rows: Iterable[Document], at: str) -> Document:
    """The registry with these rows in order of number; the next number never goes back."""
    ordered = sorted(rows, key=lambda row: (ids.number_of(row["tc_id"]), row["tc_id"]))
    made = {
        **registry,
        "next_tc_number": next_number(registry, (row["tc_id"] for row in ordered)),
        "records": ordered,
        "statistics": statistics(ordered),
    }
    if {**made, "updated": None} != {**registry, "updated": None}:
        made["updated"] = at
    return made


def next_number(registry: Mapping[str, Any], known: Iterable[str]) -> int:
    """The number of the next record: beyond all there are and all that was promised."""
    promised = registry.get("next_tc_number")
    return ids.next_number(known, promised if isinstance(promised, int) else 1)


def statistics(rows: Iterable[Mapping[str, Any]]) -> Document:
    rows = list(rows)
    counted: Document = {"total": len(rows)}
    for name, field, values in _COUNTED:
        tally = dict.fromkeys(values, 0)
        for row in rows:
            if row.get(field) in tally:
                tally[row[field]] += 1
        counted[name] = tally
    return counted


def disagreements(rows: Iterable[Mapping[str, Any]], derived: Mapping[str, Document]) -> dict[str, str]:
    """Records whose row is missing, left over or different, each with what is wrong."""
    wrong: dict[str, str] = {}
    listed: set[str] = set()
    for known in rows:
        tc_id = str(known.get("tc_id"))
        due = derived.get(tc_id)
        if tc_id in listed:
            wrong[tc_id] = "is listed twice"
        elif due is None:
            wrong[tc_id] = "is listed but has no record"
        elif known is not due:
            fields = [name for name in _COMPARED if known.get(name) != due.get(name)]
            fields += [name for name in _ADDED if name in known and known[name] != due.get(name)]
            if fields:
                wrong[tc_id] = f"differs from its record in {', '.join(fields)}"
        listed.add(tc_id)
    wrong.update({tc_id: "is not listed" for tc_id in derived if tc_id not in listed})
    return wrong


def _last_sealed(history: list[Any], before: Mapping[str, Any]) -> Document:
    """The last sealed revision; the one known before if the history lost it and nobody just vouched for that."""
    rows = [revision for revision in history if isinstance(revision, dict)]
    last = revisions.last_sealed(rows)
    known = revisions.has_sealed(rows, before.get("last_revision"), before.get("seal"))
    if last is None or not (known or revisions.sealed_anew(rows) == len(rows)):
        return {}
    return {"last_revision": last.get("revision_id", ""), "seal": last["seal"]}


def _path(tc_id: str, before: Any) -> str:
    folder = f"records/{tc_id}"
    forms = (f"{folder}/tc_record.json", folder, f"docs/TC/{folder}/tc_record.json", f"docs/TC/{folder}")
    return before if before in forms else forms[0]


def _rows(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
