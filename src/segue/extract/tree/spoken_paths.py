"""Paths in what was said, each with the symbols that the same sentence names.

A symbol of the next sentence may be of another file, or of none.
"""

from __future__ import annotations

from collections.abc import Iterator

from segue.extract.text import named
from segue.extract.text.symbols import spelled
from segue.model.patterns import compiled

_PATHISH = compiled(
    r"(?<![\w/.:*-])((?:~|\.{1,2})?/?(?:[\w@.+-]+/)*[\w@+-]*(?:\.[\w+-]+)*\.[A-Za-z]\w{0,9})(?![\w/(]|\.\w)"
)
_DOTTED = compiled(r"\.(?<=[\w+-]\.)[A-Za-z]")
"""Begins with what is rare, so that it is found fast."""
_BRAND = compiled(r"[A-Z]\w*\.js")
"""Node.js and its kin are spoken of like files."""
_LONGEST_ROW = 2000
_SHORTEST_SYMBOL = 6


def names_a_path(text: str) -> bool:
    """Something in it may be a path."""
    return _DOTTED.search(text) is not None


def spoken_paths(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """The paths of each sentence that has some, and the symbols beside them."""
    for row in text.split("\n"):
        if len(row) > _LONGEST_ROW or "." not in row or not _DOTTED.search(row):
            continue
        for sentence in row.replace("! ", ". ").replace("? ", ". ").split(". "):
            found, rest = _split_paths(sentence)
            meant = [path for word in found if (path := _path_in(word))]
            if meant:
                beside = [symbol for symbol in spelled(rest) if len(symbol) >= _SHORTEST_SYMBOL]
                yield list(dict.fromkeys(meant)), beside


def _split_paths(sentence: str) -> tuple[list[str], str]:
    """What is written like a path, and the rest. No path spans a space or lacks a letter after a dot, so most
    words need not be looked at."""
    found: list[str] = []
    rest = sentence.split()
    for place, word in enumerate(rest):
        if "." in word and _DOTTED.search(word):
            found += _PATHISH.findall(word)
            rest[place] = _PATHISH.sub(" ", word)
    return found, " ".join(rest)


def _path_in(word: str) -> str:
    """The path that a word in a text means; empty for methods, brands, alternatives like `a.ts/b.ts` and what is
    imported by an alias (`@/ui/button.tsx`)."""
    word = word[1:] if word.startswith("@") and "/" in word and word[1] != "/" else word
    if word.startswith(("..", "@/")) or _BRAND.fullmatch(word) or not named.as_path(word):
        return ""
    above = word.split("/")[:-1]
    return "" if any(named.as_path(part) for part in above) else word
