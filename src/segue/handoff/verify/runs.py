"""Commands against the transcript: run there, and come out as told.

A failure that is told as open must not have been mended since, and one told as mended must have been. A
command without a pointer is looked up in the ledger of what the session ran.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from segue.handoff.item_reading import ParsedItem
from segue.handoff.verify.claims import expected, known_runs, went
from segue.handoff.verify.evidence import Shown, Transcript, ran, same_words, says
from segue.handoff.verify.finding import CHECK, READ, Finding
from segue.handoff.verify.said import last_said
from segue.handoff.verify.statements import Statement, places, short, told
from segue.model.patterns import compiled

_CODE = compiled(r"`([^`]+)`")
_OUTCOME = compiled(r"(?::? exit (\d+)(?=:|$)|: failed(?=:|$))?(?: — |: )?(.*)", re.S)
_MENDED = " (failed before)"
_SHOWN = 80
_RUN = "Run it again and see."


def ran_so(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """Commands told as failing, as failed once, or as gone well."""
    item = statement.item
    commands = _CODE.findall(item.text)
    if not item.evidence:
        for command in commands:
            yield _unpointed_run(command, statement, transcript)
    elif missing := _not_run_so(statement, commands, transcript):
        message = f"The transcript does not show {told(item)}: not {missing}."
        yield Finding("drifted", "command", statement.where, message, _RUN)
    else:
        yield Finding("holds", "command", statement.where, f"The transcript shows {told(item)}.")


def _not_run_so(statement: Statement, commands: list[str], transcript: Transcript) -> str:
    """What the transcript does not show of a run; empty where it shows all of it."""
    item, well = statement.item, statement.role in ("worked", "ran")
    there = transcript.at(item)
    runs = [shown for shown in there if ran(shown.command, commands[0])]
    if not runs:
        return f"a run of `{commands[0]}` at {places(item)}"
    if item.state == "pending":
        return ""
    mended = item.text.endswith(_MENDED) and went(runs, transcript, well=False)
    if statement.role == "ran":
        if went(runs, transcript, well=False):
            return "that its outcome is unknown"
    elif not went(runs, transcript, well=well) and not mended:
        return "that it went well" if well else "that it failed"
    bare = replace(item, text=item.text.removesuffix(_MENDED))
    behind = bare.text[bare.text.index("`", bare.text.index("`") + 1) + 1 :]
    if not behind.startswith((" — ", ": ")) and expected(bare) not in (None, well):
        return "both that it went well and that it failed"
    found = _OUTCOME.fullmatch(behind)
    status, printed = (found[1], found[2].strip()) if found else (None, behind.strip())
    if status and not any(shown.exit_code == int(status) for shown in runs):
        return f"exit {status}"
    for outcome in commands[1:] if printed.startswith("`") else [printed]:
        if outcome and not _concluded(outcome, there, transcript):
            return repr(outcome[:_SHOWN])
    return _since(statement, transcript)


def _since(statement: Statement, transcript: Transcript) -> str:
    """What a later run says against a failure that is told as open, or as mended."""
    last = [
        run
        for run in transcript.index.commands
        if run.last_bad and run.last_bad.evidence.line in statement.item.evidence
    ]
    if last and statement.role == "failing" and all(run.state != "open" for run in last):
        return "that it still fails"
    if last and statement.role == "failed" and all(run.state == "open" for run in last):
        return "that it was mended"
    return ""


def _concluded(outcome: str, there: list[Shown], transcript: Transcript) -> bool:
    """The run printed this, or the ledger concludes so from what it printed."""
    lines = {shown.line for shown in there}
    known = [run.last_ok for run in transcript.index.commands if run.last_ok]
    return any(says(shown.text, outcome) for shown in there) or any(
        run.evidence.line in lines and same_words(run.outcome, outcome) for run in known
    )


def _unpointed_run(command: str, statement: Statement, transcript: Transcript) -> Finding:
    known = known_runs(command, transcript.index.commands)
    if not known:
        return Finding(
            "drifted", "command", statement.where, f"The transcript shows no run of `{command}`.", CHECK
        )
    well = statement.role in ("worked", "ran")
    if not any(run.last_ok if well else run.last_bad for run in known):
        how = "went well" if well else "failed"
        message = f"The transcript shows no run of `{command}` that {how}."
        return Finding("drifted", "command", statement.where, message, _RUN)
    return Finding("holds", "command", statement.where, f"The transcript shows `{command}`.")


def stopped(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """Where it stopped: a call without a result, or the last words."""
    item = statement.item
    if '"' in _CODE.sub("", item.text):
        yield from last_said(statement, transcript)
        return
    there = transcript.at(item)
    answered = {shown.call_id for shown in there if shown.by == "result"}
    for command in _CODE.findall(item.text) if item.evidence else ():
        called = [shown.call_id for shown in there if shown.by == "call" and _called(shown, command)]
        in_flight = _in_flight(command, item, transcript)
        if in_flight or (called and answered.isdisjoint(called)):
            yield Finding(
                "holds", "command", statement.where, f"The transcript shows no result of `{command}`."
            )
        else:
            what = "its result" if called else f"no such call at {places(item)}"
            message = f"`{command}` is told as unanswered; the transcript has {what}."
            yield Finding("drifted", "command", statement.where, message, READ)


def _in_flight(told: str, item: ParsedItem, transcript: Transcript) -> bool:
    """The ledger, which goes by the ids of calls, has this one without a result where the handoff points."""
    flight = transcript.index.in_flight
    return (
        flight is not None
        and flight.kind == "call"
        and any(place.line in item.evidence for place in flight.evidence)
        and any(same_words(call, told) for call in (*flight.beside, flight.text))
    )


def _called(shown: Shown, told: str) -> bool:
    """This call may be the one told of. One that is no command is told by its tool and by what it was called with."""
    if ran(shown.command, told) or says(f"{shown.command} {shown.text}", told):
        return True
    subject = told.partition(" ")[2]
    return not shown.command and bool(subject) and says(shown.text, subject)


def running(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """Jobs and sub-agents that were started at the lines given."""
    item = statement.item
    there = transcript.at(item)
    for command in _CODE.findall(item.text) or [item.text.partition('"')[2].rpartition('"')[0]]:
        if not item.evidence or not command:
            continue
        if any(ran(shown.command, command) or says(shown.text, command) for shown in there):
            yield Finding("holds", "command", statement.where, f"{places(item)} starts {short(command)}.")
        else:
            message = f"{places(item)} does not start {short(command)}."
            yield Finding("drifted", "command", statement.where, message, READ)
