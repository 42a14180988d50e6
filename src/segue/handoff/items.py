"""One fact on one line: its claim state, its text, its pointers into the session; written here, read back elsewhere.

- tested: `pytest tests/auth` passed: 12 passed [#412]
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from segue.handoff.quote import cut, quoted
from segue.model.claim import ClaimState
from segue.model.facts import Claim, CommandFact, Evidence, Item, Quote, SourceFacts

_ANSWERS = " (to the agent's "
ASIDES = (" (replaces ", " (may replace ", _ANSWERS)
"""What may follow the pointer of a quotation."""


_RECORDS = (".json", ".db", ".sqlite", ".sqlite3", ".vscdb")
"""Endings of files whose entries are counted, because their lines mean nothing."""
_IN_RECORDS = ("cline", "copilot-vscode", "opencode", "openhands", "swe-agent")
"""Agents in whose files no line is one entry, whatever they are called."""
_COUNTED_BY = ", as `segue sessions show` counts them"


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
    origin = said.to_origin or said.origin
    at = pointer(msgspec.structs.replace(said, evidence=(Evidence(said.to_line),), origin=origin))
    return f"{_ANSWERS}{quoted(cut(said.to, min(room, _ROOM)))}{at})"


def where_it_went_well(run: CommandFact) -> CommandFact:
    """The command pointing to its last good run instead of its last one."""
    if run.origin or run.last_ok is None:
        return run
    return msgspec.structs.replace(run, evidence=(run.last_ok.evidence,))


def unit(source: SourceFacts) -> str:
    """What the number in a pointer counts."""
    recorded = source.agent in _IN_RECORDS or source.path.partition("#")[0].endswith(_RECORDS)
    return "record" if recorded else "line"


def numbering(source: SourceFacts) -> str:
    """What the number in a pointer counts, and for records, which no file numbers, where they are found by it."""
    what = unit(source)
    return f"{what} n of the transcript{_COUNTED_BY if what == 'record' else ''}"


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


def refutes_last_words(claim: Claim) -> bool:
    """It tells what the agent said at the end, and what speaks against it."""
    return claim.act == "word" and claim.state == "inferred"


def written(text: str, item: Item | None = None, state: ClaimState | None = None, mark: str = "-") -> str:
    """The line for one fact, with the places of `item`; the text is quoted already."""
    return f"{mark} {f'{state}: ' if state else ''}{text}{pointer(item) if item else ''}"
