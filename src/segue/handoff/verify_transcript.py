"""What a handoff says of its session against the transcript as it is today.

Only what the transcript shows holds. Words given as somebody's must stand at their pointer and be that
speaker's; runs must have come out as told; files and to-dos must be as the session left them. A person may
have edited the handoff: a line in words of its own that points nowhere is nobody's fault, and not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from segue.handoff.items import ParsedItem
from segue.handoff.parse import Parsed
from segue.handoff.verify_claims import (
    Judged,
    expected,
    judged,
    known_claim,
    known_run,
    parts,
    places,
    went,
)
from segue.handoff.verify_evidence import Shown, Transcript, Witness, ran, same_words, says
from segue.handoff.verify_finding import Finding
from segue.handoff.verify_statements import Role, Row, Statement, quoted_rows, statements
from segue.model.claim import PROVEN
from segue.model.packet import OPENING

_MOST = 500
_SHOWN = 80
_SHORTEST = 12
"""Characters of a quotation in a proposal that is worth looking for."""
_CODE = re.compile(r"`([^`]+)`")
_SESSION = re.compile(rf"{OPENING} \S+ session (.+?) \((?:(\d+) turns?)?")
_PARTED = re.compile(r'"; (?:why|rejected): "|", "')
_LEAD = re.compile(r"^(?:superseded|finding|risk): ")
_OUTCOME = re.compile(r"(?::? exit (\d+)(?=:|$)|: failed(?=:|$))?(?: — |: )?(.*)", re.S)
_MENDED = " (failed before)"
_BY = re.compile(r" \(by the (?:agent|person)\)$")
_CHECK = "Take it as reported, and check it again if it matters."
_POINT = "Give the line that shows it, as in `[#12]`."
_READ = "Read the transcript there; it is right and the handoff is not."


def witness(parsed: Parsed) -> Witness:
    """Somebody who looks for what this handoff points to while the session is read."""
    stated = list(statements(parsed))[:_MOST]
    lines = {line for statement in stated for line in statement.item.evidence}
    lines |= {line for row in quoted_rows(parsed) if row.under for line in row.under.evidence}
    return Witness(lines, {parts(one.item.text).marks for one in stated if not one.item.evidence})


def against_transcript(parsed: Parsed, transcript: Transcript | None) -> Iterator[Finding]:
    """Every statement about the session, with how it stands; without a transcript none can be known."""
    if transcript is not None:
        yield from _session(parsed, transcript)
    for statement in list(statements(parsed))[:_MOST]:
        if statement.item.origin:
            origin = f"{_told(statement.item)} comes from the earlier session {statement.item.origin}."
            if _is_stated(statement):
                yield Finding("unknown", _kind(statement), statement.where, origin)
        elif transcript is None:
            if _is_stated(statement):
                message = f"{_told(statement.item)}: the transcript was not read."
                yield Finding("unknown", _kind(statement), statement.where, message, "Give its file.")
        else:
            yield from _JUDGES[statement.role](statement, transcript)
    if transcript is not None:
        for row in quoted_rows(parsed):
            yield from _row(row, transcript)


def _session(parsed: Parsed, transcript: Transcript) -> Iterator[Finding]:
    named, source = _SESSION.search(parsed.preamble[:400]), transcript.index.source
    if named and source.session_id and not same_words(source.session_id, named[1]):
        message = f"The transcript is of session {source.session_id}; the handoff was drawn from {named[1]}."
        yield Finding("drifted", "session", "transcript", message, "Give the transcript it was drawn from.")
    elif named and named[2] and int(named[2]) != source.turns:
        message = f"The handoff tells of {named[2]} turns; the transcript has {source.turns}."
        yield Finding(
            "drifted", "session", "transcript", message, "Make the handoff again, or read the rest."
        )


def _said_by(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """Words of the person, or of the agent, at the places they are said to stand."""
    item, where = statement.item, statement.where
    words = _words(statement)
    if not item.evidence:
        return
    there = [shown for line in item.evidence for shown in transcript.places.get(line, ())]
    speakers = [shown for shown in there if shown.by == "person" or statement.role == "agent"]
    if all(any(says(shown.text, piece) for shown in speakers) for piece in words):
        yield Finding("holds", "quote", where, f"{places(item)} says {_short(words[0])}.")
    elif any(says(shown.text, words[0]) for shown in there):
        message = f"{places(item)} says {_short(words[0])}, but it was not the {statement.role} who said it."
        yield Finding("drifted", "quote", where, message, _READ)
    else:
        yield Finding("drifted", "quote", where, f"{places(item)} does not say {_short(words[0])}.", _READ)


def _words(statement: Statement) -> list[str]:
    """What is quoted in a row; a row that quotes nothing is itself what was said."""
    text = _LEAD.sub("", _BY.sub("", statement.item.text))
    begin, end = text.find('"'), text.rfind('"')
    whole = text.startswith('"') and text.endswith('"')
    if statement.role != "person" and not whole and statement.item.state != "reported":
        return [text]
    return _PARTED.split(text[begin + 1 : end]) if 0 <= begin < end else [text]


def _claimed(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    item = statement.item
    if item.state == "reported" or (item.text.startswith('"') and item.state not in PROVEN):
        yield from _said_by(statement._replace(role="agent"), transcript)
        return
    if known_claim(item, transcript):
        yield Finding("holds", "claim", statement.where, f"The transcript shows {_told(item)}.")
    elif item.state == "not tested":
        yield _untested(statement, transcript)
    elif _is_stated(statement) or item.evidence or parts(item.text).marks:
        found = judged(item, transcript)
        if item.state in PROVEN and (other := _other_state(item, transcript)):
            found = Judged((f"more than {other!r}",))
        yield _verdict(statement, found)


def _other_state(item: ParsedItem, transcript: Transcript) -> str:
    """The state in which the transcript shows this very thing, if it is another one."""
    states = [
        claim.state
        for claim in transcript.index.claims
        if same_words(claim.text, item.text) and any(place.line in item.evidence for place in claim.evidence)
    ]
    return "" if not states or item.state in states else states[0]


def _untested(statement: Statement, transcript: Transcript) -> Finding:
    message = f"The transcript does not show {_told(statement.item)}."
    return Finding("drifted", "claim", statement.where, message, "See which checks have passed since.")


def _verdict(statement: Statement, found: Judged) -> Finding:
    """What was found of a claim. One that a person made without calling it proven, and that points nowhere,
    may be known from elsewhere."""
    item, where = statement.item, statement.where
    told = _told(item)
    if found.refuted and (item.state in PROVEN or item.evidence):
        message = f"The transcript does not show {told}: not {found.refuted[0]}."
        return Finding("drifted", "claim", where, message, _CHECK)
    if found.refuted:
        return Finding("unknown", "claim", where, f"The transcript does not tell of {told}.", _POINT)
    if not found.checked:
        return Finding("unknown", "claim", where, f"{told} names nothing that could be checked.", _POINT)
    if found.untold:
        message = f"{told}: {found.untold[0]!r} is not in the transcript's words."
        return Finding("unknown", "claim", where, message, _CHECK)
    return Finding("holds", "claim", where, f"The transcript shows {told}.")


def _ran(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """Commands told as failing, as failed once, or as gone well."""
    item = statement.item
    commands = _CODE.findall(item.text)
    if not commands:
        yield from _claimed(statement, transcript)
    elif not item.evidence:
        for told in commands:
            yield _unpointed_run(told, statement, transcript)
    elif missing := _not_run_so(statement, commands, transcript):
        message = f"The transcript does not show {_told(item)}: not {missing}."
        yield Finding("drifted", "command", statement.where, message, "Run it again and see.")
    else:
        yield Finding("holds", "command", statement.where, f"The transcript shows {_told(item)}.")


def _not_run_so(statement: Statement, commands: list[str], transcript: Transcript) -> str:
    """What the transcript does not show of a run; empty where it shows all of it."""
    item, well = statement.item, statement.role == "worked"
    there = [shown for line in item.evidence for shown in transcript.places.get(line, ())]
    runs = [shown for shown in there if ran(shown.command, commands[0])]
    if not runs:
        return f"a run of `{commands[0]}` at {places(item)}"
    if item.state == "pending":
        return ""
    mended = item.text.endswith(_MENDED) and went(runs, transcript, well=False)
    if not went(runs, transcript, well=well) and not mended:
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


def _unpointed_run(told: str, statement: Statement, transcript: Transcript) -> Finding:
    run = known_run(told, transcript.index.commands)
    if run is None:
        return Finding(
            "drifted", "command", statement.where, f"The transcript shows no run of `{told}`.", _CHECK
        )
    well = statement.role == "worked"
    if (run.last_ok if well else run.last_bad) is None:
        how = "went well" if well else "failed"
        message = f"The transcript shows no run of `{told}` that {how}."
        return Finding("drifted", "command", statement.where, message, "Run it again and see.")
    return Finding("holds", "command", statement.where, f"The transcript shows `{told}`.")


def _stopped(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """Where it stopped: a call without a result, or the last words."""
    item = statement.item
    if '"' in _CODE.sub("", item.text):
        yield from _last_said(statement, transcript)
        return
    there = [shown for line in item.evidence for shown in transcript.places.get(line, ())]
    for told in _CODE.findall(item.text) if item.evidence else ():
        called = any(shown.by == "call" and _called(shown, told) for shown in there)
        if called and not any(shown.by == "result" for shown in there):
            yield Finding("holds", "command", statement.where, f"The transcript shows no result of `{told}`.")
        else:
            what = "its result" if called else f"no such call at {places(item)}"
            message = f"`{told}` is told as unanswered; the transcript has {what}."
            yield Finding("drifted", "command", statement.where, message, _READ)


def _called(shown: Shown, told: str) -> bool:
    return ran(shown.command, told) or says(f"{shown.command} {shown.text}", told) or not shown.command


def _last_said(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """What was last said or asked; the pointer may be to where the session ends, behind it."""
    text, item = statement.item.text, statement.item
    quote = text[text.find('"') + 1 : text.rfind('"')]
    there = [shown.text for line in item.evidence for shown in transcript.places.get(line, ())]
    there += [
        said for turn in transcript.index.turns[-1:] for said in (turn.closing, turn.opening, turn.prompt)
    ]
    if any(says(said, quote) for said in there):
        yield Finding("holds", "quote", statement.where, f"The session ends with {_short(quote)}.")
    else:
        message = f"The session does not end with {_short(quote)}."
        yield Finding("drifted", "quote", statement.where, message, _READ)


def _todo(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """A to-do is compared where the session had it; one that a person added is no statement."""
    for todo in transcript.index.todos:
        if same_words(todo.text, statement.item.text):
            done = todo.state == "completed"
            if done == statement.item.done:
                message = f"{_short(todo.text)} is {'done' if done else 'open'} in the session's list."
                yield Finding("holds", "to-do", statement.where, message)
            else:
                message = f"{_short(todo.text)} is {'done' if done else 'not done'} in the session's list."
                yield Finding("drifted", "to-do", statement.where, message, _READ)
            return
    if statement.item.done:
        message = f"{_short(statement.item.text)} is ticked; the session's list does not have it."
        yield Finding("unknown", "to-do", statement.where, message, _CHECK)


def _row(row: Row, transcript: Transcript) -> Iterator[Finding]:
    """A line quoted below a run, or of a block: the agent's last words, a summary, the plan."""
    if row.under is not None and row.under.evidence and not row.under.origin:
        there = [shown.text for line in row.under.evidence for shown in transcript.places.get(line, ())]
    else:
        there = list(_block(row.label, transcript))
    if there and row.spelled and not any(says(text, row.text) for text in there):
        message = f"The transcript does not say {_short(row.text)} there."
        yield Finding("drifted", "quote", row.where, message, _READ)


