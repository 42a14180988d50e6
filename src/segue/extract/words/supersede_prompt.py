"""A prompt that disposes of an earlier rule: `Three days was too early, they forget. One day is enough.`

Nobody says which rule is meant, and often it takes two sentences: one names what the rule chose and what is wrong with
it, the other gives something else. Where the other is a number for a number, or stands in the same place of the
same phrase, the rule is replaced; where it only may be meant so, that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from segue.extract.text.prose import phrases, plainly, typed, word_set
from segue.extract.words.conduct import TASKS
from segue.extract.words.supersede_subject import is_choice
from segue.extract.words.supersede_turn import clauses, fills_the_place, named, spelled, topic, turns
from segue.model.value import NamedTuple

_TALK = word_set(
    "i i'd i'm well yeah yes yep ok okay let's alright so no nope how if can could it this that what also and but hm"
)
"""How talk begins, and a request that is soon done."""
_NUMBERS = {
    word: number
    for number, words in enumerate(
        [
            "zero",
            "one once eine einen un une einmal",
            "two twice zwei zweimal deux dos",
            "three thrice drei dreimal trois tres",
            "four vier quatre cuatro",
            "five fünf cinq cinco",
            "six sechs seis",
            "seven sieben sept siete",
            "eight acht huit ocho",
            "nine neun neuf nueve",
            "ten zehn dix diez",
        ]
    )
    for word in words.split()
}
_MULTIPLES = word_set("once twice thrice einmal zweimal dreimal")
_VAGUE = word_set("one once eine einen un une einmal zero")
"""Numbers that are mostly articles: they count beside a unit only."""
_NAMING = word_set(
    "line page step version issue pr ticket test part section chapter phase option number zeile seite"
)
"""What a number names and does not set."""
_SETTING = word_set("make set use take change allow put go let switch raise lower keep give show")
_FAULTS = (
    " too ", "n't ", " not ", "no good", " nobody ", " no one ", " gone", "cancel", " dead", " full", " taken", " dropped",
    " only ", " is all ", "complain", " zu ", " nicht ", " kein", " trop ", " pas ", " demasiado ", " nur ", "すぎ", "ない", "太", "不",
)  # fmt: skip
_OTHERWISE = (
    " turns out ", " only allow", " wants ", " insist", " after all ", " instead ", " any more ", " no longer ",
    " have to have ", " asked for ", " decided ",
)  # fmt: skip
_PRAISE = word_set(
    "good great nice perfect fine works awesome love thanks cool better super gut schön parfait bien"
)
_PROPOSES = (
    " has to ", " have to ", " must ", " should ", " want ", " wants ", " go to ", " goes to ", " go with ", " go through ",
    " is enough", " will do ", " has to do ", " is fine", " is free", " is what ", " it is ", " called ", " use ", " take ", " make ", " put ",
    " let it ", " let them ", " instead ", " from now on ", " then ", " please ", " bitte ", " nimm ", " muss ", " soll ",
    " is the ", " allow ", " allows ", " will be ", " switch to ", " move to ", " passe ", " prend", " utilise ",
)  # fmt: skip
_PRONOUNS = word_set("it it's you you're we they there there's that this he she")
_NAMES_ANEW = phrases(" called | instead | from now on | go to | go with | switch to | move to | has to be ")
_REPORTS = word_set(
    """
    fail fails failed failing broken breaks broke crash crashes crashed error errors bug bugs typo shows work works running
    runs find finds found loads missing empty wrong stuck overlap overlaps nothing
    """
)
"""Words of whoever tells what the program does."""
_ELSEWHERE = word_set("now next also and ok okay then thanks continue btw plus what why how")
_BRIEF, _FRAGMENT = 3, 6
"""Words up to which a sentence is only a number, or only a name."""
_PLACES = word_set("for in from on für pour para dans auf")
_SLOTS = word_set(
    "is are be as in to at on with via through by off into under per include includes stay stays come comes goes ist sind als"
)
_CALLS = word_set("call name nenne appelle")


class Disposal(NamedTuple):
    """Which sentences of a prompt dispose of a rule, and whether that is sure."""

    first: int
    last: int
    sure: bool


def disposed(prompt: Sequence[str], old: str) -> Disposal | None:
    """How a prompt, given in sentences, disposes of an earlier rule that forbids nothing."""
    if prompt[-1].endswith(("?", "？")) or not _may_be_disposed_of(old):
        return None
    return _by_number(prompt, old) or _by_name(prompt, old) or _by_turn(prompt, old) or _by_verb(prompt, old)


def _by_turn(prompt: Sequence[str], old: str) -> Disposal | None:
    """Somebody wants it otherwise, what the rule is about beside its choice is named, and nothing tells how."""
    _, rest = choice(old)
    for n, sentence in enumerate(prompt):
        told = f" {plainly(sentence)} "
        if rest and any(sign in told for sign in _OTHERWISE) and _judges(sentence):
            shared = rest & named(sentence)
            if 2 * len(shared) >= len(rest) and shared & named(" ".join(spelled(plainly(old))[:2])):
                return Disposal(n, n, sure=False)
    return None


def _by_verb(prompt: Sequence[str], old: str) -> Disposal | None:
    """`Half is too late. Pause when 20% is hidden.` after `Pause a row once it is 50% off screen.`: after a fault the same
    is asked for again, with another number of the same look."""
    verb = old.partition(" ")[0].lower()
    for n, sentence in enumerate(prompt):
        if sentence.partition(" ")[0].lower() != verb:
            continue
        rule, again = _numerals(old), _numerals(sentence)
        if len(rule) != 1 or len(again) != 1 or not any(map(_faulty, prompt[: n + 1])):
            continue
        (was,), (now,) = rule, again
        alike = now.value.lstrip(_DIGITS) == was.value.lstrip(_DIGITS)
        if alike and now.value != was.value and now.unit in ("", was.unit):
            return Disposal(n, n, sure=False)
    return None


_DIGITS = "0123456789.,:"


def _numerals(text: str) -> list[_Amount]:
    """The numbers of a text that are written in digits."""
    words = spelled(plainly(text))
    return [amount for amount in _amounts(text) if amount.value in words]


@lru_cache(maxsize=1024)
def _may_be_disposed_of(old: str) -> bool:
    """It is no talk and no request that is soon done."""
    return next(iter(spelled(plainly(old))), "i") not in _TALK


class _Amount(NamedTuple):
    value: str
    unit: str
    before: str
    bare: bool
    """It begins or ends its clause, or stands alone."""
    bound: bool
    """What it holds for is said behind it: `100 MB per request`."""


def _by_number(prompt: Sequence[str], old: str) -> Disposal | None:
    rule = _amounts(old)
    if len(rule) != 1:
        return None
    (was,) = rule
    _, rest = choice(old)
    at = -1
    for n, sentence in enumerate(prompt):
        for clause, alone in _parts(sentence):
            for amount in _amounts(clause):
                if amount.value == was.value:
                    if _is(amount, was) and _praises(clause):
                        return None
                    at = n if at < 0 and _is(amount, was) else at
                elif at >= 0 and (_proposes(clause, rest, alone=alone) or _is_only(clause)):
                    fits = _sets(sentence, amount, was)
                    if fits or len(spelled(clause)) <= _BRIEF:
                        return Disposal(at, n, sure=fits and not amount.bound)
                elif was.unit and _may_set(sentence, amount, was, named=at >= 0):
                    return Disposal(n if at < 0 else at, n, sure=False)
    return None


def _parts(sentence: str) -> list[tuple[str, bool]]:
    """The clauses of a sentence, each with whether it stands alone; what follows a full stop does."""
    return [
        (clause, clause == part.strip(" .!"))
        for part in typed(sentence).split(". ")
        for clause in clauses(part)
    ]


def _is_only(clause: str) -> bool:
    """The clause is a number and nothing else: `…, so 7`."""
    return len(spelled(clause)) < _BRIEF and not _faulty(clause)


def _praises(clause: str) -> bool:
    return not _PRAISE.isdisjoint(spelled(plainly(clause))) and not _faulty(clause)


def _is(amount: _Amount, was: _Amount) -> bool:
    """It is the rule's number that is spoken of; in `20 MB per file` it is another one of that size."""
    if amount.value != was.value or (amount.bound and amount.bare):
        return False
    return not amount.unit or amount.unit == was.unit or (not was.unit and len(was.value) > 2)


