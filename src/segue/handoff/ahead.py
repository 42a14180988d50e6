"""What is ahead, as pieces of a packet: the goal, the next steps, to-dos and the plan."""

from __future__ import annotations

from collections.abc import Iterator

from segue.handoff.fit import Form, Piece, distinct
from segue.handoff.items import answering, lines, pointer
from segue.handoff.quote import MISSING, block, cut, cut_lines, inline, quoted
from segue.model.facts import Facts, Quote

_GOAL = ((99, 240), (68, 1200), (23, 4000), (22, 13_000))
_PLAN = ((56, 400), (32, 1600), (15, 6000))
"""Ranks, and how many characters of a goal or a plan are worth them."""
_PLAN_LINES = 200


def goal_told(facts: Facts) -> str:
    """The goal as it stands in a packet of any size; empty where a small one cuts it."""
    goal = facts.goal or (facts.objective.current or facts.objective.first or Quote(text="")).text
    return goal if len(goal) <= _GOAL[0][1] else ""


def task(facts: Facts) -> Iterator[Piece]:
    given = Quote(text=facts.goal, to=facts.goal_to, to_line=facts.goal_to_line) if facts.goal else None
    goal = given or facts.objective.current or facts.objective.first
    if goal and goal.text:
        lead = "**Goal**: " if given else "**Goal** (the last thing asked for): "
        forms = distinct(
            *(
                Form(rank, f"{lead}{quoted(cut(goal.text, size))}{pointer(goal)}{answering(goal, size // 2)}")
                for rank, size in _GOAL
            )
        )
        yield Piece("goal", 0, "goal", forms)
    for i, step in enumerate(facts.next_steps):
        text = f"{i + 1}. {inline(_without_goal(step.text, goal.text if goal else ''))}{pointer(step)}"
        yield Piece("steps", i, "next step", (Form(90 - 2.5 * i, text),), lines=lines(step))
    said = ""
    some_left = any(todo.state != "completed" for todo in facts.todos)
    for i, todo in enumerate(facts.todos):
        mark = {"completed": "x", "in_progress": "~"}.get(todo.state, " ")
        rank = (80 if mark != "x" else 50) - 0.5 * i - (4 if todo.stale or todo.origin else 0)
        at = pointer(todo) if pointer(todo) != said else ""
        said = pointer(todo)
        group = "earlier todos" if todo.origin else "old todos" if todo.stale and some_left else "todos"
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
