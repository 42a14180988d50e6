"""One fact on one line: its claim state, its text, its pointers into the session; written here, read back here.

    - tested: `pytest tests/auth` passed: 12 passed [#412]

Reading is tolerant of what people type: other list marks, a state in bold or in parentheses. In a line
with quotation marks only the pointer behind them counts, because what stands between them is
somebody's text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from segue.handoff.quote import cut, quoted
from segue.model.claim import CLAIM_STATES, ClaimState
from segue.model.facts import CommandFact, Evidence, Item, Quote, SourceFacts

_MARK = re.compile(r"[ \t]*(?:[-*+•]|\d{1,4}[.)])(?:[ \t]+|$)(?:\[([ xX~-])\](?:[ \t]+|$))?")
_PLACES = r"\[(#\d{1,12}(?:[ ,]+#\d{1,12})*)(?: of ([\w.:-]+))?\]"
_ANYWHERE = re.compile(rf" ?{_PLACES}")
_BEHIND = re.compile(rf" ?{_PLACES}(?=\.?$)")
_ANSWERS = " (to the agent's "
_ASIDES = (" (replaces ", _ANSWERS)
"""What may follow the pointer of a quotation."""
_STATES = "|".join(sorted(CLAIM_STATES, key=len, reverse=True))
_STATE = re.compile(rf"(?:\*\*({_STATES})\*\*:?|\(({_STATES})\):?|({_STATES}):)(?:[ \t]+|$)", re.I)


_RECORDS = (".json", ".db", ".sqlite", ".sqlite3", ".vscdb")
"""Endings of files whose entries are counted, because their lines mean nothing."""


class ParsedItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of a section, or a paragraph of prose where `listed` is false."""

    text: str
    state: ClaimState | None = None
    evidence: tuple[int, ...] = ()
    """The lines of the session it points to."""
    origin: str = ""
    """The earlier session whose lines these are; empty for the session handed off."""
    line: int = 0
    group: str = ""
    """The label, sub-heading or directory it stands under."""
    listed: bool = False
    done: bool = False
    """It carries a ticked box."""


def pointer(item: Item) -> str:
    """` [#12]`, or ` [#12 of SESSION]` for what an earlier handoff carried; empty without evidence."""
    if not item.evidence:
        return ""
    lines = " ".join(f"#{line}" for line in dict.fromkeys(e.line for e in item.evidence))
    return f" [{lines} of {item.origin}]" if item.origin else f" [{lines}]"


_ROOM = 360
"""Characters of what a quotation answers."""


def answering(said: Quote, room: int = _ROOM) -> str:
    """What a quotation answers, where it says nothing without."""
    if not said.to:
        return ""
    at = pointer(msgspec.structs.replace(said, evidence=(Evidence(said.to_line),)))
    return f"{_ANSWERS}{quoted(cut(said.to, min(room, _ROOM)))}{at})"


def where_it_went_well(run: CommandFact) -> CommandFact:
    """The command pointing to its last good run instead of its last one."""
    if run.origin or run.last_ok is None:
        return run
    return msgspec.structs.replace(run, evidence=(run.last_ok.evidence,))


def unit(source: SourceFacts) -> str:
    """What the number in a pointer counts."""
    return "record" if source.path.partition("#")[0].endswith(_RECORDS) else "line"


def lines(item: Item) -> tuple[int, ...]:
    """The lines of the session it was seen in."""
    return tuple(e.line for e in item.evidence)


def places(items: Sequence[Item]) -> list[int]:
    """For each item its place by score, 0 for the best."""
    order = sorted(range(len(items)), key=lambda i: (-items[i].score, -i))
    places = [0] * len(items)
    for place, i in enumerate(order):
        places[i] = place
    return places


def written(text: str, item: Item | None = None, state: ClaimState | None = None, mark: str = "-") -> str:
    """The line for one fact, with the places of `item`; the text is quoted already."""
    return f"{mark} {f'{state}: ' if state else ''}{text}{pointer(item) if item else ''}"


def read(line: str, number: int = 0, group: str = "", stated: bool = True) -> ParsedItem:
    """The item on this line. Where `stated` is false no claim state is looked for: the text is somebody's."""
    mark = _MARK.match(line)
    text = (line[mark.end() :] if mark else line).strip()
    if text.endswith(")"):
        for aside in _ASIDES:
            text = text.partition(aside)[0]
    pattern = _BEHIND if '"' in text else _ANYWHERE
    pointers = pattern.findall(text)
    text = pattern.sub("", text).strip()
    text, state = _state(text) if stated else (text, None)
    return ParsedItem(
        text=text,
        state=state,
        evidence=tuple(int(n) for found, _ in pointers for n in re.findall(r"\d+", found)),
        origin=next((origin for _, origin in pointers if origin), ""),
        line=number,
        group=group,
        listed=mark is not None,
        done=bool(mark and mark[1] and mark[1] in "xX"),
    )


def _state(text: str) -> tuple[str, ClaimState | None]:
    match = _STATE.match(text)
    if match is None:
        return text, None
    word = next(group for group in match.groups() if group).lower()
    return text[match.end() :], next(known for known in CLAIM_STATES if known == word)
