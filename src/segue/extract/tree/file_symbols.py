"""The symbols of a file: names by which one finds the place again where it was worked on.

A name that an edit took out, and none put in again, leads nowhere and is none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from segue.extract.text.prose import start
from segue.extract.text.symbols import symbols_in
from segue.model.value import NamedTuple

_LIMIT = 1500
_SURELY_WHOLE = 900
"""A longer text may have been cut by whoever read it."""
_BETWEEN = "\0"
_AGES = 0.85
"""What an edit weighs to the one after it."""


class Body(NamedTuple):
    """What an edit put into a file, and what that replaced: as wholes or their beginnings."""

    new: str
    old: str

    @classmethod
    def of(cls, kept: str) -> Body:
        new, _, old = kept.partition(_BETWEEN)
        return cls(new, old)

    @staticmethod
    def join_texts(new: str, old: str) -> str:
        """One as a text."""
        return f"{start(new, _LIMIT)}{_BETWEEN}{start(old, _LIMIT // 2)}"

    @property
    def whole(self) -> bool:
        return len(self.new) < _SURELY_WHOLE


def weights(bodies: Sequence[Body], sought: Sequence[str], named: Mapping[str, int]) -> dict[str, float]:
    """What each symbol weighs: by the edits of the file, the last one first, by what was `sought` in it, and by how
    often it was `named` beside it."""
    found: dict[str, float] = {}
    put_in: set[str] = set()
    taken_out: set[str] = set()
    for age, body in enumerate(bodies):
        for symbol, times in symbols_in(f"{body.new}\n{body.old}").items():
            found[symbol] = found.get(symbol, 0) + times * _AGES**age
            if symbol in body.new:
                put_in.add(symbol)
            elif body.whole and symbol not in put_in:
                taken_out.add(symbol)
    for text in sought:
        for symbol in symbols_in(text):
            found[symbol] = found.get(symbol, 0) + 1
    for symbol, times in named.items():
        found[symbol] = found.get(symbol, 0) + 1.2 * min(times, 3)
    return {symbol: weight for symbol, weight in found.items() if symbol not in taken_out}
