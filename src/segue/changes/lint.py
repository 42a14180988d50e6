"""What a record leaves to be desired beyond being valid: what its notes bury, what it forgets to list or to test.

The texts of its handoff block are judged where every handoff is judged; here is what only a record can
show. A block is good if somebody with no other context can go on within five minutes.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from shlex import quote

import msgspec

from segue.changes import record as records
from segue.changes import states
from segue.changes.document import Document
from segue.changes.sentences import finding
from segue.model import prose
from segue.model.change import HandoffBlock, Record, Status
from segue.model.finding import Finding
from segue.model.value import NamedTuple

BLOCK = "session_context.handoff"
NOT_STATED = "Not stated."
_STALE_AFTER = datetime.timedelta(hours=1)
AT_WORK: tuple[Status, ...] = ("in_progress", "blocked", "paused")


class NoteRule(NamedTuple):
    """What does not belong in the notes. `bad` and `good` are examples of it, checked by the tests."""

    name: str
    breaks: Callable[[str], bool]
    message: str
    hint: str
    bad: str
    good: str


NOTES = (
    NoteRule(
        "buried-decision",
        prose.tells_decision,
        "A decision is buried in the notes and loses its rationale there.",
        "Record it with `--decision TEXT WHY`.",
        "Decision: use HS256",
        "Looked at the rotation tooling with the platform team.",
    ),
    NoteRule(
        "buried-blocker",
        prose.tells_blocker,
        "A blocker is buried in the notes, where the status cannot see it.",
        "Record it with `--blocker TEXT`.",
        "Blocked by missing fixtures",
        "Fixtures arrived on Monday.",
    ),
)


def lint_record(document: Document) -> list[Finding]:
    """Faults of the record, then what is missing around its block."""
    found = records.findings(document)
    if any(one.rule == "shape" for one in found):
        return found
    record = msgspec.convert(document, Record)
    if record.status not in ("deployed", "voided"):
        found += [*_contradictions(record), *_notes(record.session_context.handoff, record.notes)]
    return [*found, *_listing(record), *_staleness(record), *_tests(record), *_parts(record)]


def _contradictions(record: Record) -> Iterator[Finding]:
    if record.session_context.handoff.blockers and record.status == "in_progress":
        yield finding("blockers-ignored", id=record.tc_id)


def _notes(block: HandoffBlock, notes: str) -> Iterator[Finding]:
    told = [decision.decision.casefold() for decision in block.decisions_made]
    told += [blocker.casefold() for blocker in block.blockers]
    for number, line in enumerate(notes.splitlines(), 1):
        if "Resolved: " in line or any(text in line.casefold() for text in told):
            continue
        for rule in NOTES:
            if rule.breaks(line):
                message = f"{rule.message} ({_clip(line)})"
                yield Finding(rule.name, "warning", f"notes, line {number}", message, rule.hint)
                break


def _listing(record: Record) -> Iterator[Finding]:
    if record.description.motivation == NOT_STATED:
        yield finding("motivation-missing", id=record.tc_id)
    listed = {file.path for file in record.files_affected}
    for file in record.session_context.handoff.files_in_progress:
        if file.path not in listed and record.status not in ("implemented", "voided"):
            yield finding("file-unlisted.progress", id=record.tc_id, path=file.path, word=quote(file.path))
    if not listed and record.status == "in_progress" and not states.tells_no_files(record):
        yield finding("files-missing", id=record.tc_id)


def block_written(record: Record) -> str:
    """When the block was last written: the revision that touched it last, else the first one."""
    written = record.revision_history[0].timestamp
    for revision in record.revision_history:
        if any(change.field.startswith(BLOCK) for change in revision.field_changes):
            written = revision.timestamp
    return written


def _staleness(record: Record) -> Iterator[Finding]:
    """The block was written once and the work went on for more than an hour without it."""
    if record.status not in AT_WORK:
        return
    written = block_written(record)
    since = records.parse_moment(written)
    latest = records.parse_moment(record.revision_history[-1].timestamp)
    if since and latest and latest - since > _STALE_AFTER:
        yield finding("block-stale", id=record.tc_id, written=written, updated=record.updated)


def _tests(record: Record) -> Iterator[Finding]:
    if record.status not in ("tested", "deployed"):
        return
    for test in record.test_cases:
        if test.status in ("fail", "pending", "blocked"):
            told = {"test": test.test_id, "state": test.status, "status": record.status}
            yield finding("test-open", id=record.tc_id, **told)


def _parts(record: Record) -> Iterator[Finding]:
    """A part that was added or opened again after its change was done."""
    if record.status not in states.DONE:
        return
    for sub in record.sub_tcs:
        if sub.status in states.UNFINISHED:
            told = {"sub": sub.sub_id, "state": sub.status, "status": record.status}
            yield finding("sub-change-open", id=record.tc_id, **told)


def _clip(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"
