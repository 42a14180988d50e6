"""A change record: one piece of work, from the plan to the approval, with what the next session needs.

The file `tc_record.json` is the truth and may hold keys this version does not know; it is kept as a
document of plain values and never squeezed through these types. They are the typed view on it
(`changes/record.py:view`), the shape of what is newly written, and the source of the published schemas.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

Status = Literal["planned", "in_progress", "blocked", "paused", "implemented", "tested", "deployed", "voided"]
Priority = Literal["critical", "high", "medium", "low"]
Scope = Literal["feature", "bugfix", "refactor", "infrastructure", "documentation", "hotfix", "enhancement"]
FileAction = Literal["created", "modified", "deleted", "renamed"]
FileState = Literal["editing", "needs_review", "partially_done", "ready"]
TestStatus = Literal["pending", "pass", "fail", "skip", "blocked"]
EvidenceKind = Literal["log_snippet", "screenshot", "file_reference", "command_output"]
Coverage = Literal["none", "partial", "full"]
Effort = Literal["trivial", "small", "medium", "large", "epic"]
Platform = Literal["claude_code", "claude_web", "api", "other"]
Provider = Literal["github", "gitlab", "bitbucket", "other"]
PullState = Literal["open", "merged", "closed", "draft"]
Review = Literal["approved", "changes_requested", "review_required", "commented"]
LinkSource = Literal["auto-hook", "manual", "retro"]

STATUSES: tuple[Status, ...] = get_args(Status)
PRIORITIES: tuple[Priority, ...] = get_args(Priority)
SCOPES: tuple[Scope, ...] = get_args(Scope)
FILE_ACTIONS: tuple[FileAction, ...] = get_args(FileAction)
FILE_STATES: tuple[FileState, ...] = get_args(FileState)
TEST_STATUSES: tuple[TestStatus, ...] = get_args(TestStatus)
EVIDENCE_KINDS: tuple[EvidenceKind, ...] = get_args(EvidenceKind)

TC_ID = r"^TC-\d{3,}-\d{2}-\d{2}-\d{2}-[a-z0-9]+(-[a-z0-9]+)*$"
SUB_ID = r"^TC-\d{3,}\.[A-Z]+(\.\d+)?$"

TcId = Annotated[str, Meta(pattern=TC_ID, description="TC-NNN-MM-DD-YY-slug; the number grows past 999.")]
Text = Annotated[str, Meta(min_length=1)]
Title = Annotated[str, Meta(min_length=5, max_length=120)]
Summary = Annotated[str, Meta(min_length=10)]
Moment = Annotated[str, Meta(min_length=10, description="ISO 8601 date and time.")]
Path = Annotated[str, Meta(min_length=1, description="Relative to the project, forward slashes.")]
Count = Annotated[int, Meta(ge=0)]
Sha = Annotated[str, Meta(pattern="^[0-9a-f]{7,40}$")]


class Description(Struct, kw_only=True):
    summary: Summary
    motivation: Text
    scope: Scope
    detailed_design: str | None = None
    breaking_changes: list[str] = []
    dependencies: list[str] = []


class FileAffected(Struct, kw_only=True):
    path: Path
    action: FileAction
    description: str | None = None
    lines_added: Count | None = None
    lines_removed: Count | None = None


class FieldChange(Struct, kw_only=True):
    """One field before and after. Items of lists are named by their key: `test_cases[T1].status`."""

    field: Text
    action: Literal["set", "changed", "added", "removed"]
    old_value: Any = UNSET
    new_value: Any = UNSET
    reason: str | None = None


class Revision(Struct, kw_only=True):
    """One update. `content` is the hash of the record as this revision left it, `seal` the hash of the
    history up to and including this revision; records of other programs have neither."""

    revision_id: Annotated[str, Meta(pattern=r"^R\d+$")]
    timestamp: Moment
    author: Text
    summary: Text
    field_changes: list[FieldChange] = []
    content: str | UnsetType = UNSET
    seal: str | UnsetType = UNSET


class Evidence(Struct, kw_only=True):
    type: EvidenceKind
    description: str
    content: str | None = None
    path: Annotated[str | None, Meta(description="Relative to docs/TC/evidence/<TC-ID>/.")] = None
    timestamp: Moment | None = None


class TestCase(Struct, kw_only=True):
    test_id: Annotated[str, Meta(pattern=r"^T\d+$")]
    title: Text
    procedure: Annotated[list[str], Meta(min_length=1)]
    expected_result: Text
    actual_result: str | None = None
    status: TestStatus = "pending"
    evidence: list[Evidence] = []
    tested_by: str | None = None
    tested_date: Moment | None = None


class Approval(Struct, kw_only=True):
    approved: bool = False
    approved_by: str | None = None
    approved_date: Moment | None = None
    approval_notes: str = ""
    test_coverage_status: Coverage = "none"


class Session(Struct, kw_only=True):
    """The session at work. `agent` names the program where `platform` can only say `other`."""

    session_id: Text
    platform: Platform
    model: Text
    started: Moment
    last_active: Moment | None = None
    agent: str | UnsetType = UNSET


class PastSession(Struct, kw_only=True):
    session_id: str
    platform: str
    model: str
    started: Moment
    ended: Moment
    summary: str
    changes_made: list[str] = []
    agent: str | UnsetType = UNSET


class FileInProgress(Struct, kw_only=True):
    path: Path
    state: FileState
    notes: str | None = None


class Decision(Struct, kw_only=True):
    decision: Text
    rationale: str
    timestamp: Moment


class HandoffBlock(Struct, kw_only=True):
    """What the next session reads first."""

    progress_summary: str = ""
    next_steps: list[str] = []
    blockers: list[str] = []
    key_context: list[str] = []
    files_in_progress: list[FileInProgress] = []
    decisions_made: list[Decision] = []


class SessionContext(Struct, kw_only=True):
    current_session: Session
    handoff: HandoffBlock = msgspec.field(default_factory=HandoffBlock)
    session_history: list[PastSession] = []
    threads: Annotated[
        list[str] | UnsetType, Meta(description="Threads of the workspace this work is on.")
    ] = UNSET


class SubRevision(Struct, kw_only=True):
    revision_id: Annotated[str, Meta(pattern=r"^R\d+$")]
    timestamp: Moment
    author: str
    summary: str
    field_changes: list[Any] | UnsetType = UNSET


class SubChange(Struct, kw_only=True):
    sub_id: Annotated[str, Meta(pattern=SUB_ID, description="TC-NNN.A, or TC-NNN.A.1 one level below.")]
    title: Annotated[str, Meta(min_length=3)]
    status: Status = "planned"
    description: str | None = None
    files_affected: list[str] = []
    revision_history: list[SubRevision] = []


class Commit(Struct, kw_only=True):
    sha: Sha
    short_sha: Annotated[str, Meta(pattern="^[0-9a-f]{7,12}$")]
    author: Text
    authored_date: Moment
    subject: str
    branch: str | None = None
    parent_count: Count
    files_changed: list[str] = []
    linked_at: Moment
    link_source: LinkSource


class PullRequest(Struct, kw_only=True):
    number: Annotated[int, Meta(ge=1)] | None = None
    url: str | None = None
    state: PullState | None = None
    merged_sha: Sha | None = None
    review_decision: Review | None = None
    last_synced: Moment | None = None


class Remote(Struct, kw_only=True):
    name: Text
    url: Text
    provider: Provider
    pr: PullRequest | None = None


class GitLinks(Struct, kw_only=True):
    repo_root: str | None = None
    initial_branch: str | None = None
    commits: list[Commit] = []
    remotes: list[Remote] = []
    release_tags: list[str] = []


class Metadata(Struct, kw_only=True):
    project: str
    created_by: str
    last_modified_by: str
    last_modified: Moment
    estimated_effort: Effort | None = None


class Record(Struct, kw_only=True):
    tc_id: TcId
    parent_tc: str | None = None
    title: Title
    status: Status
    priority: Priority
    created: Moment
    updated: Moment
    created_by: Text
    project: Text
    description: Description
    files_affected: list[FileAffected]
    revision_history: Annotated[list[Revision], Meta(min_length=1)]
    sub_tcs: list[SubChange] = []
    test_cases: list[TestCase]
    approval: Approval
    session_context: SessionContext
    tags: list[str]
    related_tcs: list[str]
    notes: str
    metadata: Metadata
    git: GitLinks | UnsetType | None = UNSET
    maturity: dict[str, Any] | UnsetType = UNSET
