"""Code symbols: the names by which one finds a place in a file again.

A symbol is a name that cannot be an ordinary word: two humps, an underscore, or three parts
joined by hyphens. They rank by how often and how lately they were handled in a file, a
definition counting double, and by how much they belong to that file alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from segue.model.patterns import compiled

_RUN = compiled(r"[\w-]{2,}")
"""Letters, digits, underscores and hyphens as far as they reach; a symbol is all of one."""
_APART = bytes(byte if chr(byte).isalnum() or chr(byte) in "_-" else 32 for byte in range(128)) + bytes(128)
"""Blanks for what no run of ASCII holds: to translate and split a text takes a third of the time of the pattern."""
_SYMBOL = compiled(
    r"(?:[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|[A-Z]{2,}[a-z][A-Za-z0-9]*"
    r"|_*[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|[a-z0-9]+(?:-[a-z0-9]+){2,})"
)
_DEFINED = compiled(
    r"\b(?:def|class|func(?:tion)?|fn|struct|enum|trait|interface|type|module|macro_rules!)\s+"
    r"(?:\([^()]{0,60}\)\s*)?([A-Za-z_]\w{3,})"
)
_SHORTEST, _LONGEST = 5, 60
_NUMBERY = compiled(r"\d|.*(?:REDACTED|(?=[0-9a-f]*\d)[0-9a-f]{8,})")
"""Ids and hashes that happen to be written like names."""


@lru_cache(maxsize=1 << 14)
def is_symbol(word: str) -> bool:
    """The whole word is one symbol, of any length."""
    return _SYMBOL.fullmatch(word) is not None


_ESCAPES = frozenset("abefnrtuvx0")
_OF_A_RUN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"


def spelled(text: str) -> list[str]:
    """Every symbol in a text, as often as it stands there."""
    # Most runs are words, and asking whether they are is cheaper than the pattern.
    return [w for w in _runs(text) if not (w.isalpha() and (w.islower() or w.istitle())) and is_symbol(w)]


def _runs(text: str) -> list[str]:
    if "\\" in text:
        text = _without_escapes(text)
    if not text.isascii():
        return _RUN.findall(text)
    return [text] if text.isalnum() else text.encode().translate(_APART).decode().split()


def _without_escapes(text: str) -> str:
    """Without what a backslash makes one thing with the letter behind it: nobody knows where that ends and a name
    begins. Names behind the backslashes of a namespace begin with a capital."""
    first, *rest = text.split("\\")
    return "\\".join([first, *(part.lstrip(_OF_A_RUN) if part[:1] in _ESCAPES else part for part in rest)])


def symbols_in(text: str) -> dict[str, int]:
    """The symbols of a text, each counted once, twice where the text defines it."""
    found = {
        word: 1
        for word in dict.fromkeys(spelled(text))
        if _SHORTEST <= len(word) <= _LONGEST and not _NUMBERY.match(word)
    }
    for name in _DEFINED.findall(text):
        if len(name) <= _LONGEST and (name in found or len(name) > _SHORTEST):
            found[name] = found.get(name, 0) + 1
    return found


def spread(tied: Iterable[Mapping[str, float]]) -> Counter[str]:
    """In how many files each symbol occurs."""
    return Counter(symbol for weights in tied for symbol in weights)


def ranked(
    weights: Mapping[str, float], spread: Mapping[str, int], wanted: frozenset[str] = frozenset()
) -> list[str]:
    """A file's symbols, best first. One that many files share says little about this one; one whose
    parts the goal names says most."""

    def score(symbol: str) -> float:
        value = weights[symbol] / (1 + 0.25 * (spread.get(symbol, 1) - 1))
        if wanted and (symbol.lower() in wanted or wanted.intersection(parts(symbol))):
            value *= 2
        return value

    return sorted(weights, key=lambda s: (-score(s), s))


_PART = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+"


def parts(symbol: str) -> list[str]:
    """`maxRetryCount` and `max_retry_count` are both max, retry, count."""
    return [p.lower() for p in compiled(_PART).findall(symbol)]
