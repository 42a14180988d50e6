"""Relevance to a goal: which words it is about, and how much a text or a path has to do with them.

Whole words only. Stop words do not count, identifiers are split, plurals and simple endings are
one word with their stem, and a path or a symbol that the goal spells out weighs most.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from segue.extract.text.prose import word_set
from segue.extract.text.symbols import is_symbol, parts, spelled
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_STOP = word_set(
    """
    a about after again all also an and any are as at be because been before but by can cannot could did do
    does doing done for from get go going good had has have he her here him his how i if in into is it its
    just let lets like look make me more most my need new no not now of off ok okay on one only or other our
    out over please put same see she should so some still sure than that the their them then there these
    they thing things think this those to too try up us use using very want was way we well were what when
    where which while who why will with would yes yet you your continue keep work working fix add run don
    dont doesn didn won isn yeah yep nope fine great cool nice thanks thank ahead alright und der die das ist nicht ein eine für mit auf im zu den von le la les un une
    des et est pas pour dans de du que el los las un una y es no para con en del por
    """
)
_CONTRACTED = r"(?:n't|'(?:s|d|m|ll|re|ve))$"
_WORD = compiled(r"[^\W_]+(?:[._/'-][^\W_]+)*", re.U)
_PATHISH = compiled(r"[\w@.+~-]*(?:/[\w@.+-]+)+|[\w@+-]+\.[A-Za-z]\w{0,5}\b")
_ENDING = r"(?:ings?|edly|ed|es|s|ly|ions?)$"


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A crude stem, enough to let `retries`, `retry` and `retrying` meet, and `commit` and `committing`."""
    if len(word) > 4 and word.isascii():
        if word.endswith("ies"):
            return word[:-3] + "y"
        shorter = compiled(_ENDING).sub("", word)
        if len(shorter) >= 4:
            doubled = shorter != word and shorter[-1] == shorter[-2] and shorter[-1] not in "lsz"
            return shorter[:-1] if doubled else shorter
    return word


@lru_cache(maxsize=4096)
def terms(text: str) -> tuple[str, ...]:
    """The content words of a text, stemmed, identifiers and paths also in their parts."""
    found: list[str] = []
    for word in _WORD.findall(text):
        lower = word.lower()
        if "'" in lower and compiled(_CONTRACTED).search(lower):
            lower = word = compiled(_CONTRACTED).sub("", lower)
        plain = word == lower and word.isalpha()
        if (
            not plain
            and not lower[0].isdigit()
            and ("/" in word or "." in word or "-" in word or is_symbol(word))
        ):
            found.append(lower)
            found.extend(
                stem(p) for w in re.split(r"[._/'-]", word) for p in parts(w) if len(p) > 2 and p not in _STOP
            )
        elif lower[0].isdigit():
            found.append(lower)
        elif lower not in _STOP and (len(lower) > 2 or not lower.isascii()):
            found.append(stem(lower))
    for symbol in spelled(text):
        found.append(symbol.lower())
        found.extend(stem(p) for p in parts(symbol) if len(p) > 2 and p not in _STOP)
    return tuple(found)


class Goal(NamedTuple):
    """What the next session is for, taken apart once."""

    text: str
    terms: frozenset[str]
    paths: frozenset[str]

    def score(self, text: str) -> float:
        """0 for nothing in common; rises with the share of the goal's terms that the text holds."""
        named = self._chunks(text)
        if not named:
            return 0.0
        common = self.terms.intersection(terms(named))
        return sum(2.0 if len(t) > 6 else 1.0 for t in common) / (3.0 + math.sqrt(len(self.terms)))

    def _chunks(self, text: str) -> str:
        """What of a text, between its spaces, holds one of the terms: a long text is not taken apart for one word."""
        lower = text.lower()
        if len(lower) != len(text):
            return text
        found: dict[int, str] = {}
        for term in self.terms:
            at = lower.find(term)
            while at >= 0:
                begin, end = lower.rfind(" ", 0, at) + 1, lower.find(" ", at)
                end = end if end >= 0 else len(lower)
                found[begin] = text[begin:end]
                at = lower.find(term, end)
        return " ".join(found.values())

    def common(self, text: str) -> list[str]:
        """The goal's terms that a text holds, in its order."""
        return list(dict.fromkeys(t for t in terms(text) if t in self.terms))

    def score_path(self, path: str) -> float:
        """How much a file has to do with the goal: named outright, by its name, or by a part of it."""
        if not self.terms:
            return 0.0
        lower = path.lower()
        name = lower.rsplit("/", 1)[-1]
        if any(lower.endswith(p) or p.endswith(name) for p in self.paths):
            return 6.0
        own = {stem(p) for p in parts(path.rsplit("/", 1)[-1].split(".", 1)[0]) if len(p) > 2}
        above = {stem(p) for p in parts(path.rsplit("/", 1)[0]) if len(p) > 2} if "/" in path else set()
        return 2.0 * len(own & self.terms) + 0.7 * len((above - own) & self.terms)


_GOAL_LIMIT = 4000


def aim_of(text: str) -> Goal:
    """The goal of any length; of a very long one only the first part is searched for."""
    head = text[:_GOAL_LIMIT]
    return Goal(text, frozenset(terms(head)), frozenset(p.lower() for p in _PATHISH.findall(head)))
