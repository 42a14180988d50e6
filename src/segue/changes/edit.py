"""Applying an update: one function per thing that can be asked, in the order of the table.

Each function changes the draft and leaves a phrase; what exactly changed is found afterwards by
comparing the two versions, so no function can forget to record something. An update that asks for
what is already so changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from segue.changes import edit_block, edit_work
from segue.changes.draft import Draft, folded, one_line, quoted
from segue.changes.sentences import refusal
from segue.errors import BadInput
from segue.model.change_update import Update

Edit = Callable[[Draft, Any], None]


def _set(path: str, what: str, clean: Callable[[str], str] = one_line) -> Edit:
    """Sets one field."""

    def edit(draft: Draft, value: str) -> None:
        *parents, name = path.split(".")
        place = draft.document
        for parent in parents:
            place = place[parent]
        value = clean(value)
        if place.get(name) != value:
            before = place.get(name)
            place[name] = value
            draft.done.append(f"{what}: {before} -> {value}" if before and len(value) < 30 else f"{what} set")

    return edit


def _add(path: str, what: str) -> Edit:
    return lambda draft, texts: draft.add_texts(_list(draft, path), texts, what)


def _remove(path: str, what: str, verb: str = "-") -> Edit:
    def edit(draft: Draft, refs: list[str]) -> None:
        draft.remove_texts(_list(draft, path), refs, what, verb)

    return edit


def _list(draft: Draft, path: str) -> list[str]:
    """The texts at a path of the record; one that begins with `handoff` leads into its block."""
    *parents, name = path.split(".")
    place = draft.block if parents == ["handoff"] else draft.document
    for parent in parents if place is draft.document else ():
        place = place[parent]
    items: list[str] = place.setdefault(name, [])
    return items


def _notes(draft: Draft, texts: list[str]) -> None:
    for text in texts:
        draft.note(text.strip())
        draft.done.append(f"+note {quoted(text)}")


def _project(draft: Draft, name: str) -> None:
    _set("project", "project")(draft, name)
    draft.document["metadata"]["project"] = draft.document["project"]


def _parent(draft: Draft, tc_id: str) -> None:
    parent = tc_id or None
    if draft.document.get("parent_tc") != parent:
        draft.document["parent_tc"] = parent
        draft.done.append(f"parent: {parent or 'none'}")


def _maturity(draft: Draft, values: dict[str, Any]) -> None:
    before = draft.document.get("maturity") or {}
    if {**before, **values} != before:
        draft.document["maturity"] = {**before, **values}
        draft.done.append("maturity: " + ", ".join(sorted(values)))


def _status(draft: Draft, value: str) -> None:
    """What is opened again was approved as it was then, not as it will be."""
    if draft.document["status"] == "deployed" and value == "in_progress":
        edit_work.revoke_approval(draft, True)
    _set("status", "status")(draft, value)


EDITS: dict[str, Edit] = {
    "title": _set("title", "title"),
    "priority": _set("priority", "priority"),
    "project": _project,
    "scope": _set("description.scope", "scope"),
    "summary": _set("description.summary", "summary", str.strip),
    "motivation": _set("description.motivation", "motivation", str.strip),
    "detailed_design": _set("description.detailed_design", "design", str.strip),
    "effort": _set("metadata.estimated_effort", "effort"),
    "add_breaking_changes": _add("description.breaking_changes", "breaking change"),
    "remove_breaking_changes": _remove("description.breaking_changes", "breaking change"),
    "add_dependencies": _add("description.dependencies", "dependency"),
    "remove_dependencies": _remove("description.dependencies", "dependency"),
    "files": edit_work.files,
    "remove_files": edit_work.remove_files,
    "add_tests": edit_work.add_tests,
    "add_evidence": edit_work.add_evidence,
    "test_results": edit_work.test_results,
    "coverage": _set("approval.test_coverage_status", "coverage"),
    "revoke_approval": edit_work.revoke_approval,
    "approve": edit_work.approve,
    "add_subs": edit_work.add_subs,
    "sub_edits": edit_work.sub_edits,
    "parent": _parent,
    "relate": _add("related_tcs", "related"),
    "unrelate": _remove("related_tcs", "related"),
    "add_tags": _add("tags", "tag"),
    "remove_tags": _remove("tags", "tag"),
    "notes": _notes,
    "threads": _add("session_context.threads", "thread"),
    "handoff": edit_block.whole,
    "progress": edit_block.progress,
    "complete_next": _remove("handoff.next_steps", "next step", "completed "),
    "remove_next": _remove("handoff.next_steps", "next step", "dropped "),
    "add_next": _add("handoff.next_steps", "next step"),
    "move_next": edit_block.move_next,
    "resolve_blockers": edit_block.resolve_blockers,
    "add_blockers": _add("handoff.blockers", "blocker"),
    "remove_context": _remove("handoff.key_context", "context"),
    "add_context": _add("handoff.key_context", "context"),
    "drop_files_in_progress": edit_block.drop_files,
    "files_in_progress": edit_block.files_in_progress,
    "remove_decisions": edit_block.remove_decisions,
    "decisions": edit_block.decisions,
    "maturity": _maturity,
    "status": _status,
}


def apply(draft: Draft, update: Update) -> None:
    """Puts the whole update into a draft. Raises BadInput for what names nothing."""
    for name, edit in EDITS.items():
        value = getattr(update, name)
        if value is not None and value != [] and value is not False:
            edit(draft, value)


_NAMED_BY = {
    "files": "path",
    "files_in_progress": "path",
    "resolve_blockers": "blocker",
    "decisions": "decision",
}
"""What names the items of a field, where they are no texts."""
OPPOSITES = (
    ("add_tags", "remove_tags", "tag", "added and taken away"),
    ("relate", "unrelate", "relation to", "added and taken away"),
    ("add_breaking_changes", "remove_breaking_changes", "breaking change", "added and taken away"),
    ("add_dependencies", "remove_dependencies", "dependency", "added and taken away"),
    ("files", "remove_files", "file", "listed and taken away"),
    ("add_next", "complete_next", "next step", "added and completed"),
    ("add_next", "remove_next", "next step", "added and taken away"),
    ("complete_next", "remove_next", "next step", "completed and taken away"),
    ("add_blockers", "resolve_blockers", "blocker", "added and resolved"),
    ("add_context", "remove_context", "context", "added and taken away"),
    ("files_in_progress", "drop_files_in_progress", "file", "in progress and done"),
    ("decisions", "remove_decisions", "decision", "made and taken away"),
)
"""Two fields of an update that must not name the same thing, what it is, and what cannot be at once."""


def require_coherent(update: Update) -> None:
    """Raises BadInput for an update that contradicts itself."""
    hint = "Ask for one of the two, or for one after the other."
    if update.approve is not None and update.revoke_approval:
        raise BadInput("An approval cannot be given and taken back in one update.", hint)
    for one, other, what, verbs in OPPOSITES:
        if both := _names(update, one) & _names(update, other):
            raise BadInput(f"The {what} {min(both)!r} cannot be {verbs} in one update.", hint)
    results: dict[str, str] = {}
    for result in update.test_results:
        name = folded(result.test_id)
        if results.setdefault(name, result.status) != result.status:
            raise refusal("two-results", test=result.test_id, one=results[name], other=result.status)


def _names(update: Update, field: str) -> set[str]:
    named = _NAMED_BY.get(field)
    return {folded(getattr(item, named) if named else item) for item in getattr(update, field)}
