"""A record as a value: made new, seen through its types, and judged by the validator.

`findings` is the one judge of whether a record is sound. It runs before every write, in `lint`, and
as the oracle of the tests; an update may leave a fault it found but never add one.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import msgspec

from segue.changes import revisions, states
from segue.changes.document import Document
from segue.changes.ids import number_of
from segue.changes.misfit import misfits
from segue.changes.sentences import finding, refusal
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
        raise refusal(
            "misfit", id=document.get("tc_id", "The record"), where=first.where or "the top", what=first.what
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
        faults = misfits(document, Record)
        return [finding("shape", where=where or "the top", what=what) for where, what in faults]
    return [
        *_numbering(record),
        *_moments(record),
        *_relations(record),
        *_status(record),
        *_history(document, record),
    ]


def errors(document: Document) -> list[Finding]:
    return [found for found in findings(document) if found.severity == "error"]


def _numbering(record: Record) -> Iterator[Finding]:
    for name, letter, ids in (
        ("revision_history", "R", [revision.revision_id for revision in record.revision_history]),
        ("test_cases", "T", [test.test_id for test in record.test_cases]),
    ):
        due = [f"{letter}{n}" for n in range(1, len(ids) + 1)]
        if ids != due:
            bad = next(given for given, wanted in zip(ids, due, strict=True) if given != wanted)
            yield finding("numbering", where=name, bad=bad, letter=letter)
    listed = {
        "file": [file.path for file in record.files_affected],
        "sub": [sub.sub_id for sub in record.sub_tcs],
        "commit": [commit.sha for commit in record.git.commits] if record.git else [],
    }
    for what, names in listed.items():
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield finding(f"twice.{what}", name=name)
    for sub in record.sub_tcs:
        if number_of(sub.sub_id.replace(".", "-")) != number_of(record.tc_id):
            yield finding("sub-id", where=sub.sub_id)


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
            yield finding("moment", where=where, moment=moment)


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
        yield finding("parent")
    if record.tc_id in record.related_tcs:
        yield finding("related")


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
        yield finding("approval", id=record.tc_id)


def _history(document: Document, record: Record) -> Iterator[Finding]:
    history = document[revisions.HISTORY]
    vouched = revisions.sealed_anew(history)
    broken = revisions.broken_seals(history)
    unexcused = [revision_id for revision_id in broken if int(revision_id[1:]) > vouched]
    if unexcused:
        yield finding("history-rewritten.inside", revision=unexcused[0], id=record.tc_id)
    elif vouched:
        yield finding("history-vouched", number=vouched, by=record.revision_history[vouched - 1].author)
    last = history[-1]
    if "content" in last and last["content"] != revisions.content_hash(document):
        yield finding("edited-by-hand", id=record.tc_id, revision=last["revision_id"])
    yield from _status_path(record)


def _status_path(record: Record) -> Iterator[Finding]:
    """The statuses that the history tells of must follow the table and end where the record is."""
    current: str | None = None
    for revision in record.revision_history:
        for change in revision.field_changes:
            if change.field != "status" or change.new_value is msgspec.UNSET:
                continue
            before = current if change.old_value is msgspec.UNSET else change.old_value
            told = {"revision": revision.revision_id, "before": before}
            if current is not None and before != current:
                yield finding("status-history.jump", current=current, **told)
            if before in states.TRANSITIONS and change.new_value not in (before, *states.TRANSITIONS[before]):
                yield finding("status-history.step", after=change.new_value, **told)
            current = change.new_value
    if current is not None and current != record.status:
        yield finding("status-history.end", id=record.tc_id, status=record.status, current=current)
