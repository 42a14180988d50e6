"""Steps that take up what stopped: a call without a result, a turn in its midst, conflicts that are resolved.

What the person asked for last is quoted with it, as far as it asks for work: a ban is kept, not carried out. Where the
last words of the person are only an aside, the to-do in progress is what was under way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from segue.extract.demanded import demanded, takes_back
from segue.extract.settled import announced, handed_in, last_edit, promised
from segue.extract.text.prose import clipped
from segue.extract.text.relevance import terms
from segue.model.facts import Evidence, InFlight, NextStep, Quote
from segue.model.turn import Index

_SAYS_LITTLE = 24
"""Characters of a prompt, such as `continue`, that names no work; what the agent last said does."""


def resumed(index: Index, in_progress: Sequence[NextStep] = ()) -> Iterator[NextStep]:
    """What stopped, and what waits to be concluded. `in_progress` are the steps that finish a to-do."""
    yield from _resume(index, in_progress)
    yield from _conclude(index)


def _resume(index: Index, in_progress: Sequence[NextStep]) -> Iterator[NextStep]:
    stop = index.in_flight
    last = _last_demand(index)
    aside = bool(index.prompts) and (last is None or last.evidence != index.prompts[-1].evidence)
    promise = promised(index)
    if promise and last and promise.evidence == last.evidence:
        text = f'Take up "{clipped(" ".join(promise.text.split()), 160)}": the agent only said that it would.'
        yield NextStep(text=text, basis="in flight", evidence=promise.evidence)
        return
    if stop and stop.kind == "call":
        calls = [f"`{clipped(text, 120)}`" for text in (*stop.beside, stop.text)]
        seen = "they were started and their results" if stop.beside else "it was started and its result"
        asked = last if last and len(index.prompts) > 1 and _names_work(last) else None
        asked = None if aside and (in_progress or (asked and _met(index, asked))) else asked
        lead = f"Take up {_said(asked)} and find" if asked else "Find"
        text = f"{lead} out how far {', '.join(calls)} got: {seen} never seen."
        at = (*_places(asked), *stop.evidence) if asked else stop.evidence
        yield NextStep(text=text, basis="in flight", evidence=at)
        yield from in_progress[:1] if aside else ()
    elif stop and stop.kind == "error":
        text = f"Take the last turn up again: it ended in an error ({clipped(stop.text, 120)})."
        yield NextStep(text=text, basis="in flight", evidence=stop.evidence)
    elif index.source.ended != "finished" and aside and in_progress:
        yield in_progress[0]
    elif index.source.ended != "finished" and last and not _met(index, last):
        yield _under_way(stop if stop and not _names_work(last) else last)
    elif about := announced(index):
        text = f'Take up what the agent was about to do: "{clipped(about.text, 160)}"'
        yield NextStep(text=text, basis="in flight", evidence=about.evidence)


def _last_demand(index: Index) -> Quote | None:
    """The last prompt that asks for work, as far as it does; none where what it asks for was taken back since."""
    for prompt in reversed(index.prompts):
        if part := demanded(prompt):
            return replace(prompt, text=part)
        if takes_back(prompt):
            return None
    return None


def _met(index: Index, asked: Quote) -> bool:
    """The person said more since that asks for nothing, and the work had been handed in by then."""
    given = handed_in(index)
    if given is None or not asked.evidence or asked.evidence == index.prompts[-1].evidence:
        return False
    return given.evidence[0].line > max(asked.evidence[0].line, last_edit(index))


def _names_work(prompt: Quote) -> bool:
    return len(prompt.text) > _SAYS_LITTLE or bool(terms(prompt.text))


def _under_way(at: Quote | InFlight) -> NextStep:
    text = f"Take up {_said(at)}, which was under way when the session stopped."
    return NextStep(text=text, basis="in flight", evidence=_places(at))


def _places(at: Quote | InFlight) -> tuple[Evidence, ...]:
    """Where the words stand and, in the same session, what they answer."""
    if isinstance(at, InFlight) or not at.to_line or at.to_origin:
        return at.evidence
    return (*at.evidence, Evidence(at.to_line))


def _said(at: Quote | InFlight) -> str:
    """The words, with what they answer where they say nothing by themselves."""
    texts = (at.text, at.to if isinstance(at, Quote) else "")
    return ", said to ".join(f'"{clipped(" ".join(text.split()), 120)}"' for text in texts if text)


def _conclude(index: Index) -> Iterator[NextStep]:
    for claim in index.claims:
        if claim.act == "conflicts" and not claim.origin:
            text = f"Conclude `{claim.command}`: its conflicts were resolved and added, and its end was not seen."
            yield NextStep(text=text, basis="in flight", evidence=claim.evidence)
