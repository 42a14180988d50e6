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

from segue.redaction import checks
from segue.redaction.spelling import speakable, unspeakable

SHORTEST = 8
_LONGEST = 512
_LONGEST_NAME = 28
_SHORT_DIGEST = 16
_LONG_ENOUGH = 12
"""Characters from which on what was drawn at random is told by its looks."""
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
    r"|[\^~>=v]*\d+\.\d+"  # versions
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
_KINDS = (str.islower, str.isupper)
_STAND_INS = frozenset(word for word in checks.STAND_INS if len(word) > 2)


def made_up(value: str, password: bool = True) -> bool:
    """True for a value that is no word, name or notation; of what stands behind another name than that of a
    `password`, only what looks drawn at random."""
    if not SHORTEST <= len(value) <= _LONGEST or not checks.unnumbered(value) or re.match(_STRUCTURED, value):
        return False
    if re.search(_RULE_OR_CODE, value) and re.search(_LETTERS, value):
        return False
    if re.match(_HEX, value) and len(value) < _SHORT_DIGEST:
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
    return made_up(value, password=False) and re.match(_HEX, value) is None


def drawn_key(value: str) -> bool:
    """Behind a name that may mean something else than a secret: drawn at random, no id and no name."""
    odd = re.search(_ODD, value) is not None
    return checks.random_key(value) and not _is_name(value) and not (odd and _is_notation(value))


def chosen(value: str) -> bool:
    """Behind a name that nothing but secrets, switches and kinds have: also a short value, alone or behind the name of
    who logs in."""
    secret = value.partition(":")[2] or value
    if secret != value and not checks.plain(value):
        return False
    if len(secret) >= _LONG_ENOUGH:
        return drawn_key(secret)
    if secret.isalpha():
        return len(secret) >= SHORTEST and _has_both_cases(secret) and not _holds_word(secret)
    return nameless(secret) and (checks.scrambled(secret) or not _holds_word(secret))


def on_its_own(value: str) -> bool:
    """Alone on the line below the word and a colon: also letters with capitals among them."""
    return made_up(value) or (value.isalpha() and checks.argument(value))


def nameless(value: str) -> bool:
    """After a bare `pass`, which reports of tests write before names."""
    return made_up(value) and not _is_name(value)


def _is_name(value: str) -> bool:
    """Made of words and numbers, as names of things are."""
    return not unspeakable(value) and all(
        len(part) <= _LONGEST_NAME
        and re.fullmatch(_NAME_PART, part) is not None
        and all(map(_is_word, re.findall(_PIECE, part)))
        for part in re.split(_JOINTS, value)
        if part
    )


def _is_notation(value: str) -> bool:
    """A mail address, a selector, a version, text that is filled in, code."""
    structured = re.match(_STRUCTURED, value) is not None and not checks.scrambled(value)
    return structured or re.search(_FILLED_IN, value) is not None


def _has_both_cases(letters: str) -> bool:
    return not letters.isupper() and not letters[1:].islower()


def _holds_word(value: str) -> bool:
    return any(len(piece) > 3 and _is_word(piece) and speakable(piece) for piece in re.findall(_PIECE, value))


def _is_word(piece: str) -> bool:
    return len(piece) < 4 or re.search(_VOWEL, piece) is not None
