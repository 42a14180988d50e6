"""One fact on one line: its claim state, its text, its pointers into the session; written here, read back elsewhere.

- tested: `pytest tests/auth` passed: 12 passed [#412]
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.model.facts import ClaimState, Item, SourceFacts

_ANSWERS = " (to the agent's "
ASIDES = (_ANSWERS,)
"""What may follow the pointer of a quotation."""


def pointer(item: Item) -> str:
    """` [#12]`, or ` [#12 of SESSION]` for what an earlier handoff carried; empty without evidence."""
    if not item.evidence:
        return ""
    lines = " ".join(f"#{line}" for line in dict.fromkeys(e.line for e in item.evidence))
    return f" [{lines} of {item.origin}]" if item.origin else f" [{lines}]"


def unit(source: SourceFacts) -> str:
    """What the number in a pointer counts."""
    return "record" if source.in_records else "line"


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
