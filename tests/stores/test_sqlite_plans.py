"""Every question the embedded log asks is answered by walking an index, never by sorting or scanning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from segue.model.frame import Draft
from segue.model.ids import new_id
from segue.stores.paging import Span
from segue.stores.sqlite import SqliteLog
from segue.stores.sqlite_frames import _query
from segue.stores.sqlite_open import SQL

Say = Callable[[str], Draft]
Plan = Callable[..., str]

LOOKUPS = {
    "append_head": ("stream",),
    "new_stream": (),
    "key": ("key",),
    "keys": ("key", 10),
    "number": ("stream",),
    "head": ("stream",),
    "heads": (5,),
    "find": ("01", 2),
    "frame": ("id",),
    "placed": (1, 2),
    "count_of_type": ("type", 1, 2),
    "next_stream": (1,),
    "standing": (1,),
    "body": (1,),
    "bodies_back": (1,),
}


@pytest.fixture
def plan(tmp_path: Path, say: Say) -> Iterator[Plan]:
    """How SQLite would run a query, in its own words."""
    log = SqliteLog(str(tmp_path))
    log.append(new_id(), [say("x")])
    db = apsw.Connection(log.path)

    def explained(sql: str, bindings: object) -> str:
        return "; ".join(row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", bindings))

    yield explained
    db.close()
    log.close()


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("types", [(), ("a",), ("a", "b"), ("a", "b", "c", "d")])
def test_a_page_is_read_in_order_along_an_index(plan: Plan, types: tuple[str, ...], reverse: bool) -> None:
    sql, kinds = _query(Span(types=types, reverse=reverse))
    steps = plan(sql, {"stream": "s", "first": 1, "last": 9, "rows": 10, **kinds})
    assert "TEMP B-TREE" not in steps
    assert "SCAN frames" not in steps
    assert steps.count("SEARCH frames USING INDEX frames_by_type") == len(types)


@pytest.mark.parametrize("name", LOOKUPS)
def test_a_lookup_scans_and_sorts_nothing(plan: Plan, name: str) -> None:
    steps = plan(SQL[name], LOOKUPS[name])
    assert "SEARCH" in steps
    for table in ("frames", "streams", "keys", "f", "s"):
        assert f"SCAN {table}" not in steps.split("; ")
    assert "TEMP B-TREE" not in steps
