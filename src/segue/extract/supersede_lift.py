"""Rules that are lifted: `drop the tabs rule`, `you may touch legacy/ now`, `mocks are fine after all`.

What a person allows again takes back what forbade it, and only that: the sentence must be about little
else than the rule is, and name the same things.
"""

from __future__ import annotations

import re

from segue.extract.relevance import terms
from segue.extract.supersede_subject import VALUE, bare, names_in

_RULE = re.compile(
    r"\b(?:drop|forget|ignore|lift|scrap|relax|remove|cancel|withdraw)(?: about)? (?:the|my|that|this|our)\b(?P<what>.{0,60}?)\s*"
    r"\b(?:rule|restriction|constraint|requirement|ban|limit|prohibition)\b",
    re.I,
)
_AGAIN = r"(?:now|after all|again|anyway|from now on)\b"
_GRANTED = re.compile(rf"\b(?:you|we)(?: may| are (?:allowed|free) to)\b(?! not).*\b{_AGAIN}", re.I)
_ALLOWED = re.compile(
    r"\b(?:is|are)(?: now)? (?:fine|ok|okay|allowed|acceptable|permitted|all right|alright)\b"
    r"|\b(?:you|we) (?:may|can)\b(?! not)|\bfeel free to\b",
    re.I,
)
_SAID_AGAIN = re.compile(rf"\b(?:{_AGAIN})|\bfeel free to\b", re.I)
_FILLING = frozenset(
    (
        "may",
        "earlier",
        "previous",
        "old",
        "last",
        "first",
        "feel",
        "free",
        "allow",
        "allowed",
        "acceptable",
        "permitt",
    )
)


def lifts_plainly(sentence: str) -> bool:
    """It speaks of a rule, or gives leave: a correction even if the rule is not found."""
    return bool(_RULE.search(sentence) or _GRANTED.search(sentence))


def may_lift(sentence: str) -> bool:
    """It allows something again, if that was forbidden; else it is only talk."""
    return bool(_ALLOWED.search(sentence) and _SAID_AGAIN.search(sentence))


def gives_leave(sentence: str) -> bool:
    return lifts_plainly(sentence) or may_lift(sentence)


def lifts(new: str, old: str, old_about: frozenset[str], refused: frozenset[str]) -> bool:
    """The new sentence, which gives leave, lifts the old rule, which is about `old_about` and refuses `refused`."""
    rule = _RULE.search(new)
    what = rule["what"] if rule else ""
    if rule and (named := _subject(what)):
        return _same_things(what, old, all_of_them=False) and _share(named, old_about) >= _MOSTLY
    rest = _RULE.sub(" ", new)
    allowed = _subject(rest)
    return (
        _same_things(rest, old, all_of_them=True)
        and not allowed.isdisjoint(refused)
        and _share(allowed, old_about) >= _MOSTLY
        and _share(old_about, allowed) >= _PARTLY
    )


_MOSTLY, _PARTLY = 0.75, 0.5
"""What share of the lifting sentence the rule must hold, and what share of the rule the sentence."""


def _subject(text: str) -> frozenset[str]:
    return frozenset(t for t in terms(VALUE.sub(" ", text)) if t not in _FILLING)


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0


def _same_things(new: str, old: str, *, all_of_them: bool) -> bool:
    mine, others = _things(new), _things(old)
    return mine == others if all_of_them else mine <= others


def _things(text: str) -> frozenset[str]:
    return names_in(text) | {bare(value) for value in VALUE.findall(text)}
