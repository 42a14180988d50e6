"""Grounds a text in the session it speaks of: the session is read once, for the evidence and for the facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from segue.agents import own
from segue.agents.whole_lines import whole_lines
from segue.errors import BadInput, SegueError
from segue.extract import facts as chosen
from segue.extract import index as indexed
from segue.handoff.ground import Judgement, Session, ground, repaired
from segue.handoff.lint import LARGEST
from segue.handoff.parse import parse
from segue.model.entry import Entry
from segue.redaction.redact import Redactor, redact_entry, without_sensitive_files
from segue.service.handoffs import earlier
from segue.service.sessions import lookup
from segue.service.sessions.own_traces import without

if TYPE_CHECKING:
    from segue.model.handoff_answers import Grounded, GroundFinding
    from segue.service.sessions.lookup import Source
    from segue.service.workspace import Workspace

_HINTS = {
    "elsewhere": "Point to where it stands; `--repair` does that.",
    "not_seen": "Say what the session shows, or take it out.",
    "contradicted": "Read the session there; it is right and the text is not.",
}
_SAID = 20
_BUDGET = 100_000
"""Tokens for which facts are chosen: all that a text could have lost."""


def grounded(text: str, source: Source, repair: bool = False) -> Grounded:
    """The judgement on a text: `{ok, findings, checked, shown, corrected, missing}`, with `repair` also the repaired
    `text`. Raises BadInput for what is no text, or too long."""
    if "\0" in text:
        raise BadInput("This is no text: it holds a zero byte.", "Give a Markdown file.")
    if len(text) > LARGEST:
        raise BadInput(
            f"This has {len(text)} characters; at most {LARGEST} are judged.", "Give the text alone."
        )
    redactor = Redactor()
    session = Session(whole(source, redactor))
    work = _observe(without(without_sensitive_files(source.entries(), redactor)), session, redactor)
    is_own = own.is_own
    index = indexed.build(
        work,
        source.agent,
        source.path,
        redactor.redact,
        earlier.parse_packet,
        is_own=lambda entry: is_own(entry, transcript=source.path),
    )
    session.done()
    text = redactor.redact(text)
    found = ground(text, session, chosen.select(index, "", budget=_BUDGET))
    answer: Grounded = {
        "ok": all(judged.severity == "note" for judged in found.findings),
        "session_id": session.id,
        "findings": [_to_json(judged) for judged in found.findings],
        "checked": found.checked,
        "shown": found.shown,
        "corrected": found.corrected,
        "missing": [
            {"what": lost.what, "text": lost.text, "evidence": list(lost.lines)} for lost in found.missing
        ],
    }
    return {**answer, "text": repaired(text, found)} if repair else answer


def require(text: str, source: Source) -> tuple[str, ...]:
    """What somebody who wrote of their session should know: a sentence for each statement that stands elsewhere, and for
    each thing that is missing. Raises BadInput with all that the session does not show."""
    found = grounded(text, source)
    wrong = [row for row in found["findings"] if row["severity"] == "error"]
    if wrong:
        rows = "\n".join(f"line {row['line']}: {row['message']}" for row in wrong[:_SAID])
        raise BadInput(
            f"{len(wrong)} of {found['checked']} statements are not as the session shows them:\n{rows}",
            "Mend these lines, or take them out, and commit again; `segue ground FILE` says it all.",
            "ungrounded",
        )
    told = [
        f"line {row['line']}: {row['message']}" for row in found["findings"] if row["severity"] == "warning"
    ]
    return (*told, *(f"missing: {row['what']}: {row['text'][:160]}" for row in found["missing"][:_SAID]))


def of_draft(workspace: Workspace, text: str, host: str, session_id: str) -> list[GroundFinding]:
    """What is wrong or misplaced in a draft that an agent wrote of its session; nothing where that is not at hand."""
    try:
        source = lookup.known_as(session_id, workspace.root, host or None, everywhere=False)
    except SegueError:
        return []
    return [row for row in grounded(text, source)["findings"] if row["severity"] in ("warning", "error")]


def named_in(workspace: Workspace, text: str) -> str | None:
    """The session that a packet says it was drawn from, where this project has it."""
    source = parse(text[:LARGEST]).source
    if source is None:
        return None
    try:
        lookup.known_as(source.session_id, workspace.root, source.agent, everywhere=False)
    except SegueError:
        return None
    return source.session_id


def read(source: Source) -> Session:
    """The session as it is today, as evidence."""
    redactor = Redactor()
    entries = (redact_entry(entry, redactor) for entry in without(source.entries()))
    return Session.of(entries, whole(source, redactor))


def whole(source: Source, redactor: Redactor) -> Callable[[int], str]:
    """The whole records of a session without their secrets."""
    text = whole_lines(source.path)
    return lambda line: redactor.redact(text(line))


def _observe(entries: Iterable[Entry], session: Session, redactor: Redactor) -> Iterator[Entry]:
    for entry in entries:
        session.see(redact_entry(entry, redactor))
        yield entry


def _to_json(judged: Judgement) -> GroundFinding:
    return {
        "kind": judged.verdict,
        "where": f"line {judged.statement.at}",
        "line": judged.statement.at,
        "severity": judged.severity,
        "atom": judged.atom,
        "message": judged.message,
        "hint": _HINTS[judged.verdict],
        "lines": list(judged.lines),
    }
