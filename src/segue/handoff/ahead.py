"""What is ahead, as pieces of a packet: the goal, the next steps, to-dos and the plan."""

from __future__ import annotations

from collections.abc import Iterator

from segue.handoff import ranks
from segue.handoff.fit import Form, Piece, distinct
from segue.handoff.items import answering, lines, pointer
from segue.handoff.quote import MISSING, block, cut, cut_lines, inline, quoted
from segue.model.facts import Facts, Quote

_GOAL = (ranks.GOAL, ranks.GOAL_LONGER, ranks.GOAL_LONG, ranks.GOAL_WHOLE)
_PLAN = (ranks.PLANNED, ranks.PLANNED_LONGER, ranks.PLANNED_WHOLE)
_TODOS = {
    (True, False): ranks.TODO,
    (True, True): ranks.OLD_TODO,
    (False, False): ranks.DONE_TODO,
    (False, True): ranks.OLD_DONE_TODO,
}
"""By whether a to-do is open and whether it is old."""
_PLAN_LINES = 200


def goal_told(facts: Facts) -> str:
    """The goal as it stands in a packet of any size; empty where a small one cuts it."""
    goal = facts.goal or (facts.objective.current or facts.objective.first or Quote(text="")).text
    return goal if len(goal) <= ranks.GOAL.room else ""


def task(facts: Facts) -> Iterator[Piece]:
    given = Quote(text=facts.goal, to=facts.goal_to, to_line=facts.goal_to_line) if facts.goal else None
    goal = given or facts.objective.current or facts.objective.first
    if goal and goal.text:
        lead = "**Goal**: " if given else "**Goal** (the last thing asked for): "
        forms = distinct(
            *(
                Form(
                    row.rank,
                    f"{lead}{quoted(cut(goal.text, row.room))}{pointer(goal)}{answering(goal, row.room // 2)}",
                )
                for row in _GOAL
            )
        )
        yield Piece("goal", 0, "goal", forms)
    for i, step in enumerate(facts.next_steps):
        text = f"{i + 1}. {inline(_without_goal(step.text, goal.text if goal else ''))}{pointer(step)}"
        yield Piece("steps", i, "next step", (Form(ranks.STEP.at(i), text),), lines=lines(step))
    said = ""
    some_left = any(todo.state != "completed" for todo in facts.todos)
    for i, todo in enumerate(facts.todos):
        mark = {"completed": "x", "in_progress": "~"}.get(todo.state, " ")
        row = _TODOS[mark != "x", bool(todo.stale or todo.origin)]
        at = pointer(todo) if pointer(todo) != said else ""
        said = pointer(todo)
        group = "earlier todos" if todo.origin else "old todos" if todo.stale and some_left else "todos"
        yield Piece(
            group,
            i,
            "to-do",
            (Form(row.at(i), f"- [{mark}] {inline(cut(todo.text, row.room))}{at}"),),
            lines=lines(todo),
        )
    if facts.plan:
        head = f"- {facts.plan.outcome}{pointer(facts.plan)}"
        forms = distinct(
            *(
                Form(row.rank, f"{head}\n{block(cut_lines(facts.plan.text, row.room), _PLAN_LINES)}")
                for row in _PLAN
            )
        )
        yield Piece("plan", 0, "plan", forms, lines=lines(facts.plan))


def _without_goal(step: str, goal: str) -> str:
    """A step that quotes the goal, which stands above it, only names it."""
    before, _, rest = step.partition('"')
    quote, _, after = rest.rpartition('"')
    begins = " ".join(quote.removesuffix(MISSING).split())
    return f"{before}the goal{after}" if begins and " ".join(goal.split()).startswith(begins) else step
