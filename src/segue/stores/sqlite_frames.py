"""Frames out of the embedded log, page by page, in bounded memory.

Nothing is held open between two pages: a slow reader neither holds back a checkpoint nor sees a
frozen log. Pages start small and grow, so who stops early has read little and who goes on pays for
few queries; a page ends with the frame that fills `PAGE_BYTES`, however few those are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import apsw

from segue.model.frame import Frame, framed
from segue.stores.sqlite_file import LogFile, Row
from segue.stores.sqlite_open import SQL

LAST_SEQ = 0xFFFFFFFF
FIRST_PAGE_ROWS = 16
PAGE_ROWS = 1000
PAGE_BYTES = 4 * 1024 * 1024


def frames(
    file: LogFile,
    stream_id: str,
    base: int,
    first: int = 0,
    last: int | None = None,
    types: Sequence[str] = (),
    reverse: bool = False,
    limit: int | None = None,
) -> Iterator[Frame]:
    """The frames of the stream whose places begin at `base`, with first <= seq <= last."""
    sql, bindings = _query(types, reverse)
    first, last = max(first, 0), LAST_SEQ if last is None else min(last, LAST_SEQ)
    left, rows = LAST_SEQ if limit is None else limit, FIRST_PAGE_ROWS
    while left > 0 and first <= last:
        span = {"first": base + first, "last": base + last, "rows": min(left, rows)}
        page = file.reading(partial(_page, sql, {"stream": stream_id, **span, **bindings}))
        if not page:
            return
        yield from map(framed, page)
        left, rows = left - len(page), min(rows * 4, PAGE_ROWS)
        _, seq, *_ = page[-1]
        first, last = (first, seq - 1) if reverse else (seq + 1, last)


def _query(types: Sequence[str], reverse: bool) -> tuple[str, dict[str, str]]:
    """One page by place. Each type is walked along its own index entries and the walks are merged, which
    stays logarithmic where `type IN (…)` would sort the whole range."""
    kinds = {f"type{i}": kind for i, kind in enumerate(dict.fromkeys(types))}
    arms = " UNION ALL ".join(SQL["arm_of_type"].replace(":type", f":{name}") for name in kinds)
    sql = SQL["page_of_types"].replace(":arms", arms) if kinds else SQL["page"]
    return sql.replace("ORDER BY place", "ORDER BY place DESC") if reverse else sql, kinds


def _page(sql: str, bindings: dict[str, str | int], db: apsw.Connection) -> list[Row]:
    page: list[Row] = []
    room = PAGE_BYTES
    cursor = db.execute(sql, bindings)
    try:
        for row in cursor:
            page.append(row)
            room -= len(row[4])
            if room < 0:
                break
    except TypeError:  # only a damaged record has no body
        raise apsw.CorruptError("a frame without a body") from None
    cursor.close()
    return page
