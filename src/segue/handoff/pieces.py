"""Facts as the items of a packet, each with a rank.

The ranks are the drop order. From the last to go to the first: the goal; the person's words; what
fails, the first step and where it stopped; the names of files and commands, the other steps and what was
committed, pushed or opened; their symbols and outcomes; decisions, dead ends and other claims; earlier prompts
and the agent's last words; fuller forms of any of these. A preset lifts the groups that its kind of work turns on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from segue.handoff import ahead, done, said
from segue.handoff.fit import Piece, distinct
from segue.handoff.groups import FAILURE, PRESETS, TINY
from segue.model.facts import Facts

_TELLING = ("failing", "failed before", "flight", "running")
_BEFORE_WORDS = 96
_BEFORE_THE_REST, _BELOW_FAILURES = 94.5, 90
_ROOMY = 1500
"""Tokens from which a packet holds what was said on the way beside all names."""
_WEIGHTY = ("decided", "dead", "said")
_WEIGHTIEST = (86.1, 85.0, 80.5)
_SAID = (61.0, 59.0, 57.0, 55.0, 53.0)
"""Ranks of the weightiest of these in a small packet: among the names of commands, below those of changed files."""


def pieces(facts: Facts, budget: int) -> list[Piece]:
    found = [
        *said.asked(facts),
        *said.words(facts, budget),
        *said.decisions(facts),
        *said.claims(facts),
        *said.summaries(facts),
        *done.failing(facts),
        *done.stopped(facts, budget),
        *done.commands(facts),
        *done.repo(facts),
        *done.files(facts),
        *ahead.task(facts),
        *said.notes(facts),
    ]
    lifts = PRESETS.get(facts.preset, {})
    found = [_lifted(piece, lifts[piece.group]) if piece.group in lifts else piece for piece in found]
    if budget < TINY:
        return found
    if budget < _ROOMY:
        return _with_the_weightiest(found, _WEIGHTY, _WEIGHTIEST)
    return _with_the_weightiest(found, ("said",), _SAID)


def _with_the_weightiest(found: list[Piece], groups: Collection[str], ranks: Sequence[float]) -> list[Piece]:
    """The pieces, of which the weightiest of these groups have at least these ranks. In a small packet what was
    decided, given up or said on the way comes before the names of commands: those are seen again, why something
    was done is not; in a larger one some of what was said comes before all that is known of files."""
    first = sorted(
        (n for n, piece in enumerate(found) if piece.group in groups), key=lambda n: -found[n].rank
    )
    lifted = dict(zip(first, ranks, strict=False))
    return [
        piece._replace(forms=(piece.forms[0]._replace(rank=max(piece.rank, lifted[n])), *piece.forms[1:]))
        if n in lifted
        else piece
        for n, piece in enumerate(found)
    ]


def with_words_first(found: list[Piece], missing: Collection[int]) -> list[Piece]:
    """The pieces, of which these, words of the person, come before what fails and what was done."""
    return [
        piece._replace(
            forms=(piece.forms[0]._replace(rank=max(piece.rank, _BEFORE_THE_REST)), *piece.forms[1:])
        )
        if number in missing
        else piece
        for number, piece in enumerate(found)
    ]


def with_a_failure_named(found: list[Piece]) -> list[Piece]:
    """The pieces, of which the one that best tells what is open, a failure if there is one, shows its first
    line before anything a person said."""
    telling = [n for n, piece in enumerate(found) if piece.group in _TELLING]
    if not telling:
        return found
    best = min(telling, key=lambda n: (_TELLING.index(found[n].group), found[n].order))
    piece = found[best]
    first = piece.forms[0]
    named = first._replace(rank=_BEFORE_WORDS, text=first.text.partition("\n")[0])
    return [*found[:best], piece._replace(forms=distinct(named, *piece.forms)), *found[best + 1 :]]


def _lifted(piece: Piece, by: float) -> Piece:
    """The piece with higher ranks, but none that passes what fails."""
    most = _BEFORE_THE_REST if piece.what == FAILURE else _BELOW_FAILURES
    return piece._replace(
        forms=tuple(form._replace(rank=max(form.rank, min(form.rank + by, most))) for form in piece.forms)
    )
