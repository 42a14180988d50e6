"""Many processes on one log: one winner per head, no gaps, and nothing acknowledged dies with a writer."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

from segue.model.frame import Draft
from segue.model.ids import new_id
from segue.stores.sqlite import SqliteLog

RACER = """
import sys
from segue.errors import Conflict
from segue.model.frame import Draft
from segue.stores.sqlite import SqliteLog
folder, stream, name, wins = sys.argv[1:]
log, won = SqliteLog(folder), 0
sys.stdin.readline()
while won < int(wins):
    head = log.head(stream)
    seen = head.seq if head else -1
    try:
        (frame,) = log.append(stream, [Draft("note", {"by": name, "n": won})], expect=seen)
    except Conflict:
        continue
    print(frame.seq, seen, won, flush=True)
    won += 1
"""

WRITER = """
import os, sys
from segue.model.frame import Draft
from segue.stores.sqlite import SqliteLog
folder, stream = sys.argv[1:]
log, n = SqliteLog(folder), 0
while True:
    frames = log.append(stream, [Draft("note", {"n": n + i}) for i in range(1 + n % 3)])
    n = frames[-1].seq + 1
    os.write(1, f"{n}\\n".encode())
"""

FOLLOWER = """
import sys
from segue.stores.sqlite import SqliteLog
folder, stream, want = sys.argv[1:]
seen = []
print("ready", flush=True)
for frame in SqliteLog(folder).follow(stream, 0, lambda: len(seen) == int(want)):
    seen.append(frame.seq)
print(*seen)
"""


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_processes_that_race_for_every_head_leave_one_winner_each_and_no_gap(tmp_path: Path) -> None:
    racers, wins, stream = 4, 25, new_id()
    running = [start(RACER, tmp_path, stream, name, wins) for name in range(racers)]
    for process in running:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    claims = {}
    for name, process in enumerate(running):
        out, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        for line in out.splitlines():
            seq, seen, n = map(int, line.split())
            assert seq == seen + 1
            assert seq not in claims
            claims[seq] = (str(name), n)
    log = SqliteLog(str(tmp_path))
    found = {frame.seq: (frame.data["by"], frame.data["n"]) for frame in log.read(stream)}
    assert found == claims
    assert sorted(found) == list(range(racers * wins))
    assert list(log.verify()) == []
    log.close()


def test_a_writer_killed_at_any_moment_loses_no_acknowledged_frame(tmp_path: Path) -> None:
    chance, stream = random.Random(7), new_id()
    acknowledged = 0
    for _ in range(8):
        writer = start(WRITER, tmp_path, stream)
        assert writer.stdout
        for _ in range(chance.randrange(1, 60)):
            acknowledged = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        rest, _ = writer.communicate(timeout=60)
        acknowledged = max([acknowledged, *map(int, rest.split())])
        log = SqliteLog(str(tmp_path))
        found = [frame.data["n"] for frame in log.read(stream)]
        assert len(found) >= acknowledged
        assert list(log.verify()) == []
        log.close()
    assert acknowledged > 100


def test_a_follower_in_another_process_sees_what_is_appended_here(tmp_path: Path) -> None:
    log, stream = SqliteLog(str(tmp_path)), new_id()
    follower = start(FOLLOWER, tmp_path, stream, 5)
    assert follower.stdout
    assert follower.stdout.readline() == "ready\n"
    for n in range(5):
        log.append(stream, [Draft("note", {"n": n})])
    out, _ = follower.communicate(timeout=60)
    assert out.split() == ["0", "1", "2", "3", "4"]
    log.close()


def test_threads_share_one_log_and_leave_no_gap(tmp_path: Path) -> None:
    log, streams = SqliteLog(str(tmp_path)), [new_id(), new_id()]
    short: list[int] = []

    def work(name: int) -> None:
        for n in range(20):
            log.append(streams[n % 2], [Draft("note", {"by": name, "n": n})] * 3)
            found = [frame.seq for frame in log.read(streams[n % 2])]
            if found != list(range(len(found))):
                short.append(n)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert short == []
    assert [head.seq for head in log.heads()] == [149, 149]
    assert list(log.verify()) == []
    log.close()


def test_reading_and_appending_import_only_what_they_need(tmp_path: Path) -> None:
    script = """
import sys
from segue.model.frame import Draft
from segue.model.ids import new_id
from segue.stores.registry import open_log
log, stream = open_log("sqlite", sys.argv[1]), new_id()
list(log.read(stream)), log.heads()
print(*sys.modules)
log.append(stream, [Draft("note", {})])
print(*sys.modules)
"""
    command = [sys.executable, "-c", script, str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    to_read, to_append = (line.split() for line in run.stdout.splitlines())
    heavy = {
        "msgspec",
        "dataclasses",
        "pathlib",
        "logging",
        "threading",
        "zstandard",
        "sqlite3",
        "uuid",
        "inspect",
    }
    assert heavy.isdisjoint(to_append)
    assert {"hashlib", *heavy}.isdisjoint(to_read)
