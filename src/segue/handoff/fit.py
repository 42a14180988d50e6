"""Fitting a packet into its budget: pieces by rank, exact to the token.

Every item of a packet is a piece that can be shown in one or more forms, from the briefest to the
fullest, each with its own rank. Forms are taken in the order of their ranks as long as they fit, a
fuller one in place of the briefer. A vital piece closes the door behind it: once it does not fit,
nothing of lower rank gets in. So does a bare name behind it for the names of its group: a file that was
read does not stand where a modified one was dropped for its longer path.
"""

from __future__ import annotations

from collections.abc import Callable

from segue.model.value import NamedTuple

Count = Callable[[str], int]


class Form(NamedTuple):
    """`brief` forms of a group share one line."""

    rank: float
    text: str
    brief: bool = False


class Head(NamedTuple):
    """A line that several pieces share: paid for by the first of them. `key` tells equal texts apart."""

    key: str
    text: str


class Piece(NamedTuple):
    group: str
    """The label under which it stands; the first piece of a group also pays for the label."""
    order: float
    """Its place within the group."""
    what: str
    """What is missing when it is left out, as it is counted: a file, a command."""
    forms: tuple[Form, ...]
    under: str = ""
    """A sub-heading within the group, as a directory is among files."""
    vital: bool = False
    lines: tuple[int, ...] = ()

    @property
    def rank(self) -> float:
        return self.forms[0].rank


class Fitted(NamedTuple):
    """`shown` maps a piece's number to the form chosen; `left_out` are the numbers of the rest."""

    shown: dict[int, Form]
    left_out: tuple[int, ...]


def distinct(*offered: Form) -> tuple[Form, ...]:
    """The forms of a piece without those that say the same as the one before, or only on a line of their own."""
    kept = offered[:1]
    for form in offered[1:]:
        if form.text not in (kept[-1].text, f"- {kept[-1].text}"):
            kept = (*kept, form)
    return kept


def fit(pieces: list[Piece], room: int, count: Count, heads: Callable[[Piece, Form], list[Head]]) -> Fitted:
    """The pieces that fit into `room` tokens, best ranks first. `heads` are the lines that a form stands
    under; each is paid for once."""
    offers = sorted(
        (-min(form.rank, piece.rank), number, level)
        for number, piece in enumerate(pieces)
        for level, form in enumerate(piece.forms)
    )
    shown: dict[int, Form] = {}
    costs: dict[int, int] = {}
    paid: set[str] = set()
    closed: set[str] = set()
    for _, number, level in offers:
        piece = pieces[number]
        form = piece.forms[level]
        if number not in shown and (level or (form.brief and piece.group in closed)):
            continue
        before = costs.get(number, 0)
        own, new = _least(form.text), []
        if own - before <= room:
            own = count(f", {form.text}" if form.brief else f"{form.text}\n")
            new = [head for head in heads(piece, form) if head.key not in paid]
        cost = own - before + sum(count(f"{head.text}\n\n") for head in new)
        if cost <= room:
            room -= cost
            costs[number] = own
            shown[number] = form
            paid.update(head.key for head in new)
        elif piece.vital and not level:
            break
        elif form.brief:
            closed.add(piece.group)
    return Fitted(shown, tuple(n for n in range(len(pieces)) if n not in shown))


def _least(text: str) -> int:
    """Tokens that a text has at least, as no token reaches over two words: it need not be counted to be too long."""
    return len(text.split())


def without_weakest(fitted: Fitted, pieces: list[Piece]) -> Fitted:
    """One piece less: the shown one that was to be given up first."""
    weakest = min(fitted.shown, key=lambda n: (pieces[n].rank, -n))
    shown = {n: form for n, form in fitted.shown.items() if n != weakest}
    return Fitted(shown, tuple(sorted((*fitted.left_out, weakest))))
