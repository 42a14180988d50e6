"""Next steps from evidence: what stopped, what fails, what was left, what was asked.

Each step is an order that can be carried out, with the place it follows from. What the agent only
proposed comes last and is marked as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from segue.extract.prose import clipped
from segue.model.facts import CommandFact, Evidence, FileFact, NextStep
from segue.model.turn import Index

_DONE = re.compile(
    r"(?:i'?ve|i have|we'?ve|(?:that|this|it)(?:'s| is))\b|(?:fixed|added|updated|pushed|committed|opened|created|implemented|moved|removed|resolved|kept|landed|finished|completed|done)\b|`?[0-9a-f]{7,}",
    re.I,
)

HANDED_OVER = "handed over"
"""The basis of a step that stood in an earlier packet and follows from none of its facts."""
_LAST_EDITED = 2
_OLDER = 2
_REMEMBERED = 4
"""How many turns back a proposal may lie."""
_HANDED_OVER = 3


def next_steps(
    index: Index, failures: Sequence[CommandFact], start_in: Sequence[FileFact], fresh_after: int
) -> list[NextStep]:
    """The steps, most pressing first. `start_in` are the files that the goal is about; to-dos and remarks
    from before the line `fresh_after` are too old to be steps."""
    return [
        *_resume(index),
        *_repair(index, failures, fresh_after),
        *_to_do(index, fresh_after),
        *_begin(index, start_in),
        *_check_again(index),
        *_ask(index),
        *_handed_over(index),
        *_consider(index, fresh_after),
    ] or list(_go_on(index))


def _resume(index: Index) -> Iterator[NextStep]:
    stop = index.in_flight
    if stop and stop.kind == "call":
        text = f"Find out how far `{clipped(stop.text, 120)}` got: it was started and its result never seen."
        yield NextStep(text=text, basis="in flight", evidence=stop.evidence)
    elif stop and stop.kind == "error":
        text = f"Take the last turn up again: it ended in an error ({clipped(stop.text, 120)})."
        yield NextStep(text=text, basis="in flight", evidence=stop.evidence)
    elif index.source.ended != "finished" and index.prompts:
        last = index.prompts[-1]
        text = f'Take up what was under way when the session stopped: "{clipped(" ".join(last.text.split()), 120)}"'
        yield NextStep(text=text, basis="in flight", evidence=last.evidence)


def _repair(index: Index, failures: Sequence[CommandFact], fresh_after: int) -> Iterator[NextStep]:
    """The checks that fail; but not what failed long before work that was then handed in."""
    past = min(fresh_after, _handed_in(index))
    for run in failures:
        bad = run.last_bad
        if bad and run.check and (run.origin or bad.evidence.line >= past):
            why = f" — {clipped(bad.error_lines[0], 110)}" if bad.error_lines else ""
            ran = bad.command or run.command
            yield NextStep(
                text=f"Make `{ran if len(ran) <= 100 else clipped(run.key, 80)}` pass{why}",
                basis="failure",
                evidence=run.evidence if run.origin else (bad.evidence,),
                origin=run.origin,
            )


def _handed_in(index: Index) -> int:
    """The line of the last commit, push or request of this session."""
    lines = (c.evidence[0].line for c in index.claims if c.state in ("done", "pushed") and not c.origin)
    return max(lines, default=0)


def _begin(index: Index, start_in: Sequence[FileFact]) -> Iterator[NextStep]:
    """Where to open the editor: what the goal names, else what was being worked on."""
    changed = [f for f in index.files if f.work_state and f.action != "deleted"]
    changed = [f for f in changed if not f.path.startswith(("/", "~"))] or changed
    edited = sorted(changed, key=lambda f: 0 if f.origin else f.evidence[0].line)[-_LAST_EDITED:]
    files, lead = (start_in, "what the goal names") if start_in else (edited[::-1], "what was edited last")
    if files:
        named = ", ".join(f.path + (f" ({', '.join(f.symbols[:2])})" if f.symbols else "") for f in files)
        origin = files[0].origin
        places = dict.fromkeys(Evidence(e.line) for f in files if f.origin == origin for e in f.evidence)
        yield NextStep(
            text=f"Begin with {lead}: {named}.",
            basis="goal" if start_in else "recent",
            evidence=tuple(places),
            origin=origin,
        )


def _to_do(index: Index, fresh_after: int) -> Iterator[NextStep]:
    for todo in index.todos:
        fresh = not todo.origin and todo.evidence[0].line >= fresh_after
        if fresh and todo.state in ("in_progress", "pending"):
            verb = "Finish" if todo.state == "in_progress" else "Do"
            yield NextStep(text=f"{verb}: {clipped(todo.text, 140)}", basis="todo", evidence=todo.evidence)


def _check_again(index: Index) -> Iterator[NextStep]:
    """The check that passed last: due again when something was edited since, else the one to end with."""
    passed = [c for c in index.commands if c.check and c.last_ok and c.last_ok.proved and c.state != "open"]
    check = passed[-1] if passed else None
    untested = next((c for c in index.claims if c.state == "not tested"), None)
    if untested:
        order = f"Run `{clipped(check.command, 90)}` again" if check else "Check the last edits"
        yield NextStep(text=f"{order}: {untested.text}.", basis="check", evidence=untested.evidence)
    elif check and check.last_ok:
        text = f"Verify with `{clipped(check.command, 110)}`, which passed last."
        yield NextStep(text=text, basis="check", evidence=(check.last_ok.evidence,))


def _ask(index: Index) -> Iterator[NextStep]:
    for question in index.questions:
        text = f'Settle what the agent asked and nobody answered: "{clipped(question.text, 180)}"'
        yield NextStep(text=text, basis="question", evidence=question.evidence)


def _handed_over(index: Index) -> Iterator[NextStep]:
    """What stood in the packet that the session began with and follows from no other fact."""
    yield from [step for step in index.announced if step.basis == HANDED_OVER][:_HANDED_OVER]


def _consider(index: Index, fresh_after: int) -> Iterator[NextStep]:
    """What the agent proposed of late, then the last things it proposed before: those may be done.
    What it proposed before it handed in its work is taken as done."""
    past = _handed_in(index)
    proposed = [
        step
        for step in index.announced
        if step.basis != HANDED_OVER
        and not _DONE.match(step.text)
        and (step.origin or step.evidence[0].line >= past)
    ]
    fresh = [step for step in proposed if not step.origin and step.evidence[0].line >= fresh_after]
    remembered = index.turns[-_REMEMBERED].first_line if len(index.turns) >= _REMEMBERED else 0
    older = [s for s in proposed if s not in fresh and (s.origin or s.evidence[0].line >= remembered)][
        -_OLDER:
    ]
    for step in fresh:
        text = f'Weigh what the agent proposed: "{clipped(step.text, 200)}"'
        yield NextStep(text=text, basis="said", evidence=step.evidence)
    for step in reversed(older):
        text = f'See whether this was done: "{clipped(step.text, 160)}"'
        yield NextStep(text=text, basis="said earlier", evidence=step.evidence, origin=step.origin)


def _go_on(index: Index) -> Iterator[NextStep]:
    """A session that left no trace of what is to be done leaves at least its last request."""
    asked = index.prompts or index.asked_before
    if asked:
        last = asked[-1]
        text = f'Go on from the last request: "{clipped(" ".join(last.text.split()), 160)}"'
        yield NextStep(text=text, basis="request", evidence=last.evidence, origin=last.origin)
