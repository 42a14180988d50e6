"""Scores our packets beside two baselines: `python benchmarks/quality DIRECTORY [--budgets 1000,2000,4000]`.

The directory holds sessions and a `cuts.tsv` with the columns agent, file, cut (lines before the
cut) and goal (what the next session is for, may be empty). Nothing from there is kept.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence

from baselines import head_and_tail, tail
from score import MEASURES, score
from truth import truth

from segue.agents.registry import reader
from segue.extract.tokens import count
from segue.model.entry import Entry
from segue.service.handoffs.walk import Source, draft


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="quality", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", nargs="?", default=os.environ.get("SEGUE_SESSIONS", ""))
    parser.add_argument("--budgets", default="1000,2000,4000")
    args = parser.parse_args(arguments)
    if not args.directory:
        print("quality: no sessions given; name a directory with a cuts.tsv, or set SEGUE_SESSIONS.")
        return 0
    budgets = [int(b) for b in args.budgets.split(",")]
    found: dict[tuple[str, int], list[dict[str, float | None]]] = defaultdict(list)
    spent = 0.0
    for row, before, after in _cuts(args.directory):
        wanted = truth(before, after)
        for budget in budgets:
            began = time.process_time()
            made = draft(Source(row["agent"], row["file"], before), row["goal"], budget=budget)
            spent += time.process_time() - began
            if count(made.text) > budget:
                print(f"over budget: {row['file']} at {row['cut']}: {count(made.text)} > {budget}")
                return 1
            for name, text in (
                ("segue", made.text),
                ("tail", tail(before, budget)),
                ("head+tail", head_and_tail(before, budget)),
            ):
                found[name, budget].append(score(text, wanted) | {"tokens": float(count(text))})
    _report(found, spent)
    return 0


def _cuts(directory: str) -> Iterator[tuple[dict[str, str], list[Entry], list[Entry]]]:
    """Each cut with the entries before it, read from the first lines alone, and those after it."""
    with open(os.path.join(directory, "cuts.tsv"), encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    with tempfile.TemporaryDirectory() as scratch:
        for row in rows:
            path, cut = os.path.join(directory, row["file"]), int(row["cut"])
            prefix = os.path.join(scratch, os.path.basename(path))
            with open(path, "rb") as whole, open(prefix, "wb") as part:
                part.writelines(line for _, line in zip(range(cut), whole, strict=False))
            read = reader(row["agent"]).read
            yield row, list(read(prefix)), [entry for entry in read(path) if entry.line > cut]


def _report(found: dict[tuple[str, int], list[dict[str, float | None]]], spent: float) -> None:
    print(f"{'maker':10} {'budget':>6} {'cuts':>5} " + " ".join(f"{m:>9}" for m in (*MEASURES, "tokens")))
    for (name, budget), rows in sorted(
        found.items(), key=lambda item: (item[0][1], item[0][0] != "segue", item[0][0])
    ):
        cells = []
        for measure in (*MEASURES, "tokens"):
            values = [v for row in rows if (v := row[measure]) is not None]
            mean = sum(values) / len(values) if values else float("nan")
            cells.append(f"{mean:9.0f}" if measure == "tokens" else f"{mean:9.3f}")
        print(f"{name:10} {budget:6} {len(rows):5} " + " ".join(cells))
    print(f"{spent:.1f} s of CPU for our packets")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
