"""Change records, read: all of them as rows, one of them whole. Imports little: listing is the daily command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from segue.changes import ids, registry
from segue.changes.document import Document
from segue.errors import BadInput
from segue.model.change import PRIORITIES, SCOPES, STATUSES
from segue.service.change_files import REBUILD, Tree

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

Result = dict[str, Any]

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
) -> Result:
    """Rows of the registry, by number. One that cannot be read is derived from the records instead."""
    wanted = {"status": (status, STATUSES), "scope": (scope, SCOPES), "priority": (priority, PRIORITIES)}
    for what, (values, known) in wanted.items():
        for value in values:
            one_of(value, known, what)
    if limit is not None and limit < 1:
        raise BadInput("--limit counts changes, so it is 1 or more.", "Leave it out to see all.")
    tree = Tree(workspace.root)
    if not tree.exists:
        return {"changes": []}
    answer: Result = {}
    try:
        listed, _, rows = tree.require().rows()
        answer = _disagreement(listed, rows)
    except BadInput as fault:
        rows = tree.derived_rows()
        answer["warning"] = f"{fault.message} {REBUILD}"
    kept = [
        row
        for row in sorted(rows.values(), key=lambda row: (ids.number_of(row["tc_id"]), row["tc_id"]))
        if all(not values or row.get(field) in values for field, (values, _) in wanted.items())
        and (tag is None or tag in row.get("tags", ()))
        and (not only_open or row.get("status") not in _CLOSED)
        and words.casefold() in f"{row['tc_id']} {row.get('title')}".casefold()
    ]
    return {"changes": kept if limit is None else kept[-limit:], **answer}


def _disagreement(known: Document, rows: dict[str, Document]) -> Result:
    """A warning if a record was written after its row and says something else. Reads nothing more."""
    wrong = registry.disagreements(known.get("records", []), rows)
    if not wrong:
        return {}
    tc_id, what = next(iter(wrong.items()))
    more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    return {"warning": f"The registry does not agree with the records: {tc_id} {what}{more}. {REBUILD}"}


def show(workspace: Workspace, tc_id: str) -> Document:
    """The record as it is in its file."""
    tree = Tree(workspace.root).require()
    return tree.read(tree.resolve(tc_id))[0]


def one_of(value: str, known: Sequence[str], what: str) -> None:
    """Raises BadInput unless the value is one of those known."""
    if value not in known:
        raise BadInput(f"{value!r} is not a {what}.", f"It is one of {', '.join(known)}.")
