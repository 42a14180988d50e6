"""Amounts that the person set otherwise since: `batches of 50k` once they asked for batches of 10k.

An amount is a number with what it counts or belongs to, which stands right beside it; the same thing with another
number, asked for later, takes its place. What is measured (seconds, megabytes) counts nothing by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from segue.extract.text.prose import plainly, sentences, word_set
from segue.extract.text.relevance import stem, terms
from segue.model.facts import DeadEnd, Note, Word
from segue.model.value import NamedTuple

_LINKS = word_set("of to at is = with by on be should must shall")
"""Words between a thing and its number."""
_UNITS = word_set(
    "second seconds minute minutes hour hours day days week weeks month months year years ms percent time times byte bytes"
    " character characters line lines row rows test tests file files error errors case cases pass failed passed item items"
)
_NO_REQUEST = ("stated", "pasted", "allowed")
_BESIDE = word_set("another more extra additional second also too both")
_ENDS = ".,;:!?"
_LEAST = 30
"""Characters that must be left of a dead end."""
_TAILS = (", so ", "; so ", ", i ", "; i ", ", deshalb ", ", donc ", ", je ", ", así que ")


class Amount(NamedTuple):
    number: str
    line: int


def asked_for(words: Iterable[Word]) -> dict[str, Amount]:
    """What the person asked for last, by the thing that is counted."""
    found: dict[str, Amount] = {}
    for word in words:
        text = word.text
        if word.origin or word.kind in _NO_REQUEST or not any(map(str.isdigit, text)) or text.endswith("?"):
            continue
        if _BESIDE.isdisjoint(plainly(text).replace(",", " ").split()):
            found |= {thing: Amount(number, word.evidence[-1].line) for thing, number in _amounts(text)}
    return found


def set_otherwise(text: str, line: int, asked: Mapping[str, Amount]) -> int:
    """Where the person set an amount of this text otherwise, after the line at which it was said; 0 for nowhere."""
    if not asked or not any(map(str.isdigit, text)):
        return 0
    since = (
        asked[thing] for thing, number in _amounts(text) if thing in asked and asked[thing].number != number
    )
    return next((amount.line for amount in since if amount.line > line), 0)


def lasting(notes: Sequence[Note], asked: Mapping[str, Amount]) -> list[Note]:
    """The statements without the sentences that tell of an amount set otherwise since."""
    if not asked:
        return list(notes)
    kept: list[Note] = []
    for note in notes:
        line = note.evidence[0].line if note.evidence and not note.origin else 0
        if line and set_otherwise(note.text, line, asked):
            spoken = sentences(note.text) or [note.text]
            text = " ".join(said for said in spoken if not set_otherwise(said, line, asked))
            kept += [replace(note, text=text)] if len(text) > _LEAST else []
        else:
            kept.append(note)
    return kept


def without_old_tail(ends: Sequence[DeadEnd], asked: Mapping[str, Amount]) -> list[DeadEnd]:
    """The dead ends without what was done instead, where the person set the amount of that otherwise."""
    return [_trimmed(end, asked) for end in ends] if asked else list(ends)


def _trimmed(end: DeadEnd, asked: Mapping[str, Amount]) -> DeadEnd:
    lower = end.tried.lower()
    at = max(lower.rfind(tail) for tail in _TAILS)
    if end.origin or at < _LEAST or not set_otherwise(end.tried[at:], end.evidence[0].line, asked):
        return end
    return replace(end, tried=f"{end.tried[:at]}.", why="" if end.why in end.tried[at:] else end.why)


def _amounts(text: str) -> Iterator[tuple[str, str]]:
    """Every thing in a text that has a number, with the number."""
    words = plainly(text).split()
    for place, word in enumerate(words):
        bare = word.strip(_ENDS + "()`'\"*")
        if not bare[:1].isdigit():
            continue
        number = bare.rstrip("abcdefghijklmnopqrstuvwxyz%")
        unit = bare[len(number) :]
        if not number.replace(".", "").replace(",", "").replace("_", "").isdigit():
            continue
        before = place - 1
        while before > 0 and words[before] in _LINKS:
            before -= 1
        named = words[before].rstrip(":=") if before >= 0 else ""
        if named.isalpha() and terms(named) and named not in _UNITS and named != words[place]:
            yield f"{stem(named)} {unit}", number
        after = words[place + 1] if place + 1 < len(words) and word[-1] not in _ENDS else ""
        thing = after.strip(_ENDS + "()`'\"*")
        if not unit and thing.isalpha() and thing.endswith("s") and thing not in _UNITS:
            yield f"{stem(thing)} ", number
