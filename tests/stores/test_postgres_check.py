"""Damage in a log in PostgreSQL is found and named; what is derived is made again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from segue.errors import Refused, Unavailable
from segue.model.frame import Draft
from segue.model.ids import new_id
from segue.model.tombstone import forgotten_draft, tombstone
from segue.model.wire import GENESIS
from segue.stores import postgres_check
from segue.stores.contract import NEW, Request
from segue.stores.paging import Span
from segue.stores.postgres import PostgresLog, open_log
from segue.stores.postgres_frames import _query
from segue.stores.seal import seal

from .postgres_server import Server

Say = Callable[[str], Draft]


COLUMNS = """
SELECT attname, format_type(atttypid, NULL) FROM pg_attribute
WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""


class Scene(NamedTuple):
    log: PostgresLog
    first: str
    second: str
    alter: Callable[[str], None]
    explain: Callable[[str, dict[str, object]], str]
    columns: Callable[[str], list[tuple[str, str]]]


@pytest.fixture
def scene(postgres: Server, tmp_path: Path, say: Say) -> Iterator[Scene]:
    """A log of two streams, and a way past it."""
    address = postgres.address_for(tmp_path)
    log, first, second = open_log(address, "", 5.0), new_id(), new_id()
    assert isinstance(log, PostgresLog)
    log.append(first, [say(f"{n}") for n in range(6)], key="k", request="r")
    log.append(second, [say("a")], stream_kind="session")
    log.append(first, [say("last")])
    schema = "segue_" + address.partition("workspace=")[2]
    with postgres.administrator() as db:
        names = {"s": schema, "first": first, "second": second}

        def explain(sql: str, bindings: dict[str, object]) -> str:
            db.execute("SET enable_seqscan = off")
            return "\n".join(row[0] for row in db.execute(f"EXPLAIN {sql}", bindings))  # type: ignore[arg-type]

        def columns(table: str) -> list[tuple[str, str]]:
            found = db.execute(COLUMNS, (f"{schema}.{table}",)).fetchall()
            return [(name, kind) for name, kind in found]

        def alter(sql: str) -> None:
            db.execute(sql.format(**names))  # type: ignore[arg-type]

        yield Scene(log, first, second, alter, explain, columns)
    log.close()


