"""What is ahead, as pieces of a packet: the goal, the next steps, to-dos and the plan."""

from __future__ import annotations

from collections.abc import Iterator

from segue.handoff import ranks
from segue.handoff.fit import Form, Piece, distinct
from segue.handoff.groups import STEPPED
from segue.handoff.items import answering, lines, pointer
from segue.handoff.quote import MISSING, block, cut, cut_lines, inline, quoted
from segue.model.facts import Facts, Plan, Quote

_GOAL = (ranks.GOAL, ranks.GOAL_LONGER, ranks.GOAL_LONG, ranks.GOAL_WHOLE)
_PLAN = (ranks.PLANNED, ranks.PLANNED_LONGER, ranks.PLANNED_WHOLE)
_TODOS = {
    (True, False): ranks.TODO,
    (True, True): ranks.OLD_TODO,
    (False, False): ranks.DONE_TODO,
    (False, True): ranks.OLD_DONE_TODO,
}
"""By whether a to-do is open and whether it is old."""
_SURE_STEPS = 5
_PLAN_LINES = 200
_PLAN_SHARE = 2
"""Thirds of a character of a plan for each token of a budget: short lines have few characters to a token."""


def goal_told(facts: Facts) -> str:
    """The goal as it stands in a packet of any size; empty where a small one cuts it."""
    goal = facts.goal or (facts.objective.current or facts.objective.first or Quote(text="")).text
    return goal if len(goal) <= ranks.GOAL.room else ""


def task(facts: Facts, budget: int) -> Iterator[Piece]:
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
    stepped = _stepped(facts)
    some_left = any(todo.state != "completed" for todo in facts.todos)
    for i, todo in enumerate(facts.todos):
        mark = {"completed": "x", "in_progress": "~"}.get(todo.state, " ")
        row = _TODOS[mark != "x", bool(todo.stale or todo.origin)]
        repeated = mark != "x" and bool(stepped) and todo.text.startswith(stepped)
        if repeated:
            row = ranks.STEPPED_TODO
        elif row is ranks.TODO and ranks.TINY <= budget < ranks.ROOMY:
            row = ranks.SMALL_TODO
        at = pointer(todo) if pointer(todo) != said else ""
        said = pointer(todo)
        group = "earlier todos" if todo.origin else "old todos" if todo.stale and some_left else "todos"
        yield Piece(
            group,
            i,
            STEPPED if repeated else "to-do",
            (Form(row.at(i), f"- [{mark}] {inline(cut(todo.text, row.room))}{at}"),),
            lines=lines(todo),
        )
    if facts.plan:
        yield Piece("plan", 0, "plan", _planned(facts.plan, budget), lines=lines(facts.plan))


def _stepped(facts: Facts) -> tuple[str, ...]:
    """How the to-dos begin that are told as steps in a packet of any size."""
    steps = [step.text for step in facts.next_steps[:_SURE_STEPS] if step.basis == "todo"]
    said = (text.partition(": ")[2].partition(" (but see ")[0].removesuffix(MISSING) for text in steps)
    return tuple(filter(None, said))


def _planned(plan: Plan, budget: int) -> tuple[Form, ...]:
    """The plan; in one line once it was carried out. Until there is room for all, it takes no more than a quarter of a
    packet."""
    if plan.carried_out:
        title = next(filter(None, (line.strip(" #*=-") for line in plan.text.split("\n"))), "")
        told = f"- {plan.outcome} and, as later edits and requests show, carried out: {quoted(cut(title, 100))}{pointer(plan)}"
        return (Form(ranks.PLANNED.rank, told),)
    since = f", {plan.worked_on} file{'s' * (plan.worked_on > 1)} edited since" if plan.worked_on else ""
    head = f"- {plan.outcome}{since}{pointer(plan)}"
    rooms = [(row.rank, min(row.room, budget * _PLAN_SHARE // 3)) for row in _PLAN[:-1]] + [
        (_PLAN[-1].rank, _PLAN[-1].room)
    ]
    return distinct(
        *(Form(rank, f"{head}\n{block(cut_lines(plan.text, room), _PLAN_LINES)}") for rank, room in rooms)
    )


def _without_goal(step: str, goal: str) -> str:
    """A step that quotes the goal, which stands above it, only names it."""
    before, _, rest = step.partition('"')
    quote, _, after = rest.rpartition('"')
    begins = " ".join(quote.removesuffix(MISSING).split())
    return f"{before}the goal{after}" if begins and " ".join(goal.split()).startswith(begins) else step
