"""Two lines for the start of a session: what is going on here, and how to take it up. What records say is quoted.

Rows are believed as far as `change list` believes them, so neither a stale registry nor a missing one changes
what is said. It is silent about whatever it cannot read: a report must never stop an agent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from segue.service.changes.files import Tree

_SHOWN = 3
_CLIP = 80
_ORDER = ("blocked", "in_progress", "paused")


def session_start_report(root: str) -> list[str]:
    """The changes in progress, blocked or paused, and the offer to resume; nothing if there are none."""
    from segue.changes.ids import short
    from segue.errors import SegueError
    from segue.service.changes.files import Tree
    from segue.service.changes.reading import proven_rows  # 45 ms, where there are records

    tree = Tree(root)
    try:
        rows = proven_rows(tree.require())[0]
    except SegueError:
        return []
    at_work = [row for row in rows.values() if row.get("status") in _ORDER]
    if not at_work:
        return []
    at_work.sort(key=lambda row: str(row.get("updated")), reverse=True)
    at_work.sort(key=lambda row: _ORDER.index(row["status"]))
    shown: list[dict[str, Any]] = []
    while at_work and len(shown) < _SHOWN:
        record = _record(tree, at_work.pop(0))
        shown += [record] if record.get("status") in _ORDER else []
    if not shown:
        return []
    names = [short(record["tc_id"], rows) for record in shown]
    told = "; ".join(f"{name} {_described(record)}" for name, record in zip(names, shown, strict=True))
    more = f"; and {len(at_work)} more" if at_work else ""
    first = next((n for n, record in enumerate(shown) if record["status"] == "in_progress"), 0)
    return [
        f"Changes at work, as their records say: {told}{more}.",
        f"Resume one with `segue change resume {names[first]}`; `segue change list --open` shows all.",
    ]


def _record(tree: Tree, row: dict[str, Any]) -> dict[str, Any]:
    """The record behind a row, which may say otherwise; the row itself if the record cannot be read."""
    from segue.errors import SegueError

    try:
        return {**row, **tree.read(row["tc_id"])[0]}
    except SegueError:
        return row


def _described(record: dict[str, Any]) -> str:
    text = f"{record['status']}: {_clip(record.get('title'))}"
    word, field = ("blocker", "blockers") if record["status"] == "blocked" else ("next", "next_steps")
    items: Any = record
    for name in ("session_context", "handoff", field):
        items = items.get(name) if isinstance(items, dict) else None
    if isinstance(items, list) and items:
        text += f" ({word}: {_clip(items[0])})"
    return text


def _clip(value: Any) -> str:
    """Words of a record as data: on one line, in quotation marks that nothing in it ends."""
    from segue.handoff.quote import cut, one_line

    return f'"{cut(one_line(str(value)[: 4 * _CLIP]).replace(chr(34), chr(39)), _CLIP)}"'