DAMAGE = {
    "UPDATE {s}.frames SET body = 'no frame' WHERE stream_id = '{first}' AND seq = 2": {
        "hash_mismatch",
        "undecodable",
    },
    "UPDATE {s}.frames SET hash = '\\x00' WHERE stream_id = '{first}' AND seq = 2": {"hash_mismatch"},
    "UPDATE {s}.frames SET type = 'other' WHERE stream_id = '{first}' AND seq = 2": {"envelope_mismatch"},
    "DELETE FROM {s}.frames WHERE stream_id = '{first}' AND seq = 2": {"gap", "dangling_key"},
    "DELETE FROM {s}.frames WHERE stream_id = '{second}'": {"frames_lost"},
    "DELETE FROM {s}.frames WHERE stream_id = '{first}' AND seq = 6": {"frames_lost"},
    "UPDATE {s}.frames SET id = gen_random_uuid() WHERE stream_id = '{first}' AND seq = 2": {
        "envelope_mismatch"
    },
    "UPDATE {s}.frames SET touched = touched + 99 WHERE stream_id = '{first}' AND seq = 6": {
        "head_mismatch",
        "row_mismatch",
    },
    "UPDATE {s}.frames SET touched = touched + 99 WHERE stream_id = '{first}' AND seq = 2": {"row_mismatch"},
    "UPDATE {s}.heads SET stream_kind = 'artifact' WHERE stream_id = '{second}'": {"envelope_mismatch"},
    "UPDATE {s}.heads SET hash = '\\x00' WHERE stream_id = '{second}'": {"head_mismatch"},
    "UPDATE {s}.heads SET seq = 9 WHERE stream_id = '{first}'": {"frames_lost"},
    "UPDATE {s}.keys SET key = 'l'": {"row_mismatch"},
    "UPDATE {s}.keys SET request = 's'": {"row_mismatch"},
    "UPDATE {s}.keys SET stream_id = '{second}', last = 0": {"row_mismatch"},
    "UPDATE {s}.keys SET first = 1": {"row_mismatch"},
    "UPDATE {s}.keys SET sum = 1": {"row_mismatch"},
    "UPDATE {s}.keys SET sum = NULL, request = 's'": {"row_mismatch"},
    "UPDATE {s}.frames SET sum = NULL, touched = 1 WHERE seq = 2": {"row_mismatch"},
    "UPDATE {s}.heads SET seq = 3 WHERE stream_id = '{first}'": {"head_mismatch"},
    "UPDATE {s}.heads SET touched = 1 WHERE stream_id = '{first}'": {"head_mismatch"},
    "DELETE FROM {s}.heads": {"head_mismatch"},
    "UPDATE {s}.keys SET last = 99": {"dangling_key", "row_mismatch"},
    "INSERT INTO {s}.frames SELECT '{second}', 1, touched, id, type, hash, body, sum FROM {s}.frames"
    " WHERE stream_id = '{first}' AND seq = 2": {
        "head_mismatch",
        "hash_mismatch",
        "envelope_mismatch",
        "repeated_id",
        "row_mismatch",
    },
    "DROP TABLE {s}.keys": {"damaged"},
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_every_kind_of_damage_is_found(scene: Scene, damage: str) -> None:
    assert list(scene.log.verify()) == []
    scene.alter(damage)
    found = list(scene.log.verify())
    assert {finding.kind for finding in found} == DAMAGE[damage]
    assert all(finding.hint and "log.db" not in finding.hint for finding in found)


ONE_ROW = {
    "frames": "stream_id = '{first}' AND seq = 2",
    "heads": "stream_id = '{first}'",
    "keys": "key = 'k'",
}
CHANGES = {
    "uuid": "gen_random_uuid()",
    "bigint": "{column} + 1000",
    "text": "{column} || 'x'",
    "bytea": "set_byte({column}, 0, get_byte({column}, 0) # 1)",
}


@pytest.mark.parametrize("table", ONE_ROW)
def test_a_change_of_any_column_of_any_row_is_found(scene: Scene, table: str) -> None:
    """The columns are those of the catalog, so that a new one is altered as well."""
    scene.alter(f"CREATE TABLE {{s}}.kept AS SELECT * FROM {{s}}.{table}")
    unseen = []
    for column, kind in scene.columns(table):
        assert list(scene.log.verify()) == []
        change = CHANGES[kind].format(column=column)
        scene.alter(f"UPDATE {{s}}.{table} SET {column} = {change} WHERE {ONE_ROW[table]}")
        if not list(scene.log.verify()):
            unseen.append(column)
        scene.alter(f"DELETE FROM {{s}}.{table}; INSERT INTO {{s}}.{table} SELECT * FROM {{s}}.kept")
    assert unseen == []


WITHOUT_SUMS = """
ALTER TABLE {s}.frames DROP COLUMN sum; UPDATE {s}.keys SET sum = NULL; ALTER TABLE {s}.clock DROP COLUMN summed;
DELETE FROM {s}.migrations WHERE version > 2
"""
OLD_ROWS = {
    "UPDATE {s}.frames SET touched = touched + 99 WHERE stream_id = '{first}' AND seq = 2": "{first}@2",
    "UPDATE {s}.keys SET request = 's'": "key k",
}


@pytest.mark.parametrize("damage", OLD_ROWS)
def test_rebuilding_gives_the_rows_of_an_older_version_their_checksums(
    scene: Scene, say: Say, damage: str
) -> None:
    scene.log.close()
    scene.alter(WITHOUT_SUMS)
    scene.log.append(scene.first, [say("more")])
    (note,) = scene.log.verify()
    assert (note.kind, note.severity, note.message[:6]) == ("not_covered", "note", "9 rows")
    assert scene.log.rebuild() == 2
    assert list(scene.log.verify()) == []
    scene.alter(damage)
    (finding,) = scene.log.verify()
    assert (finding.kind, finding.where) == ("row_mismatch", OLD_ROWS[damage].format(first=scene.first))


@pytest.mark.parametrize("change", ["touched = touched + 99", "sum = NULL"])
def test_rebuilding_leaves_a_checksum_that_does_not_fit(scene: Scene, change: str) -> None:
    scene.alter(f"UPDATE {{s}}.frames SET {change} WHERE stream_id = '{{first}}' AND seq = 2")
    scene.log.rebuild()
    assert [finding.kind for finding in scene.log.verify()] == ["row_mismatch"]


def test_every_altered_frame_is_named_however_many_there_are(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_check, "_SUMS", 2)
    scene.alter("UPDATE {s}.frames SET touched = touched + 99 WHERE stream_id = '{first}' AND seq < 5")
    assert [finding.where for finding in scene.log.verify()] == [f"{scene.first}@{n}" for n in range(5)]


def test_every_way_of_writing_gives_frames_their_checksums(scene: Scene, say: Say) -> None:
    log, third, fourth = scene.log, new_id(), new_id()
    log.append_all([Request(third, [say("a"), say("b")], key="l"), Request(scene.first, [say("c")])])
    stones = [stone for frame in log.read(third, 0, 0) if (stone := tombstone(frame))]
    log.forget(stones, forgotten_draft(stones, "by mistake", {"actor_id": "person", "origin": "test"}))
    log.adopt(seal(fourth, "continuity", NEW, GENESIS, [say("d"), say("e")]))
    assert list(log.verify()) == []
    scene.alter("UPDATE {s}.frames SET touched = touched + 99")
    found = [finding.where for finding in log.verify() if finding.kind == "row_mismatch"]
    streams = (scene.first, scene.second, third, fourth)
    assert sorted(found) == sorted(f"{stream}@{f.seq}" for stream in streams for f in log.read(stream))


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM {s}.heads",
        "UPDATE {s}.heads SET seq = 0, hash = '', touched = 0, stream_kind = 'artifact'",
    ],
)
def test_heads_are_made_again_as_they_were(scene: Scene, damage: str) -> None:
    before = scene.log.heads()
    scene.alter(damage)
    assert scene.log.rebuild() == 2
    assert scene.log.heads() == before
    assert list(scene.log.verify()) == []


