"""Fitting a packet into its budget: pieces by rank, exact to the token.

Every line of a packet is a piece with a rank. Pieces are taken in the order of their ranks as long
as they fit; a longer form of a piece is a second, lower rank. A piece that must not be lost before
lesser ones closes the door behind it: once it does not fit, nothing of lower rank gets in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

Count = Callable[[str], int]


class Piece(NamedTuple):
    """One line, or a few that stand or fall together."""

    group: str
    """The label under which it stands; the first piece of a group also pays for the label."""
    order: int
    """Its place within the group."""
    rank: float
    text: str
    what: str
    """What is missing when it is left out, as it is counted: a file, a command."""
    longer: str = ""
    longer_rank: float = 0.0
    under: str = ""
    """A sub-heading within the group, as a directory is among files."""
    vital: bool = False
    lines: tuple[int, ...] = ()


class Fitted(NamedTuple):
    """`shown` maps a piece's number to the form chosen; `left_out` are the numbers of the rest."""

    shown: dict[int, str]
    left_out: tuple[int, ...]


def fit(pieces: list[Piece], room: int, count: Count, labels: dict[str, str]) -> Fitted:
    """The pieces that fit into `room` tokens, best ranks first."""
    offers = sorted(_offers(pieces), key=lambda o: (-o[0], o[1], o[2]))
    shown: dict[int, str] = {}
    paid: set[str] = set()
    costs: dict[int, int] = {}
    for _, number, longer in offers:
        piece = pieces[number]
        if longer and number not in shown:
            continue
        text = piece.longer if longer else piece.text
        heads = [
            h
            for h in (piece.group, f"{piece.group}\n{piece.under}" if piece.under else "")
            if h and h not in paid
        ]
        cost = count(text + "\n") - costs.get(number, 0) + sum(_head_cost(h, labels, count) for h in heads)
        if cost <= room:
            room -= cost
            costs[number] = costs.get(number, 0) + cost - sum(_head_cost(h, labels, count) for h in heads)
            shown[number] = text
            paid.update(heads)
        elif piece.vital and not longer:
            break
    return Fitted(shown, tuple(n for n in range(len(pieces)) if n not in shown))


def _offers(pieces: list[Piece]) -> Iterable[tuple[float, int, bool]]:
    for number, piece in enumerate(pieces):
        yield piece.rank, number, False
        if piece.longer:
            yield min(piece.longer_rank, piece.rank), number, True


def _head_cost(head: str, labels: dict[str, str], count: Count) -> int:
    under = head.split("\n", 1)
    text = under[1] if len(under) > 1 else labels.get(head, "")
    return count(text + "\n\n") if text else 0


def weakest(fitted: Fitted, pieces: list[Piece]) -> int | None:
    """The shown piece to give up first."""
    return min(fitted.shown, key=lambda n: (pieces[n].rank, -n), default=None)


def without(fitted: Fitted, number: int) -> Fitted:
    shown = {n: text for n, text in fitted.shown.items() if n != number}
    return Fitted(shown, tuple(sorted((*fitted.left_out, number))))
