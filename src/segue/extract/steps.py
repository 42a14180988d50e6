"""What to do next, by what was left open: in the order in which a person would take it up.

A step says what was seen and quotes it; what the goal asks for is the goal itself and is not guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.extract.open_at_end import failed_at
from segue.extract.text.prose import clipped, flat, sentences
from segue.extract.text.relevance import Goal
from segue.extract.text.sentence import parsed
from segue.model.facts import CommandFact, NextStep, RepoState
from segue.model.turn import Index

_MOST = 8
_FAILURES = 3
_QUOTED = 240
_PENDING = 3


def next_steps(index: Index, aim: Goal) -> list[NextStep]:
    """The steps, first what broke off, then what waits for an answer, then what fails, then what is still to be done. Of
    what neither waits nor broke off, that which has to do with the goal comes first."""
    left = [*_failing(index, aim), *_todos(index, aim), *_announced(index)]
    left.sort(key=lambda step: aim.score(step.text) <= 0)
    found: dict[str, NextStep] = {}
    for step in (*_broken_off(index), *_unanswered(index), *left):
        found.setdefault(step.text, step)
    return list(found.values())[:_MOST]


def _broken_off(index: Index) -> Iterator[NextStep]:
    flight = index.in_flight
    if flight and flight.kind == "call":
        text = f"Find out whether `{_code(flight.text)}` took effect: no result of it was seen."
        yield NextStep(text=text, basis="in_flight", evidence=flight.evidence[-1:])
    elif flight and flight.kind == "error":
        yield NextStep(
            text=f"Get past the error at which it stopped: {flight.text}",
            basis="in_flight",
            evidence=flight.evidence,
        )
    last = next((prompt for prompt in reversed(index.prompts) if not prompt.origin), None)
    reported = max((r.evidence[0].line for r in index.reports if not r.midway and not r.origin), default=0)
    ended = index.source.ended
    if last and ended != "finished" and reported < last.evidence[-1].line:
        said = clipped(flat(last.last or last.short or last.text), _QUOTED)
        text = f'Finish the last request, of which no report was seen: "{said}"'
        yield NextStep(text=text, basis="request", evidence=last.evidence[-1:])
    if flight and flight.kind == "turn":
        text = f'Go on where the agent stopped after saying: "{clipped(flat(flight.text), _QUOTED)}"'
        yield NextStep(text=text, basis="in_flight", evidence=flight.evidence)


def _unanswered(index: Index) -> Iterator[NextStep]:
    for question in index.questions:
        text = f'Have answered what the agent asked: "{clipped(question.text, _QUOTED)}"'
        yield NextStep(text=text, basis="question", evidence=question.evidence)


def _failing(index: Index, aim: Goal) -> Iterator[NextStep]:
    open_ones = [c for c in index.commands if c.open and c.check]
    newest = sorted(open_ones, key=lambda c: (bool(c.origin), -aim.score(c.command), -failed_at(c)))[
        :_FAILURES
    ]
    for command in newest:
        text = f"Mend what fails in `{_code(command.command)}`."
        if command.edited_since:
            text = f"Run `{_code(command.command)}` again: it failed before the last edits."
        places = (command.failed.evidence,) if command.failed else command.evidence
        yield NextStep(text=text, basis="failure", evidence=places, origin=command.origin)


def _todos(index: Index, aim: Goal) -> Iterator[NextStep]:
    kept = [t for t in index.todos if not t.stale]
    under_way = [t for t in kept if t.state == "in_progress"]
    pending = [t for t in kept if t.state == "pending"]
    pending.sort(key=lambda t: -aim.score(t.text))
    for todo in (*under_way, *pending[:_PENDING]):
        doing = "Go on with the to-do" if todo.state == "in_progress" else "Take up the to-do"
        yield NextStep(text=f"{doing}: {todo.text}", basis="todo", evidence=todo.evidence, origin=todo.origin)


def _announced(index: Index) -> Iterator[NextStep]:
    """What the last paragraph of the agent's newest report asks or calls open, quoted with the sentence before it: a
    question alone may not say what it is about. What the person answered since is not open."""
    newest = next((report for report in reversed(index.reports) if report.text), None)
    heard = max((p.evidence[-1].line for p in index.prompts if p.evidence and not p.origin), default=0)
    if newest and newest.evidence[0].line < heard:
        return
    paragraphs = re.split(r"\n\s*\n", newest.text.strip()) if newest else []
    said = [s for s in sentences(paragraphs[-1]) if not s.endswith(":")] if paragraphs else []
    places = [n for n, s in enumerate(said) if s.endswith("?") or "open" in parsed(s).roles]
    if newest and places:
        quote = " ".join(said[max(0, places[-1] - 1) : places[-1] + 1])
        text = f'See to what the last report leaves open: "{clipped(flat(quote), _QUOTED)}"'
        yield NextStep(text=text, basis="report", evidence=newest.evidence)


def standing(index: Index, repo: RepoState | None) -> list[str]:
    """What stands between the next step and the work, as seen in the session and in the repository now."""
    found = []
    branch, now = index.source.branch, repo.branch.split(" ", 1)[0] if repo else ""
    if repo and repo.operation:
        found.append(f"a {repo.operation} is under way")
    if branch and now and branch != now:
        found.append(f"`{now}` is checked out, the session worked on `{branch}`")
    found += [
        claim.text
        for claim in index.claims
        if claim.act in ("push", "uncommitted") and claim.state == "pending"
    ]
    if repo and repo.status:
        count = len(repo.status)
        found.append(f"git lists {count} uncommitted path{'s' * (count != 1)} now")
    return found


def _code(text: str) -> str:
    return clipped(flat(text), _QUOTED).replace("`", "'")


def edited_since(command: CommandFact, last_edit: int) -> int:
    """The line of the last edit, where that came after a check's last run, or that of a line that failed."""
    ran = failed_at(command) if command.state == "failing" else command.evidence[0].line
    judges = command.state == "failing" or (command.state == "ok" and command.check)
    return last_edit if judges and last_edit > ran else 0
