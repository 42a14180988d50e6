"""Listing thousands of sessions: the second time only what changed is read.

Run `python benchmarks/sessions.py [--sessions N]`. The first listing reads every file; the second must take
less than a second of wall time on a quiet machine, and read none.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time

from measure import Line, bounded, options, report

LIST = (
    "import json, sys, time; from segue.service.sessions import lookup, rows\n"
    "read = []; plain = rows.rows_of\n"
    "rows.rows_of = lambda agent, path: (read.append(path), plain(agent, path))[1]\n"
    "found = lookup.list_sessions('/', everywhere=True)['sessions']\n"
    "print(len(found), len(read))"
)


def record(path: str, number: int) -> None:
    """A small session of Claude Code: two turns and a tool call."""
    base = {
        "sessionId": f"{number:08x}-0000-4000-8000-000000000000",
        "cwd": f"/home/me/p{number % 50}",
        "gitBranch": "main",
    }
    rows, parent = [], None
    for turn in range(2):
        for role, content in (
            ("user", f"Please do task {number}.{turn}"),
            ("assistant", [{"type": "text", "text": "Done."}]),
        ):
            uuid = f"{number:08x}-{turn:04x}-4000-8000-{len(rows):012x}"
            stamp = f"2026-01-{number % 28 + 1:02d}T10:00:0{len(rows)}.000Z"
            message = {"role": role, "content": content}
            rows.append(
                {
                    **base,
                    "type": role,
                    "uuid": uuid,
                    "parentUuid": parent,
                    "timestamp": stamp,
                    "message": message,
                }
            )
            parent = uuid
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows))


def listed(home: str) -> tuple[float, int, int]:
    """(seconds with process start, sessions, files read)."""
    env = {**os.environ, "HOME": home, "XDG_CACHE_HOME": os.path.join(home, "cache")}
    start = time.perf_counter()
    ran = subprocess.run([sys.executable, "-c", LIST], env=env, capture_output=True, text=True, check=True)
    found, read = map(int, ran.stdout.split())
    return time.perf_counter() - start, found, read


def main() -> int:
    given = options(__doc__, sessions=(5000, 60))
    with tempfile.TemporaryDirectory() as home:
        for number in range(given.sessions):
            folder = os.path.join(home, ".claude", "projects", f"-home-me-p{number % 50}")
            os.makedirs(folder, exist_ok=True)
            record(os.path.join(folder, f"{number:08x}-0000-4000-8000-000000000000.jsonl"), number)
        first, _, read_first = listed(home)
        again = min(listed(home) for _ in range(given.times(5)))
    lines = [
        Line("first listing", first * 1000, "ms"),
        bounded("second listing, process start included", again[0] * 1000, "ms", 1000),
        Line("files read the first time", read_first, "files"),
        bounded("files read the second time", again[2], "files", 1),
    ]
    return 0 if report("sessions", lines, judged=not given.smallest, sessions=again[1]) else 1


if __name__ == "__main__":
    sys.exit(main())
