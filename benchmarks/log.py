"""The embedded log beside raw apsw: same schema, same rows, same durability, in one run.

The yardstick runs the same statements with rows made beforehand; the log on top of that checks,
encodes, hashes, queues behind the gate and compares heads. Run `python benchmarks/log.py [--frames N]`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable

import apsw
from measure import Line, bounded, compared, options, rates, report

from segue.model.frame import MESSAGE, Draft
from segue.model.ids import new_id, new_ids
from segue.stores.sqlite import SqliteLog
from segue.stores.sqlite_open import SQL, create

Row = tuple[object, ...]

BATCH = 1000
BATCHES = 10
SINGLES = 25
"""Appends in one turn: few enough that some turns of each contender fall into quiet moments."""
STREAM = 1 << 32
INSERT = SQL["insert_frames"] + SQL["seven_values"]
MOVE_HEAD = SQL["insert_heads"] + SQL["six_values"] + SQL["moving_them"]
SUM = 0x7FFFFFFF
CONTENT = "The retry test still fails when the server closes the connection early. " * 4
STREAM_AND_WEIGH = """
import resource, sys
from segue.stores.sqlite import SqliteLog
frames = sum(1 for _ in SqliteLog(sys.argv[1]).read(sys.argv[2]))
print(frames, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


class Ours:
    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.log = SqliteLog(folder)
        self.stream_id = new_id()
        payload = {"role": "user", "content": CONTENT, "actor_id": "user", "origin": "cli"}
        self.draft = Draft(MESSAGE, payload)

    def commit(self, batch: list[Draft]) -> None:
        self.log.append(self.stream_id, batch)

    def stream(self) -> int:
        return _count(self.log.read(self.stream_id))


class Raw:
    """What apsw does when nobody asks it to check anything."""

    def __init__(self, folder: str, body: bytes) -> None:
        path = os.path.join(folder, "log.db")
        create(path, None)
        self.db = apsw.Connection(path)
        self.db.execute(SQL["connect"])
        self.stream_id, self.body, self.next = new_id(), body, 0
        self.id_at = body.index(b'"id":"') + 6

    def rows(self, count: int) -> list[Row]:
        first, self.next = self.next, self.next + count
        before, after = self.body[: self.id_at], self.body[self.id_at + 36 :]
        return [
            (
                STREAM + seq,
                self.next,
                frame_id,
                MESSAGE,
                os.urandom(32),
                before + frame_id.encode() + after,
                SUM,
            )
            for seq, frame_id in enumerate(new_ids(count), first)
        ]

    def commit(self, rows: list[Row]) -> None:
        place, commit_no, _, _, digest, *_ = rows[-1]
        self.db.execute("BEGIN IMMEDIATE;" + SQL["append_head"], (self.stream_id,)).fetchone()
        self.db.executemany(INSERT, rows)
        self.db.execute(MOVE_HEAD, (1, self.stream_id, "continuity", place, digest, commit_no))
        self.db.execute("COMMIT")

    def stream(self) -> int:
        span = {"stream": self.stream_id, "first": STREAM, "last": STREAM + self.next, "rows": -1}
        return _count(self.db.execute(SQL["page"], span))


def appends(ours: Ours, raw: Raw, rounds: int, batches: int, size: int) -> dict[str, float]:
    """Both append so many batches of one size a round; the yardstick's rows are made off the clock."""
    drafts = [ours.draft] * size
    ready: list[list[Row]] = []

    def prepare() -> None:
        ready.extend(raw.rows(size) for _ in range(batches - len(ready)))

    def append() -> int:
        for _ in range(batches):
            ours.commit(drafts)
        return batches * size

    def insert() -> int:
        while ready:
            raw.commit(ready.pop(0))
        return batches * size

    return rates({"raw": insert, "ours": append}, rounds, prepare)


def peak_bytes(ours: Ours) -> tuple[int, int]:
    """Frames streamed and memory used at most by a process that does nothing else."""
    command = [sys.executable, "-c", STREAM_AND_WEIGH, ours.folder, ours.stream_id]
    frames, peak = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return int(frames), int(peak)


def _count(rows: Iterable[object]) -> int:
    count = 0
    for _ in rows:
        count += 1
    return count


def main() -> int:
    given = options(__doc__, frames=(1_000_000, BATCH))
    rounds = max(given.frames // BATCH // BATCHES, given.times(3))
    with tempfile.TemporaryDirectory(dir=".") as folder:
        ours_folder, raw_folder = os.path.join(folder, "ours"), os.path.join(folder, "raw")
        os.mkdir(raw_folder)
        ours = Ours(ours_folder)
        body = ours.log.append(ours.stream_id, [ours.draft])[0].body
        raw = Raw(raw_folder, body)
        batched = appends(ours, raw, rounds, given.times(BATCHES), BATCH)
        single = appends(ours, raw, given.times(200), SINGLES, 1)
        streamed = rates({"raw": raw.stream, "ours": ours.stream}, given.times(10), clock=time.process_time)
        read, peak = peak_bytes(ours)
        ours.log.close()
        raw.db.close()
    lines: list[Line] = [
        compared(f"append, {BATCH} frames a commit", batched, "frames/s", 0.6),
        compared("append, one frame a commit", single, "frames/s", 0.8),
        compared("stream (processor time)", streamed, "frames/s", 0.5),
        bounded("peak memory while streaming", peak / 1e6, "MB", 100),
    ]
    return 0 if report("log", lines, judged=not given.smallest, frames=read, body_bytes=len(body)) else 1


if __name__ == "__main__":
    sys.exit(main())
