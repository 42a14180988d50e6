"""Change records by the thousand: list, update and show them all on one page.

Run `python benchmarks/changes.py [--records N]`. Listing is measured as a person sees it, start of the
command included, once with a registry that is up to date and once with every record newer than it;
beside it stands a bare interpreter that only reads the registry as JSON.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from measure import Line, bounded, options, report

from segue.changes.document import OURS
from segue.model.change_update import Update
from segue.service.changes import reading, records, upkeep
from segue.service.changes.files import Tree, now, writing
from segue.service.workspace import Workspace

LIST = "import sys; from segue.__main__ import main; sys.argv = ['segue', 'change', 'list', '--json', '--workspace', sys.argv[1]]; main()"
READ = "import json, sys; json.load(open(sys.argv[1] + '/docs/TC/tc_registry.json'))"


def fill(opened: Workspace, count: int) -> str:
    """That many records like one that was worked on, written in one go."""
    upkeep.init(opened, "desk")
    first: str = records.new(opened, "Retry uploads", motivation="They fail at night")["tc_id"]
    block = {
        "add_next": ["Add a test for 503", "Update README.md"],
        "progress": "Added retry() to upload.py.",
    }
    for step in range(5):
        records.update(opened, first, Update(add_tags=[f"tag-{step}"], **block, add_context=[f"Mind {step}"]))
    model = reading.show(opened, first)
    documents = [
        ({**model, "tc_id": f"TC-{n:03d}-04-05-26-retry-uploads"}, OURS) for n in range(2, count + 1)
    ]
    with writing(opened) as tree:
        tree.write_records(documents, now())
    return first


def best(run: Callable[[], object], rounds: int) -> float:
    """The best of several times, in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1000)
    return min(times)


def started(code: str, folder: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, "-c", code, folder], check=True, capture_output=True)


def main() -> int:
    given = options(__doc__, records=(5000, 10), page=(500, 10))
    count, rounds = given.records, given.times(10)
    with tempfile.TemporaryDirectory(dir=".") as folder:
        opened = Workspace(folder).establish()
        fsync, os.fsync = os.fsync, lambda file: None
        first = fill(opened, count)
        os.fsync = fsync
        fresh, read = best(started(LIST, folder), rounds), best(started(READ, folder), rounds)
        number = iter(range(1_000_000))
        update = best(
            lambda: records.update(opened, first, Update(add_tags=[f"more-{next(number)}"])), rounds
        )
        os.utime(Tree(folder).registry_path, (0, 0))
        stale = best(started(LIST, folder), given.times(3))
        lines = [
            Line(f"list {count:,}", fresh, "ms", read, "<= 500 ms", fresh <= 500),
            Line(f"list {count:,}, registry out of date", stale, "ms", read),
            bounded(f"update one of {count:,}", update, "ms", 500),
        ]
    with tempfile.TemporaryDirectory(dir=".") as folder:
        opened = Workspace(folder).establish()
        os.fsync = lambda file: None
        fill(opened, given.page)
        os.fsync = fsync
        lines.append(
            bounded(
                f"dashboard of {given.page}",
                best(lambda: upkeep.dashboard(opened), given.times(3)),
                "ms",
                2000,
            )
        )
    return 0 if report("changes", lines, judged=not given.smallest, records=count) else 1


if __name__ == "__main__":
    sys.exit(main())
