"""A record as a page of plain text, what matters to the next session first.

Whatever the record holds stands somewhere on the page; what is empty takes no line. Old and new values of
past revisions are told by `history_page`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Doc = dict[str, Any]

_PLACED = frozenset(
    (
        *("tc_id", "title", "status", "priority", "created", "updated", "created_by", "project", "parent_tc"),
        *("description", "files_affected", "revision_history", "sub_tcs", "test_cases", "approval"),
        *("session_context", "tags", "related_tcs", "notes", "metadata", "git", "maturity"),
    )
)


def record_page(record: Doc) -> str:
    """The page. Tolerates a record that does not fit the schema: showing it is how one finds out."""
    context = _dict(record.get("session_context"))
    parts = [
        _head(record),
        _description(_dict(record.get("description"))),
        *_handoff(_dict(context.get("handoff"))),
        _block("Files", map(_file, _rows(record.get("files_affected")))),
        _block("Tests", [line for test in _rows(record.get("test_cases")) for line in _test(test)]),
        _block("Parts", [line for sub in _rows(record.get("sub_tcs")) for line in _sub(sub)]),
        *_git(_dict(record.get("git"))),
        _block("Approval", _approval(_dict(record.get("approval")))),
        _block("Related", _texts(record.get("related_tcs"))),
        _block("Maturity", _fields(_dict(record.get("maturity")))),
        _block("Notes", str(record.get("notes") or "").splitlines()),
        _block("Further", _fields({name: value for name, value in record.items() if name not in _PLACED})),
        _block("Sessions", _sessions(context)),
        _block("Threads", _texts(context.get("threads"))),
        _block("History", [line for row in _rows(record.get("revision_history")) for line in _revision(row)]),
    ]
    return "\n\n".join(part for part in parts if part)


def history_page(record: Doc) -> str:
    """Every revision with the fields it changed, then those of the parts."""
    lines = [f"{record.get('tc_id')}  {record.get('title')}"]
    for part in (record, *_rows(record.get("sub_tcs"))):
        lines += [f"{part['sub_id']}  {part.get('title')}"] if "sub_id" in part else []
        for revision in _rows(part.get("revision_history")):
            lines += [*_revision(revision), *map(_change, _rows(revision.get("field_changes")))]
    return "\n".join(lines)


def _change(change: Doc) -> str:
    values = [_plain_text(change[name]) for name in ("old_value", "new_value") if name in change]
    return f"  {change.get('field')} {change.get('action')}: {' → '.join(values)}"


def _head(record: Doc) -> str:
    metadata = _dict(record.get("metadata"))
    scope = _dict(record.get("description")).get("scope")
    lines = [
        f"{record.get('tc_id')}  {record.get('title')}",
        _joined(
            *(record.get("status"), record.get("priority"), scope),
            _after("effort ", metadata.get("estimated_effort")),
            _after("project ", record.get("project")),
            _after("updated ", record.get("updated")),
            _after("by ", metadata.get("last_modified_by")),
        ),
        _joined(_after("created ", record.get("created")), _after("by ", record.get("created_by")), by=" "),
        _after("Part of ", record.get("parent_tc")),
        _after("Tags: ", ", ".join(_texts(record.get("tags")))),
    ]
    return "\n".join(line for line in lines if line)


def _description(description: Doc) -> str:
    lines = [str(description.get("summary")), f"Why: {description.get('motivation')}"]
    lines += [_after("Design: ", description.get("detailed_design"))]
    for name, label in (("breaking_changes", "Breaks"), ("dependencies", "Needs")):
        lines += [f"{label}: {text}" for text in _texts(description.get(name))]
    return "\n".join(line for line in lines if line)


def _handoff(block: Doc) -> list[str]:
    decisions = [
        f"{row.get('decision')} ({row.get('rationale')}){_after(' on ', row.get('timestamp'))}"
        for row in _rows(block.get("decisions_made"))
    ]
    files = [
        _joined(row.get("path"), row.get("state"), row.get("notes"), by="  ")
        for row in _rows(block.get("files_in_progress"))
    ]
    return [
        _block("Done so far", [block["progress_summary"]] if block.get("progress_summary") else []),
        _block("Blockers", _numbered(block.get("blockers"))),
        _block("Next steps", _numbered(block.get("next_steps"))),
        _block("Key context", _numbered(block.get("key_context"))),
        _block("Decisions", _numbered(decisions)),
        _block("Files in progress", files),
    ]


def _file(row: Doc) -> str:
    added, removed = row.get("lines_added"), row.get("lines_removed")
    lines = f"+{added or 0} -{removed or 0}" if added is not None or removed is not None else ""
    return _joined(row.get("path"), row.get("action"), lines, row.get("description"), by="  ")


def _test(row: Doc) -> list[str]:
    tested = _joined(_after("by ", row.get("tested_by")), _after("on ", row.get("tested_date")), by=" ")
    lines = [f"{row.get('test_id')} {row.get('status')}  {row.get('title')}"]
    lines += [f"   {number}. {step}" for number, step in enumerate(_texts(row.get("procedure")), 1)]
    lines += [
        _after("   expected: ", row.get("expected_result")),
        _after("   result: ", row.get("actual_result")),
        _after("   tested ", tested),
    ]
    lines += [_evidence(item) for item in _rows(row.get("evidence"))]
    return [line for line in lines if line]


def _evidence(item: Doc) -> str:
    told = _joined(item.get("description"), item.get("path"), item.get("timestamp"))
    content = "".join(f"\n       | {line}" for line in str(item.get("content") or "").splitlines())
    return f"   evidence: {item.get('type')}: {told}{content}"


def _sub(row: Doc) -> list[str]:
    lines = [f"{row.get('sub_id')} {row.get('status')}  {row.get('title')}"]
    lines += [_after("   ", row.get("description"))]
    lines += [_after("   files: ", ", ".join(_texts(row.get("files_affected"))))]
    lines += [f"   {line}" for past in _rows(row.get("revision_history")) for line in _revision(past)]
    return [line for line in lines if line]


def _git(git: Doc) -> list[str]:
    commits = [
        _joined(
            f"{row.get('short_sha')} {row.get('subject')}",
            *(row.get("author"), row.get("authored_date"), row.get("branch")),
            _after("linked ", row.get("link_source")),
        )
        for row in _rows(git.get("commits"))
    ]
    pulls = []
    for remote in _rows(git.get("remotes")):
        pull = _dict(remote.get("pr"))
        where = _joined(remote.get("name"), remote.get("url"), remote.get("provider"), by=" ")
        pulls.append(
            _joined(where, *(f"{name} {value}" for name, value in pull.items() if value is not None))
        )
    born = _joined(
        _after("began on ", git.get("initial_branch")), _after("in ", git.get("repo_root")), by=" "
    )
    return [
        _block("Commits", commits),
        _block("Pull requests", pulls),
        _block("Releases", _texts(git.get("release_tags"))),
        _after("Git: ", born),
    ]


def _approval(approval: Doc) -> list[str]:
    coverage = approval.get("test_coverage_status")
    lines = []
    if approval.get("approved"):
        lines.append(f"by {approval.get('approved_by')} on {approval.get('approved_date')}")
    lines += [_after("", approval.get("approval_notes"))]
    lines += [f"tests cover {coverage}"] if coverage not in (None, "none") else []
    return [line for line in lines if line]


def _sessions(context: Doc) -> list[str]:
    lines = []
    past = _rows(context.get("session_history"))
    for row in past:
        lines += [_joined(_session(row), _after("ended ", row.get("ended")), row.get("summary"))]
        lines += [f"   {text}" for text in _texts(row.get("changes_made"))]
    current = _dict(context.get("current_session"))
    if current and not any(_same_session(row, current) for row in past):
        lines.append(
            _joined(_session(current), _after("last active ", current.get("last_active")), "at work")
        )
    return lines


def _same_session(one: Doc, other: Doc) -> bool:
    return all(one.get(name) == other.get(name) for name in ("session_id", "started"))


def _session(row: Doc) -> str:
    agent, platform = row.get("agent"), row.get("platform")
    who = _joined(agent, platform if platform != "other" or not agent else "", by=" on ")
    return f"{row.get('session_id')} · {who}/{row.get('model')} · from {row.get('started')}"


def _revision(row: Doc) -> list[str]:
    reasons = dict.fromkeys(change.get("reason") for change in _rows(row.get("field_changes")))
    why = "; ".join(str(reason) for reason in reasons if reason)
    told = f"{row.get('revision_id')} {row.get('timestamp')} {row.get('author')}: {row.get('summary')}"
    return [told + (f" (why: {why})" if why else "")]


def _fields(values: Doc) -> list[str]:
    return [
        f"{name}: {_plain_text(value)}" for name, value in values.items() if value not in (None, "", [], {})
    ]


def changes_page(changes: Iterable[Doc]) -> str:
    """What would change in a block, field by field."""
    rows = [_changed(change) for change in changes]
    return "\n".join(rows) or "The record says all of this already."


_MARKS = {"added": "+", "removed": "-"}


def _changed(change: Doc) -> str:
    field = str(change["field"]).removeprefix("handoff.")
    value = change.get("old_value" if change["action"] == "removed" else "new_value")
    return f"  {_MARKS.get(change['action'], '~')} {field}: {_plain_text(value)}"


def _plain_text(value: Any, within: bool = False) -> str:
    if isinstance(value, dict):
        return " · ".join(_plain_text(part, True) for part in value.values() if part)
    if not isinstance(value, list):
        return str(value)
    parts = [_plain_text(part, True) for part in value]
    if within:
        return ", ".join(parts)
    return "".join(f"\n      {number}. {part}" for number, part in enumerate(parts, 1)) or "nothing"


def _block(heading: str, lines: Iterable[str]) -> str:
    rows = [f"  {line}" for line in lines]
    return "\n".join((heading, *rows)) if rows else ""


def _numbered(items: Any) -> list[str]:
    return [f"{number}. {item}" for number, item in enumerate(items if isinstance(items, list) else [], 1)]


def _texts(items: Any) -> list[str]:
    return [str(item) for item in items] if isinstance(items, list) else []


def _after(label: str, value: Any) -> str:
    return f"{label}{value}" if value else ""


def _joined(*values: Any, by: str = " · ") -> str:
    return by.join(str(value) for value in values if value)


def _dict(value: Any) -> Doc:
    return value if isinstance(value, dict) else {}


def _rows(value: Any) -> list[Doc]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
