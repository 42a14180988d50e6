"""Which values nobody writes by chance, so that one seen once may be removed wherever it turns up.

A value that stands behind the name of a secret is removed there, whatever it is. Removing it everywhere asks
for more: a word, a name, a version or a rule for a form would vanish from text that needs it. The table:

| | behind the name of a password | behind that of a token, secret or key |
|---|---|---|
| words, also joined, also with one number (`tls-secret-2024`, `admin123`) | stays | stays |
| capitals, small letters and two digits, none of the words being about secrets (`puffin-Skarv_77`) | goes | stays |
| digits or marks inside its words (`Kr4ken`, `Zarzuela#18`) | goes | goes if it looks drawn at random |
| digests, ids (of 16 digits and more) | goes | goes |
| versions, times, places, selectors, types, expressions, whatever asks to be filled in | stays | stays |
"""

from __future__ import annotations

import re

from segue.model.patterns import compiled
from segue.redaction import checks
from segue.redaction.ordinary_words import EVERYDAY, LOGINS
from segue.redaction.spelling import speakable, unspeakable

SHORTEST = 8
_LONGEST = 512
_LONGEST_NAME = 28
_SHORT_DIGEST = 16
_LONG = 20
"""Characters from which on any short word may turn up in what was drawn at random."""

# Compiled when first used: most sessions hold nothing that needs them.
_JOINTS = r"[-_./:]+"
_PIECE = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]"
_NAME_PART = r"[A-Za-z]+\d{0,4}|\d{1,8}[A-Za-z]{0,2}|v\d{1,3}[a-z]{0,5}\d{0,3}"
_VOWEL = r"[aeiouyAEIOUY]"
_RULE_OR_CODE = r"[][(){}<>|\\,;\"'`]|\s"
_LETTERS = r"[A-Za-z]{3}"
_STRUCTURED = (
    r"[#.:@$^~>=*&/?+%-]\w*[a-z]{3}"  # selectors, parameters, ranges, flags, paths
    r"|(?:[a-z-]+[:@=-])?[\^~>=v]*\d+\.\d+"  # versions
    r"|\d{4}-\d\d-\d\d"  # times
    r"|[\w.+-]+@[\w-]+\.[\w.-]+$|[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?$"  # mail, hosts
    r"|0[xX][0-9a-fA-F]{1,40}$|#[0-9a-fA-F]{3,8}$"  # numbers, public addresses, colours
    r"|(?i:sha\d+|md5|h1|pbkdf2|scrypt|utf-?\d+)[-:_$m]"  # digests, character sets
    r"|\w+(?:::\w+)+$|[A-Za-z]{3,}=\d+$|(?i:ctrl|cmd|alt|shift|meta)\+"  # names in programs, limits, keys to press
)
_ODD = r"[^A-Za-z0-9+/_=~.-]"
_FILLED_IN = r"[-_./:]\$[A-Za-z_]|\$[A-Za-z_]\w*[-_./:]|^!!?[A-Za-z_$][\w$]*\??\.|^!![A-Za-z_$]"
"""A variable among other text, or behind its negation."""
_HEX = r"[0-9a-fA-F]+$"
_CONSTANT = r"[A-Z]+(?:_[A-Z]+)+$|\d+[A-Za-z]{0,2}$"
_BRACKETS = r"\[.*\]|\(.*\)|\{.*\}"
_CODE = rf"{_BRACKETS}|(?:^|\W)[a-z_]+\d?=[\w!]"
_NUMBERED = r"(?:[A-Za-z]+\d{0,4}(?:[-_./:]+|$))+$"
_TELLING = 16
"""Characters from which on hardly a random value has so many words in it."""
_LIKELY, _SURELY = -2, 2
"""What the letters of a word sum up to at least."""
_KINDS = (str.islower, str.isupper)
_STAND_INS = frozenset(word for word in checks.STAND_INS if len(word) > 2)
_KNOWN = EVERYDAY | LOGINS | checks.STAND_INS


