"""All changes on one page of HTML: no script, nothing to fetch, readable by keyboard, on paper and aloud.

Every text of a record is escaped; a record that does not fit the schema is listed with what can be
read of it. The page is a pure function of the records, the moment and the two template files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from string import Template
from typing import Any

from segue.model.change import STATUSES
from segue.model.visible import visible

_ORDER = ("blocked", "in_progress", "paused", "planned", "implemented", "tested", "deployed", "voided")
_OPEN = ("blocked", "in_progress", "paused")
_WORDS = {status: status.replace("_", " ").capitalize() for status in STATUSES}
_UNKNOWN = "unreadable"

Doc = Mapping[str, Any]


def render(documents: Sequence[Doc], project: str, at: str, template: str, style: str) -> str:
    """The page."""
    groups: dict[str, list[Doc]] = {}
    for document in documents:
        status = document.get("status")
        groups.setdefault(status if status in STATUSES else _UNKNOWN, []).append(document)
    shown = [(status, groups[status]) for status in (*_ORDER, _UNKNOWN) if status in groups]
    menu = "".join(
        f'<li><a href="#status-{status}">{_name(status)} ({len(rows)})</a></li>\n' for status, rows in shown
    )
    sections = "".join(_section(status, rows) for status, rows in shown)
    return Template(template).substitute(
        project=escape(project),
        style=style,
        count=f"{len(documents)} change{'' if len(documents) == 1 else 's'}",
        at=escape(at),
        menu=menu or "<li>None yet</li>\n",
        sections=sections or "<p>No changes yet. <code>segue change new</code> makes the first.</p>\n",
    )


def _section(status: str, documents: Sequence[Doc]) -> str:
    rows = "".join(_row(document) for document in documents)
    bodies = "".join(_details(status, document) for document in documents)
    return (
        f'<section aria-labelledby="status-{status}">\n<h2 id="status-{status}">{_name(status)}</h2>\n'
        f'<div class="scroll" role="region" aria-label="Table: {_name(status)}" tabindex="0">\n'
        f"<table>\n<caption>{len(documents)} with this status</caption>\n<thead><tr>"
        '<th scope="col">Change</th><th scope="col">Title</th><th scope="col">Priority</th>'
        '<th scope="col">Kind</th><th scope="col">Tests</th><th scope="col">Updated</th>'
        f"</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n{bodies}</section>\n"
    )


def _row(document: Doc) -> str:
    tc_id = str(document.get("tc_id"))
    tests = _rows(document.get("test_cases"))
    passed = sum(_get(test, "status") == "pass" for test in tests)
    failed = sum(_get(test, "status") == "fail" for test in tests)
    told = f"{passed} of {len(tests)} passed" if tests else "none"
    told += f', <span class="alarm">{failed} failed</span>' if failed else ""
    priority = _text(document.get("priority"))
    urgent = f'<span class="alarm">{priority}</span>' if priority in ("critical", "high") else priority
    return (
        f'<tr><th scope="row"><a href="#{escape(tc_id)}">{escape(_short(tc_id))}</a></th>'
        f'<td class="title">{_text(document.get("title"))}</td><td>{urgent}</td>'
        f"<td>{_text(_get(document.get('description'), 'scope'))}</td><td>{told}</td>"
        f'<td class="date">{_text(str(document.get("updated", ""))[:10])}</td></tr>\n'
    )


def _details(status: str, document: Doc) -> str:
    tc_id = escape(str(document.get("tc_id")))
    description = document.get("description")
    block = _get(document.get("session_context"), "handoff")
    parts = [
        f'<p id="{tc_id}"><code>{tc_id}</code></p>',
        _paragraph("What", _get(description, "summary")),
        _paragraph("Why", _get(description, "motivation")),
        _paragraph("Done so far", _get(block, "progress_summary")),
        _list("In the way", _rows(_get(block, "blockers")), "alarm"),
        _list("Next steps", _rows(_get(block, "next_steps")), ordered=True),
        _list("Must know", _rows(_get(block, "key_context"))),
        _list("Decided", _lines("{decision}: {rationale}", _get(block, "decisions_made"))),
        _list("Being edited", _lines("{path} ({state})", _get(block, "files_in_progress"))),
        _list("Files", _lines("{path} ({action})", document.get("files_affected"))),
        _paragraph("Tags", ", ".join(map(str, _rows(document.get("tags"))))),
        _paragraph("Has to do with", ", ".join(map(str, _rows(document.get("related_tcs"))))),
        _list("Tests", [_test(test) for test in _rows(document.get("test_cases"))]),
        _list("Parts", _lines("{sub_id} {title} ({status})", document.get("sub_tcs"))),
        _approval(document.get("approval")),
        _links(document.get("git")),
        _history(_rows(document.get("revision_history"))),
    ]
    state = " open" if status in _OPEN else ""
    return (
        f"<details{state}>\n<summary>{escape(_short(str(document.get('tc_id'))))} {_text(document.get('title'))}</summary>\n"
        f'<div class="body">\n{"".join(part for part in parts if part)}</div>\n</details>\n'
    )


def _paragraph(heading: str, text: Any) -> str:
    return f"<h3>{heading}</h3>\n<p>{_text(text)}</p>\n" if isinstance(text, str) and text.strip() else ""


def _list(heading: str, items: Iterable[Any], mark: str = "", ordered: bool = False) -> str:
    rows = "".join(f"<li>{_text(item)}</li>\n" for item in items)
    if not rows:
        return ""
    tag = "ol" if ordered else "ul"
    style = f' class="{mark}"' if mark else ""
    return f"<h3>{heading}</h3>\n<{tag}{style}>\n{rows}</{tag}>\n"


def _test(test: Any) -> str:
    result = _get(test, "actual_result")
    told = f": {result}" if isinstance(result, str) and result.strip() else ""
    return f"{_get(test, 'test_id')} {_get(test, 'status')}, {_get(test, 'title')}{told}"


def _approval(approval: Any) -> str:
    if not _get(approval, "approved"):
        return ""
    by, date = _text(_get(approval, "approved_by")), _text(str(_get(approval, "approved_date"))[:10])
    return f'<p class="good">Approved by {by} on {date}</p>\n'


def _links(git: Any) -> str:
    commits = _lines("{short_sha} {subject}", _get(git, "commits"))
    pulls = [_get(remote, "pr") for remote in _rows(_get(git, "remotes"))]
    requests = "".join(
        f'<li><a href="{escape(str(_get(pull, "url")))}">Pull request {_text(_get(pull, "number"))}</a>'
        f" {_text(_get(pull, 'state'))}</li>\n"
        for pull in pulls
        if str(_get(pull, "url")).startswith(("https://", "http://"))
    )
    listed = f"<h3>Pull requests</h3>\n<ul>\n{requests}</ul>\n" if requests else ""
    return _list("Commits", commits) + listed


def _history(revisions: list[Any]) -> str:
    rows = [
        f"{_get(r, 'revision_id')}, {str(_get(r, 'timestamp'))[:10]}, {_get(r, 'author')}: {_get(r, 'summary')}"
        for r in revisions[-5:]
    ]
    return _list("Last revisions" if len(revisions) > len(rows) else "Revisions", rows)


def _name(status: str) -> str:
    return _WORDS.get(status, status.capitalize())  # type: ignore[call-overload, no-any-return]


def _short(tc_id: str) -> str:
    return "-".join(tc_id.split("-")[:2])


def _text(value: Any) -> str:
    return "" if value is None else escape(" ".join(visible(str(value)).split()))


def _get(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


class _Fields(dict[str, Any]):
    """The fields of a row; one that is missing is None."""

    def __missing__(self, name: str) -> None:
        return None


def _lines(template: str, rows: Any) -> list[str]:
    """A line for each row, made of its fields."""
    return [template.format_map(_Fields(row if isinstance(row, Mapping) else {})) for row in _rows(rows)]


def _rows(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
