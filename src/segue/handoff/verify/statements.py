"""What a handoff states about its session, as findings beside those about the world."""

from __future__ import annotations

from collections.abc import Iterator

from segue.handoff.ground import Judgement, Session, ground
from segue.handoff.ground.statements import carried
from segue.handoff.parse import Parsed
from segue.handoff.verify.finding import CHECK, GIVE, READ, Finding, State, short
from segue.handoff.wording import says
from segue.model.facts import Facts


def against_session(
    text: str, parsed: Parsed, session: Session | None, facts: Facts | None = None
) -> Iterator[Finding]:
    """Every statement about the session, with how it stands; without the session none can be known."""
    grounding = ground(text, session or Session(), facts)
    pointing = [found for found in grounding.judged if found.statement.lines or session]
    if session is None:
        if pointing:
            yield _unchecked(len(pointing), "the transcript was not read", GIVE)
    else:
        yield from _same_session(parsed, session)
        yield from (_finding(found) for found in grounding.judged if _points(found))
    if count := carried(text):
        yield _unchecked(count, "it comes from an earlier session", CHECK)


def _points(found: Judgement) -> bool:
    """It points into the session, or lists names alone; other words without a pointer are nobody's claim."""
    return bool(found.statement.lines) or found.statement.text.startswith("`")


def _finding(found: Judgement) -> Finding:
    told = short(" ".join((found.statement.text, *found.statement.quotes)).strip())
    where = f"line {found.statement.at}"
    if found.severity == "ok":
        return Finding("holds", "statement", where, f"The transcript shows {told}.", line=found.statement.at)
    pointed = found.severity != "note" and found.statement.lines
    state: State = "drifted" if pointed else "unknown"
    hint = CHECK if state == "unknown" else READ
    return Finding(state, "statement", where, f"{told}: {found.message}", hint, found.statement.at)


def _unchecked(count: int, why: str, hint: str) -> Finding:
    message = f"{count} statement{'s' * (count != 1)} not checked: {why}."
    return Finding("unknown", "session", "transcript", message, hint)


def _same_session(parsed: Parsed, session: Session) -> Iterator[Finding]:
    source = parsed.source
    if source is None:
        return
    if session.id and not says(session.id, source.session_id):
        message = (
            f"The transcript is of session {session.id}; the handoff was drawn from {source.session_id}."
        )
        yield Finding("drifted", "session", "transcript", message, "Give the transcript it was drawn from.")
    elif source.turns != session.turns:
        message = f"The handoff tells of {source.turns} turns; the transcript has {session.turns}."
        yield Finding(
            "drifted", "session", "transcript", message, "Make the handoff again, or read the rest."
        )
