"""What the schema promises to whoever spreads it: every constraint of a table that holds streams has the stream's id."""

from __future__ import annotations

from pathlib import Path

from segue.service.threads import streams
from segue.service.workspace import Workspace

from .postgres_server import PARTS, Server

CONSTRAINTS = """
SELECT tables.relname, array_agg(columns.attname::text ORDER BY place.n)
FROM pg_constraint AS made
JOIN pg_class AS tables ON tables.oid = made.conrelid
CROSS JOIN LATERAL unnest(made.conkey) WITH ORDINALITY AS place(number, n)
JOIN pg_attribute AS columns ON columns.attrelid = tables.oid AND columns.attnum = place.number
WHERE made.connamespace = %s::regnamespace AND made.contype IN ('p', 'u', 'f', 'x')
GROUP BY tables.relname, made.oid
"""
UNIQUE = """
SELECT count(*) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
WHERE indisunique AND relnamespace = %s::regnamespace
"""
SEQUENCES = "SELECT count(*) FROM pg_class WHERE relkind = 'S' AND relnamespace = %s::regnamespace"
SPREAD_OVER = """
SELECT count(DISTINCT frames.tableoid), count(DISTINCT frames.stream_id) FROM {schema}.frames
"""


def schema_of(address: str) -> str:
    return "segue_" + address.partition("workspace=")[2]


def test_every_constraint_on_streams_begins_with_the_stream_and_only_keys_has_another(
    postgres: Server, tmp_path: Path
) -> None:
    address = postgres.address_for(tmp_path)
    workspace = Workspace(str(tmp_path)).establish()
    workspace.use(store=address)
    streams.create(workspace)
    workspace.close()
    schema = schema_of(address)
    with postgres.administrator() as db:
        found = sorted(db.execute(CONSTRAINTS, (schema,)).fetchall())
        assert found == [
            ("frames", ["stream_id", "seq"]),
            ("heads", ["stream_id"]),
            ("keys", ["key"]),
            ("migrations", ["version"]),
        ]
        assert db.execute(UNIQUE, (schema,)).fetchone() == (len(found),)
        assert db.execute(SEQUENCES, (schema,)).fetchone() == (0,)


def test_a_workspace_in_parts_spreads_its_streams_and_verifies(postgres: Server, tmp_path: Path) -> None:
    address = postgres.partitioned_for(tmp_path)
    workspace = Workspace(str(tmp_path)).establish()
    workspace.use(store=address)
    made = [streams.create(workspace, f"{n}")["thread_id"] for n in range(20)]
    for thread_id in made:
        streams.post(workspace, thread_id, "hello")
        streams.branch(workspace, thread_id)
    workspace.log.rebuild()
    assert list(workspace.log.verify()) == []
    workspace.close()
    with postgres.administrator() as db:
        spread = db.execute(SPREAD_OVER.format(schema=schema_of(address))).fetchone()
        assert spread == (PARTS, 40)
