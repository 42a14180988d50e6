"""The ruler: what the packets of `segue handoff` keep, beside a control made from structure alone, in one run.

Run `python benchmarks quality [--budget N] [--cuts N] [--corpus DIR]`. Sessions are cut, the command gets what came
before, and the packet is scored by what is known of the session without the program (`truth.py`). The sessions are
the test fixtures, cut before prompts, and those of a corpus with a `cuts.tsv` (columns split, agent, file, cut, goal)
where there is one. Nothing from there is kept. Every figure is a share of items; the counts stand beside it.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from control import control
from measure import Line, options, report
from score import MEASURES, Score, score
from transcript import AGENTS, read
from truth import truth

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FIXTURES = os.path.join(ROOT, "tests", "fixtures", "agents")
CORPUS = os.path.join(os.path.dirname(ROOT), "shared", "corpus")
CHARACTERS = 4
"""Characters that count as a token, for both alike; what goes beyond the budget is not read."""
EACH_FIXTURE = 2
FLOOR = 0.6
"""The part of the control's mean that packets must not fall below. The control is made with the ruler's own reading and
lists what the ruler looks for, so it is more than a rival: to reach it on every measure is to lose nothing that the
structure alone shows."""


class Cut(NamedTuple):
    agent: str
    path: str
    lines: int
    goal: str


def fixtures(only: str = "") -> Iterator[Cut]:
    """Every fixture of a format the ruler reads, or those of one name, cut before its last prompts."""
    for agent in AGENTS:
        for name in sorted(os.listdir(os.path.join(FIXTURES, agent))):
            if only not in ("", name):
                continue
            path = os.path.join(FIXTURES, agent, name, "input.jsonl")
            if not os.path.isfile(path):
                continue
            said = [step for step in read(agent, path) if step.kind == "person" and step.text.strip()]
            for step in said[1:][-EACH_FIXTURE:]:
                yield Cut(agent, path, step.line - 1, " ".join(step.text.split())[:200])


def of_corpus(folder: str, most: int) -> list[Cut]:
    """Its cuts of the development split, or so many of them, evenly spread."""
    table = os.path.join(folder, "cuts.tsv")
    if not os.path.isfile(table):
        return []
    with open(table, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["split"] == "dev"]
    cuts = [
        Cut(row["agent"], os.path.join(folder, row["file"]), int(row["cut"]), row["goal"][:200])
        for row in rows
        if row["agent"] in AGENTS
    ]
    step = max(1, len(cuts) // most) if most else 1
    return cuts[::step]


def handed_off(cut: Cut, scratch: str, budget: int) -> str:
    """What the command writes for what came before the cut; empty, and told, where it refuses."""
    prefix, out = os.path.join(scratch, "session.jsonl"), os.path.join(scratch, "packet.md")
    with open(cut.path, "rb") as whole, open(prefix, "wb") as part:
        part.writelines(line for _, line in zip(range(cut.lines), whole, strict=False))
    if os.path.exists(out):
        os.unlink(out)
    command = [sys.executable, "-m", "segue", "handoff", cut.goal, "--from", prefix, "--out", out]
    ran = subprocess.run(
        [*command, "--budget", str(budget)],
        cwd=scratch,
        env={**os.environ, "HOME": scratch, "XDG_CACHE_HOME": scratch, "XDG_CONFIG_HOME": scratch},
        capture_output=True,
        text=True,
    )
    if ran.returncode:
        print(f"  no packet of {os.path.basename(cut.path)} at {cut.lines}: {ran.stderr.strip()[:200]}")
        return ""
    with open(out, encoding="utf-8") as file:
        return file.read()


def added(scores: list[Score], measure: str) -> tuple[int, int]:
    return sum(one[measure][0] for one in scores), sum(one[measure][1] for one in scores)


def lines_of(ours: list[Score], theirs: list[Score]) -> Iterator[Line]:
    """The share of every measure in percent, and of all items together, which has the target."""
    parts = {measure: (added(ours, measure), added(theirs, measure)) for measure in MEASURES}
    for measure, ((found, wanted), (plain, _)) in parts.items():
        if wanted:
            yield Line(
                f"{measure}: {found} of {wanted}, control {plain}",
                100 * found / wanted,
                "%",
                100 * plain / wanted,
            )
    shares = [(found / wanted, plain / wanted) for (found, wanted), (plain, _) in parts.values() if wanted]
    mean, other = (100 * sum(side) / max(1, len(shares)) for side in zip((0.0, 0.0), *shares, strict=True))
    yield Line("mean of the measures", mean, "%", other, f">= {FLOOR:g} x raw", mean >= FLOOR * other)


def main() -> int:
    given = options(__doc__, budget=(2000, 2000), cuts=(60, 1), corpus=(CORPUS, ""))
    cuts = [*of_corpus(given.corpus, given.cuts), *fixtures("session" if given.smallest else "")]
    ours: list[Score] = []
    theirs: list[Score] = []
    with tempfile.TemporaryDirectory() as scratch:
        for cut in cuts:
            steps = read(cut.agent, cut.path)
            before = [step for step in steps if step.line <= cut.lines]
            wanted = truth(before, [step for step in steps if step.line > cut.lines])
            room = given.budget * CHARACTERS
            ours.append(score(handed_off(cut, scratch, given.budget)[:room], wanted))
            theirs.append(score(control(before, room), wanted))
    lines = list(lines_of(ours, theirs))
    note = "raw is the control: structure alone. Shares are of items over all cuts."
    return 0 if report("quality", lines, note, not given.smallest, cuts=len(cuts), budget=given.budget) else 1


if __name__ == "__main__":
    sys.exit(main())
