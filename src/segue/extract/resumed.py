"""Steps that take up what stopped: a call without a result, a turn in its midst, conflicts that are resolved.

What the person asked for last is quoted with it, unless that forbids something: a ban is kept, not carried out.
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.extract.overruled import only_forbids
from segue.extract.settled import announced, handed_in, last_edit, promised
from segue.extract.text.prose import clipped
from segue.extract.text.relevance import terms
from segue.extract.undemanding import asks_nothing
from segue.model.facts import InFlight, NextStep, Quote
from segue.model.turn import Index

_SAYS_LITTLE = 24
"""Characters of a prompt, such as `continue`, that names no work; what the agent last said does."""


def resumed(index: Index) -> Iterator[NextStep]:
    """What stopped, and what waits to be concluded."""
    yield from _resume(index)
    yield from _conclude(index)


def _resume(index: Index) -> Iterator[NextStep]:
    stop = index.in_flight
    last = next(filter(_asks, reversed(index.prompts)), None)
    promise = promised(index)
    if promise and promise is last:
        text = f'Take up "{clipped(" ".join(promise.text.split()), 160)}": the agent only said that it would.'
        yield NextStep(text=text, basis="in flight", evidence=promise.evidence)
        return
    if stop and stop.kind == "call":
        calls = [f"`{clipped(text, 120)}`" for text in (*stop.beside, stop.text)]
        seen = "they were started and their results" if stop.beside else "it was started and its result"
        asked = last if last and len(index.prompts) > 1 and _names_work(last) else None
        lead = f'Take up "{clipped(" ".join(asked.text.split()), 120)}" and find' if asked else "Find"
        text = f"{lead} out how far {', '.join(calls)} got: {seen} never seen."
        at = (*asked.evidence, *stop.evidence) if asked else stop.evidence
        yield NextStep(text=text, basis="in flight", evidence=at)
    elif stop and stop.kind == "error":
        text = f"Take the last turn up again: it ended in an error ({clipped(stop.text, 120)})."
        yield NextStep(text=text, basis="in flight", evidence=stop.evidence)
    elif index.source.ended != "finished" and last and not _met(index, last):
        yield _under_way(stop if stop and not _names_work(last) else last)
    elif about := announced(index):
        text = f'Take up what the agent was about to do: "{clipped(about.text, 160)}"'
        yield NextStep(text=text, basis="in flight", evidence=about.evidence)


def _asks(prompt: Quote) -> bool:
    return not only_forbids(prompt.text) and not asks_nothing(prompt.text, answering=bool(prompt.to))


def _met(index: Index, asked: Quote) -> bool:
    """The person said more since that asks for nothing, and the work had been handed in by then."""
    given = handed_in(index)
    if given is None or asked is index.prompts[-1] or not asked.evidence:
        return False
    return given.evidence[0].line > max(asked.evidence[0].line, last_edit(index))


def _names_work(prompt: Quote) -> bool:
    return len(prompt.text) > _SAYS_LITTLE or bool(terms(prompt.text))


def _under_way(at: Quote | InFlight) -> NextStep:
    text = (
        f'Take up "{clipped(" ".join(at.text.split()), 120)}", which was under way when the session stopped.'
    )
    return NextStep(text=text, basis="in flight", evidence=at.evidence)


def _conclude(index: Index) -> Iterator[NextStep]:
    for claim in index.claims:
        if claim.act == "conflicts" and not claim.origin:
            text = f"Conclude `{claim.command}`: its conflicts were resolved and added, and its end was not seen."
            yield NextStep(text=text, basis="in flight", evidence=claim.evidence)
