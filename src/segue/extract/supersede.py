"""Later words over earlier ones: "use port 8080", then "no, 9090", leaves 9090.

A later word replaces an earlier one when it names the old value as no longer wanted, when both
speak of the same thing with different values, when it takes back a prohibition or a wish, or when
it is a bare correction said right after. Two rules about different subjects both stand. What is
replaced stays in the list, marked.
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
_LEAD = re.compile(
    r"\s*(?:(?:no|nope|nah|hm+|actually|wait|sorry|nein|non|нет|不对|不是|不|いや|아니요?)[\s,.，、。:;!…—-]+"
    r"|(?:scrap|scratch|forget) that[\s,.:;—-]*|(?:i(?:'ve| have)? changed my mind|change of plans?|on second thought)[\s,.:;—-]*(?:let'?s )?"
    r"|(?:let'?s )?(?:switch|change|move)(?: it| that| over| back)* to\s+|(?:用|改用|改成|换成)\s*)+",
    re.I,
)
"""How a correction begins before it says what it is about."""
_THAT = re.compile(r"\s*(?:scrap|scratch|forget) that|\s*hm+\b|\s*i(?:'ve| have)? changed my mind", re.I)
"""A correction of what was said last."""
_CHOICE = re.compile(
    r"\s*(?:please |let'?s )?(?:use|go with|pick|take|choose|i(?:'d)? prefer|i(?:'d)? like|stick with|nimm|verwende|nutze|utilise|usa|используй|使用|用)\b",
    re.I,
)
_DROPPED = re.compile(r"\b(?:drop|remove|delete|get rid of|ditch|kill)\b", re.I)
_POLES = frozenset(("drop", "remove", "delete", "ditch", "kill", "rid", "preserve", "leave", "prefer"))
_CHOSEN = 2
"""Up to how many subject words a choice of one thing has."""
_REACH = 12
"""How many words back a bare correction may point."""
_SAME_SUBJECT = 20
"""How many earlier words on the same subject are looked at."""


def superseded(words: list[Word]) -> list[Word]:
    """The words in their order, those that a later one replaced marked with its place. A sentence that
    states nothing by itself (strength 0) stays only if it replaced something."""
    marks: dict[int, Evidence] = {}
    replacing: set[int] = set()
    about = [_about(w) for w in words]
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
        if later not in replacing and (old_choice := _chosen_before(words, about, marks, later)) is not None:
            marks[old_choice] = new.evidence[-1]
            replacing.add(later)
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
            corrects or (shared >= 0.75 * len(old_about) and not _apart(old_about, new_about))
        ):
            return True
        return corrects and not new_about and distance <= _REACH and _same_shape(old_values, new_values)
    if min(len(old_about), len(new_about)) >= 2 and shared >= 0.75 * max(len(old_about), len(new_about)):
        return _refuses(old.text) != _refuses(new.text)
    return False


def _apart(old: frozenset[str], new: frozenset[str]) -> bool:
    """Each is about something that the other does not name: the admin page, the search page."""
    return bool(old - new) and bool(new - old)


def _chosen_before(
    words: list[Word], about: list[frozenset[str]], marks: dict[int, Evidence], later: int
) -> int | None:
    """The choice of one thing that a correction to another thing takes back: what was said last where it
    says so, else the only choice within reach."""
    new = words[later]
    if new.kind != "correction" or not 0 < len(about[later]) <= _CHOSEN or _values(new.text):
        return None
    if not _LEAD.match(new.text) or negated(_LEAD.sub("", new.text, count=1)):
        return None
    choices = [
        i
        for i in range(max(0, later - _REACH), later)
        if i not in marks
        and 0 < len(about[i]) <= _CHOSEN
        and _CHOICE.match(words[i].text)
        and not words[i].superseded_by
        and not _same_breath(words[i], new)
    ]
    if _THAT.match(new.text):
        return choices[-1] if choices else None
    return choices[0] if len(choices) == 1 else None


def _about(word: Word) -> frozenset[str]:
    """The subject words: neither values nor how a correction begins."""
    text = _LEAD.sub("", word.text, count=1) if word.kind == "correction" else word.text
    return frozenset(t for t in terms(_VALUE.sub(" ", text)) if not t[0].isdigit() and t not in _POLES)


def _same_breath(old: Word, new: Word) -> bool:
    return old.origin == new.origin and old.evidence[-1:] == new.evidence[-1:]


def negated(text: str) -> bool:
    """It says what not to do."""
    return bool(_NEGATED.search(text.replace("’", "'")))


def _refuses(text: str) -> bool:
    """It says not to do or to have something; `don't drop it` does not."""
    return negated(text) != bool(_DROPPED.search(text))


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
