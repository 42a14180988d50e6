"""Whether a plan is still ahead: the one that was approved, worked on and left behind is told in a line.

A plan speaks of the code as it was before. Once edits followed it and the person went on to something else, or the work
was handed in and the turn ended, what it says is mostly no longer so. Before that, and where nobody approved it, what is
known is how much was edited since.
"""

from __future__ import annotations

from msgspec.structs import replace

from segue.extract.settled import handed_in
from segue.extract.steps import is_aside
from segue.extract.text.prose import plainly, word_set
from segue.model.facts import Plan, TodoFact
from segue.model.turn import Index

_GOES_ON = word_set(
    "continue go on going keep carry proceed resume please and with it the work now then yes ok okay do that next weiter"
    " mach bitte continuez continúa sigue continua продолжай 继续 続けて 계속"
)
"""The words of a prompt that only has the agent go on."""
_GOES_ON_WITH_IT = word_set(
    "continue proceed going carry resume weiter plan plans phase phases step steps stage milestone task rest remaining schritt etappe étape fase paso этап план 计划 計画"
)


def plan(index: Index, todos: tuple[TodoFact, ...] | list[TodoFact]) -> Plan | None:
    """The plan of the session, marked where it looks carried out."""
    found = index.plan
    if found is None or found.outcome == "rejected" or found.origin or not found.evidence:
        return found
    at = found.evidence[0].line
    edits = [
        file.evidence[0].line
        for file in index.files
        if file.edits and not file.origin and file.evidence[0].line > at and not is_aside(file.path)
    ]
    if not edits:
        return found
    is_open = any(todo.state in ("pending", "in_progress") and not todo.stale for todo in todos)
    is_over = _left_behind(index, min(edits)) or _handed_in(index, max(edits))
    if is_over and not is_open and found.outcome == "approved":
        return replace(found, carried_out=True)
    return replace(found, worked_on=len(edits))


def _left_behind(index: Index, edited: int) -> bool:
    """The person asked for something else after it was worked on."""
    later = [p.text for p in index.prompts if p.evidence and p.evidence[0].line > edited and not p.origin]
    asked = ["".join(c if c.isalnum() else " " for c in plainly(text)).split() for text in later]
    return any(map(_asks_for_else, asked)) and not any(
        not _GOES_ON_WITH_IT.isdisjoint(words) for words in asked
    )


def _asks_for_else(words: list[str]) -> bool:
    return not _GOES_ON.issuperset(words)


def _handed_in(index: Index, edited: int) -> bool:
    given = handed_in(index)
    return bool(given and given.evidence[0].line > edited and index.source.ended == "finished")