def _block(label: str, transcript: Transcript) -> Iterable[str]:
    index = transcript.index
    if label.startswith("Last words"):
        return [turn.closing for turn in index.turns if turn.closing]
    if label.startswith("From the last compaction summary"):
        return [summary.text for summary in index.summaries]
    return [index.plan.text] if label.startswith("Plan") and index.plan else ()


def _aside(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """A proposal states nothing but what it quotes."""
    item = statement.item
    begin, end = item.text.find('"'), item.text.rfind('"')
    in_code = item.text[:begin].count("`") % 2
    if not item.evidence or in_code or end - begin < _SHORTEST:
        return
    there = [shown for line in item.evidence for shown in transcript.places.get(line, ())]
    quote = item.text[begin + 1 : end]
    if any(says(shown.text, quote) or says(shown.command, quote) for shown in there):
        yield Finding("holds", "quote", statement.where, f"{places(item)} says {_short(quote)}.")
    else:
        yield Finding(
            "drifted", "quote", statement.where, f"{places(item)} does not say {_short(quote)}.", _READ
        )


def _running(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """Jobs and sub-agents that were started at the lines given."""
    item = statement.item
    there = [shown for line in item.evidence for shown in transcript.places.get(line, ())]
    for told in _CODE.findall(item.text) or [item.text.partition('"')[2].rpartition('"')[0]]:
        if not item.evidence or not told:
            continue
        if any(ran(shown.command, told) or says(shown.text, told) for shown in there):
            yield Finding("holds", "command", statement.where, f"{places(item)} starts {_short(told)}.")
        else:
            message = f"{places(item)} does not start {_short(told)}."
            yield Finding("drifted", "command", statement.where, message, _READ)


_JUDGES: dict[Role, Callable[[Statement, Transcript], Iterator[Finding]]] = {
    "person": _said_by,
    "agent": _said_by,
    "claim": _claimed,
    "failing": _ran,
    "failed": _ran,
    "worked": _ran,
    "stopped": _stopped,
    "todo": _todo,
    "running": _running,
    "aside": _aside,
}


def _is_stated(statement: Statement) -> bool:
    """It is called proven, or somebody's words."""
    return statement.item.state in PROVEN


def _kind(statement: Statement) -> str:
    return "claim" if statement.role == "claim" else "quote"


def _told(item: ParsedItem) -> str:
    """The claim as a message quotes it."""
    return _short(f"{item.state}: {item.text}" if item.state else item.text)


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")
