"""Frames out of a log, page by page, in bounded memory.

Nothing is held open between two pages: a slow reader neither holds back a checkpoint nor sees a
frozen log. Pages start small and grow, so who stops early has read little and who goes on pays for
few queries; a page ends with the frame that fills `PAGE_BYTES`, however few those are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from segue.model.frame import Frame, framed

LAST_SEQ = 0xFFFFFFFF
FIRST_PAGE_ROWS = 16
PAGE_ROWS = 1000
PAGE_BYTES = 4 * 1024 * 1024


class Span(NamedTuple):
    """The frames to read of a stream: first <= seq <= last, of some types only, so many at most."""

    first: int = 0
    last: int | None = None
    types: Sequence[str] = ()
    reverse: bool = False
    limit: int | None = None

    def type_names(self) -> dict[str, str]:
        """The types under the names that a query knows them by."""
        return {f"type{i}": kind for i, kind in enumerate(dict.fromkeys(self.types))}


def paged(span: Span, fetch: Callable[[int, int, int], Sequence[tuple[Any, ...]]]) -> Iterator[Frame]:
    """The frames of a span; `fetch` gives the rows from one sequence number to another, so many at most."""
    first, last = max(span.first, 0), LAST_SEQ if span.last is None else min(span.last, LAST_SEQ)
    left, rows = LAST_SEQ if span.limit is None else span.limit, FIRST_PAGE_ROWS
    while left > 0 and first <= last:
        page = fetch(first, last, min(left, rows))
        if not page:
            return
        yield from map(framed, page)
        left, rows = left - len(page), min(rows * 4, PAGE_ROWS)
        _, seq, *_ = page[-1]
        first, last = (first, seq - 1) if span.reverse else (seq + 1, last)
