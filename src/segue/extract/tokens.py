"""Token counts, exact and offline, in o200k: the unit in which budgets are written.

A text is cut into words as the models' tokenizers cut it, and each word is looked up once. No word reaches from one
line into the next, unless that begins with white space or a slash; so lines are counted once, too, however often a
packet is put together again.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate, pairwise
from unicodedata import category

from segue.extract.vocabulary import tokens_of
from segue.model.patterns import compiled

_BOTH, _MARK = "ª", "º"
"""Stand for every letter that is neither capital nor small, and for every mark: both may stand among either, and a mark
among signs, too."""
_UPPER, _LOWER = f"[A-Z{_BOTH}{_MARK}]", f"[a-z{_BOTH}{_MARK}]"
_WORDS = compiled(
    rf"[^\r\n0-9A-Za-z{_BOTH}]?(?:{_UPPER}*{_LOWER}+|{_UPPER}+{_LOWER}*)"
    r"(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?"
    rf"|[0-9]{{1,3}}| ?[^\s0-9A-Za-z{_BOTH}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    re.ASCII,
).findall
"""The words of a text whose letters, figures and blanks outside ASCII were replaced by others of their kind."""
_FOREIGN = compiled(r"[^\x00-\x7f]+")
_LINE_ENDS = compiled(r"\n(?=[^\s/]|\Z)").split
_SIGN = "!"
_KINDS = {"Lu": "A", "Lt": "A", "Ll": "a", "L": _BOTH, "M": _MARK, "N": "0"}


def count(text: str) -> int:
    """How many tokens the text is. Spelled-out control tokens count as the plain text they are."""
    *lines, rest = _LINE_ENDS(text)
    return sum(map(_of_line, lines)) + _of_words(rest)


@lru_cache(maxsize=1 << 12)
def _of_line(line: str) -> int:
    return _of_words(line + "\n")


def _of_words(text: str) -> int:
    if text.isascii() or set(map(_kind, "".join(_FOREIGN.findall(text)))) == {_SIGN}:
        return sum(map(_of_word, _WORDS(text)))
    sizes = map(len, _WORDS(_FOREIGN.sub(_kinds, text)))
    return sum(_of_word(text[start:end]) for start, end in pairwise(accumulate(sizes, initial=0)))


@lru_cache(maxsize=1 << 15)
def _of_word(word: str) -> int:
    return tokens_of(word.encode("utf-8", "surrogatepass"))


def _kinds(foreign: re.Match[str]) -> str:
    return "".join(map(_kind, foreign[0]))


@lru_cache(maxsize=1 << 12)
def _kind(character: str) -> str:
    """The character of ASCII, or the one for both cases, that is cut as this one is."""
    if character.isspace():
        return "\t"
    found = category(character)
    return _KINDS.get(found) or _KINDS.get(found[0], _SIGN)
