"""What was still open: to-dos, the plan, questions, background jobs, sub-agents.

Each snapshot of a to-do list replaces the one before. A question is open until the person says
anything; a job and a sub-agent are running until their end was seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from segue.extract.command_line import simple_commands
from segue.extract.failures import Parsed
from segue.extract.prose import clipped, ends, flat, sentences, start
from segue.extract.run_keys import known_as
from segue.model.entry import Entry, Todo
from segue.model.facts import Background, Evidence, Plan, PlanOutcome, Quote, TodoFact

_QUESTION = re.compile(r"[?？]\s*$")
_ADDRESSED = re.compile(r"\b(?:you|your|i|me|we|us|let'?s|should|shall|ok(?:ay)?|go ahead)\b", re.I)
_ASKING = 1200
"""Characters of its last words in which an agent asks the person something."""
_PLAN_LIMIT = 6000
_JOBS = 200
_SHOWN_JOBS = 6
_KILLERS = (("pkill",), ("killall",))
_STOPPERS = ("kill", "taskstop", "stop")
"""How the names of tools begin that end a job."""
_HEAD = 2000
"""Characters of a result in which it says how its job is."""


class Board:
    REMEMBERS: ClassVar = {
        "_todos": tuple[Todo, ...],
        "_todos_at": Evidence,
        "_plan": tuple[str, PlanOutcome, Evidence] | None,
        "_questions": list[tuple[str, Evidence]],
        "_heard_at": int,
        "_jobs": dict[str, tuple[str, Evidence]],
        "_tasks": dict[str, str],
        "_agents": dict[str, tuple[str, Evidence, bool]],
    }

    def __init__(self) -> None:
        self._todos: tuple[Todo, ...] = ()
        self._todos_at = Evidence(0)
        self._plan: tuple[str, PlanOutcome, Evidence] | None = None
        self._questions: list[tuple[str, Evidence]] = []
        self._heard_at = 0
        self._jobs: dict[str, tuple[str, Evidence]] = {}
        self._tasks: dict[str, str] = {}
        """By the name that its program gave a job, the call that began it."""
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

    def job(self, entry: Entry, command: str) -> None:
        """A result that says its call goes on, or the one that ends it, or those that it killed."""
        if self._jobs and "kill" in command and not entry.is_error:
            self._kill(command)
        if entry.background:
            self._jobs[entry.call_id] = command, _place(entry)
            if task := entry.data.get("task"):
                self._tasks[str(task)] = entry.call_id
            for kept in (self._jobs, self._tasks):
                if len(kept) > _JOBS:
                    del kept[next(iter(kept))]
        else:
            self._jobs.pop(entry.call_id, None)

    def _kill(self, command: str) -> None:
        named = [s.words[-1] for s in simple_commands(command) if s.words[:1] in _KILLERS]
        for job, (started, _) in list(self._jobs.items()):
            if any(name in started for name in named):
                del self._jobs[job]

    def told(self, entry: Entry, about: Entry | None = None) -> str:
        """What is told of jobs: by a notice, or by the result of the call `about` one. Gives the call that began
        the job which ended, else nothing."""
        if not self._tasks:
            return ""
        status = str(entry.data.get("status", "")) if about is None else _status(entry, about)
        if not status or status == "running":
            return ""
        task = str(entry.data.get("task", ""))
        ended = (c for t, c in self._tasks.items() if (f'"{t}"' in about.text if about else t == task))
        job = next(ended, "")
        self._jobs.pop(job, None)
        return job

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

    def background(self, clean: Callable[[str], str], commands: list[Parsed]) -> list[Background]:
        """Jobs not seen to end: of each command the last, unless it ran again to an end since."""
        ended: dict[tuple[str, ...], int] = {}
        for row in commands:
            ended[row.known_as] = max(ended.get(row.known_as, 0), row.ok_line, row.bad_line)
        jobs: dict[tuple[str, ...], Background] = {}
        for command, at in self._jobs.values():
            key = known_as(simple_commands(command))
            if key and ended.get(key, 0) <= at.line:
                jobs[key] = Background(text=clipped(clean(flat(command)), 200), evidence=(at,))
        return list(jobs.values())[-_SHOWN_JOBS:]

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
        said = [s for s in sentences(closing[-_ASKING:]) if _asks(s)]
        return [Quote(text=clipped(clean(s), 300), evidence=(Evidence(closing_line),)) for s in said[-2:]]


def _status(entry: Entry, about: Entry) -> str:
    """How a job is, as the result of a call about it shows; empty where it shows nothing."""
    if about.tool.lower().startswith(_STOPPERS):
        return "" if entry.is_error else "stopped"
    return entry.text[:_HEAD].partition("<status>")[2].partition("</status>")[0].strip()


def _asks(sentence: str) -> bool:
    """A question put to somebody: not one that is quoted, nor one that a report only raises."""
    if not _QUESTION.search(sentence) or sentence.count('"') % 2:
        return False
    return not sentence.isascii() or bool(_ADDRESSED.search(sentence))


def _place(entry: Entry) -> Evidence:
    return Evidence(entry.line, entry.native_id)
