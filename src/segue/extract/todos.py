"""What was still open: to-dos, the plan, questions, sub-agents.

Each snapshot of a to-do list replaces the one before. A question is open until the person says
anything; a sub-agent is running until its end was seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from segue.extract.prose import clipped, ends, flat, sentences, start, word_set
from segue.model.entry import Entry, Todo
from segue.model.facts import Background, Evidence, Plan, PlanOutcome, Quote, TodoFact

_QUESTION = re.compile(r"[?？]\s*$")
_ADDRESSED = re.compile(r"\b(?:you|your|i|me|we|us|let'?s|should|shall|ok(?:ay)?|go ahead)\b", re.I)
_ASKING = 1200
"""Characters of its last words in which an agent asks the person something."""
_POINTING = 10
_POINTS = word_set("it this that these those them one")
"""A question of no more words than that, with one of these, says nothing by itself."""
_PLAN_LIMIT = 6000


class Board:
    REMEMBERS: ClassVar = {
        "_todos": tuple[Todo, ...],
        "_todos_at": Evidence,
        "_plan": tuple[str, PlanOutcome, Evidence] | None,
        "_questions": list[tuple[str, Evidence]],
        "_heard_at": int,
        "_agents": dict[str, tuple[str, Evidence, bool]],
    }

    def __init__(self) -> None:
        self._todos: tuple[Todo, ...] = ()
        self._todos_at = Evidence(0)
        self._plan: tuple[str, PlanOutcome, Evidence] | None = None
        self._questions: list[tuple[str, Evidence]] = []
        self._heard_at = 0
        self._agents: dict[str, tuple[str, Evidence, bool]] = {}

    def todo(self, entry: Entry) -> None:
        self._todos, self._todos_at = entry.todos, _place(entry)

    def plan(self, entry: Entry) -> None:
        outcome = entry.data.get("outcome")
        known: PlanOutcome = outcome if outcome in ("approved", "rejected") else "proposed"
        text = ends(entry.text, _PLAN_LIMIT) or (self._plan[0] if self._plan else "")
        self._plan = text, known, _place(entry)

    def question(self, entry: Entry) -> None:
        self._questions.append((start(entry.text, 800), _place(entry)))

    def heard(self, line: int) -> None:
        """The person spoke: whatever was asked before is answered or passed over."""
        self._questions.clear()
        self._heard_at = line

    def agent_started(self, entry: Entry) -> None:
        name = entry.agent_id or entry.call_id or str(entry.line)
        self._agents[name] = start(entry.text, 400), _place(entry), True

    def agent_ended(self, entry: Entry) -> None:
        for name in (entry.agent_id, entry.call_id):
            if name in self._agents:
                text, place, _ = self._agents[name]
                self._agents[name] = text, place, False

    def todos(self, clean: Callable[[str], str]) -> list[TodoFact]:
        return [
            TodoFact(text=clean(flat(t.text)), state=t.state, evidence=(self._todos_at,))
            for t in self._todos
            if t.text
        ]

    def the_plan(self, clean: Callable[[str], str]) -> Plan | None:
        if self._plan is None:
            return None
        text, outcome, place = self._plan
        return Plan(text=clean(text), outcome=outcome, evidence=(place,))

    def subagents(self, clean: Callable[[str], str]) -> list[Background]:
        return [
            Background(
                text=clipped(clean(flat(text)), 200), state="running" if running else "ended", evidence=(at,)
            )
            for text, at, running in self._agents.values()
        ]

    def questions(self, clean: Callable[[str], str], closing: str, closing_line: int) -> list[Quote]:
        """What the agent asked and nobody answered: by its tool, or in the last sentences it wrote."""
        asked = [Quote(text=clipped(clean(flat(q)), 400), evidence=(at,)) for q, at in self._questions]
        if asked or closing_line < self._heard_at:
            return asked
        spoken = sentences(closing[-_ASKING:])
        said = [_with_subject(i, spoken) for i, sentence in enumerate(spoken) if _asks(sentence)]
        return [Quote(text=clipped(clean(s), 300), evidence=(Evidence(closing_line),)) for s in said[-2:]]


def _with_subject(i: int, spoken: list[str]) -> str:
    """A question, with the sentence before it where it only points there."""
    words = spoken[i].lower().rstrip("?").split()
    points = len(words) <= _POINTING and not _POINTS.isdisjoint(words)
    before = spoken[i - 1] if points and i and not _asks(spoken[i - 1]) else ""
    return f"{before} {spoken[i]}" if before else spoken[i]


def _asks(sentence: str) -> bool:
    """A question put to somebody: not one that is quoted, nor one that a report only raises."""
    if not _QUESTION.search(sentence) or sentence.count('"') % 2:
        return False
    return not sentence.isascii() or bool(_ADDRESSED.search(sentence))


def _place(entry: Entry) -> Evidence:
    return Evidence(entry.line, entry.native_id)
