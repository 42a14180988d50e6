"""A record as a value: made new, seen through its types, and judged by the validator.

`findings` is the one judge of whether a record is sound. It runs before every write, in `lint`, and
as the oracle of the tests; an update may leave a fault it found but never add one.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

import msgspec

from segue.changes import revisions, states
from segue.changes.document import Document
from segue.changes.ids import number_of
from segue.changes.misfit import misfits
from segue.errors import BadInput
from segue.model.change import (
    Approval,
    Description,
    GitLinks,
    Metadata,
    Priority,
    Record,
    Session,
    SessionContext,
    Status,
)
from segue.model.finding import Finding


def view(document: Document) -> Record:
    """The typed view. Raises BadInput with the first place that does not fit the schema."""
    try:
        return msgspec.convert(document, Record)
    except msgspec.ValidationError:
        first = next(misfits(document, Record))
        raise BadInput(
            f"{document.get('tc_id', 'The record')} does not fit the schema at {first.where or 'the top'}: {first.what}.",
            "`segue change lint` shows what is wrong; mend the file by hand or restore it from git.",
            "bad_record",
        ) from None


def new(
    tc_id: str,
    title: str,
    description: Description,
    *,
    project: str,
    author: str,
    at: str,
    session: Session,
    priority: Priority = "medium",
    status: Status = "planned",
    approval: Approval | None = None,
    git: GitLinks | None = None,
) -> Document:
    """A record without a history; `begin` gives it one once everything is in it."""
    made = Record(
        tc_id=tc_id,
        title=title,
        status=status,
        priority=priority,
        created=at,
        updated=at,
        created_by=author,
        project=project,
        description=description,
        files_affected=[],
        revision_history=[],
        test_cases=[],
        approval=approval or Approval(),
        session_context=SessionContext(current_session=session),
        tags=[],
        related_tcs=[],
        notes="",
        metadata=Metadata(project=project, created_by=author, last_modified_by=author, last_modified=at),
        git=git if git is not None else msgspec.UNSET,
    )
    document: Document = msgspec.to_builtins(made)
    return document


def begin(document: Document, author: str, at: str, phrases: list[str], reason: str) -> Document:
    """The record with its first revision. Raises if anything in it is not sound."""
    change = {"field": "status", "action": "set", "new_value": document["status"], "reason": reason}
    revisions.append(document, [change], [f"Created: {document['title']}", *phrases], author, at)
    view(document)
    if faults := errors(document):
        raise BadInput(f"That record would not be sound: {faults[0].message}", faults[0].hint, "bad_record")
    return document


def findings(document: Document) -> list[Finding]:
    """Everything that is wrong with a record, seen by itself."""
    try:
        record = msgspec.convert(document, Record)
    except msgspec.ValidationError:
        hint = "Mend the file by hand or restore it from git."
        return [
            Finding("shape", "error", where or "the top", f"This does not fit the schema: {what}.", hint)
            for where, what in misfits(document, Record)
        ]
    return [
        *_numbering(record),
        *_moments(record),
        *_relations(record),
        *_status(record),
        *_history(document, record),
    ]


def errors(document: Document) -> list[Finding]:
    return [finding for finding in findings(document) if finding.severity == "error"]


def _numbering(record: Record) -> Iterator[Finding]:
    for name, letter, ids in (
        ("revision_history", "R", [revision.revision_id for revision in record.revision_history]),
        ("test_cases", "T", [test.test_id for test in record.test_cases]),
    ):
        due = [f"{letter}{n}" for n in range(1, len(ids) + 1)]
        if ids != due:
            bad = next(given for given, wanted in zip(ids, due, strict=True) if given != wanted)
            yield Finding(
                "numbering",
                "error",
                name,
                f"{bad} is out of turn: ids run from {letter}1 without gaps.",
                "Number them in the order they were written; after a merge by hand, seal the history anew.",
            )
    paths = [file.path for file in record.files_affected]
    yield from _twice("files_affected", paths, "warning")
    yield from _twice("sub_tcs", [sub.sub_id for sub in record.sub_tcs], "error")
    if record.git:
        yield from _twice("git.commits", [commit.sha for commit in record.git.commits], "error")
    for sub in record.sub_tcs:
        if number_of(sub.sub_id.replace(".", "-")) != number_of(record.tc_id):
            yield Finding("sub-id", "error", sub.sub_id, "This sub-change has the number of another record.")


def _twice(where: str, names: list[str], severity: Any) -> Iterator[Finding]:
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield Finding(
            "twice", severity, f"{where}[{name}]", f"{name} is listed twice.", "Remove one of the two."
        )


def _moments(record: Record) -> Iterator[Finding]:
    session = record.session_context.current_session
    moments = [
        ("created", record.created),
        ("updated", record.updated),
        ("approval.approved_date", record.approval.approved_date),
        ("session_context.current_session.started", session.started),
        ("session_context.current_session.last_active", session.last_active),
        *((f"revision_history[{r.revision_id}].timestamp", r.timestamp) for r in record.revision_history),
        *((f"test_cases[{t.test_id}].tested_date", t.tested_date) for t in record.test_cases),
    ]
    for where, moment in moments:
        if moment is not None and parse_moment(moment) is None:
            hint = "Write it as 2026-04-05T14:32:00+00:00."
            yield Finding("moment", "error", where, f"{moment!r} is not a date and time in ISO 8601.", hint)


def parse_moment(text: str) -> datetime.datetime | None:
    """A moment with its time zone; UTC where none is given."""
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)


def later_of(left: str, right: str) -> str:
    """The later of two moments; one that is none is earlier than any."""
    one, other = parse_moment(left), parse_moment(right)
    if one is None or other is None:
        return left if one else right
    return left if one >= other else right


def _relations(record: Record) -> Iterator[Finding]:
    if record.parent_tc == record.tc_id:
        yield Finding("parent", "error", "parent_tc", "A change cannot be its own parent.")
    if record.tc_id in record.related_tcs:
        yield Finding("related", "warning", "related_tcs", "A change is listed as related to itself.")


def _status(record: Record) -> Iterator[Finding]:
    for condition, missing in states.unmet(record):
        yield Finding(
            f"status-{condition.name.replace('_', '-')}",
            "error",
            "status",
            f"The status is {record.status}, but {missing}.",
            f"{condition.supplied(record)}.",
        )
    approval = record.approval
    if (
        approval.approved
        and not (approval.approved_by and approval.approved_date)
        and record.status != "deployed"
    ):
        hint = f"`segue change update {record.tc_id} --approve NAME`."
        yield Finding("approval", "error", "approval", "An approval says by whom and when.", hint)


def _history(document: Document, record: Record) -> Iterator[Finding]:
    history = document[revisions.HISTORY]
    vouched = revisions.sealed_anew(history)
    broken = revisions.broken_seals(history)
    unexcused = [revision_id for revision_id in broken if int(revision_id[1:]) > vouched]
    if unexcused:
        yield Finding(
            "history-rewritten",
            "error",
            f"revision_history[{unexcused[0]}]",
            f"The history up to {unexcused[0]} is not what it was when {unexcused[0]} was written.",
            f"Restore it from git; if it had to be, `segue change update {record.tc_id} --seal-anew --reason 'why'`.",
        )
    elif vouched:
        by = record.revision_history[vouched - 1].author
        yield Finding(
            "history-vouched", "note", f"revision_history[R{vouched}]", f"{by} sealed this history anew."
        )
    last = history[-1]
    if "content" in last and last["content"] != revisions.content_hash(document):
        yield Finding(
            "edited-by-hand",
            "warning",
            record.tc_id,
            f"The record was changed after {last['revision_id']} without a revision.",
            "Take the edit back with git, or leave it: the next update notes in the history that there was one.",
        )
    yield from _status_path(record)


def _status_path(record: Record) -> Iterator[Finding]:
    """The statuses that the history tells of must follow the table and end where the record is."""
    current: str | None = None
    for revision in record.revision_history:
        for change in revision.field_changes:
            if change.field != "status" or change.new_value is msgspec.UNSET:
                continue
            where = f"revision_history[{revision.revision_id}]"
            before = current if change.old_value is msgspec.UNSET else change.old_value
            if current is not None and before != current:
                message = f"{revision.revision_id} changes the status from {before}, but it was {current}."
                yield Finding("status-history", "warning", where, message)
            if before in states.TRANSITIONS and change.new_value not in (before, *states.TRANSITIONS[before]):
                message = (
                    f"{revision.revision_id} went from {before} to {change.new_value}, which no rule allows."
                )
                yield Finding("status-history", "warning", where, message)
            current = change.new_value
    if current is not None and current != record.status:
        yield Finding(
            "status-history",
            "error",
            "status",
            f"The status is {record.status}, but the history ends with {current}.",
            f"Put {current} back and use `segue change update {record.tc_id} --status {record.status}`.",
        )
