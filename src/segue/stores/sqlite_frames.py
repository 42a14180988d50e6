"""Pages of frames out of the embedded log, whose reading `paging` bounds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import apsw

from segue.model.frame import Frame
from segue.stores.paging import PAGE_BYTES, Span, paged
from segue.stores.sqlite_file import LogFile, Row
from segue.stores.sqlite_open import SQL


def frames(file: LogFile, stream_id: str, base: int, span: Span) -> Iterator[Frame]:
    """The frames of the stream whose places begin at `base`."""
    sql, types = _query(span)

    def fetch(first: int, last: int, rows: int) -> list[Row]:
        places = {"first": base + first, "last": base + last, "rows": rows}
        return file.reading(partial(_page, sql, {"stream": stream_id, **places, **types}))

    return paged(span, fetch)


def _query(span: Span) -> tuple[str, dict[str, str]]:
    """One page by place. Each type is walked along its own index entries and the walks are merged, which
    stays logarithmic where `type IN (…)` would sort the whole range."""
    types = span.type_names()
    arms = " UNION ALL ".join(SQL["arm_of_type"].replace(":type", f":{name}") for name in types)
    sql = SQL["page_of_types"].replace(":arms", arms) if types else SQL["page"]
    return sql.replace("ORDER BY place", "ORDER BY place DESC") if span.reverse else sql, types


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
