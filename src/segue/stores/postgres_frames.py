"""Frames of the log in PostgreSQL, page by page, in bounded memory.

Each page is one statement on whatever connection is free, and nothing is open between two of them. The server
counts the bytes: a page ends with the frame that fills `PAGE_BYTES`, and what lies behind it is not sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.model.frame import Frame, framed
from segue.stores.postgres_pool import Pool

LAST_SEQ = 0xFFFFFFFF
FIRST_PAGE_ROWS = 16
PAGE_ROWS = 1000
PAGE_BYTES = 4 * 1024 * 1024


def frames(
    pool: Pool,
    stream_id: str,
    first: int = 0,
    last: int | None = None,
    types: Sequence[str] = (),
    reverse: bool = False,
    limit: int | None = None,
) -> Iterator[Frame]:
    """The frames of a stream with first <= seq <= last."""
    sql, bindings = _query(pool.sql, types, reverse)
    first, last = max(first, 0), LAST_SEQ if last is None else min(last, LAST_SEQ)
    left, rows = LAST_SEQ if limit is None else limit, FIRST_PAGE_ROWS
    while left > 0 and first <= last:
        asked = min(left, rows)
        span = {"stream": stream_id, "first": first, "last": last, "rows": asked, "bytes": PAGE_BYTES}
        page = pool.query(sql, {**span, **bindings})
        yield from map(framed, page)
        if not page:
            return
        left, rows = left - len(page), min(rows * 4, PAGE_ROWS)
        seq = page[-1][1]
        first, last = (first, seq - 1) if reverse else (seq + 1, last)


def _query(sql: dict[str, str], types: Sequence[str], reverse: bool) -> tuple[str, dict[str, str]]:
    """One page. Each type is walked along its own index entries and the walks are merged."""
    kinds = {f"type{i}": kind for i, kind in enumerate(dict.fromkeys(types))}
    ordered = "({} ORDER BY seq LIMIT %(rows)s)" if len(kinds) > 1 else "{}"
    walks = [ordered.format(sql["rows_of_type"].replace("%(type)s", f"%({name})s")) for name in kinds]
    rows = " UNION ALL ".join(walks) if walks else sql["rows"]
    if len(kinds) > 1:
        rows = f"SELECT * FROM ({rows}) AS walks"
    page = sql["page"].replace("{rows}", rows)
    return page.replace("ORDER BY seq", "ORDER BY seq DESC") if reverse else page, kinds
