"""Where a text may tell a secret at all: the cheap question that every text of a session is asked.

A few beginnings and ends of names, few enough that the search takes many bytes at a time: a megabyte takes
a tenth of a millisecond, where the rules take ten. They are looked for as they are commonly written, in
small letters, in capitals and with a capital first, because lowering all text would cost more.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ahocorasick_rs import BytesAhoCorasick, MatchKind

_BEFORE, _AFTER = 96, 320
_LONGEST = 512
"""Bytes around a name in which its secret stands, and what else the rules look at."""
_FAR = 256
_VALUE = b"alue"
"""Bytes before a name in which a record tells its value first."""

_IN_SETTINGS = """assw ASSW pword assphr pwd PWD ecret ECRET oken OKEN redential _pass _PASS PASS: PASS= _pw _PW "pass pass= requirepass _key _KEY iKey
pikey ccessKey i-key i-Key sql:// gres:// edis:// odb: mqp: @tcp( uth=( uthorization UTHORIZATION earer ookie ttpOnly essionid sitive": asked":"""
_IN_SPEECH = """asscode ennwort passe contrase senha wachtwoord hasł heslo lösenord adgangskode passord арол parola şifre
密码 密碼 口令 パスワード 비밀번호"""
_IN_A_JAR = "E\t/"
_SPACED_OUT = (
    "pword", "ass phrase", "og in as", "ogin as", "ign in as", "og in with", "ogin with", "creds", "pw=",
    "pi key", "PI key", "ccess key", "pw ", "pw:", "PW ", "PW:", "pass:", "pass ",
)  # fmt: skip
"""Names of several words, and short ones with what follows them."""
_KIND = 10
"""Bytes before the `Secret` of a Kubernetes manifest that say so: in it every value is one, however far away."""
_ODD = b"0123456789!#$%&*+?@^~"
"""What no secret is without."""
_NEAR = 160
_PHRASE, _JOINTS = 64, 3
"""Bytes in which a phrase of joined words has so many joints, and needs nothing odd."""


def tellings(data: bytes, spoken: bool) -> Iterator[bytes]:
    """The parts of a text that hold the name of a secret and what may be one; nearly always none. What is `spoken`,
    by a person or an agent, is searched for more names."""
    begin = end = 0
    for _, start, stop in _names(spoken).find_matches_as_indexes(data):
        if b"kind" in data[max(0, start - _KIND) : start]:
            yield data
            return
        before = _FAR if _VALUE in data[max(0, start - _FAR) : start] else _BEFORE
        near = data[max(0, start - before) if spoken or before == _FAR else stop : stop + _NEAR]
        if near.translate(None, _ODD) == near and data.count(b"-", stop, stop + _PHRASE) < _JOINTS:
            continue
        if start - before > end:
            if end:
                yield data[begin:end]
            begin = max(0, start - before)
        if stop + _AFTER > end:
            end = _end_of_word(data, stop + _AFTER)
    if end:
        yield data[begin:end]


def _end_of_word(data: bytes, at: int) -> int:
    """The place where the word at a place ends, so that no secret is halved."""
    ends = [end for mark in b" \n" if (end := data.find(mark, at, at + _LONGEST)) >= 0]
    return min(ends, default=at + _LONGEST)


@cache
def _names(spoken: bool) -> BytesAhoCorasick:
    names = (*_IN_SETTINGS.split(), "pass =", _IN_A_JAR)
    if spoken:
        names = (*names, *_IN_SPEECH.split(), *_SPACED_OUT)
    return BytesAhoCorasick([name.encode() for name in names], matchkind=MatchKind.LeftmostFirst)
