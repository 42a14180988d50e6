"""Next steps against the transcript: a step proposes, but what it names on the way must be so.

The commands it names must stand where it points or be known to the ledger, the files it begins with must be
the session's, and what it states of checks must be what the session gives. A step that points nowhere is
somebody's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.handoff.verify.claims import known_run
from segue.handoff.verify.evidence import Transcript, ran, same_words, says
from segue.handoff.verify.finding import READ, Finding
from segue.handoff.verify.statements import Statement, places, short
from segue.model.patterns import compiled

_CODE = r"`([^`]+)`"
_ASIDE = compiled(r" \([^)]*\)")
_SHORTEST = 12
"""Characters of a quotation that is worth looking for."""
_BEGINS = "Begin with what "
_SETTLES = "Settle what the agent asked and nobody answered"
_FAILS = (" pass — ", " through — ")
_AGAIN = "` again: "


def proposed(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    item, where = statement.item, statement.where
    if not item.evidence:
        return
    if quote := _quoted(item.text):
        named, wrong = quote, "" if _stands(quote, statement, transcript) else quote
        if not wrong and item.text.startswith(_SETTLES) and not _open(quote, statement, transcript):
            message = f"{short(quote)} is not open: it was answered, or the talk went past it."
            yield Finding("drifted", "quote", where, message, READ)
            return
    else:
        named, wrong = item.text, _wrong(statement, transcript)
    if wrong:
        yield Finding("drifted", "quote", where, f"{places(item)} does not say {short(wrong)}.", READ)
    elif quote or "`" in item.text:
        yield Finding("holds", "quote", where, f"{places(item)} says {short(named)}.")


def _quoted(text: str) -> str:
    begin, end = text.find('"'), text.rfind('"')
    in_code = text[:begin].count("`") % 2
    return "" if in_code or end - begin < _SHORTEST else text[begin + 1 : end]


def _open(question: str, statement: Statement, transcript: Transcript) -> bool:
    asked = transcript.index.questions
    return bool(statement.item.origin) or any(says(known.text, question) for known in asked)


def _stands(words: str, statement: Statement, transcript: Transcript) -> bool:
    there = transcript.at(statement.item)
    return any(says(shown.text, words) or says(shown.command, words) for shown in there)


def _wrong(statement: Statement, transcript: Transcript) -> str:
    """What a step names that the transcript does not show; empty where it shows all of it."""
    text = statement.item.text
    for named in re.finditer(_CODE, text):
        command = named[1]
        there = transcript.at(statement.item)
        shown = any(ran(s.command, command) or says(f"{s.command} {s.text}", command) for s in there)
        if (
            not shown
            and known_run(command, transcript.index.commands) is None
            and not _called(command, transcript)
        ):
            return command
    for ends in _FAILS:
        why = text.partition(ends)[2]
        if why and not _stands(why, statement, transcript):
            return why
    why = text.partition(_AGAIN)[2]
    if why and not any(same_words(claim.text, why) for claim in transcript.index.claims):
        return why
    return _unknown_file(text, transcript) if text.startswith(_BEGINS) else ""


def _called(told: str, transcript: Transcript) -> bool:
    flight = transcript.index.in_flight
    return flight is not None and any(same_words(call, told) for call in (*flight.beside, flight.text))


def _unknown_file(text: str, transcript: Transcript) -> str:
    known = {file.path for file in transcript.index.files}
    named = _ASIDE.sub("", text.partition(": ")[2].removesuffix(".")).split(", ")
    return next((path for path in named if path not in known), "")
