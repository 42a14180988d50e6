"""Grounding: which planted falsehoods `segue ground` finds in true packets, and how often it alarms on a true row.

Run `python benchmarks judgement [--packets DIR] [--plantings N] [--smallest] [--exam MODEL]`. A packet is Markdown whose first line
names its session, `<!-- session: PATH -->`, relative to the project; those of this folder were written for fixtures. Thirteen
kinds of falsehoods are planted (`plants.py`), one in a packet at a time, the same for the same seed. The yardstick is what a
check of pointers alone finds: the line exists and shares a word with the row. `--exam MODEL` asks a model instead what the
packets of this folder tell (`exam.py`).
"""

from __future__ import annotations

import glob
import os
import random
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import exam
from measure import Line, options, report
from plants import KINDS, POINTER, WORD, Plant, View, adversarial, plants, view

from segue.agents.whole_lines import whole_lines
from segue.handoff.ground import Session, Statement, judge
from segue.handoff.ground.judgement import checkable
from segue.handoff.ground.statements import statements
from segue.model.entry import Entry
from segue.service.sessions import lookup
from segue.service.sessions.own_traces import without

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SEED = 7
CAUGHT, FALSE_ALARMS, ADVERSARIAL = 95.0, 3.0, 200
_SESSION = re.compile(r"<!-- session: (.+?) -->")


class Packet(NamedTuple):
    name: str
    rows: list[str]
    entries: list[Entry]
    session: Session
    seen: View


def packets(folder: str) -> Iterator[Packet]:
    for path in sorted(glob.glob(os.path.join(folder, "*.md"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        named = _SESSION.search(text)
        if named is None:
            sys.exit(f"{path} does not name its session: <!-- session: PATH -->")
        source = lookup.find(os.path.join(ROOT, named[1]), directory=ROOT)
        entries = [entry for entry in without(source.entries()) if entry.kind != "meta"]
        name, whole = os.path.basename(path), whole_lines(source.path)
        yield Packet(name, text.split("\n"), entries, Session.of(entries, whole), view(entries, whole))


def alarmed(rows: list[str], session: Session, refused: bool = True, only: int = 0) -> set[int]:
    """Lines of the text with a statement that is refused; else also those whose pointers are called wrong. `only` is the
    one line that is asked for."""
    every = list(statements("\n".join(rows)))
    told = frozenset(line for statement in every for line in statement.lines)
    found = (
        judge(statement, session, told=told)
        for statement in every
        if checkable(statement) and (not only or statement.at == only)
    )
    return {
        judged.statement.at
        for judged in found
        if judged.severity in ("warning", "error") and (not refused or judged.verdict != "elsewhere")
    }


def pointer_alone(row: str, seen: View) -> bool:
    """The yardstick's alarm: a line that is not there, or none of the lines shares a word with the row."""
    lines = [int(n) for pointer in POINTER.findall(row) for n in re.findall(r"\d+", pointer)]
    words = {word.casefold() for word in WORD.findall(POINTER.sub(" ", row))}
    near = "\n".join(seen.texts.get(line, "") for line in lines).casefold()
    return any(line not in seen.texts for line in lines) or not any(word in near for word in words)


def caught(packet: Packet, n: int, plant: Plant) -> bool:
    session = Session.of([*packet.entries, *plant.more]) if plant.more else packet.session
    rows = [*packet.rows[:n], plant.text, *packet.rows[n + 1 :]]
    return bool(alarmed(rows, session, refused=plant.kind != "moved pointer", only=n + 1))


def main() -> int:
    sizes = options(__doc__, packets=(os.path.join(HERE, "packets"), None), plantings=(3, 1), exam=("", ""))
    folder = sizes.packets or os.path.join(HERE, "packets")
    if sizes.exam:
        return exam.held(sizes.exam, os.path.join(HERE, "packets"))
    every = list(packets(folder))[: 1 if sizes.smallest else None]
    rng = random.Random(SEED)
    counts = {kind: [0, 0, 0] for kind in KINDS}
    rows = false = naive = kept = asked = 0
    for packet in every:
        wrong = alarmed(packet.rows, packet.session, refused=False)
        for n, row in enumerate(packet.rows):
            if not POINTER.search(row):
                continue
            rows += 1
            false += n + 1 in wrong
            naive += pointer_alone(row, packet.seen)
            for plant in (made for _ in range(sizes.plantings) for made in plants(row, packet.seen, rng)):
                count = counts[plant.kind]
                count[0] += 1
                count[1] += caught(packet, n, plant)
                count[2] += pointer_alone(plant.text, packet.seen)
    while every and asked < (ADVERSARIAL if not sizes.smallest else 10):
        packet = rng.choice(every)
        text, pointed, more = adversarial(packet.rows, packet.seen, rng)
        session = Session.of([*packet.entries, *more]) if more else packet.session
        asked += 1
        kept += judge(Statement(text, pointed), session).verdict in ("shown", "elsewhere")
    lines = [
        Line(
            f"caught: {kind} ({made})",
            100 * ours / made,
            "%",
            100 * raw / made or None,
            f">= {CAUGHT:g} %",
            ours >= CAUGHT * made / 100,
        )
        for kind, (made, ours, raw) in counts.items()
        if made
    ]
    share = 100 * false / (rows or 1)
    lines.append(
        Line(
            f"false alarms ({false} of {rows})",
            share,
            "%",
            100 * naive / (rows or 1),
            f"<= {FALSE_ALARMS:g} %",
            share <= FALSE_ALARMS,
        )
    )
    lines.append(Line(f"unsupported kept of {asked}", kept, "", None, "0", kept == 0))
    note = "raw: the line exists and shares a word with the row"
    held = report(
        "judgement", lines, note, not sizes.smallest, packets=len(every), rows=rows, plantings=sizes.plantings
    )
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
