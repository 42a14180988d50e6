"""What hides a secret from the rules though a reader sees it: colours of a terminal, overstriking, escapes.

A colour code ends in a letter and an escape in a letter or digit, so that a token right behind one has no
boundary. A view is the text as a reader sees it; what is found in a view is told by its place in the text, so
that nothing but the secret goes. Only texts that hold the beginning of one are looked at like this.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cache

from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_MARKS = "\t\n\r \"#%&'()+,/:;<=>?@[\\]`{|}"
"""What stands before and after names and values, and is escaped where they stand in an address or a string."""
ANCHORS = (
    *("\\u00", "\\033", "\\e", "\\x1b"),
    *(f"\\x{ord(mark):02x}" for mark in _MARKS),
    *(f"%{ord(mark):02x}" for mark in _MARKS),
)
"""How every escape begins, in small letters. Of the codes of terminals `of_terminal` knows: their bytes, which stand in
no other anchor, would double the automaton."""

_CODE = rb"[0-?]{0,64}+[ -/]{0,4}+[@-~]"
_STRING = rb"[^\x07\x1b\n]{0,2048}+(?:\x07|\x1b\\)"
"""A link, a title: seen by the terminal alone."""
_OF_TERMINALS = (
    rb"(?<=\x1b)(?:\[" + _CODE + rb"|[\]P^_X]" + _STRING + rb"|[ -/]{0,4}+[0-~]|)|(?<=\xc2)\x9b" + _CODE
)
_WRITTEN_OUT = rb"(?<=\\)\\{0,7}+(?:u001[bB]|x1[bB]|033|e)\[" + _CODE
_ESCAPED = rb"(?:(?<=%)(?:25){0,3}+|(?<=\\)\\{0,7}+(?:u00|x))(?P<code>[0-7][0-9A-Fa-f])"
# Begun by one set of characters, so that all others are passed over quickly.
_VEIL = rb"[\x1b\xc2\\%](?:" + _OF_TERMINALS + rb"|" + _WRITTEN_OUT + rb"|" + _ESCAPED + rb")"
_COLOUR = rb"[\x1b\xc2](?:" + _OF_TERMINALS + rb")"
_OVERSTRUCK = (
    rb"(?:(?:[\x00-\x07\x09\x0b\x0c\x0e-\x7f]|[\xc0-\xff][\x80-\xbf]{1,3}+)\x08){1,8}+(?P<over>[ -~])"
)


class View(NamedTuple):
    """A text as a reader sees it. It is made of pieces: where each begins in it, and from where to where it stands in
    the text."""

    data: bytes
    begins: list[int]
    places: list[tuple[int, int]]

    def placed(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text stands what in the view goes from `start` to `end`."""
        first, last = bisect_right(self.begins, start) - 1, bisect_left(self.begins, end) - 1
        begin = self.places[first][0] + (start - self.begins[first] if self._is_kept(first) else 0)
        stop = self.places[last][0] + end - self.begins[last] if self._is_kept(last) else self.places[last][1]
        return begin, stop

    def _is_kept(self, piece: int) -> bool:
        """True for a piece that is the same in the text."""
        after = self.begins[piece + 1] if piece + 1 < len(self.begins) else len(self.data)
        begin, end = self.places[piece]
        return after - self.begins[piece] == end - begin


class _Piece(NamedTuple):
    """A veil: from where to where it stands in the text, and what a reader sees of it, `None` of a terminal's code."""

    start: int
    end: int
    seen: bytes | None


def of_terminal(data: bytes) -> bool:
    """True for a text that may hold a code of a terminal, or a backspace."""
    # Bytes are asked for a number five times as fast as for other bytes.
    return 0x1B in data or 0x08 in data or (0x9B in data and b"\xc2\x9b" in data)


def views(data: bytes) -> Iterator[View]:
    """The text as a reader sees it, and once more with its colour codes as spaces: one may stand inside a word, or
    between two."""
    pieces = _pieces(data)
    if pieces:
        yield _view(data, pieces, b"")
        if any(piece.seen is None for piece in pieces):
            yield _view(data, pieces, b" ")


def render(data: bytes) -> bytes:
    """The text as a terminal shows it."""
    return compiled(_COLOUR).sub(
        b"", compiled(_OVERSTRUCK).sub(rb"\g<over>", data) if b"\b" in data else data
    )


def _pieces(data: bytes) -> list[_Piece]:
    return [_Piece(*found.span(), _seen(found)) for found in _veil(b"\b" in data).finditer(data)]


def _seen(veil: re.Match[bytes]) -> bytes | None:
    told = veil.lastgroup
    if told == "code":
        return bytes((int(veil["code"], 16),))
    return veil["over"] if told else None


@cache
def _veil(overstruck: bool) -> re.Pattern[bytes]:
    """Made where it is first needed: most sessions hold no veil."""
    return compiled(_VEIL + rb"|" + _OVERSTRUCK if overstruck else _VEIL)


def _view(data: bytes, pieces: list[_Piece], joint: bytes) -> View:
    parts: list[bytes] = []
    begins: list[int] = []
    places: list[tuple[int, int]] = []
    size = done = 0

    def put(part: bytes, start: int, end: int) -> None:
        nonlocal size
        if part:
            parts.append(part)
            begins.append(size)
            places.append((start, end))
            size += len(part)

    for start, end, seen in pieces:
        put(data[done:start], done, start)
        put(joint if seen is None else seen, start, end)
        done = end
    put(data[done:], done, len(data))
    return View(b"".join(parts), begins, places)