def made_up(value: str, password: bool = True) -> bool:
    """True for a value that is no word, name or notation; of what stands behind another name than that of a
    `password`, only what looks drawn at random."""
    if (
        not SHORTEST <= len(value) <= _LONGEST
        or not checks.unnumbered(value)
        or compiled(_STRUCTURED).match(value)
    ):
        return False
    if compiled(_RULE_OR_CODE).search(value) and compiled(_LETTERS).search(value):
        return False
    if compiled(_HEX).match(value) and len(value) < _SHORT_DIGEST:
        return False
    named = _is_name(value)
    if (named or len(value) < _LONG) and not _STAND_INS.isdisjoint(checks.words(value)):
        return False
    digits = sum(map(str.isdigit, value))
    if named:
        return password and digits > 1 and all(any(map(kind, value)) for kind in _KINDS)
    return (digits > 0 or checks.scrambled(value) or unspeakable(value)) if password else checks.opaque(value)


def said(value: str) -> bool:
    """What merely stands near the word: a class of a program may too, so letters with a number do not do."""
    return made_up(value) and (not value.isalnum() or checks.scrambled(value))


def made_at_random(value: str) -> bool:
    """What merely stands near the word for a token or a key, which prose uses for much else; no digest."""
    return made_up(value, password=False) and compiled(_HEX).match(value) is None


def drawn_key(value: str) -> bool:
    """Behind a name that may mean something else than a secret: drawn at random, no id and no name."""
    odd = compiled(_ODD).search(value) is not None
    return checks.random_key(value) and not _is_name(value) and not (odd and _is_notation(value))


def ordinary(value: str) -> bool:
    """What a report, a switch or a kind may say behind a name that means a secret elsewhere: words of theirs, numbers,
    ids, places, notation."""
    if not checks.unnumbered(value) or _is_notation(value) or compiled(_CONSTANT).match(value):
        return True
    if compiled(_CODE).search(value) or (compiled(_HEX).match(value) and len(value) < _SHORT_DIGEST):
        return compiled(_BRACKETS).search(value) is not None or not checks.scrambled(value)
    pieces = checks.words(value)
    return all(map(_is_known, pieces)) if pieces else not checks.scrambled(value)


def chosen(value: str) -> bool:
    """Behind such a name where code may stand, too: nothing that is read as words, alone or behind who logs in."""
    login, _, secret = value.rpartition(":")
    if login and not checks.plain(value):
        return False
    if ordinary(secret) or readable(secret) or re.match(checks.IDENTITY, secret):
        return drawn_key(secret)
    return compiled(_JOINTS).search(secret) is None or not _is_name(secret)


def spoken(value: str) -> bool:
    """No word of a report or a switch, alone or behind who logs in; of several words, most are none."""
    login, _, secret = value.rpartition(":")
    words = secret.split()
    if login and not checks.plain(value):
        return False
    if len(words) > 1:
        return checks.several_words(secret.lower()) and 2 * sum(map(ordinary, words)) <= len(words)
    return not ordinary(secret) or drawn_key(secret)


def readable(value: str) -> bool:
    """Made of words, to look at, or nearly so. A short value is soon like one by chance: there only known words are, and
    those that are surely spelled like one and have no digits inside."""
    is_long = len(value) >= _TELLING
    may_be_words = is_long or compiled(_NUMBERED).match(value)
    least = _LIKELY if is_long else _SURELY
    pieces = compiled(_PIECE).findall(value)
    words = (
        piece
        for piece in pieces
        if _is_known(piece.lower()) or (may_be_words and len(piece) > 3 and speakable(piece, least))
    )
    return sum(map(len, words)) * 10 >= (6 if is_long else 8) * len(
        compiled(_JOINTS).sub("", value)
    ) and not unspeakable(value)


def _is_known(word: str) -> bool:
    return any(word.removesuffix(ending) in _KNOWN for ending in ("", "s", "d", "ed", "ing"))


def nameless(value: str) -> bool:
    """After a bare `pass`, which reports of tests write before names."""
    return made_up(value) and not _is_name(value)


def _is_name(value: str) -> bool:
    """Made of words and numbers, as names of things are."""
    return not unspeakable(value) and all(
        len(part) <= _LONGEST_NAME
        and compiled(_NAME_PART).fullmatch(part) is not None
        and all(map(_is_word, compiled(_PIECE).findall(part)))
        for part in re.split(_JOINTS, value)
        if part
    )


def _is_notation(value: str) -> bool:
    """A mail address, a selector, a version, text that is filled in, code."""
    structured = compiled(_STRUCTURED).match(value) is not None and not checks.scrambled(value)
    return structured or compiled(_FILLED_IN).search(value) is not None


def _is_word(piece: str) -> bool:
    return len(piece) < 4 or compiled(_VOWEL).search(piece) is not None
