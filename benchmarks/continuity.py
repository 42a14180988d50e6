"""Threads at a million frames: the cost of branch, handoff and compile must not depend on length.

Run `python benchmarks/continuity.py [--frames N]`. Beside each number on the long thread stands the same
operation on a thread of ten frames; the start of the command line stands beside a bare interpreter.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from measure import Line, options, report

from segue.model.frame import MESSAGE, Draft
from segue.model.ids import new_id
from segue.service.threads import contexts, streams
from segue.service.workspace import Workspace

BATCH = 5000
ROUNDS = 30
MESSAGES_EACH = 40
PART_READ = 0.1
"""The part of all rows that compile may read."""
BUDGET = 4000
CONTENT = "The retry test still fails when the server closes the connection early. " * 2


SAID = Draft(MESSAGE, {"role": "user", "content": CONTENT, "actor_id": "user", "origin": "bench"})


def thread_of(opened: Workspace, frames: int) -> str:
    thread_id: str = streams.create(opened)["thread_id"]
    left = frames - 1
    while left > 0:
        opened.log.append(thread_id, [SAID] * min(left, BATCH))
        left -= BATCH
    return thread_id


def line_of(opened: Workspace, generations: int) -> tuple[str, int]:
    """The youngest of a line of branches that begins with a handoff, and how many rows the line has."""
    root = thread_of(opened, 1)
    youngest: str = streams.handoff(opened, root, summary_markdown="what came before")["thread_id"]
    for _ in range(generations):
        opened.log.append(youngest, [SAID] * MESSAGES_EACH)
        youngest = streams.branch(opened, youngest)["thread_id"]
    return youngest, generations * (2 + MESSAGES_EACH) + 2


def fastest(rounds: int, *runs: Callable[[], object]) -> list[float]:
    """The best time of each in milliseconds, taking turns."""
    best = [float("inf")] * len(runs)
    for _ in range(rounds):
        for place, run in enumerate(runs):
            start = time.perf_counter()
            run()
            best[place] = min(best[place], (time.perf_counter() - start) * 1000)
    return best


def at_most(what: str, ours: float, yardstick: float, factor: float) -> Line:
    return Line(what, ours * 1000, "µs", yardstick * 1000, f"<= {factor:g} x raw", ours <= factor * yardstick)


def partly_read(what: str, opened: Workspace, thread_id: str, rows: int) -> Line:
    """How many of so many rows compiling a thread reads."""
    before = opened.log.rows_read
    contexts.compile_thread(opened, thread_id, budget=BUDGET)
    read = opened.log.rows_read - before
    holds = read < rows * PART_READ
    return Line(f"rows read to compile {what}", read, "rows", rows, f"< {PART_READ:g} x all", holds)


def start(*command: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *command], check=True, capture_output=True)


def main() -> int:
    given = options(__doc__, frames=(1_000_000, 1000), generations=(1000, 10))
    frames, rounds = given.frames, given.times(ROUNDS)
    with tempfile.TemporaryDirectory(dir=".") as folder, tempfile.TemporaryDirectory(dir=".") as empty:
        opened = Workspace(folder).establish()
        short, long = thread_of(opened, 10), thread_of(opened, frames)
        lines = []
        for name, operation in (
            ("branch", lambda thread_id: streams.branch(opened, thread_id)),
            (
                "handoff",
                lambda thread_id: streams.handoff(opened, thread_id, summary_markdown=f"summary {new_id()}"),
            ),
        ):
            on_long, on_short = fastest(rounds, lambda: operation(long), lambda: operation(short))  # noqa: B023
            lines.append(at_most(f"{name}, {frames:,} frames beside 10", on_long, on_short, 1.5))
        lines.append(partly_read(f"{frames:,} frames", opened, long, frames))
        youngest, rows = line_of(opened, given.generations)
        lines.append(partly_read(f"{given.generations:,} ancestors", opened, youngest, rows))
        script = "import sys; from segue.__main__ import main; sys.argv = ['segue', 'thread', 'list', '--workspace', sys.argv[1]]; main()"
        listed, bare = fastest(rounds, start("-c", script, empty), start("-c", "pass"))
        lines.append(at_most("segue thread list beside a bare interpreter", listed, bare, 4))
        opened.close()
    return 0 if report("continuity", lines, judged=not given.smallest, frames=frames, budget=BUDGET) else 1


if __name__ == "__main__":
    sys.exit(main())
