"""What the operations on change records answer.

A record is answered as its file has it, and other programs and people write into that file, too: texts are
plain here where `model/change.py` knows the few that are right, and what this version does not know is there
all the same.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from segue.model.handoff_answers import LintFinding


class ChangeMade(TypedDict):
    tc_id: str
    path: str


class ChangesMade(TypedDict):
    changes: list[ChangeMade]


class ChangeRow(TypedDict):
    """A record in the registry; `path` is relative to `docs/TC`."""

    tc_id: str
    title: str
    status: str
    scope: str
    priority: str
    created: str
    updated: str
    path: str
    sub_tc_count: NotRequired[int]
    test_summary: NotRequired[dict[str, int]]
    tags: NotRequired[list[str]]
    parent_tc: NotRequired[str]
    last_revision: NotRequired[str]
    seal: NotRequired[str]


class ChangeList(TypedDict):
    """`warning` tells where registry and records disagree, `emptied_by` which condition left nothing."""

    changes: list[ChangeRow]
    warning: NotRequired[str]
    emptied_by: NotRequired[str]


class ChangeUpdated(TypedDict):
    """`revision` and `summary` are those of the revision that was made, if one was."""

    tc_id: str
    updated: bool
    status: str
    path: NotRequired[str]
    revision: NotRequired[str]
    summary: NotRequired[str]


class ChangeClosed(ChangeUpdated):
    warnings: list[LintFinding]


class SessionAtWork(TypedDict):
    session_id: str
    platform: str
    model: str
    started: str
    last_active: NotRequired[str | None]
    agent: NotRequired[str]


class FileAtWork(TypedDict):
    path: str
    state: str
    notes: NotRequired[str | None]


class DecisionMade(TypedDict):
    decision: str
    rationale: str
    timestamp: str


class ChangeHandoff(TypedDict):
    """What the next session reads first."""

    progress_summary: NotRequired[str]
    next_steps: NotRequired[list[str]]
    blockers: NotRequired[list[str]]
    key_context: NotRequired[list[str]]
    files_in_progress: NotRequired[list[FileAtWork]]
    decisions_made: NotRequired[list[DecisionMade]]


class ChangeResumed(ChangeUpdated):
    session: SessionAtWork
    handoff: ChangeHandoff
    drift: list[LintFinding]
    packet: str


class EndedSession(TypedDict):
    session_id: str
    platform: str
    model: str
    started: str
    ended: str
    summary: str
    changes_made: NotRequired[list[str]]
    agent: NotRequired[str]


class ChangeSessions(TypedDict):
    current_session: SessionAtWork
    handoff: NotRequired[ChangeHandoff]
    session_history: NotRequired[list[EndedSession]]
    threads: NotRequired[list[str]]


class ChangeDescription(TypedDict):
    summary: str
    motivation: str
    scope: str
    detailed_design: NotRequired[str | None]
    breaking_changes: NotRequired[list[str]]
    dependencies: NotRequired[list[str]]


class ChangedFile(TypedDict):
    path: str
    action: str
    description: NotRequired[str | None]
    lines_added: NotRequired[int | None]
    lines_removed: NotRequired[int | None]


class ChangedField(TypedDict):
    field: str
    action: str
    old_value: NotRequired[Any]
    new_value: NotRequired[Any]
    reason: NotRequired[str | None]


class ChangeRevision(TypedDict):
    revision_id: str
    timestamp: str
    author: str
    summary: str
    field_changes: NotRequired[list[ChangedField]]
    content: NotRequired[str]
    seal: NotRequired[str]


class SubChangeRow(TypedDict):
    sub_id: str
    title: str
    status: NotRequired[str]
    description: NotRequired[str | None]
    files_affected: NotRequired[list[str]]
    revision_history: NotRequired[list[dict[str, Any]]]


class TestEvidence(TypedDict):
    type: str
    description: str
    content: NotRequired[str | None]
    path: NotRequired[str | None]
    timestamp: NotRequired[str | None]


class ChangeTest(TypedDict):
    test_id: str
    title: str
    procedure: list[str]
    expected_result: str
    actual_result: NotRequired[str | None]
    status: NotRequired[str]
    evidence: NotRequired[list[TestEvidence]]
    tested_by: NotRequired[str | None]
    tested_date: NotRequired[str | None]


class ChangeApproval(TypedDict):
    approved: NotRequired[bool]
    approved_by: NotRequired[str | None]
    approved_date: NotRequired[str | None]
    approval_notes: NotRequired[str]
    test_coverage_status: NotRequired[str]


class ChangeMetadata(TypedDict):
    project: str
    created_by: str
    last_modified_by: str
    last_modified: str
    estimated_effort: NotRequired[str | None]


class ChangeRecord(TypedDict):
    tc_id: str
    parent_tc: NotRequired[str | None]
    title: str
    status: str
    priority: str
    created: str
    updated: str
    created_by: str
    project: str
    description: ChangeDescription
    files_affected: list[ChangedFile]
    revision_history: list[ChangeRevision]
    sub_tcs: NotRequired[list[SubChangeRow]]
    test_cases: list[ChangeTest]
    approval: ChangeApproval
    session_context: ChangeSessions
    tags: list[str]
    related_tcs: list[str]
    notes: str
    metadata: ChangeMetadata
    git: NotRequired[dict[str, Any] | None]
    maturity: NotRequired[dict[str, Any]]


class RecordsBegun(TypedDict):
    """`status` is `initialized` or `already_initialized`."""

    status: str
    path: str
    project_name: str
    records: NotRequired[int]


class RecordNote(TypedDict):
    tc_id: str
    what: str


class RegistryRebuilt(TypedDict):
    records: int
    changed: bool
    mended: list[RecordNote]
    unreadable: list[RecordNote]


class DecisionsWritten(TypedDict):
    tc_id: str
    path: str
    added: list[str]


class DashboardWritten(TypedDict):
    path: str
    records: int
    bytes: int
