"""Threads at a million frames: the cost of branch, handoff and compile must not depend on length.

Run `python benchmarks/continuity.py [--frames N]`. Beside each number on the long thread stands the same
operation on a thread of ten frames; the start of the command line stands beside a bare interpreter.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from measure import Line, report

from segue.model.frame import MESSAGE, Draft
from segue.model.ids import new_id
from segue.service import contexts, threads, workspace
from segue.service.workspace import Workspace

BATCH = 5000
ROUNDS = 30
GENERATIONS = 1000
BUDGET = 4000
CONTENT = "The retry test still fails when the server closes the connection early. " * 2


def thread_of(opened: Workspace, frames: int) -> str:
    thread_id: str = threads.create(opened)["thread_id"]
    draft = Draft(MESSAGE, {"role": "user", "content": CONTENT, "actor_id": "user", "origin": "bench"})
    left = frames - 1
    while left > 0:
        opened.log.append(thread_id, [draft] * min(left, BATCH))
        left -= BATCH
    return thread_id


def fastest(*runs: Callable[[], object]) -> list[float]:
    """The best time of each in milliseconds, taking turns."""
    best = [float("inf")] * len(runs)
    for _ in range(ROUNDS):
        for place, run in enumerate(runs):
            start = time.perf_counter()
            run()
            best[place] = min(best[place], (time.perf_counter() - start) * 1000)
    return best


def at_most(what: str, ours: float, yardstick: float, factor: float) -> Line:
    return Line(what, ours * 1000, "µs", yardstick * 1000, f"<= {factor:g} x raw", ours <= factor * yardstick)


def rows_read(opened: Workspace, thread_id: str) -> int:
    before = opened.log.rows_read
    contexts.compile_thread(opened, thread_id, budget=BUDGET)
    return opened.log.rows_read - before


def start(*command: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *command], check=True, capture_output=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=1_000_000)
    frames = parser.parse_args().frames
    with tempfile.TemporaryDirectory(dir=".") as folder, tempfile.TemporaryDirectory(dir=".") as empty:
        opened = workspace.find(folder)
        opened.folder = folder + "/.segue"
        opened.root = folder
        opened.establish()
        short, long = thread_of(opened, 10), thread_of(opened, frames)
        lines = []
        for name, operation in (
            ("branch", lambda thread_id: threads.branch(opened, thread_id)),
            (
                "handoff",
                lambda thread_id: threads.handoff(opened, thread_id, summary_markdown=f"summary {new_id()}"),
            ),
        ):
            on_long, on_short = fastest(lambda: operation(long), lambda: operation(short))  # noqa: B023
            lines.append(at_most(f"{name}, {frames:,} frames beside 10", on_long, on_short, 1.5))
        youngest = thread_of(opened, 40)
        for _ in range(GENERATIONS):
            youngest = threads.branch(opened, youngest)["thread_id"]
        on_long, on_chain = rows_read(opened, long), rows_read(opened, youngest)
        lines += [
            Line(
                f"rows read to compile {frames:,} frames",
                on_long,
                "rows",
                frames,
                "< all",
                on_long < frames / 10,
            ),
            Line(f"rows read to compile {GENERATIONS:,} ancestors", on_chain, "rows", None, "", None),
        ]
        script = "import sys; from segue.__main__ import main; sys.argv = ['segue', 'thread', 'list', '--workspace', sys.argv[1]]; main()"
        listed, bare = fastest(start("-c", script, empty), start("-c", "pass"))
        lines.append(at_most("segue thread list beside a bare interpreter", listed, bare, 4))
        opened.close()
    return 0 if report("continuity", lines, frames=frames, budget=BUDGET) else 1


if __name__ == "__main__":
    sys.exit(main())
