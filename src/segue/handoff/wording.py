"""Whether a text says the words that a handoff gives for it.

Words are compared by their letters and digits, in their order: spacing, marks and case are not what a quotation is
about, and whatever was cut, pasted or redacted may stand for anything. Command lines are compared as they are printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.handoff.quote import code, cut

TERMINAL = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
_MARKS = re.compile(r"^\s*\d{1,4}[.)]\s", re.M)
"""Numbers of a list, which are not told where a sentence of it is."""
_SPELLED = re.compile(r"[^\W_]+")
_GAP = re.compile(r"…|\[redacted:[^\]\s]*\]|\[… \d+ characters left out …\]|\[pasted, \d+ lines?: ")
_WAY = re.compile(r"\s*cd \S+\s*(?:&&|;|\n)")
_LONGEST = 1_000_000


def says(text: str, words: str) -> bool:
    """The text holds these words, as they stand and in their order, wherever they are whole. Marks alone, such as those
    of a fence or a table, are no words."""
    sought = [spelled(piece) for piece in _GAP.split(words)]
    return not any(sought) or any(_in_order(plain, sought) for plain in _readings(text))


def same_words(one: str, other: str) -> bool:
    """Two texts say the same; either may be cut."""
    return (says(one, other) and ("…" in other or says(other, one))) or ("…" in one and says(other, one))


def is_line(command: str, told: str) -> bool:
    """The command line is the one told, to its end but for what was cut or redacted. Line ends and the way to the
    directory where it ran may be left out."""
    pieces = [_squeezed(piece) for piece in _GAP.split(told)]
    line = _squeezed(printed(command.replace("\\\n", " ")))
    way = _WAY.match(command)
    begins = (0, len(_squeezed(way[0])) if way else 0)
    if (
        not line
        or not line.endswith(pieces[-1])
        or not any(line.startswith(pieces[0], begin) for begin in begins)
    ):
        return False
    place = 0
    for piece in pieces:
        found = line.find(piece, place)
        if found < 0:
            return False
        place = found + len(piece)
    return len(pieces) > 1 or place == len(line)


def printed(command: str) -> str:
    """A command line as a packet prints it, whole."""
    return code(cut(command, _LONGEST))[1:-1]


def _squeezed(line: str) -> str:
    return "".join(line.replace(";", " ").split())


def _readings(text: str) -> Iterator[str]:
    """The text in letters and digits, with and without the numbers of its lists and what steers a terminal."""
    yield f" {spelled(text)} "
    if _MARKS.search(text):
        yield f" {spelled(_MARKS.sub(' ', text))} "
    if "\x1b" in text:
        for instead in ("", " "):
            yield f" {spelled(TERMINAL.sub(instead, text))} "


def _in_order(plain: str, words: list[str]) -> bool:
    place = 0
    last = len(words) - 1
    for n, piece in enumerate(words):
        if piece:
            sought = f"{' ' * (n == 0)}{piece}{' ' * (n == last)}"
            found = plain.find(sought, place)
            if found < 0:
                return False
            place = found + len(sought) - (n == last)
    return True


def spelled(text: str) -> str:
    """Its letters and digits in lower case, a blank between words."""
    return " ".join(_SPELLED.findall(text.casefold()))
