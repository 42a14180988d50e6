"""Rules about what is wanted, what was done and what comes next."""

from __future__ import annotations

from collections.abc import Iterator

from segue.handoff.lint.reading import Reading
from segue.handoff.lint.rule import Given, Hit
from segue.model import prose
from segue.model.packet import GOAL, NEXT

_SHOWN = 60


def excerpt(text: str) -> str:
    """The beginning of a text, as a message quotes it."""
    text = " ".join(text.split())
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


def no_objective(reading: Reading, given: Given) -> Iterator[Hit]:
    """A packet that opens with what comes next tells all that was asked for, if only that nothing was."""
    opened = reading.kind == "packet" and reading.parsed and reading.parsed.under(NEXT)
    if reading.kind != "tc" and not reading.objective and not opened:
        section = "Task" if reading.kind == "packet" else "Current objective"
        yield Hit(section, "Nothing says what the work is for.")


def vague_progress(reading: Reading, given: Given) -> Iterator[Hit]:
    own = [said for said in reading.progress if not said.quoted]
    if own and all(prose.vague_progress(said.text) for said in own):
        yield Hit(own[0].where, f"{excerpt(own[0].text)} does not say what was done.")


def no_progress(reading: Reading, given: Given) -> Iterator[Hit]:
    """Other forms may leave it out: what they carry shows what was done."""
    if reading.kind == "tc" and reading.at_work and not reading.progress:
        yield Hit("progress_summary", "Nothing says what was done.")


def not_past(reading: Reading, given: Given) -> Iterator[Hit]:
    for said in reading.progress if reading.kind == "tc" else ():
        if prose.not_past(said.text) and not prose.vague_progress(said.text):
            yield Hit(said.where, f"{excerpt(said.text)} tells of nothing that is done.")


def long_summary(reading: Reading, given: Given) -> Iterator[Hit]:
    for said in reading.progress if reading.kind == "tc" else ():
        sentences = prose.sentences(said.text)
        if sentences > 3:
            yield Hit(said.where, f"The summary has {sentences} sentences; it should have one to three.")


def no_next_step(reading: Reading, given: Given) -> Iterator[Hit]:
    """The goal that a packet opens with is a task, too."""
    goal = reading.parsed.under(GOAL) if reading.parsed else ()
    if reading.at_work and not reading.steps and not goal:
        where = {"packet": "Task", "document": "Immediate next actions", "tc": "next_steps"}[reading.kind]
        yield Hit(where, "There is no next step.")
