"""Next steps against the transcript: a step proposes, but what it names on the way must be so.

The commands it names must stand where it points or be known to the ledger, the files it begins with must be
the session's, and what it states of checks must be what the session gives. A step that points nowhere is
somebody's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.handoff.verify.claims import known_run, known_runs
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
_BEFORE = "it failed before the last edits"
_SAID_TO = '", said to "'
_BEHIND = (
    _SAID_TO,
    '" and find out how far `',
    '", which was under way when the session stopped.',
    '": the agent only said that it would.',
    '" is met: ',
    '" was answered.',
)
"""How a step goes on behind words that it quotes, where it does not end with them. The words, and a command that
is told behind them, may have quotation marks of their own."""


def proposed(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    item, where = statement.item, statement.where
    if not item.evidence:
        return
    quote, behind = _quoted(item.text)
    if quote:
        named, wrong = quote, "" if _stands(quote, statement, transcript) else quote
        if f'"{behind}'.startswith(_SAID_TO):
            answered, rest = _quoted(behind)
            wrong = wrong or ("" if _answers(answered, statement, transcript) else answered)
            behind = rest or behind
        wrong = wrong or _unknown_command(behind, statement, transcript)
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


def _quoted(text: str) -> tuple[str, str]:
    """The words that a step quotes, and what follows them."""
    begin = text.find('"')
    end = next((at for behind in _BEHIND if (at := text.find(behind, begin + 1)) > 0), text.rfind('"'))
    in_code = text[:begin].count("`") % 2
    short_of_words = end - begin < _SHORTEST and not text.startswith(_SAID_TO, end)
    return ("", "") if in_code or short_of_words else (text[begin + 1 : end], text[end + 1 :])


def _open(question: str, statement: Statement, transcript: Transcript) -> bool:
    asked = transcript.index.questions
    return bool(statement.item.origin) or any(says(known.text, question) for known in asked)


def _stands(words: str, statement: Statement, transcript: Transcript) -> bool:
    there = transcript.at(statement.item)
    return any(says(shown.text, words) or says(shown.command, words) for shown in there)


def _answers(words: str, statement: Statement, transcript: Transcript) -> bool:
    """The agent's words stand where the step points, or are what the person answered there: an earlier session may
    have asked."""
    known = (
        said.to
        for said in transcript.index.prompts
        if said.to and any(place.line in statement.item.evidence for place in said.evidence)
    )
    return _stands(words, statement, transcript) or any(says(text, words) for text in known)


def _wrong(statement: Statement, transcript: Transcript) -> str:
    """What a step names that the transcript does not show; empty where it shows all of it."""
    text = statement.item.text
    if unknown := _unknown_command(text, statement, transcript):
        return unknown
    for ends in _FAILS:
        why = text.partition(ends)[2]
        if why and not _stands(why, statement, transcript):
            return why
    ran_before, _, why = text.partition(_AGAIN)
    if why.startswith(_BEFORE):
        told = why.removeprefix(_BEFORE).removeprefix(" — ")
        if not _failed_before(ran_before.partition("`")[2], statement, transcript):
            return why
        return "" if not told or _stands(told, statement, transcript) else told
    if why and not any(same_words(claim.text, why) for claim in transcript.index.claims):
        return why
    return _unknown_file(text, transcript) if text.startswith(_BEGINS) else ""


def _unknown_command(text: str, statement: Statement, transcript: Transcript) -> str:
    """A command that the text names and that neither stands at its pointer nor was run or called."""
    there = transcript.at(statement.item)
    for command in re.findall(_CODE, text):
        shown = any(ran(s.command, command) or says(f"{s.command} {s.text}", command) for s in there)
        if (
            not shown
            and known_run(command, transcript.index.commands) is None
            and not _called(command, transcript)
        ):
            return str(command)
    return ""


def _failed_before(command: str, statement: Statement, transcript: Transcript) -> bool:
    """The last run of this command failed where the step points, and something was edited since."""
    index = transcript.index
    edited = max((file.evidence[0].line for file in index.files if file.edits and not file.origin), default=0)
    failed = [
        run.last_bad.evidence.line
        for run in known_runs(command, index.commands)
        if run.last_bad and run.state == "open"
    ]
    return any(line in statement.item.evidence and line < edited for line in failed)


def _called(told: str, transcript: Transcript) -> bool:
    flight = transcript.index.in_flight
    return flight is not None and any(same_words(call, told) for call in (*flight.beside, flight.text))


def _unknown_file(text: str, transcript: Transcript) -> str:
    known = {file.path for file in transcript.index.files}
    named = _ASIDE.sub("", text.partition(": ")[2].removesuffix(".")).split(", ")
    return next((path for path in named if path not in known), "")
