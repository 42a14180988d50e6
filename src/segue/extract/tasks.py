"""Tasks: to-dos, the plan, structured questions, sub-agents.

Each snapshot of a to-do list replaces the one before. A question is open until the person says
anything; a sub-agent is running until its end was seen.
"""

from __future__ import annotations

from collections.abc import Callable

from segue.extract.text.prose import clipped, ends, flat, start
from segue.model.entry import Entry, Todo
from segue.model.facts import Background, Evidence, Plan, PlanOutcome, Quote, TodoFact

_PLAN_LIMIT = 6000
_AGENTS = 40
_STALE_AFTER = 3
"""Turns after which a list that nobody kept may not be what is done now."""


class Board:
    def __init__(self) -> None:
        self._todos: tuple[Todo, ...] = ()
        self._todos_at = Evidence(0)
        self._todos_turn = 0
        self._plan: tuple[str, PlanOutcome, Evidence] | None = None
        self._questions: list[tuple[str, Evidence]] = []
        self._agents: dict[str, tuple[str, Evidence, bool]] = {}

    def todo(self, entry: Entry, turn: int) -> None:
        self._todos, self._todos_at, self._todos_turn = entry.todos, _place(entry), turn

    def plan(self, entry: Entry) -> None:
        outcome = entry.data.get("outcome")
        known: PlanOutcome = outcome if outcome in ("approved", "rejected") else "proposed"
        text = ends(entry.text, _PLAN_LIMIT) or (self._plan[0] if self._plan else "")
        self._plan = text, known, _place(entry)

    def question(self, entry: Entry) -> None:
        self._questions.append((start(entry.text, 800), _place(entry)))

    def clear_questions(self) -> None:
        """The person spoke: whatever was asked before is answered or passed over."""
        self._questions.clear()

    def agent_started(self, entry: Entry) -> None:
        name = entry.agent_id or entry.call_id or str(entry.line)
        self._agents[name] = start(entry.text, 400), _place(entry), True
        if len(self._agents) > _AGENTS:
            del self._agents[next(iter(self._agents))]

    def agent_ended(self, entry: Entry) -> None:
        for name in (entry.agent_id, entry.call_id):
            if name in self._agents:
                text, place, _ = self._agents[name]
                self._agents[name] = text, place, False

    def todos(self, clean: Callable[[str], str], turn: int) -> list[TodoFact]:
        stale = turn - self._todos_turn >= _STALE_AFTER
        return [
            TodoFact(text=clean(flat(t.text)), state=t.state, stale=stale, evidence=(self._todos_at,))
            for t in self._todos
            if t.text
        ]

    def the_plan(self, clean: Callable[[str], str], edited: list[int]) -> Plan | None:
        """The plan, and how many of the files that were `edited` at these lines were so after it."""
        if self._plan is None:
            return None
        text, outcome, place = self._plan
        since = sum(line > place.line for line in edited)
        return Plan(text=clean(text), outcome=outcome, edits_since=since, evidence=(place,))

    def subagents(self, clean: Callable[[str], str]) -> list[Background]:
        return [
            Background(
                text=clipped(clean(flat(text)), 200), state="running" if running else "ended", evidence=(at,)
            )
            for text, at, running in self._agents.values()
        ]

    def questions(self, clean: Callable[[str], str]) -> list[Quote]:
        """What the agent asked by its tool and nobody answered."""
        return [Quote(text=clipped(clean(flat(q)), 400), evidence=(at,)) for q, at in self._questions]


def _place(entry: Entry) -> Evidence:
    return Evidence(entry.line, entry.native_id)
