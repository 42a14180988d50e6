"""Facts as the items of a packet, each with its rank in the drop order (see `ranks`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from segue.handoff import ahead, done, ranks, said
from segue.handoff.fit import Piece, distinct
from segue.handoff.groups import FAILURE
from segue.model.facts import Facts

_TELLING = ("failing", "failed last", "failed before", "flight", "running")
_WEIGHTY = ("decided", "dead", "said")
_WEIGHTIEST = tuple(row.rank for row in (ranks.WEIGHTIEST, ranks.SECOND_WEIGHTIEST, ranks.THIRD_WEIGHTIEST))
_SAID = tuple(map(ranks.AMONG_NAMES.at, range(ranks.SAID_AMONG_NAMES)))


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
        *ahead.task(facts, budget),
        *said.notes(facts),
    ]
    lifts = ranks.PRESETS.get(facts.preset, {})
    found = [_lifted(piece, lifts[piece.group]) if piece.group in lifts else piece for piece in found]
    if budget < ranks.TINY:
        return found
    if budget < ranks.ROOMY:
        return _with_the_weightiest(found, _WEIGHTY, _WEIGHTIEST)
    return _with_the_weightiest(found, ("said",), _SAID)


def _with_the_weightiest(found: list[Piece], groups: Collection[str], least: Sequence[float]) -> list[Piece]:
    """The pieces, of which the weightiest of these groups have at least these ranks. In a small packet what was
    decided, given up or said on the way comes before the names of commands: those are seen again, why something
    was done is not; in a larger one some of what was said comes before all that is known of files."""
    first = sorted(
        (n for n, piece in enumerate(found) if piece.group in groups), key=lambda n: -found[n].rank
    )
    lifted = dict(zip(first, least, strict=False))
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
            forms=(piece.forms[0]._replace(rank=max(piece.rank, ranks.LIFTED_WORD.rank)), *piece.forms[1:])
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
    named = first._replace(rank=ranks.NAMED.rank, text=first.text.partition("\n")[0])
    return [*found[:best], piece._replace(forms=distinct(named, *piece.forms)), *found[best + 1 :]]


def _lifted(piece: Piece, by: float) -> Piece:
    """The piece with higher ranks, but none that passes what fails."""
    most = (ranks.LIFTED_WORD if piece.what == FAILURE else ranks.LIFTED).rank
    return piece._replace(
        forms=tuple(form._replace(rank=max(form.rank, min(form.rank + by, most))) for form in piece.forms)
    )
