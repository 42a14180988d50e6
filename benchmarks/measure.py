"""Side-by-side measurement: contenders take turns, the best turn of each counts.

On a shared machine an absolute number says little and a ratio taken in one run says much, so every
benchmark runs its yardstick beside it. `report` prints the table and keeps it as
`benchmarks/results/<name>.json`.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results")


class Line(NamedTuple):
    """One row of a report. `yardstick` and `target` are None where there is nothing to compare with."""

    what: str
    ours: float
    unit: str
    yardstick: float | None = None
    target: str = ""
    holds: bool | None = None

    @property
    def ratio(self) -> float | None:
        return self.ours / self.yardstick if self.yardstick else None


class Sizes(argparse.Namespace):
    """How large a run is."""

    smallest: bool

    def times(self, normal: int) -> int:
        """How often something is done that is done so often in a normal run."""
        return 1 if self.smallest else normal


def options(about: str | None, **sizes: tuple[Any, Any]) -> Sizes:
    """What the command line says: each size, which has a normal and a smallest value, and `smallest`, by which a
    benchmark only shows that it still runs: it does each part about once and judges nothing."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smallest", action="store_true", help="run every part once and judge nothing")
    for name, (normal, _) in sizes.items():
        parser.add_argument(f"--{name}", type=type(normal))
    given = parser.parse_args(namespace=Sizes())
    for name, values in sizes.items():
        if getattr(given, name) is None:
            setattr(given, name, values[given.smallest])
    _leave_home()
    return given


def _leave_home() -> None:
    """Gives this process, and those it starts, a home of their own: what a benchmark accepts, keeps and finds there
    is not the person's."""
    home = tempfile.mkdtemp(prefix="segue-bench-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ["HOME"] = home
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        os.environ.pop(name, None)


def rates(
    contenders: Mapping[str, Callable[[], int]],
    rounds: int,
    prepare: Callable[[], object] = int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Runs every contender once per round, in turn, each after an untimed `prepare`; a contender returns
    how many things it did. The result is the best rate of each, in things per second of `clock`; work that
    waits for nothing is better measured by `time.process_time`, which others on the machine do not disturb."""
    best = dict.fromkeys(contenders, 0.0)
    for _ in range(rounds):
        for name, run in contenders.items():
            prepare()
            start = clock()
            done = run()
            best[name] = max(best[name], done / (clock() - start))
    return best


def compared(what: str, found: Mapping[str, float], unit: str, at_least: float) -> Line:
    """A line for `ours` against `raw`, which must reach a part of its rate."""
    ours, raw = found["ours"], found["raw"]
    return Line(what, ours, unit, raw, f">= {at_least:g} x raw", ours >= at_least * raw)


def bounded(what: str, ours: float, unit: str, below: float) -> Line:
    """A line for a number that must stay below a bound."""
    return Line(what, ours, unit, None, f"< {below:g} {unit}", ours < below)


def report(name: str, lines: list[Line], note: str = "", judged: bool = True, **facts: object) -> bool:
    """Prints and stores the lines, and what must be known to read them; True when every target holds. Lines that are
    not judged say nothing about speed: they are printed, and not stored."""
    print(f"{name} ({', '.join(f'{key} {value}' for key, value in facts.items())})")
    width = max(len(line.what) for line in lines)
    for line in lines:
        yardstick = "" if line.yardstick is None else f"{line.yardstick:,.0f}"
        ratio = "" if line.ratio is None else f"{line.ratio:.2f} x"
        verdict = {True: "holds", False: "MISSED", None: ""}[line.holds if judged else None]
        print(
            f"  {line.what:<{width}}  {line.ours:>13,.0f} {line.unit:<9} raw {yardstick:>11}"
            f"  {ratio:>7}  {line.target:<13} {verdict}"
        )
    if note:
        print(f"  {note}")
    if not judged:
        return True
    os.makedirs(RESULTS, exist_ok=True)
    with open(os.path.join(RESULTS, f"{name}.json"), "w", encoding="utf-8") as file:
        rows = [{**line._asdict(), "ratio": line.ratio} for line in lines]
        machine = {"python": platform.python_version(), "cpus": os.cpu_count(), "system": platform.system()}
        json.dump({"name": name, "facts": facts, "machine": machine, "lines": rows}, file, indent=2)
        file.write("\n")
    return all(line.holds is not False for line in lines)
