"""Change records, read: all of them as rows, one of them whole. Imports little: listing is the daily command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from segue.changes import ids, registry
from segue.changes.document import Document
from segue.errors import BadInput
from segue.model.change import PRIORITIES, SCOPES, STATUSES
from segue.service.changes.files import REBUILD, Tree

if TYPE_CHECKING:
    from segue.model.change_answers import ChangeList, ChangeRecord
    from segue.service.workspace import Workspace

_CLOSED = ("deployed", "voided")


def list_changes(
    workspace: Workspace,
    status: Sequence[str] = (),
    scope: Sequence[str] = (),
    priority: Sequence[str] = (),
    tag: str | None = None,
    words: str = "",
    only_open: bool = False,
    limit: int | None = None,
) -> ChangeList:
    """Rows of the registry, by number. One that cannot be read is derived from the records instead.

    Where filters leave nothing, `emptied_by` says which of them took the last.
    """
    wanted = {"status": (status, STATUSES), "scope": (scope, SCOPES), "priority": (priority, PRIORITIES)}
    for what, (values, known) in wanted.items():
        for value in values:
            one_of(value, known, what)
    if limit is not None and limit < 1:
        raise BadInput("--limit counts changes, so it is 1 or more.", "Leave it out to see all.")
    tree = Tree(workspace.root)
    if not tree.exists:
        return {"changes": []}
    rows, warnings = proven_rows(tree.require())
    answer: ChangeList = {"changes": []}
    if warnings:
        answer["warning"] = " ".join(warnings)
    kept = sorted(rows.values(), key=lambda row: (ids.number_of(row["tc_id"]), row["tc_id"]))
    filters: list[tuple[str, Callable[[Document], bool]]] = [
        *(
            (f"{what} {' or '.join(values)}", _among(what, values))
            for what, (values, _) in wanted.items()
            if values
        ),
        *([(f"tag {tag}", lambda row: tag in row.get("tags", ()))] if tag is not None else []),
        *([("open", lambda row: row.get("status") not in _CLOSED)] if only_open else []),
        *([(f"words {words!r}", _holding(words))] if words else []),
    ]
    for what, fits in filters:
        before, kept = kept, [row for row in kept if fits(row)]
        if before and not kept:
            count = "1 change" if len(before) == 1 else f"{len(before)} changes"
            answer["emptied_by"] = f"Of {count} none fits: {what}."
            break
    shown = kept if limit is None else kept[-limit:]
    told: list[Any] = [{k: v for k, v in row.items() if k != "check"} for row in shown]
    return {**answer, "changes": told}


def proven_rows(tree: Tree) -> tuple[dict[str, Document], list[str]]:
    """The row of every record by name, as far as the registry proves it and else from the record itself; and what
    somebody should see to."""
    try:
        listed, _, rows = tree.rows()
        warnings = _disagreement(listed, rows)
    except BadInput as fault:
        rows = tree.derived_rows()
        warnings = [f"{fault.message} {REBUILD}"]
    return rows, [*warnings, *map(tree.fault, sorted(tree.unread))]


def _among(field: str, values: Sequence[str]) -> Callable[[Document], bool]:
    return lambda row: row.get(field) in values


def _holding(words: str) -> Callable[[Document], bool]:
    wanted = words.casefold().split()
    return lambda row: all(word in f"{row['tc_id']} {row.get('title')}".casefold() for word in wanted)


def _disagreement(known: Document, rows: dict[str, Document]) -> list[str]:
    """A warning if a record was written after its row and says something else. Reads nothing more."""
    wrong = registry.disagreements(known.get("records", []), rows)
    if not wrong:
        return []
    tc_id, what = next(iter(wrong.items()))
    more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    return [f"The registry does not agree with the records: {tc_id} {what}{more}. {REBUILD}"]


def show(workspace: Workspace, tc_id: str) -> ChangeRecord:
    """The record as it is in its file."""
    tree = Tree(workspace.root).require()
    found: ChangeRecord = tree.read(tree.resolve(tc_id))[0]  # type: ignore[assignment]
    return found


def one_of(value: str, known: Sequence[str], what: str) -> None:
    """Raises BadInput unless the value is one of those known."""
    if value not in known:
        raise BadInput(f"{value!r} is not a {what}.", f"It is one of {', '.join(known)}.")
