"""Pages of a list: at most so many rows, and whether more follow."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

from segue.errors import BadInput

T = TypeVar("T")

_MOST = 1_000_000
"""More rows than anybody reads, and fewer than what overflows somewhere."""


def within(limit: int) -> int:
    """A number of rows that somebody may ask for."""
    if limit < 1:
        raise BadInput("A limit counts what is shown, so it is 1 or more.", "Leave it out for the default.")
    return min(limit, _MOST)


def page(rows: Iterable[T], limit: int | None) -> tuple[list[T], bool]:
    """The first rows, all of them where there is no limit; and whether there are more."""
    if limit is None:
        return list(rows), False
    most = within(limit)
    taken = list(islice(rows, most + 1))
    return taken[:most], len(taken) > most
