"""Words that speak of one thing: `you can push to staging`, and weeks later `ops froze staging, so no pushes there`.

Whoever reads only the first is misled, however the second is worded. Leave and a ban on the same thing replace each other; so
do two numbers of one unit or of one name, where the later sentence turns. Where the thing is the same and the turn is all
that is known, both stand and are told together. Things in different places are different things.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import lru_cache
from itertools import pairwise

from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.words.conduct import TASKS
from segue.extract.words.fixed import forbids_in_polish, forbids_in_spanish
from segue.extract.words.leave import ACTS
from segue.extract.words.supersede_adds import adds
from segue.extract.words.supersede_apart import are_apart
from segue.extract.words.supersede_keeps import forbids_something_else, is_said_again, opens
from segue.extract.words.supersede_subject import names_in
from segue.extract.words.supersede_turn import named, spelled
from segue.extract.words.supersede_word import same_breath, stated
from segue.model.facts import Word
from segue.model.value import NamedTuple

_TURNS = phrases(
    " after all| so go | go with | any more| anymore| no longer| now | now.| from now on| instead| final | final.| settled | froze| ran out|"
    " until |too much|too little|too high|too low|too strict|too slow|too many|too early|too late| still | again | actually |"
    " al final | ya no | dejamos | cambia | mejor | olvida | sigue | jednak | już | zostaje | ostatecznie | zmień | doch | jetzt |"
    " nicht mehr | finalement | plus de | désormais | agora | afinal | теперь | всё-таки | больше не |もう|やっぱり|になりました|確定|変更|"
    "にします|还是|改|不再|定了|이제|더 이상"
)
_BANS = phrases("不必要|不要|ないで|禁止|不用|别|지 마")
_NEEDS = phrases("必要になりました|必要です|需要")
_LEADS = ("no, ", "nope, ", "no. ", "no wait", "not that ")
"""How a correction begins that forbids nothing yet."""
_SHUT = phrases(
    "hands off|off limits|out of bounds|frozen|is off|are off|is closed|are closed|stay away|stay out"
)
_BAN_WORDS = word_set(
    """
    no not don't dont never alone without stop avoid forbidden banned off-limits prohibited nicht kein keine keinen pas jamais nunca ni
    prohibido não не нельзя nie
    """
)
_PLACES = word_set("in on to at from against into onto en na auf nach zu sur dans em contra for per")
_SKIPPED = word_set(
    "the a an our my your own that this el la los las der die das dem den le les o os all any"
)
_GENERIC = word_set(
    "% s ms sec second minute min hour day line time mb gb kb k px x file step item test version way char"
)
"""Units that so many things are counted in that they tell nothing about which."""
_ALSO = word_set(
    """
    use file code test change branch work repo everything anything nothing people way make
    możesz możecie można puedes podéis puede pode podes darfst kannst peux pouvez puoi можешь можете можно
    zapomnij olvida vergiss oublie esquece забудь
    """
)
"""What two words may have in common and be about different things."""
_JOINS = word_set("y e and or und et i a que ya is are was were o u but so if when as than then it he")
_VERBS = word_set(
    "touch use push drop read restart reads drops keep leave set put cambia deja zmień ustaw ändere mets change"
)
_SETTING = 2
"""Digits from which on a number beside a name sets it; one digit numbers it: `module 2`."""
_REACH = 20
"""How many earlier words on the same thing are looked at."""
_TELLING = ("stated", "answer")
"""Words that change no rule by their object alone: an answer repeats what the agent asked."""
_CLOSE = 4
"""Words within which a number stands by its name, and that a label has at most."""
_LONGEST, _STEM, _FEW = 260, 5, 3


class Shared(NamedTuple):
    """A later word speaks of what an earlier one speaks of; `sure` if it takes its place."""

    sure: bool


_SURE, _PERHAPS = Shared(sure=True), Shared(sure=False)


def mark_same_objects(
    words: list[Word],
    marks: dict[int, int],
    replacing: set[int],
    perhaps: dict[int, int],
    doubting: Set[int],
) -> None:
    """Marks the words whose object a later one speaks of otherwise; those that are `doubting` are told too."""
    mentions: dict[str, list[int]] = {}
    for later, new in enumerate(words):
        if new.kind == "pasted" or not (new.strength or later in doubting) or not new.evidence:
            continue
        before = [mentions.setdefault(key, []) for key in _keys(new.text)]
        near = {earlier for places in before for earlier in places[-_REACH:]} - marks.keys()
        for places in before:
            places.append(later)
        if not new.strength or new.origin or new.kind in _TELLING:
            continue
        for earlier in sorted(near):
            old = words[earlier]
            if old.superseded_by or same_breath(old, new):
                continue
            if found := shares_object(new, old):
                if found.sure:
                    marks[earlier] = later
                    replacing.add(later)
                    perhaps.pop(earlier, None)
                else:
                    perhaps.setdefault(earlier, later)


def _keys(text: str) -> set[str]:
    """What two words have in common that may share their object."""
    return {term[:_STEM] for term in named(text)} | _measured(text).units.keys()


def shares_object(new: Word, old: Word) -> Shared | None:
    """Whether a later word is about the same thing as an earlier one, which it may contradict."""
    if len(new.text) > _LONGEST or len(old.text) > _LONGEST:
        return None
    if is_said_again(new.text, old.text):
        return None
    mine, others = named(new.text), named(old.text)
    shared = mine & others - _ALSO
    turned = new.kind in ("correction", "rejection") or turns_away(new.text)
    if not adds(new.text) and _other_number(new.text, old.text, shared, turned=turned):
        return None if are_apart(new.text, old.text) else _SURE if turned else _PERHAPS
    label = _label(stated(new))
    if label and 2 * len(label & others) >= len(label):
        return _PERHAPS
    if _apart(names_in(new.text), names_in(old.text)) or _apart(_numbers(new.text), _numbers(old.text)):
        return None
    if "allowed" in (new.kind, old.kind):
        shared |= _inflected(mine, others) - _ALSO
    if not shared or _elsewhere(new.text, old.text, shared):
        return None
    if "allowed" in (new.kind, old.kind) and new.kind != old.kind:
        return _leave_and_ban(new, old, shared, turned=turned)
    if not turned or not _opposed(new.text, old.text):
        return None
    if forbids(old.text):
        if not opens(new.text, old.text):
            return None
    elif forbids_something_else(new.text, shared):
        return None
    same = len(shared) > 1 or shared >= others or not new.text.isascii()
    return _PERHAPS if same or not _paths(new.text).isdisjoint(_paths(old.text)) else None


def _leave_and_ban(new: Word, old: Word, shared: frozenset[str], *, turned: bool) -> Shared | None:
    leave, ban = (new, old) if new.kind == "allowed" else (old, new)
    if not forbids(ban.text):
        return None
    act = frozenset[str]().union(*(named(word) for word in spelled(plainly(leave.text)) if word in ACTS))
    if len(shared) < 2 and not shared - act and not named(ban.text) <= shared:
        return None
    if len(shared) < 2:
        mine, others = _mainly(new.text), _mainly(old.text)
        both = (mine & others) | _inflected(mine, others)
        return _PERHAPS if min(len(mine), len(others)) <= _FEW and shared & both else None
    if new is leave:
        return _SURE if named(leave.text) <= named(ban.text) | _ALSO else _PERHAPS
    return _SURE if turned or 2 * len(shared) >= len(named(leave.text)) else _PERHAPS


def _paths(text: str) -> frozenset[str]:
    return (
        frozenset(word.rstrip("/") for word in spelled(text) if "/" in word) if "/" in text else frozenset()
    )


def _apart(mine: frozenset[str], others: frozenset[str]) -> bool:
    """Each names something, and not the same."""
    return bool(mine) and bool(others) and mine.isdisjoint(others)


def _inflected(mine: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """Words with another ending, as other languages have: `usuwać`, `usuwaj`."""
    begins = {term[:_STEM] for term in others if len(term) >= _STEM}
    return frozenset(term for term in mine if len(term) >= _STEM and term[:_STEM] in begins)


@lru_cache(maxsize=1024)
def _mainly(text: str) -> frozenset[str]:
    """What a sentence is about before it says why or when."""
    text = plainly(text)
    for sign in _ASIDE:
        before, _, _ = text.partition(sign)
        text = before if named(before) - _ALSO else text
    return named(text) - _ALSO


_ASIDE = phrases(
    ", |; | if | when | because | unless | until | since | so that | si | wenn | jeśli | если |、"
)


@lru_cache(maxsize=1024)
def turns_away(text: str) -> bool:
    told = f" {plainly(text)} ".replace(",", " ")
    return any(sign in told for sign in _TURNS)


@lru_cache(maxsize=1024)
def forbids(text: str) -> bool:
    """It says what not to do, in any of the languages."""
    plain = plainly(text).replace("no need", "")
    for lead in _LEADS:
        plain = plain.removeprefix(lead)
    words = spelled(plain)
    if "nie" in words:
        return forbids_in_polish(plain)
    if not _BAN_WORDS.isdisjoint(words) or any(sign in plain for sign in _SHUT):
        return True
    if "ne" in words and "plus" in words:
        return True
    return (not plain.isascii() and any(sign in plain for sign in _BANS)) or forbids_in_spanish(words)


def _opposed(new: str, old: str) -> bool:
    """One of them forbids, or each says of something else that it is needed."""
    if forbids(new) != forbids(old):
        return True
    if not new.isascii():
        return any(sign in new for sign in _NEEDS) or "確定" in new
    return forbids(old) and (" can " in new or " may " in new or " fine" in new or " ok" in new)


@lru_cache(maxsize=1024)
def _label(text: str) -> frozenset[str]:
    """What a sentence is headed with: `About the flags: …`, `Lo de shell: …`."""
    head, colon, _ = text.partition(": ")
    words = head.lower().split()
    return named(head) - _ALSO if colon and len(words) <= _CLOSE and words[0] not in TASKS else frozenset()


def _elsewhere(new: str, old: str, shared: frozenset[str], *, named_so: bool = False) -> bool:
    """Each says where, or which, and not the same: `the metrics port`, `the port for the api`."""
    mine, others = _placed(new, shared, named_so), _placed(old, shared, named_so)
    return bool(mine) and bool(others) and mine.isdisjoint(others)


@lru_cache(maxsize=1024)
def _placed(text: str, shared: frozenset[str], named_so: bool) -> frozenset[str]:
    """What stands behind a preposition, or right before what two words share."""
    words = [word for word in spelled(plainly(text)) if word not in _SKIPPED]
    behind = (" ".join(words[n + 1 : n + 3]) for n, word in enumerate(words[:-1]) if word in _PLACES)
    found = {term for place in behind for term in named(place)}
    found |= {after for word, after in pairwise(words) if word == "on" and after.isdigit()}
    for before, word in pairwise(words) if named_so else ():
        if named(word) & shared and before not in TASKS and before not in _VERBS:
            found |= named(before)
    return frozenset(found - shared)


def _other_number(new: str, old: str, shared: frozenset[str], *, turned: bool) -> bool:
    """Both give one number for the same thing, and not the same."""
    mine, others = _measured(new), _measured(old)
    for unit in mine.units.keys() & others.units.keys():
        if mine.units[unit] == others.units[unit] or mine.units[unit] in _numbers(old):
            continue
        if _apart(mine.bound.get(unit, _NOWHERE), others.bound.get(unit, _NOWHERE)):
            continue
        if turned and unit not in _GENERIC and unit.isascii():
            return True
        if shared - {unit} and not _elsewhere(new, old, shared | {unit}):
            return True
    for name in (mine.named.keys() & others.named.keys()) - _ALSO - _GENERIC:
        if mine.named[name] != others.named[name] and mine.named[name] not in _numbers(old):
            return turned and not _elsewhere(new, old, shared | {name}, named_so=True)
    return False


class _Measured(NamedTuple):
    """The last number of each unit, and of each name that stands close before or behind it."""

    units: dict[str, str]
    named: dict[str, str]
    bound: dict[str, frozenset[str]]
    """What the number of a unit holds for, where that is said right behind it: `2 spaces in yaml`."""


_NOWHERE = frozenset[str]()


@lru_cache(maxsize=1024)
def _numbers(text: str) -> frozenset[str]:
    return frozenset(word for word in spelled(plainly(text)) if word[0].isdigit())


@lru_cache(maxsize=1024)
def _measured(text: str) -> _Measured:
    found = _Measured({}, {}, {})
    if text.isascii():
        text = _in_digits(text)
    if not any(map(str.isdigit, text)):
        return found
    if any("\u3040" <= letter <= "\ud7a3" for letter in text):
        found.units.update(_unspaced_units(text))
        return found
    words = spelled(plainly(text))
    for place, word in enumerate(words):
        if not word[0].isdigit():
            continue
        number = word.rstrip("abcdefghijklmnopqrstuvwxyz%")
        unit = word[len(number) :]
        if not unit and place + 1 < len(words) and words[place + 1].isalpha():
            unit = words[place + 1]
        if unit and unit not in _PLACES and unit not in _SKIPPED and unit not in _JOINS:
            thing = unit.rstrip("s") or unit
            found.units[thing] = number
            behind = words[place + 1 + (unit in words[place + 1 : place + 2]) :][:3]
            if behind and behind[0] in _PLACES:
                found.bound[thing] = frozenset(
                    word for word in behind[1:] if word not in _SKIPPED and word != "now"
                )
        if len(number) < _SETTING or number[0] == "0":
            continue
        for near in (*words[max(0, place - _CLOSE) : place], *words[place + 1 : place + _CLOSE]):
            found.named.update(dict.fromkeys(named(near), number))
    return found


def _in_digits(text: str) -> str:
    """The text with the numbers in digits that are spelled out behind what makes them a bound: `only one voucher`."""
    words = text.split()
    if _NUMERALS.keys().isdisjoint(words):
        return text
    return " ".join(
        _NUMERALS.get(word, word) if before.lower() in _BOUNDING else word
        for before, word in pairwise(("", *words))
    )


_NUMERALS = {
    word: str(n)
    for n, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 1
    )
}
_BOUNDING = word_set("only to most least exactly than max maximum min minimum just")


def _unspaced_units(text: str) -> Iterator[tuple[str, str]]:
    number = ""
    for letter in text.replace(" ", ""):
        if letter.isdigit():
            number += letter
        elif number:
            if letter.isalpha() and not letter.isascii():
                yield letter, number
            number = ""
