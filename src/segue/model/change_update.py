"""An update: everything that can be asked of a change record in one go, as a value.

Every surface makes one of these and nothing else changes a record. Items of lists are named by
their number as shown (1 is the first), by their text, or by the beginning of it.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from segue.model.change import (
    Count,
    Coverage,
    Effort,
    EvidenceKind,
    FileAction,
    FileState,
    HandoffBlock,
    Moment,
    Path,
    Priority,
    Scope,
    Status,
    Summary,
    TestStatus,
    Text,
    Title,
)


class FileEdit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file to list, or what is to change about one already listed."""

    path: Path
    action: FileAction | None = None
    description: str | None = None
    lines_added: Count | None = None
    lines_removed: Count | None = None


class NewTest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: Text
    procedure: Annotated[list[Text], Meta(min_length=1)]
    expected_result: Text


class TestResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For a skip, `actual_result` says why."""

    test_id: Text
    status: TestStatus
    actual_result: str | None = None
    tested_by: str | None = None
    tested_date: Moment | None = None


class NewEvidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    test_id: Text
    type: EvidenceKind
    description: Text
    content: str | None = None
    path: str | None = None


class Approve(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    by: Text
    date: Moment | None = None
    notes: str | None = None


class NewSub(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`under` names a sub-change one level up, for a third level."""

    title: Annotated[str, Meta(min_length=3)]
    description: str | None = None
    files: list[Path] = []
    under: str | None = None


class SubEdit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    sub_id: Text
    status: Status | None = None
    title: Annotated[str, Meta(min_length=3)] | None = None
    description: str | None = None
    add_files: list[Path] = []


class Move(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The step becomes the one with that number."""

    step: Text
    to: Annotated[int, Meta(ge=1)]


class Resolution(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    blocker: Text
    how: str | None = None


class FileProgress(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Path
    state: FileState
    notes: str | None = None


class NewDecision(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    decision: Text
    rationale: Text
    timestamp: Moment | None = None


class Update(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Applied in this order, whatever the order it was asked in; the status comes last."""

    title: Title | None = None
    priority: Priority | None = None
    project: Text | None = None
    scope: Scope | None = None
    summary: Summary | None = None
    motivation: Text | None = None
    detailed_design: str | None = None
    effort: Effort | None = None
    add_breaking_changes: list[Text] = []
    remove_breaking_changes: list[Text] = []
    add_dependencies: list[Text] = []
    remove_dependencies: list[Text] = []
    files: list[FileEdit] = []
    remove_files: list[Text] = []
    add_tests: list[NewTest] = []
    add_evidence: list[NewEvidence] = []
    test_results: list[TestResult] = []
    coverage: Coverage | None = None
    revoke_approval: bool = False
    approve: Approve | None = None
    add_subs: list[NewSub] = []
    sub_edits: list[SubEdit] = []
    parent: str | None = None
    relate: list[Text] = []
    unrelate: list[Text] = []
    add_tags: list[Text] = []
    remove_tags: list[Text] = []
    notes: list[Text] = []
    threads: list[Text] = []
    handoff: HandoffBlock | None = None
    progress: Text | None = None
    complete_next: list[Text] = []
    remove_next: list[Text] = []
    add_next: list[Text] = []
    move_next: list[Move] = []
    resolve_blockers: list[Resolution] = []
    add_blockers: list[Text] = []
    remove_context: list[Text] = []
    add_context: list[Text] = []
    drop_files_in_progress: list[Text] = []
    files_in_progress: list[FileProgress] = []
    remove_decisions: list[Text] = []
    decisions: list[NewDecision] = []
    maturity: dict[str, Any] | None = None
    status: Status | None = None
