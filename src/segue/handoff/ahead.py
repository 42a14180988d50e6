"""What is ahead, as pieces of a packet: the goal, the next steps, to-dos and the plan."""

from __future__ import annotations

from collections.abc import Iterator

from segue.handoff.fit import Form, Piece, distinct
from segue.handoff.items import lines, pointer
from segue.handoff.quote import MISSING, block, cut, cut_lines, inline, quoted
from segue.model.facts import Facts

_GOAL = ((99, 240), (68, 1200), (23, 4000), (22, 13_000))
_PLAN = ((56, 400), (32, 1600), (15, 6000))
"""Ranks, and how many characters of a goal or a plan are worth them."""
_PLAN_LINES = 200


def task(facts: Facts) -> Iterator[Piece]:
    asked = facts.objective.current or facts.objective.first
    goal = facts.goal or (asked.text if asked else "")
    if goal:
        lead = "**Goal**: " if facts.goal else "**Goal** (the last thing asked for): "
        at = "" if facts.goal or not asked else pointer(asked)
        forms = distinct(*(Form(rank, f"{lead}{quoted(cut(goal, size))}{at}") for rank, size in _GOAL))
        yield Piece("goal", 0, "goal", forms)
    for i, step in enumerate(facts.next_steps):
        text = f"{i + 1}. {inline(_without_goal(step.text, goal))}{pointer(step)}"
        yield Piece("steps", i, "next step", (Form(90 - 2.5 * i, text),), lines=lines(step))
    said = ""
    for i, todo in enumerate(facts.todos):
        mark = {"completed": "x", "in_progress": "~"}.get(todo.state, " ")
        rank = (80 if mark != "x" else 50) - 0.5 * i - (4 if todo.stale or todo.origin else 0)
        at = pointer(todo) if pointer(todo) != said else ""
        said = pointer(todo)
        group = "earlier todos" if todo.origin else "old todos" if todo.stale else "todos"
        yield Piece(
            group,
            i,
            "to-do",
            (Form(rank, f"- [{mark}] {inline(cut(todo.text, 160))}{at}"),),
            lines=lines(todo),
        )
    if facts.plan:
        head = f"- {facts.plan.outcome}{pointer(facts.plan)}"
        forms = distinct(
            *(Form(r, f"{head}\n{block(cut_lines(facts.plan.text, n), _PLAN_LINES)}") for r, n in _PLAN)
        )
        yield Piece("plan", 0, "plan", forms, lines=lines(facts.plan))


def _without_goal(step: str, goal: str) -> str:
    """A step that quotes the goal, which stands above it, only names it."""
    before, _, rest = step.partition('"')
    quote, _, after = rest.rpartition('"')
    begins = " ".join(quote.removesuffix(MISSING).split())
    return f"{before}the goal{after}" if begins and " ".join(goal.split()).startswith(begins) else step
