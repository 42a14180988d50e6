"""Words against the transcript: do they stand where the handoff points, and whose are they?

Each check yields the faults of one statement, a phrase each, and nothing where it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from segue.handoff.item_reading import ParsedItem, said
from segue.handoff.packet_facts import listed_todo, todo_of
from segue.handoff.verify.finding import at, short
from segue.handoff.verify.transcript import Shown, Transcript
from segue.handoff.wording import is_line, same_words, says
from segue.model.entry import TodoState

_ANY_CALL = "a call"
_QUOTE = re.compile(r'"(.+)"')
_CODE = re.compile(r"`([^`]+)`")
_BOXES: dict[str, tuple[TodoState, ...]] = {
    " ": ("pending",),
    "~": ("in_progress",),
    "x": ("completed",),
    "-": ("cancelled",),
}


def asked(item: ParsedItem, transcript: Transcript) -> Iterator[str]:
    """A prompt: the person's own words at its lines, as often as it is told, to what it is told to answer."""
    words = said(item.text)
    if words is None:
        yield from stands(item, transcript, "person")
        return
    there = transcript.at(*item.evidence)
    mine = [shown for shown in there if shown.by == "person"]
    for text in filter(None, (words.text, words.last)):
        if not any(says(shown.text, text) for shown in mine):
            others = any(says(shown.whole, text) for shown in there)
            yield "the person did not say it" if others else f"{at(item)} does not say {short(text)}"
    if not mine:
        yield f"nobody spoke at {at(item)}"
    yield from _repeated(words.times, words.text if not words.last else "", item, transcript)
    if words.kind == "rejection":
        if words.to not in ("", _ANY_CALL) and not any(calls(shown, words.to) for shown in mine):
            yield f"{at(item)} does not reject {short(words.to)}"
    elif words.to and not any(says(text, words.to) for text in transcript.questions):
        yield f"the agent did not ask {short(words.to)}"
    if item.aside and item.aside.evidence and not item.aside.origin:
        yield from stands(item.aside, transcript, "agent")


def _repeated(count: int, text: str, item: ParsedItem, transcript: Transcript) -> Iterator[str]:
    """A count that is more than the person's prompts from the first pointer to the last."""
    first, last = min(item.evidence), max(item.evidence)
    among = [words for line, words in transcript.asked if first <= line <= last and says(words, text)]
    if count > len(among):
        yield f"it was said {len(among)}×, not {count}×"


def stands(item: ParsedItem, transcript: Transcript, by: str = "") -> Iterator[str]:
    """Words, with what is quoted below them, that somebody said at these lines; `by` whom, where that is told."""
    there = transcript.at(*item.evidence)
    mine = [shown for shown in there if not by or shown.by == by]
    for text in (_unquoted(item.text), *item.below):
        if not any(says(shown.text, text) for shown in mine):
            others = any(says(shown.whole, text) for shown in there)
            yield f"the {by} did not say it" if others and by else f"{at(item)} does not say {short(text)}"


def reported(item: ParsedItem, transcript: Transcript) -> Iterator[str]:
    return stands(item, transcript, "agent")


def step(item: ParsedItem, transcript: Transcript) -> Iterator[str]:
    """What a step names on its way: a to-do of the list, words or a command where it points."""
    listed, state = todo_of(item)
    if listed:
        yield from _on_the_list(item, listed, (state,), transcript)
        return
    there = transcript.at(*item.evidence)
    quotes = _QUOTE.findall(item.text)
    named = [] if quotes else _CODE.findall(item.text)
    for text in quotes:
        if not any(says(shown.whole, text) for shown in there):
            yield f"{at(item)} does not say {short(text)}"
    for command in named:
        if not any(calls(shown, command) for shown in there):
            yield f"{at(item)} does not run {short(command)}"
    words = item.text.partition(": ")[2]
    if not named and not quotes and not tells(there, words):
        yield f"{at(item)} does not say {short(words)}"


def todo(item: ParsedItem, transcript: Transcript) -> Iterator[str]:
    states = _BOXES.get(item.box, ())
    text, more = listed_todo(item)
    yield from _on_the_list(item, text, states, transcript)
    alike = sum(known.state in states for known in transcript.todos)
    if more >= alike > 0:
        yield f"the last to-do list has {alike} like it"


def _on_the_list(
    item: ParsedItem, text: str, states: Iterable[TodoState], transcript: Transcript
) -> Iterator[str]:
    if item.evidence and not any(shown.kind == "todo" for shown in transcript.at(*item.evidence)):
        yield f"there is no to-do list at {at(item)}"
    known = [todo.state for todo in transcript.todos if same_words(todo.text, text)]
    if not known:
        yield "the last to-do list does not have it"
    elif not set(known) & set(states):
        yield f"the last to-do list has it as {known[-1].replace('_', ' ')}"


def plan(item: ParsedItem, transcript: Transcript) -> Iterator[str]:
    there = [shown for shown in transcript.at(*item.evidence) if shown.kind == "plan"]
    outcome = item.text.partition(",")[0]
    if not there:
        yield f"there is no plan at {at(item)}"
    elif not any((shown.outcome or "proposed") == outcome for shown in there):
        yield f"the transcript has it {there[-1].outcome or 'proposed'}"
    for text in item.below:
        if not any(says(known, text) for known in transcript.plans):
            yield f"the plan does not say {short(text)}"


def calls(shown: Shown, told: str) -> bool:
    """The call is the one told: by its command line, or by its tool and what it was called with."""
    return (
        is_line(shown.command, told)
        or says(f"{shown.command} {shown.text}", told)
        or _named_call(shown, told)
    )


def _named_call(shown: Shown, told: str) -> bool:
    tool, _, subject = told.partition(" ")
    return bool(subject) and shown.command.startswith(tool) and says(shown.whole, subject)


def tells(there: list[Shown], text: str) -> bool:
    """One of these holds every word of the text; paths in it may be told from the project's root on."""
    return any(all(says(shown.whole, word) for word in text.split()) for shown in there)


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