def amounts_of(text: str) -> list[tuple[str, str]]:
    """The numbers of a text with their units."""
    return [(amount.value, amount.unit) for amount in _amounts(text)]


def units(text: str) -> frozenset[str]:
    """The units of the numbers in a text."""
    return frozenset(amount.unit for amount in _amounts(text) if amount.unit)


def _sets(sentence: str, other: _Amount, was: _Amount) -> bool:
    """The number may stand where the rule's stands."""
    if other.before in _NAMING and other.before != was.before:
        return False
    first = next(iter(spelled(plainly(sentence))), "")
    if first in TASKS and first not in _SETTING:
        return False
    return other.unit == was.unit if other.unit else other.bare


def _may_set(sentence: str, other: _Amount, was: _Amount, *, named: bool) -> bool:
    return (named or was.unit in units(sentence)) and _sets(sentence, other, was) and _faulty(sentence)


@lru_cache(maxsize=1024)
def _amounts(text: str) -> tuple[_Amount, ...]:
    """The numbers of a text."""
    if not text.isascii() and any("\u3040" <= char <= "\ud7a3" for char in text):
        return _unspaced_amounts(text)
    found = []
    for clause in clauses(plainly(text)):
        words = spelled(clause)
        for place, word in enumerate(words):
            behind = word.lstrip("0123456789.,:") if word[0].isdigit() else ""
            if len(behind) > _SUFFIX or not (word[0].isdigit() or word in _NUMBERS):
                continue
            after = words[place + 1] if place + 1 < len(words) else ""
            unit = after.rstrip("s") if after in _UNITS or topic(after) else ""
            if word in _MULTIPLES:
                unit = "time"
            elif word in _VAGUE and not unit and len(words) >= _BRIEF:
                continue
            bare = place == 0 or not after or after in _ENDS
            before = words[place - 1] if place else ""
            rest = words[place + 1 + bool(unit) :]
            bound = bool(rest) and rest[0] in _BINDS
            found.append(_Amount(str(_NUMBERS.get(word, word)), unit, before, bare, bound))
    return tuple(found)


