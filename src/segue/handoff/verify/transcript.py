"""What a handoff says of its session against the transcript as it is today.

Only what the transcript shows holds. Words given as somebody's must stand at their pointer and be that
speaker's; runs must have come out as told; files and to-dos must be as the session left them. A person may
have edited the handoff: a line in words of its own that points nowhere is nobody's fault, and not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from segue.handoff.item_reading import ParsedItem
from segue.handoff.parse import Parsed
from segue.handoff.verify.claims import Judged, judged, known_claim, parts
from segue.handoff.verify.evidence import Transcript, Witness, same_words
from segue.handoff.verify.finding import CHECK, GIVE, READ, Finding
from segue.handoff.verify.runs import ran_so, running, stopped
from segue.handoff.verify.said import quoted_row, replaced_so, said_by
from segue.handoff.verify.statements import (
    Role,
    Statement,
    quoted_rows,
    replacements,
    short,
    statements,
    told,
)
from segue.handoff.verify.steps import proposed
from segue.model.claim import PROVEN
from segue.model.packet import ENDINGS, OPENING
from segue.model.patterns import compiled

_MOST = 500
_SESSION = compiled(rf"{OPENING} \S+ session (.+?) \((?:(\d+) turns?)?")
_BRANCH = compiled(r", branch ([^,)]+)")
_POINT = "Give the line that shows it, as in `[#12]`."


def witness(parsed: Parsed) -> Witness:
    """Somebody who looks for what this handoff points to while the session is read."""
    stated = list(statements(parsed))[:_MOST]
    lines = {line for statement in stated for line in statement.item.evidence}
    lines |= {line for row in quoted_rows(parsed) if row.under for line in row.under.evidence}
    return Witness(lines, {parts(one.item.text).marks for one in stated if not one.item.evidence})


def against_transcript(parsed: Parsed, transcript: Transcript | None) -> Iterator[Finding]:
    """Every statement about the session, with how it stands; without a transcript none can be known."""
    stated = list(statements(parsed))[:_MOST]
    here = [statement for statement in stated if not statement.item.origin]
    if transcript is None:
        yield from _unread(here)
    else:
        yield from _session(parsed, transcript)
        for statement in here:
            yield from _JUDGES[statement.role](statement, transcript)
        for replacement in replacements(parsed):
            yield from replaced_so(replacement, transcript)
        for row in quoted_rows(parsed):
            yield from quoted_row(row, transcript)
    for statement in stated:
        if statement.item.origin and statement.role != "aside":
            message = f"{told(statement.item)} comes from the earlier session {statement.item.origin}."
            yield Finding("unknown", _kind(statement), statement.where, message)


def _unread(stated: list[Statement]) -> Iterator[Finding]:
    """Claims one by one, since they matter most, and how much else points into the transcript."""
    proven = [statement for statement in stated if statement.item.state in PROVEN]
    for statement in proven:
        message = f"{told(statement.item)}: the transcript was not read."
        yield Finding("unknown", "claim", statement.where, message, GIVE)
    others = sum(bool(statement.item.evidence) for statement in stated if statement not in proven)
    if others:
        message = f"{others} more {'lines point' if others > 1 else 'line points'} into the transcript, which was not read."
        yield Finding("unknown", "session", "transcript", message, GIVE)


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
    branch = _BRANCH.search(parsed.preamble[:400])
    if branch and not same_words(source.branch, branch[1]):
        message = f"The handoff tells of branch {branch[1]}; the transcript of {source.branch or 'none'}."
        yield Finding("drifted", "session", "transcript", message, READ)
    ending = next((how for how in ENDINGS.values() if f", {how}" in parsed.preamble[:400]), "")
    if ending and ending != ENDINGS[source.ended]:
        message = f"The handoff tells of a session that {ending}; the transcript {ENDINGS[source.ended]}."
        yield Finding("drifted", "session", "transcript", message, READ)


def _claimed(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    item = statement.item
    if item.state == "reported" or (item.text.startswith('"') and item.state not in PROVEN):
        yield from said_by(statement._replace(role="agent"), transcript)
        return
    if known_claim(item, transcript):
        yield Finding("holds", "claim", statement.where, f"The transcript shows {told(item)}.")
    elif item.state == "not tested":
        yield _untested(statement)
    elif item.state in PROVEN or item.evidence or parts(item.text).marks:
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


def _untested(statement: Statement) -> Finding:
    message = f"The transcript does not show {told(statement.item)}."
    return Finding("drifted", "claim", statement.where, message, "See which checks have passed since.")


def _verdict(statement: Statement, found: Judged) -> Finding:
    """What was found of a claim. One that a person made without calling it proven, and that points nowhere,
    may be known from elsewhere."""
    item, where = statement.item, statement.where
    claim = told(item)
    if found.refuted and (item.state in PROVEN or item.evidence):
        message = f"The transcript does not show {claim}: not {found.refuted[0]}."
        return Finding("drifted", "claim", where, message, CHECK)
    if found.refuted:
        return Finding("unknown", "claim", where, f"The transcript does not tell of {claim}.", _POINT)
    if not found.checked:
        return Finding("unknown", "claim", where, f"{claim} names nothing that could be checked.", _POINT)
    if found.untold:
        message = f"{claim}: {found.untold[0]!r} is not in the transcript's words."
        return Finding("unknown", "claim", where, message, CHECK)
    return Finding("holds", "claim", where, f"The transcript shows {claim}.")


def _todo(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """A to-do is compared where the session had it; one that it did not have may be a person's."""
    for todo in transcript.index.todos:
        if same_words(todo.text, statement.item.text):
            done = todo.state == "completed"
            if done == statement.item.done:
                message = f"{short(todo.text)} is {'done' if done else 'open'} in the session's list."
                yield Finding("holds", "to-do", statement.where, message)
            else:
                message = f"{short(todo.text)} is {'done' if done else 'not done'} in the session's list."
                yield Finding("drifted", "to-do", statement.where, message, READ)
            return
    ticked = " is ticked;" if statement.item.done else ":"
    message = f"{short(statement.item.text)}{ticked} the session's list does not have it."
    yield Finding("unknown", "to-do", statement.where, message, CHECK)


def _ran(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """A row of commands; one that names none is a claim like any other."""
    names_one = "`" in statement.item.text.replace("``", "")
    yield from (ran_so if names_one else _claimed)(statement, transcript)


_JUDGES: dict[Role, Callable[[Statement, Transcript], Iterator[Finding]]] = {
    "person": said_by,
    "agent": said_by,
    "claim": _claimed,
    "failing": _ran,
    "failed": _ran,
    "worked": _ran,
    "ran": _ran,
    "stopped": stopped,
    "todo": _todo,
    "running": running,
    "aside": proposed,
}


def _kind(statement: Statement) -> str:
    return "claim" if statement.role == "claim" else "quote"