def test_a_head_is_not_lowered_unless_the_loss_is_accepted_and_then_a_frame_tells_it(
    scene: Scene, say: Say
) -> None:
    before = scene.log.heads()
    scene.alter("DELETE FROM {s}.frames WHERE stream_id = '{first}' AND seq >= 4")
    scene.alter("DELETE FROM {s}.frames WHERE stream_id = '{second}'")
    with pytest.raises(Refused) as caught:
        scene.log.rebuild()
    assert (caught.value.code, scene.log.heads()) == ("frames_lost", before)
    assert scene.log.rebuild({"actor_id": "person", "origin": "test"}) == 2
    assert list(scene.log.verify()) == []
    assert scene.log.keyed("k") is None
    (told,) = scene.log.read(scene.first, 4)
    assert (told.type, told.data["from_seq"], told.data["to_seq"]) == ("frames_lost", 4, 6)
    assert [frame.type for frame in scene.log.read(scene.second)] == ["frames_lost"]
    assert scene.log.append(scene.first, [say("next")])[0].seq == 5


def test_a_stream_of_which_no_frame_can_be_decoded_leaves_the_heads_alone(scene: Scene) -> None:
    before = scene.log.heads()
    scene.alter("UPDATE {s}.frames SET body = 'x' WHERE stream_id = '{second}'")
    with pytest.raises(Unavailable) as caught:
        scene.log.rebuild()
    assert caught.value.code == "damaged"
    assert scene.log.heads() == before


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("types", [(), ("a",), ("a", "b", "c")])
def test_a_page_is_read_in_order_along_an_index(scene: Scene, types: tuple[str, ...], reverse: bool) -> None:
    sql, kinds = _query(scene.log._pool.sql, Span(types=types, reverse=reverse))
    span = {"stream": scene.first, "first": 0, "last": 9, "rows": 10, "bytes": 1000}
    steps = scene.explain(sql, {**span, **kinds})
    assert "Sort  (" not in steps
    assert "Seq Scan" not in steps
    assert steps.count("frames_by_type") == len(types)


@pytest.mark.parametrize(
    "name", ["head", "find", "frame", "used_keys", "keys", "count_of_types", "placed_id"]
)
def test_a_lookup_walks_an_index(scene: Scene, name: str) -> None:
    anything = {
        "stream": scene.first,
        "low": scene.first,
        "high": scene.second,
        "limit": 2,
        "id": scene.first,
        "keys": ["k"],
        "after": "",
        "rows": 10,
        "types": ["a"],
        "last": 9,
        "seq": 1,
    }
    steps = scene.explain(scene.log._pool.sql[name].rstrip(";"), anything)
    assert "Seq Scan" not in steps
    assert "Index" in steps
