"""The size of a packet: what is asked for, and how many characters of reports compete for it.

A budget is a ceiling, never a target: what does not weigh enough is not told however much room there is. The packet's
own ceiling, in exact tokens, is kept by `handoff/fit.py`.
"""

from __future__ import annotations

from segue.errors import BadInput

SMALLEST = 300
DEFAULT = 4000


def require(budget: int) -> None:
    """Raises BadInput for a packet too small to hold anything."""
    if budget < SMALLEST:
        raise BadInput(
            f"A packet of {budget} tokens is too small to hold a handoff.", f"Ask for at least {SMALLEST}."
        )


def report_room(budget: int) -> int:
    """Characters that sentences of earlier reports may take: a little less than a third of the packet."""
    return budget * 5 // 4
