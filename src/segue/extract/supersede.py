"""Later words over earlier ones: "use port 8080", then "no, 9090", leaves 9090.

A later word replaces an earlier one when it names the old value as no longer wanted, when both
speak of the same thing with different values, when it takes back a prohibition or a wish, or when
it is a bare correction said right after. What is replaced stays in the list, marked.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from segue.extract.relevance import terms
from segue.model.facts import Evidence, Word

_VALUE = re.compile(r"(?<![\w.])\d[\w.,:%]*\w|(?<![\w.])\d|`[^`]+`|\"[^\"]{1,60}\"|'[^']{2,60}'")
_OLD = re.compile(
    r"\b(?:instead of|rather than|not|no longer|over|statt|au lieu de|en vez de|вместо)\s+(?:the\s+|a\s+)?([\w./:`'\"-]+)",
    re.I,
)
_NEGATED = re.compile(
    r"(?<![\w'])(?:do not|don'?t|dont|never|no|not|must ?n'?t|must not|should ?n'?t|should not|stop|avoid|without|skip|kein\w*|nicht|niemals|jamais|nunca|не|никогда)(?![\w'])|不要|别|禁止",
    re.I,
)
_REACH = 12
"""How many words back a bare correction may point."""
_SAME_SUBJECT = 20
"""How many earlier words on the same subject are looked at."""


def superseded(words: list[Word]) -> list[Word]:
    """The words in their order, those that a later one replaced marked with its place. A sentence that
    states nothing by itself (strength 0) stays only if it replaced something."""
    marks: dict[int, Evidence] = {}
    replacing: set[int] = set()
    about = [frozenset(t for t in terms(_VALUE.sub(" ", w.text)) if not t[0].isdigit()) for w in words]
    values = [_values(w.text) for w in words]
    mentions: dict[str, list[int]] = {}
    for later, new in enumerate(words):
        if not new.evidence:
            continue
        candidates = {i for t in about[later] for i in mentions.get(t, ())[-_SAME_SUBJECT:]}
        candidates.update(range(max(0, later - _REACH), later))
        for earlier in sorted(candidates - marks.keys(), reverse=True):
            old = words[earlier]
            bare = new.kind == "correction" and not about[later]
            if not (old.strength or bare) or old.superseded_by or _same_breath(old, new):
                continue
            if _replaces(
                old, new, about[earlier], about[later], values[earlier], values[later], later - earlier
            ):
                marks[earlier] = new.evidence[-1]
                replacing.add(later)
                break
        for term in about[later]:
            mentions.setdefault(term, []).append(later)
    return [
        replace(word, superseded_by=marks[i]) if i in marks else word
        for i, word in enumerate(words)
        if word.strength or word.superseded_by or i in replacing or i in marks
    ]


def _replaces(
    old: Word,
    new: Word,
    old_about: frozenset[str],
    new_about: frozenset[str],
    old_values: frozenset[str],
    new_values: frozenset[str],
    distance: int,
) -> bool:
    corrects = new.kind in ("correction", "rejection")
    if corrects and _named_as_old(new.text) & (_bare(old_values) | old_about):
        return True
    shared = len(old_about & new_about)
    if old_values and new_values and old_values != new_values:
        if shared >= max(1, 0.6 * min(len(old_about), len(new_about))) and (
            corrects or shared >= 0.75 * len(old_about)
        ):
            return True
        return corrects and not new_about and distance <= _REACH and _same_shape(old_values, new_values)
    if min(len(old_about), len(new_about)) >= 2 and shared >= 0.75 * max(len(old_about), len(new_about)):
        return negated(old.text) != negated(new.text)
    return False


def _same_breath(old: Word, new: Word) -> bool:
    return old.origin == new.origin and old.evidence[-1:] == new.evidence[-1:]


def negated(text: str) -> bool:
    """It says what not to do."""
    return bool(_NEGATED.search(text.replace("’", "'")))


def _named_as_old(text: str) -> frozenset[str]:
    found = _bare(frozenset(_OLD.findall(text)))
    return found | frozenset(t for value in found for t in terms(value))


def _bare(values: frozenset[str]) -> frozenset[str]:
    return frozenset(v.strip("`'\"").lower() for v in values)


def _values(text: str) -> frozenset[str]:
    return frozenset(_VALUE.findall(text))


def _same_shape(old: frozenset[str], new: frozenset[str]) -> bool:
    """8080 may stand where 9090 stood, not where 30 did; a quoted name where a quoted name did."""
    return not {_shape(v) for v in old}.isdisjoint(_shape(v) for v in new)


def _shape(value: str) -> str:
    return re.sub(r"\d", "0", value) if value[0].isdigit() else value[0]