_SUFFIX = 2
"""Letters that may follow a number: `20k`, `3pm`, but no colour."""
_UNITS = word_set("b kb mb gb tb ms sec m h d px pt em rem kg g km cm mm am pm")
_ENDS = word_set("please bitte then instead it")
_BINDS = word_set("per for in on at pro für im bei par pour dans por para")


def _unspaced_amounts(text: str) -> tuple[_Amount, ...]:
    found, digits = [], ""
    for char in f"{text} ":
        if char.isdigit():
            digits += char
        elif digits:
            found.append(_Amount(digits, char if char.isalpha() else "", "", bare=True, bound=False))
            digits = ""
    return tuple(found)


def _by_name(prompt: Sequence[str], old: str) -> Disposal | None:
    chosen, rest = choice(old)
    if not chosen or any(named(unit) >= chosen for unit in units(old)):
        return None
    at = -1
    for n, sentence in enumerate(prompt):
        for clause, alone in _parts(sentence):
            if _names(clause, chosen):
                if at < 0 and not _judges(clause):
                    return None
                at = n if at < 0 else at
            elif at >= 0 and _proposes(clause, rest, alone=alone):
                return Disposal(at, n, sure=fills_the_place(clause, old))
    return None


def _names(clause: str, chosen: frozenset[str]) -> bool:
    """The clause names what was chosen, or begins with the first word for it."""
    found = chosen & named(clause)
    if len(found) == len(chosen):
        return True
    return bool(found) and not found.isdisjoint(named(" ".join(spelled(clause)[:3])))


@lru_cache(maxsize=1024)
def choice(old: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a rule chooses, and what else it is about."""
    words = spelled(next(iter(clauses(plainly(old))), ""))
    if not words:
        return frozenset(), frozenset()
    begin, end = len(words) - 1, len(words)
    slots = [n for n, word in enumerate(words) if word in _SLOTS]
    if words[0] not in _CALLS and is_choice(old):
        begin = 1
        end = next((n for n, word in enumerate(words) if n > begin and word in _PLACES), len(words))
    elif slots and words[0] not in _CALLS:
        begin = slots[-1] + 1
    chosen = named(" ".join(words[begin:end]))
    return chosen, named(old) - chosen


def _judges(clause: str) -> bool:
    """It says something about what it names, and neither asks for work, nor reports a fault of the program, nor praises."""
    words = spelled(plainly(clause))
    if len(words) < 3 or words[0] in TASKS or clause.endswith("?") or not _REPORTS.isdisjoint(words):
        return False
    if _faulty(clause) or turns(clause):
        return True
    if not _DUTIES.isdisjoint(words):
        return False
    tells = words[0].endswith("'s") or any(w in _TELLS or w.endswith(("s", "ed")) for w in words[1:])
    return tells and _PRAISE.isdisjoint(words)


_DUTIES = word_set("should must shall")
"""What sets something, and judges nothing."""
_TELLS = word_set(
    "is are was were has have had can cannot will would ist sind war hat geht est sont es son é"
)


def _faulty(clause: str) -> bool:
    told = f" {plainly(clause)} "
    return any(sign in told for sign in _FAULTS)


def _proposes(clause: str, rest: frozenset[str], *, alone: bool) -> bool:
    """The clause gives something else; one that asks for work must be about what the rule is about."""
    words = spelled(plainly(clause))
    told = f" {' '.join(words)} "
    if not words or words[0] in _ELSEWHERE or clause.endswith("?"):
        return False
    if words[0] in _PRONOUNS:
        return any(sign in told for sign in _NAMES_ANEW)
    if words[0] in TASKS and words[0] not in _SETTING:
        return not rest.isdisjoint(topic(clause))
    if alone and len(words) <= _FRAGMENT and _TELLS.isdisjoint(words):
        return True
    return any(sign in told for sign in _PROPOSES)
