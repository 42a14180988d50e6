"""Rules about what a handoff claims, decides, warns of and is stopped by."""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.handoff.lint.reading import Reading, Said
from segue.handoff.lint.rule import Given, Hit
from segue.handoff.lint.steps import excerpt
from segue.model import prose
from segue.model.facts import PROVEN

_WORD = re.compile(r"\w{4,}")


def unproven_claim(reading: Reading, given: Given) -> Iterator[Hit]:
    for said in reading.everything():
        if said.state in PROVEN and not said.pointed and not prose.proven(said.text):
            yield Hit(
                said.where,
                f"{excerpt(said.text)} is called {said.state!r} without a place or a result that shows it.",
            )


def buried_blocker(reading: Reading, given: Given) -> Iterator[Hit]:
    """A packet has no list of blockers: there they may stand anywhere."""
    if reading.kind == "packet":
        return
    for said in (*reading.progress, *reading.context):
        if (
            not said.quoted
            and not said.pointed
            and prose.tells_blocker(said.text)
            and not _listed(said, reading.blockers)
        ):
            target = "blockers" if reading.kind == "tc" else "Open threads"
            yield Hit(said.where, f"{excerpt(said.text)} is a blocker; it belongs in {target}.")


def buried_decision(reading: Reading, given: Given) -> Iterator[Hit]:
    for said in reading.context:
        if not said.quoted and prose.tells_decision(said.text) and not _listed(said, reading.decisions):
            yield Hit(
                said.where,
                f"{excerpt(said.text)} is a decision; it belongs among the decisions, with its reason.",
            )


def _listed(said: Said, among: tuple[Said, ...]) -> bool:
    """Something of the same content stands there already."""
    words = set(_WORD.findall(said.text.lower()))
    return any(len(words & set(_WORD.findall(other.text.lower()))) * 2 >= len(words) for other in among)
