"""What was still open: to-dos, the plan, questions, sub-agents.

Each snapshot of a to-do list replaces the one before. A question is open until the person says
anything; a sub-agent is running until its end was seen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from segue.extract.remarks.unanswered import asked_at_the_end
from segue.extract.text.prose import clipped, ends, flat, start
from segue.model.entry import Entry, Todo
from segue.model.facts import Background, Evidence, Plan, PlanOutcome, Quote, TodoFact

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
        return asked_at_the_end(clean(closing), closing_line)


def _place(entry: Entry) -> Evidence:
    return Evidence(entry.line, entry.native_id)
