"""Where threads come from and what came of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from segue.service.threads.naming import resolve
from segue.threads import lineage

if TYPE_CHECKING:
    from segue.model.answers import Graph, Lineage, Relation
    from segue.service.workspace import Workspace


def of(workspace: Workspace, thread_id: str) -> Lineage:
    """A thread's ancestors, nearest first, and its children, oldest first."""
    thread_id = resolve(workspace, thread_id)
    ancestors = [
        _entry(link.parent_id, link.relation, link.seq, link.message_id)
        for link in lineage.ancestors(workspace.log, thread_id)
    ]
    children = [
        _entry(row["thread_id"], row["relation"], row["parent_seq"], row["parent_message_id"])
        for row in workspace.catalog.children(thread_id)
    ]
    return {"thread_id": thread_id, "ancestors": ancestors, "children": children}


def graph(workspace: Workspace, thread_id: str | None = None) -> list[str]:
    """The forest as text: all of it, or the tree a thread stands in, with that thread marked."""
    here = resolve(workspace, thread_id) if thread_id is not None else ""
    rows = {row["thread_id"]: row for row in workspace.catalog.states()} if workspace.exists else {}
    children: dict[str, list[str]] = {}
    roots: list[str] = []
    for known, row in rows.items():
        parent = row["parent_id"]
        if parent in rows:
            children.setdefault(parent, []).append(known)
        else:
            roots.append(known)
    if here:
        root = here
        while rows[root]["parent_id"] in rows:
            root = rows[root]["parent_id"]
        roots = [root]
    nodes = {
        known: lineage.Node(known, _label(row), row["relation"], row["parent_seq"])
        for known, row in rows.items()
    }
    return list(lineage.draw(nodes, children, roots, here))


def drawn(workspace: Workspace, thread_id: str | None = None) -> Graph:
    """The forest, or the tree a thread stands in, as lines of text."""
    return {"graph": graph(workspace, thread_id)}


def _label(row: dict[str, Any]) -> str:
    return row["title"] or ("default thread" if row["default"] else "untitled")


def _entry(thread_id: str, relation: str, seq: int, message_id: str | None) -> Relation:
    entry: Relation = {"thread_id": thread_id, "relation": relation, "seq": seq}
    if message_id is not None:
        entry["message_id"] = message_id
    return entry
