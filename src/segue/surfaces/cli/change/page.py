"""A record as a page of plain text, what matters to the next session first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Doc = dict[str, Any]


def record_page(record: Doc) -> str:
    """The page. Tolerates a record that does not fit the schema: showing it is how one finds out."""
    description = _dict(record.get("description"))
    block = _dict(_dict(record.get("session_context")).get("handoff"))
    approval = _dict(record.get("approval"))
    git = _dict(record.get("git"))
    parts = [
        f"{record.get('tc_id')}  {record.get('title')}\n"
        f"{record.get('status')} · {record.get('priority')} · {description.get('scope')} · updated {record.get('updated')}",
        f"{description.get('summary')}\nWhy: {description.get('motivation')}",
        _block("Done so far", [block["progress_summary"]] if block.get("progress_summary") else []),
        _block("Blockers", _numbered(block.get("blockers"))),
        _block("Next steps", _numbered(block.get("next_steps"))),
        _block("Key context", _numbered(block.get("key_context"))),
        _block(
            "Decisions",
            _numbered(
                [f"{d.get('decision')} ({d.get('rationale')})" for d in _rows(block.get("decisions_made"))]
            ),
        ),
        _block(
            "Files in progress",
            [f"{f.get('path')}  {f.get('state')}" for f in _rows(block.get("files_in_progress"))],
        ),
        _block("Files", [f"{f.get('path')}  {f.get('action')}" for f in _rows(record.get("files_affected"))]),
        _block(
            "Tests",
            [
                f"{t.get('test_id')} {t.get('status')}  {t.get('title')}"
                for t in _rows(record.get("test_cases"))
            ],
        ),
        _block(
            "Parts",
            [f"{s.get('sub_id')} {s.get('status')}  {s.get('title')}" for s in _rows(record.get("sub_tcs"))],
        ),
        _block("Commits", [f"{c.get('short_sha')} {c.get('subject')}" for c in _rows(git.get("commits"))]),
        f"Approved by {approval.get('approved_by')} on {approval.get('approved_date')}"
        if approval.get("approved")
        else "",
        _block("Related", [str(name) for name in record.get("related_tcs") or []]),
        f"Tags: {', '.join(map(str, record['tags']))}" if record.get("tags") else "",
        _block("Notes", str(record.get("notes") or "").splitlines()),
        _block(
            "History",
            [
                f"{r.get('revision_id')} {r.get('timestamp')} {r.get('author')}: {r.get('summary')}"
                for r in _rows(record.get("revision_history"))
            ],
        ),
    ]
    return "\n\n".join(part for part in parts if part)


def changes_page(changes: Iterable[Doc]) -> str:
    """What would change in a block, field by field."""
    rows = [_changed(change) for change in changes]
    return "\n".join(rows) or "The record says all of this already."


_MARKS = {"added": "+", "removed": "-"}


def _changed(change: Doc) -> str:
    field = str(change["field"]).removeprefix("handoff.")
    value = change.get("old_value" if change["action"] == "removed" else "new_value")
    return f"  {_MARKS.get(change['action'], '~')} {field}: {_told(value)}"


def _told(value: Any) -> str:
    if isinstance(value, dict):
        value = " · ".join(str(part) for part in value.values() if part)
    elif isinstance(value, list):
        value = (
            "".join(f"\n      {number}. {_told(part)}" for number, part in enumerate(value, 1)) or "nothing"
        )
    return str(value)


def _block(heading: str, lines: Iterable[str]) -> str:
    rows = [f"  {line}" for line in lines]
    return "\n".join((heading, *rows)) if rows else ""


def _numbered(items: Any) -> list[str]:
    return [f"{number}. {item}" for number, item in enumerate(items if isinstance(items, list) else [], 1)]


def _dict(value: Any) -> Doc:
    return value if isinstance(value, dict) else {}


def _rows(value: Any) -> list[Doc]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
