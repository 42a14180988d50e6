"""Which records of a file are on the branch that is asked for.

Where every record names its parent, going back to an earlier one and going on from there leaves a
fork in the same file. The branch in use is the way from the first record to the last one written.
A record whose parent is not in the file, because of damage or an old version, follows the one
written before it.
"""

from __future__ import annotations

from collections.abc import Iterable

from segue.agents.contract import UP_TO
from segue.errors import NotFound


class Branch:
    """The ids on a branch. `whole` says that the file has no other, so that nobody need ask."""

    def __init__(self, ids: set[str], whole: bool) -> None:
        self.ids = ids
        self.whole = whole

    def has(self, id: str | None) -> bool:
        """Whether a record of that id is on the branch; one without id is on all."""
        return self.whole or not id or id in self.ids


EVERYTHING = Branch(set(), whole=True)


def branch(links: Iterable[tuple[str, str]], tip: str | None) -> Branch:
    """The branch in use, the one through `tip` to the last record written on it, or the one that ends at a tip after
    UP_TO. `links` are the ids of all records with those of their parents, in file order."""
    parents: dict[str, str] = {}
    last, forked = "", False
    for id, parent in links:
        if parent and parent not in parents:
            parent = last
        forked = forked or parent != last
        parents.setdefault(id, parent)
        last = id
    if tip is not None:
        last = _known(parents, tip.removeprefix(UP_TO))
        last = last if tip.startswith(UP_TO) else _end(parents, last)
    elif not forked:
        return EVERYTHING
    ids: set[str] = set()
    while last and last not in ids:
        ids.add(last)
        last = parents.get(last, "")
    return Branch(ids, whole=False)


def _known(parents: dict[str, str], tip: str) -> str:
    if tip not in parents:
        raise NotFound(f"The session has no record {tip}.", "Name one by its id, or ask for all branches.")
    return tip


def _end(parents: dict[str, str], tip: str) -> str:
    """The last record written that descends from `tip`."""
    descendants, end = {tip}, tip
    for id, parent in parents.items():
        if parent in descendants:
            descendants.add(id)
            end = id
    return end
