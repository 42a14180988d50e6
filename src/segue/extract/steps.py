"""Next steps from evidence: what stopped, what fails, what was left, what was asked.

Each step is an order that can be carried out, with the place it follows from. The agent's own
list comes last: it is the only part that is merely said.
"""

from __future__ import annotations

from segue.extract.prose import clipped
from segue.model.facts import CommandFact, NextStep
from segue.model.turn import Index

_ANNOUNCED_TURNS = 2


def next_steps(index: Index, failures: list[CommandFact]) -> list[NextStep]:
    """The steps, most pressing first."""
    steps: list[NextStep] = []
    stop = index.in_flight
    if stop and stop.kind == "call":
        steps.append(
            NextStep(
                text=f"Find out how far `{clipped(stop.text, 120)}` got: it was started and its result never seen.",
                basis="in flight",
                evidence=stop.evidence,
            )
        )
    elif stop and stop.kind == "error":
        steps.append(
            NextStep(
                text=f"Take the last turn up again: it ended in an error ({clipped(stop.text, 120)}).",
                basis="in flight",
                evidence=stop.evidence,
            )
        )
    for run in failures:
        if run.last_bad and run.check:
            why = f": {clipped(run.last_bad.error_lines[0], 110)}" if run.last_bad.error_lines else ""
            steps.append(
                NextStep(
                    text=f"Make `{clipped(run.key, 80)}` pass{why}",
                    basis="failure",
                    evidence=(run.last_bad.evidence,),
                )
            )
    steps += [
        NextStep(
            text=f"{'Finish' if todo.state == 'in_progress' else 'Do'}: {clipped(todo.text, 140)}",
            basis="todo",
            evidence=todo.evidence,
        )
        for todo in index.todos
        if todo.state in ("in_progress", "pending")
    ]
    steps += [
        NextStep(
            text=f"Answer, or ask the person: {clipped(q.text, 160)}", basis="question", evidence=q.evidence
        )
        for q in index.questions
    ]
    for claim in index.claims:
        if claim.state == "not tested":
            check = next((c for c in reversed(index.commands) if c.check and c.last_ok), None)
            order = f"Run `{clipped(check.key, 80)}` again" if check else "Check the last edits"
            steps.append(NextStep(text=f"{order}: {claim.text}.", basis="check", evidence=claim.evidence))
    recent = index.turns[-_ANNOUNCED_TURNS].first_line if len(index.turns) >= _ANNOUNCED_TURNS else 0
    steps += [step for step in index.announced if step.evidence[0].line >= recent]
    return steps
