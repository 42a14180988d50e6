"""Which entries of a pi file are on the branch that is asked for.

Every entry names its parent; going back to an earlier one and going on from there leaves a fork in
the same file. The branch in use is the way from the first entry to the last one written. An
entry whose parent is not in the file, because of damage or an old version, follows the one
written before it.
"""

from __future__ import annotations

from segue.agents._jsonl import records
from segue.agents.pi.wire import Link, link
from segue.errors import NotFound


class Branch:
    """The ids on a branch. `whole` says that the file has no other, so that nobody need ask."""

    def __init__(self, ids: set[str], whole: bool) -> None:
        self.ids = ids
        self.whole = whole

    def has(self, id: str | None) -> bool:
        return self.whole or id is None or id in self.ids


EVERYTHING = Branch(set(), whole=True)


def branch(path: str, tip: str | None) -> Branch:
    """The branch in use, or the one through `tip` to the last entry written on it."""
    parents: dict[str, str] = {}
    last, forked = "", False
    for _, _, value in records(path, link):
        if not isinstance(value, Link) or value.id is None or value.type == "session":
            continue
        parent = value.parent_id or ""
        if parent and parent not in parents:
            parent = last
        forked = forked or parent != last
        parents[value.id] = parent
        last = value.id
    if tip is not None:
        last = _end(parents, tip)
    elif not forked:
        return EVERYTHING
    ids: set[str] = set()
    while last and last not in ids:
        ids.add(last)
        last = parents.get(last, "")
    return Branch(ids, whole=False)


def _end(parents: dict[str, str], tip: str) -> str:
    """The last entry written that descends from `tip`."""
    if tip not in parents:
        raise NotFound(
            f"The session has no entry {tip}.", "Name an entry by its id, or ask for all branches."
        )
    descendants, end = {tip}, tip
    for id, parent in parents.items():
        if parent in descendants:
            descendants.add(id)
            end = id
    return end
