"""Side-by-side measurement: contenders take turns, the best turn of each counts.

On a shared machine an absolute number says little and a ratio taken in one run says much, so every
benchmark runs its yardstick beside it. `report` prints the table and keeps it as
`benchmarks/results/<name>.json`.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

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


def report(name: str, lines: list[Line], note: str = "", **facts: object) -> bool:
    """Prints and stores the lines, and what must be known to read them; True when every target holds."""
    print(f"{name} ({', '.join(f'{key} {value}' for key, value in facts.items())})")
    width = max(len(line.what) for line in lines)
    for line in lines:
        yardstick = "" if line.yardstick is None else f"{line.yardstick:,.0f}"
        ratio = "" if line.ratio is None else f"{line.ratio:.2f} x"
        verdict = {True: "holds", False: "MISSED", None: ""}[line.holds]
        print(
            f"  {line.what:<{width}}  {line.ours:>13,.0f} {line.unit:<9} raw {yardstick:>11}"
            f"  {ratio:>7}  {line.target:<13} {verdict}"
        )
    if note:
        print(f"  {note}")
    os.makedirs(RESULTS, exist_ok=True)
    with open(os.path.join(RESULTS, f"{name}.json"), "w", encoding="utf-8") as file:
        rows = [{**line._asdict(), "ratio": line.ratio} for line in lines]
        machine = {"python": platform.python_version(), "cpus": os.cpu_count(), "system": platform.system()}
        json.dump({"name": name, "facts": facts, "machine": machine, "lines": rows}, file, indent=2)
        file.write("\n")
    return all(line.holds is not False for line in lines)
