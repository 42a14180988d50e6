"""Rules about what is wanted, what was done and what comes next."""

from __future__ import annotations

from collections.abc import Iterator

from segue.handoff.lint.reading import Reading
from segue.handoff.lint.rule import Given, Hit
from segue.model import prose

_SHOWN = 60


def shown(text: str) -> str:
    """The beginning of a text, as a message quotes it."""
    text = " ".join(text.split())
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


def no_objective(reading: Reading, given: Given) -> Iterator[Hit]:
    if reading.kind != "tc" and not reading.objective:
        section = "Task" if reading.kind == "packet" else "Current objective"
        yield Hit(section, "Nothing says what the work is for.")


def vague_objective(reading: Reading, given: Given) -> Iterator[Hit]:
    own = [said for said in reading.objective if not said.quoted]
    for said in own:
        if prose.vague_objective(said.text):
            yield Hit(
                said.where, f"{shown(said.text)} tells what was talked about, not what is to be reached."
            )


def vague_progress(reading: Reading, given: Given) -> Iterator[Hit]:
    own = [said for said in reading.progress if not said.quoted]
    if own and all(prose.vague_progress(said.text) for said in own):
        yield Hit(own[0].where, f"{shown(own[0].text)} does not say what was done.")


def no_progress(reading: Reading, given: Given) -> Iterator[Hit]:
    """Other forms may leave it out: what they carry shows what was done."""
    if reading.kind == "tc" and reading.at_work and not reading.progress:
        yield Hit("progress_summary", "Nothing says what was done.")


def not_past(reading: Reading, given: Given) -> Iterator[Hit]:
    for said in reading.progress if reading.kind == "tc" else ():
        if prose.not_past(said.text) and not prose.vague_progress(said.text):
            yield Hit(said.where, f"{shown(said.text)} tells of nothing that is done.")


def long_summary(reading: Reading, given: Given) -> Iterator[Hit]:
    for said in reading.progress if reading.kind == "tc" else ():
        sentences = prose.sentences(said.text)
        if sentences > 3:
            yield Hit(said.where, f"The summary has {sentences} sentences; it should have one to three.")


def no_next_step(reading: Reading, given: Given) -> Iterator[Hit]:
    if reading.at_work and not reading.steps and not _goal(reading):
        where = {"packet": "Task", "document": "Immediate next actions", "tc": "next_steps"}[reading.kind]
        yield Hit(where, "There is no next step.")


def goal_only(reading: Reading, given: Given) -> Iterator[Hit]:
    if not reading.steps and _goal(reading):
        yield Hit("Task", "There is a goal, but no first step towards it.")


def _goal(reading: Reading) -> bool:
    """A packet's task may be a goal that the person gave, and nothing more."""
    return reading.kind == "packet" and any(said.where.startswith("Task") for said in reading.objective)


def vague_step(reading: Reading, given: Given) -> Iterator[Hit]:
    for said in reading.steps:
        if prose.vague_step(said.text):
            yield Hit(said.where, f"{shown(said.text)} cannot be acted on or checked off.")


def not_imperative(reading: Reading, given: Given) -> Iterator[Hit]:
    for said in reading.steps:
        if not said.quoted and prose.not_an_order(said.text):
            yield Hit(said.where, f"{shown(said.text)} does not say what to do.")


def large_step(reading: Reading, given: Given) -> Iterator[Hit]:
    for said in reading.steps:
        sign = prose.too_large(said.text)
        if sign:
            yield Hit(said.where, f"{shown(said.text)} is more than 15 minutes of work: {sign}.")


def repeated(reading: Reading, given: Given) -> Iterator[Hit]:
    decided = tuple(decision.said for decision in reading.decisions)
    for role in (reading.steps, reading.blockers, reading.context, decided):
        first: dict[str, str] = {}
        for said in role:
            key = prose.bare(said.text)
            if key and key in first:
                yield Hit(said.where, f"{shown(said.text)} stands already at {first[key]}.")
            first.setdefault(key, said.where)
