"""Later words over earlier ones: "use port 8080", then "no, 9090", leaves 9090.

A later word replaces an earlier one when it names the old value as no longer wanted, when both set
the same thing to different values, when it takes back a prohibition or a wish, or when it is a bare
correction said right after; it then stands as firmly as a correction. Two rules about different subjects, or about different things of one kind
(step 1, step 2), both stand; so do two of which it is not sure. What an earlier packet carried was
judged when it was made and replaces nothing anew. What is replaced stays in the list, marked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec.structs import replace

from segue.extract.text.prose import plainly, typed
from segue.extract.words.supersede_adds import adds
from segue.extract.words.supersede_apart import are_apart
from segue.extract.words.supersede_choice import (
    REACH,
    chosen_before,
    prompt_before,
    refuses_the_choice,
    sets_anew,
)
from segue.extract.words.supersede_drop import takes_away, turns_on_something
from segue.extract.words.supersede_edit import carried_out, names_what_was_put
from segue.extract.words.supersede_halt import halted, may_be_halted, taken_back, takes_that_back
from segue.extract.words.supersede_keeps import asks_for_it, opens
from segue.extract.words.supersede_kind import has_kinds, other_kind
from segue.extract.words.supersede_lift import gives_leave, lifts
from segue.extract.words.supersede_made import gave_it, made_otherwise, may_have_given_it
from segue.extract.words.supersede_mind import changes_mind, may_think_otherwise, thinks_otherwise
from segue.extract.words.supersede_object import mark_same_objects
from segue.extract.words.supersede_part import leaves_some
from segue.extract.words.supersede_prompt import disposed, units
from segue.extract.words.supersede_return import returned_to, returns
from segue.extract.words.supersede_subject import (
    Subject,
    about,
    bare,
    is_choice,
    same_shape,
    subject_of,
    whole_words,
)
from segue.extract.words.supersede_turn import builds_otherwise, frees, sets_otherwise, touches
from segue.extract.words.supersede_word import (
    LEAD,
    cancels,
    prohibits,
    refuses,
    same_breath,
    stated,
    turns_at_once,
)
from segue.model.facts import Word
from segue.model.patterns import compiled

_OLD = compiled(
    r"\b(?:instead of|rather than|not|no longer|over|from(?=\s\S+\sto\b)|statt|au lieu de|en vez de|вместо)\s+(?:the\s+|a\s+)?([\w./:`'\"-]+)"
)
_PREFERS = ("prefer", "like ", "favo", "choose", "chose", "pick", "take ", "use ", "go with")
"""Verbs that choose one thing over another; prettier may also run over it."""
_LEFT = compiled(
    r"(?:instead of|rather than|no longer|don't like|from(?=\s\S+\sto\b))\s+(?:the\s+|a\s+)?([\w./:`'\"-]+)"
)
"""What is named as left, whatever else the sentence is."""
_CLAUSE_END = compiled(r"[,;:]\s")
_NO_CHANGES: Mapping[int, Sequence[tuple[str, str]]] = MappingProxyType({})
_SENTENCES, _LONGEST = 5, 200
"""Sentences of a prompt, and characters of each, that may dispose of a rule."""
_RULE = 140
"""Characters up to which a word rules one thing, which another may replace."""
_SHORT_NUMBER = 2
"""Digits of a number of which there are many about."""
_SAME_SUBJECT = 20
"""How many earlier words on the same subject are looked at."""


def superseded(
    words: list[Word], changes: Mapping[int, Sequence[tuple[str, str]]] = _NO_CHANGES
) -> list[Word]:
    """The words in their order, those that a later one replaced marked with its place. A sentence that
    states nothing by itself (strength 0) stays only if it replaced something, or may have. `changes` are the edits
    that followed a prompt: what each took away, and what it put there."""
    marks: dict[int, int] = {}
    replacing: set[int] = set()
    doubting: dict[int, int] = {}
    perhaps: dict[int, int] = {}
    subjects = [_subject(w) for w in words]
    mentions: dict[str, list[int]] = {}
    for later, new in enumerate(words):
        topic, names, _ = subjects[later]
        if not new.evidence:
            continue
        candidates = {i for t in topic for i in mentions.get(t, ())[-_SAME_SUBJECT:]}
        candidates.update(range(max(0, later - REACH), later))
        for term in topic:
            mentions.setdefault(term, []).append(later)
        if new.origin or new.kind == "pasted":
            continue
        nearest = sorted(
            candidates - marks.keys(), key=lambda i: (bool(names & subjects[i].names), i), reverse=True
        )
        if marks and returns(new.text) and (found := returned_to(later, words, marks)):
            again, instead = found
            del marks[again]
            marks[instead] = later
            replacing.add(later)
            continue
        taking = bool(nearest) and turns_on_something(new.text)
        made = made_otherwise(new.text) if nearest else None
        act = halted(new.text)
        rethinks = new.kind == "correction" and changes_mind(new.text) and not adds(new.text)
        kinds = bool(nearest) and has_kinds(stated(new)) and not adds(new.text)
        bare_correction = new.kind == "correction" and not topic
        last = next(iter(prompt_before(words, later)), 0) if bare_correction else later
        for earlier in nearest:
            old = words[earlier]
            if not (old.strength or bare_correction) or old.superseded_by:
                continue
            if same_breath(old, new) and not (later - earlier == 1 and turns_at_once(new)):
                continue
            if old.kind == "pasted":
                continue
            if later - earlier == 1 and old.strength and same_breath(old, new) and cancels(new):
                marks[earlier] = later
                replacing.add(later)
                continue
            other = other_kind(new, old) if kinds else None
            if (
                _replaces(old, new, subjects[earlier], subjects[later], at_once=earlier >= last)
                or (other and other.sure)
                or (taking and takes_away(new.text, stated(old)))
                or (made and gave_it(made, old.text))
                or (rethinks and not prohibits(old) and thinks_otherwise(new.text, old.text))
            ):
                if are_apart(new.text, old.text, forbids=prohibits(old)):
                    continue
                marks[earlier] = later
                replacing.add(later)
                break
            if (
                (other and not are_apart(new.text, old.text))
                or (made and may_have_given_it(made, old.text))
                or (act and may_be_halted(act, old.text))
                or (rethinks and not prohibits(old) and may_think_otherwise(new.text, old.text))
            ):
                perhaps[earlier] = later
            shares = not new.strength and not topic.isdisjoint(subjects[earlier].about)
            if not shares or not touches(new.text, old.text) or are_apart(new.text, old.text):
                continue
            if not prohibits(old) or opens(new.text, old.text):
                doubting[later] = max(doubting.get(later, 0), old.strength)
                if len(old.text) <= _RULE:
                    perhaps[earlier] = later
        if later in replacing:
            continue
        choice = chosen_before(words, subjects, marks, later)
        if choice is None:
            choice = taken_back(words, marks, later)
        if choice is not None:
            marks[choice] = later
            replacing.add(later)
    perhaps |= _disposals(words, subjects, marks, replacing, mentions)
    _edited(words, marks, replacing, changes)
    mark_same_objects(words, marks, replacing, perhaps, doubting.keys() | set(perhaps.values()))
    for earlier, later in list(perhaps.items()):
        while later in marks:
            perhaps[earlier] = later = marks[later]
        if later in replacing:
            del perhaps[earlier]  # a packet tells one of both with a word: what is not sure stands by itself
            continue
        doubting[later] = max(doubting.get(later, 0), words[earlier].strength)
    firm = [
        _firmer(word) if i in replacing else _doubting(word, doubting[i]) if i in doubting else word
        for i, word in enumerate(words)
    ]
    return [
        _told(
            _replaced(word, words[marks[i]])
            if i in marks
            else _doubted(word, words[perhaps[i]])
            if i in perhaps
            else word
        )
        for i, word in enumerate(firm)
        if word.strength or word.superseded_by or i in marks
    ]


def _told(word: Word) -> Word:
    """The word with what belongs to it, now that it was compared without."""
    return replace(word, text=word.whole, whole="") if word.whole else word


def _disposals(
    words: list[Word],
    subjects: list[Subject],
    marks: dict[int, int],
    replacing: set[int],
    mentions: dict[str, list[int]],
) -> dict[int, int]:
    """Marks the rules that a whole prompt disposes of, and gives those of which that is not sure."""
    perhaps = {}
    valued: dict[str, list[int]] = {}
    for prompt in _prompts(words):
        short = len(prompt) <= _SENTENCES and all(len(words[n].text) <= _LONGEST for n in prompt)
        named: set[int] = set()
        for n in prompt:
            subject, text = subjects[n], words[n].text
            if short:
                named.update(i for t in subject.about for i in mentions[t][-_SAME_SUBJECT:] if i < prompt[0])
            if subject.values and len(text) <= _RULE:
                for value in (*map(bare, subject.values), *units(text)):
                    others = valued.setdefault(value, [])
                    named.update(i for i in others if i < prompt[0])
                    others.append(n)
        if not short or not named or not replacing.isdisjoint(prompt):
            continue
        said = [words[n].text for n in prompt]
        for earlier in sorted(named - marks.keys(), reverse=True):
            old = words[earlier]
            if not old.strength or len(old.text) > _RULE or old.superseded_by or old.kind == "pasted":
                continue
            found = disposed(said, old.text)
            if found and not (
                prohibits(old) or adds(said[found.last]) or are_apart(said[found.last], old.text)
            ):
                if found.sure:
                    marks[earlier] = prompt[found.last]
                    replacing.add(prompt[found.last])
                else:
                    perhaps[earlier] = prompt[found.last]
                break
    return perhaps


def _edited(
    words: list[Word],
    marks: dict[int, int],
    replacing: set[int],
    changes: Mapping[int, Sequence[tuple[str, str]]],
) -> None:
    """Marks the rules whose value an edit right after a prompt replaced by one that the prompt names."""
    for prompt in _prompts(words) if changes else ():
        made = changes.get(words[prompt[0]].evidence[-1].line, ())
        if not made or len(prompt) > _SENTENCES or not replacing.isdisjoint(prompt):
            continue
        for later in prompt:
            new = words[later].text
            for earlier in range(prompt[0]) if names_what_was_put(new, made) and not adds(new) else ():
                old = words[earlier]
                if not old.strength or len(old.text) > _RULE or old.superseded_by or earlier in marks:
                    continue
                if old.kind != "pasted" and carried_out(new, old.text, made) and not prohibits(old):
                    marks[earlier] = later
                    replacing.add(later)


def _prompts(words: list[Word]) -> list[range]:
    """The words of this session by the prompt they were said in."""
    found: list[range] = []
    for i, word in enumerate(words):
        if word.origin or word.kind in ("pasted", "answer") or not word.evidence:
            continue
        if found and found[-1].stop == i and same_breath(words[i - 1], word):
            found[-1] = range(found[-1].start, i + 1)
        else:
            found.append(range(i, i + 1))
    return found


def _firmer(word: Word) -> Word:
    """A word that replaced another, which must not be lost where the other is told."""
    kind = word.kind if word.strength else "correction"
    return replace(word, kind=kind, strength=max(word.strength, 2))


def _doubting(word: Word, strength: int) -> Word:
    """A word that may have replaced another; it is told as long as that is."""
    if word.strength:
        return replace(word, strength=max(word.strength, min(strength, 2)))
    return replace(word, kind="stated", strength=min(strength, 2))


def _doubted(old: Word, new: Word) -> Word:
    return replace(old, doubted_by=new.evidence[-1], doubted_text=new.whole or new.text)


def _replaced(old: Word, new: Word) -> Word:
    return replace(
        old,
        superseded_by=new.evidence[-1],
        superseded_text=new.whole or new.text,
        superseded_in_part=leaves_some(old.text, stated(new)) and not takes_that_back(new.text),
    )


def _replaces(old: Word, new: Word, was: Subject, now: Subject, *, at_once: bool) -> bool:
    if _in_free_words(old, new, was, now):
        return True
    said = stated(new)
    if prohibits(old) and asks_for_it(said, old.text, corrects=new.kind == "correction"):
        return True
    if gives_leave(said):
        refused = was.about if prohibits(old) else _named_as_old(old.text)
        if lifts(said, old.text, was.about, refused, forbids=prohibits(old)):
            return True
        if not LEAD.match(plainly(new.text)):
            return False
    if adds(said) and not prohibits(old):
        return False
    corrects = new.kind in ("correction", "rejection")
    if corrects and not prohibits(old) and _named_as_old(new.text) & (_bare(was.values) | was.about):
        return True
    if is_choice(old.text) and _named_as_old(new.text, _LEFT) & (_bare(was.values) | was.about):
        return True
    shared = len(was.about & now.about)
    if was.values and now.values and was.values != now.values:
        if shared >= max(1, 0.6 * min(len(was.about), len(now.about))) and (
            corrects
            or (
                shared >= 0.75 * len(was.about)
                and was.names == now.names
                and (was.about <= now.about or now.about <= was.about)
            )
        ):
            return True
        if was.about & now.about and not prohibits(old) and _named_as_old(new.text) & _bare(was.values):
            return True
        if not was.values < now.values:
            return corrects and not now.about and _fits_there(old, new, was, now, at_once=at_once)
        now = subject_of(_CLAUSE_END.split(typed(said), maxsplit=1)[0], refused=prohibits(new))
    if sets_anew(old, new, was, now) or refuses_the_choice(old, new, was, now):
        return True
    if min(len(was.about), len(now.about)) < 2 or shared < 0.75 * max(len(was.about), len(now.about)):
        return False
    if was.names != now.names or refuses(old) == refuses(new):
        return False
    mine, others = whole_words(now.about), whole_words(was.about)
    return len(mine & others) >= 0.75 * max(len(mine), len(others))


def _fits_there(old: Word, new: Word, was: Subject, now: Subject, *, at_once: bool) -> bool:
    """A value that is named alone may stand where the old one stands; a short number only if it is said right after."""
    if not same_shape(was.values, now.values):
        return False
    mine, others = units(new.text), units(old.text)
    if mine and others and mine.isdisjoint(others):
        return False
    return at_once or any(len(value) > _SHORT_NUMBER for value in now.values)


def _in_free_words(old: Word, new: Word, was: Subject, now: Subject) -> bool:
    corrects = new.kind in ("correction", "rejection")
    if (
        was.about.isdisjoint(now.about)
        and was.names.isdisjoint(now.names)
        and was.values.isdisjoint(now.values)
    ):
        other = sets_otherwise if "ake it " in new.text or "ake that " in new.text else builds_otherwise
        return not (prohibits(old) or adds(new.text)) and other(new.text, old.text, corrects=corrects)
    if frees(new.text, old.text, forbids=prohibits(old)):
        return True
    if prohibits(old) or adds(new.text):
        return False
    if ", not " in new.text and _preferred(new, was):
        return True
    return sets_otherwise(stated(new), old.text, corrects=corrects)


def _preferred(new: Word, was: Subject) -> bool:
    """`Amounts are integer cents, not floats`: it names what the old one is about, and what it chose as left."""
    chosen, _, left = new.text.rstrip(" .!").rpartition(", not ")
    return bool(about(left)) and about(left) <= was.about and not about(chosen).isdisjoint(was.about)


def _subject(word: Word) -> Subject:
    return subject_of(stated(word), refused=prohibits(word))


def _named_as_old(text: str, pattern: re.Pattern[str] = _OLD) -> frozenset[str]:
    text = text.lower()
    if " over " in text and not any(verb in text for verb in _PREFERS):
        text = text.replace(" over ", " ")
    found = frozenset(bare(old.rstrip(".:")) for old in pattern.findall(text))
    return found.union(*map(about, found))


def _bare(values: frozenset[str]) -> frozenset[str]:
    return frozenset(map(bare, values))
