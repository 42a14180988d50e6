"""Quotas: how many facts of each class may compete for a packet of a given size.

They keep any one class from flooding the rest: a thousand prompts full of `must`, a directory of
five hundred files read once. What a quota turns away is counted as dropped. The sizes grow with
the budget; the packet's own ceiling, in exact tokens, is kept by `handoff/fit.py`. Of what fails as many
compete as could fill a packet: none is turned away while there is room.
"""

from __future__ import annotations

from segue.errors import BadInput
from segue.model.value import NamedTuple

SMALLEST = 300
DEFAULT = 4000


class Quotas(NamedTuple):
    words: int
    shifts: int
    decisions: int
    dead_ends: int
    notes: int
    said: int
    failures: int
    commands: int
    files: int
    symbols: int
    todos: int
    claims: int
    steps: int
    recent: int
    summary_characters: int


def quotas(budget: int) -> Quotas:
    """The quotas for a packet of that many tokens. Raises BadInput for one too small to hold anything."""
    if budget < SMALLEST:
        raise BadInput(
            f"A packet of {budget} tokens is too small to hold a handoff.", f"Ask for at least {SMALLEST}."
        )
    return Quotas(
        words=max(24, budget // 25),
        shifts=max(3, budget // 160),
        decisions=max(3, budget // 250),
        dead_ends=max(6, budget // 300),
        notes=max(3, budget // 400),
        said=max(3, budget // 70),
        failures=max(12, budget // 40),
        commands=max(8, budget // 70),
        files=max(20, budget // 25),
        symbols=10 if budget >= 1500 else 6,
        todos=max(6, budget // 120),
        claims=max(6, budget // 250),
        steps=max(5, budget // 350),
        recent=3,
        summary_characters=budget * 2,
    )
