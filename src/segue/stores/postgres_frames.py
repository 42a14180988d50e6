"""Pages of frames of the log in PostgreSQL, whose reading `paging` bounds.

Each page is one statement on whatever connection is free. The server counts the bytes: what lies behind the frame that
fills a page is not sent.
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.model.frame import Frame
from segue.stores.paging import PAGE_BYTES, Span, paged
from segue.stores.postgres_pool import Pool, Row


def frames(pool: Pool, stream_id: str, span: Span) -> Iterator[Frame]:
    """The frames of a stream."""
    sql, types = _query(pool.sql, span)

    def fetch(first: int, last: int, rows: int) -> list[Row]:
        places = {"first": first, "last": last, "rows": rows, "bytes": PAGE_BYTES}
        return pool.query(sql, {"stream": stream_id, **places, **types})

    return paged(span, fetch)


def _query(sql: dict[str, str], span: Span) -> tuple[str, dict[str, str]]:
    """One page. Each type is walked along its own index entries and the walks are merged."""
    types = span.type_names()
    ordered = "({} ORDER BY seq LIMIT %(rows)s)" if len(types) > 1 else "{}"
    walks = [ordered.format(sql["rows_of_type"].replace("%(type)s", f"%({name})s")) for name in types]
    rows = " UNION ALL ".join(walks) if walks else sql["rows"]
    if len(types) > 1:
        rows = f"SELECT * FROM ({rows}) AS walks"
    page = sql["page"].replace("{rows}", rows)
    return page.replace("ORDER BY seq", "ORDER BY seq DESC") if span.reverse else page, types
