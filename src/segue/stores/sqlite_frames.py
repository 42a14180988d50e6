"""Frames out of the embedded log, page by page, in bounded memory.

Nothing is held open between two pages: a slow reader neither holds back a checkpoint nor sees a
frozen log. Pages start small and grow, so who stops early has read little and who goes on pays for
few queries; a page ends with the frame that fills `PAGE_BYTES`, however few those are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import apsw

from segue.model.frame import Frame
from segue.stores.sqlite_file import SqliteFile
from segue.stores.sqlite_open import SQL

LAST_SEQ = 0xFFFFFFFF
FIRST_PAGE_ROWS = 16
PAGE_ROWS = 1000
PAGE_BYTES = 4 * 1024 * 1024

_frame = partial(tuple.__new__, Frame)
"""`Frame._make` without its check, which would cost a tenth of the time of streaming."""


def frames(
    file: SqliteFile,
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
        bindings |= {"first": base + first, "last": base + last, "rows": min(left, rows)}
        page = file.reading(partial(_page, sql, bindings, stream_id, base))
        if not page:
            return
        yield from page
        left, rows = left - len(page), min(rows * 4, PAGE_ROWS)
        if reverse:
            last = page[-1].seq - 1
        else:
            first = page[-1].seq + 1


def _query(types: Sequence[str], reverse: bool) -> tuple[str, dict[str, str | int]]:
    """One page by place. Of several types each is walked along its own index entries and the walks are
    merged, which stays logarithmic where `type IN (…)` would sort the whole range."""
    kinds: dict[str, str | int] = {f"type{i}": kind for i, kind in enumerate(dict.fromkeys(types))}
    arms = [SQL["page_of_type"].replace(":type", f":{name}") for name in kinds] or [SQL["page"]]
    return f"{' UNION ALL '.join(arms)} {SQL['page_order_back' if reverse else 'page_order']}", kinds


def _page(
    sql: str, bindings: dict[str, str | int], stream_id: str, base: int, db: apsw.Connection
) -> list[Frame]:
    page: list[Frame] = []
    room = PAGE_BYTES
    cursor = db.execute(sql, bindings)
    try:
        for place, frame_id, kind, body, digest in cursor:
            room -= len(body)
            page.append(_frame((stream_id, place - base, frame_id, kind, body, digest)))
            if room < 0:
                break
    except TypeError:  # only a damaged record has no body
        raise apsw.CorruptError("a frame without a body") from None
    cursor.close()
    return page
