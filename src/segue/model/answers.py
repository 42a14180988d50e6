"""What operations answer: plain JSON objects, the same on every surface.

The types are checked where an answer is made and published in the API's description; at run time an
answer is a dict. A field that may be missing is left out, never null.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from segue.model.handoff_answers import HandoffState, Redacted, WaitingDraft


class ThreadId(TypedDict):
    thread_id: str


class Parent(TypedDict):
    thread_id: str
    seq: int
    relation: str


class ThreadRow(TypedDict):
    thread_id: str
    title: NotRequired[str]
    created_at_ms: int
    head_seq: int
    archived: bool
    tags: list[str]
    default: bool
    parent: NotRequired[Parent]


class ThreadDetail(ThreadRow):
    head_hash: str


class ThreadList(TypedDict):
    threads: list[ThreadRow]
    next_after: NotRequired[str]


class Posted(TypedDict):
    thread_id: str
    message_id: str
    seq: int


class Branched(TypedDict):
    thread_id: str
    parent_thread_id: str
    parent_seq: int
    parent_message_id: NotRequired[str]


class HandedOff(TypedDict):
    thread_id: str
    from_thread_id: str
    from_seq: int
    from_message_id: NotRequired[str]
    summary_artifact_id: str


class Referenced(TypedDict):
    thread_id: str
    to_thread_id: str
    to_seq: int
    seq: int


class ThreadHit(TypedDict):
    thread_id: str
    seq: int
    snippet: str


class ThreadHits(TypedDict):
    hits: list[ThreadHit]


class Relation(TypedDict):
    thread_id: str
    relation: str
    seq: int
    message_id: NotRequired[str]


class Lineage(TypedDict):
    thread_id: str
    ancestors: list[Relation]
    children: list[Relation]


class Graph(TypedDict):
    graph: list[str]


class CompiledContext(TypedDict):
    bundle_artifact_id: str
    tokens: int
    bundle: dict[str, Any]


class Finding(TypedDict):
    """A `severity` of `error` is damage; a `note` is not."""

    kind: str
    where: str
    severity: str
    message: str
    hint: str


class Verdict(TypedDict):
    ok: bool
    findings: list[Finding]


class Audit(Verdict):
    checked: int


class CheckpointMade(TypedDict):
    checkpoint_id: str
    thread_id: str
    cut_rule_id: str
    summary_artifact_id: str
    to_seq: int
    to_message_id: NotRequired[str]


class PlannedCheckpoint(TypedDict):
    target_message_ordinal: int
    to_seq: int
    to_message_id: str


class CheckpointsDue(TypedDict):
    """`status` is `noop` where nothing was made, else `completed`; `still_due` counts what another job may make."""

    thread_id: str
    stride_messages: int
    cut_rule_id: str
    planned: list[PlannedCheckpoint]
    result: list[CheckpointMade]
    status: str
    still_due: int
    job_id: NotRequired[str]


class CutPointRow(TypedDict):
    target_message_ordinal: int
    to_seq: int
    to_message_id: str
    already_checkpointed: bool
    latest_checkpoint_id: NotRequired[str]


class CutPoints(TypedDict):
    thread_id: str
    stride_messages: int
    message_count: int
    cut_rule_id: str
    cut_points: list[CutPointRow]


class Stored(TypedDict):
    artifact_id: str
    bytes: int
    redacted: bool
    redactions: NotRequired[Redacted]


class ArtifactRow(TypedDict):
    artifact_id: str
    bytes: int


class ArtifactList(TypedDict):
    artifacts: list[ArtifactRow]
    next_after: NotRequired[str]


class Rebuilt(Verdict):
    """What was made again, and what `verify` says of the log afterwards."""

    streams: int
    threads: int


class ForgottenFrames(TypedDict):
    thread_id: str
    seqs: list[int]


class FramePlace(TypedDict):
    thread_id: str
    seq: int


class FileRow(TypedDict):
    path: str
    bytes: int


class AlsoIn(TypedDict):
    """What quotes the same words and stays."""

    frames: list[FramePlace]
    artifacts: list[str]
    files: list[str]


class Forgotten(TypedDict):
    """What went, or would go; `remains` are sentences on what segue cannot remove."""

    forgotten: bool
    frames: list[ForgottenFrames]
    artifacts: list[ArtifactRow]
    files: list[FileRow]
    bytes: int
    also_in: AlsoIn
    remains: list[str]


class CollectedRow(TypedDict):
    """`what` is a transcript, an index, a handoff, a mark, spool or a leftover; `name` its path, or an artifact's id."""

    what: str
    name: str
    bytes: int


class Collected(TypedDict):
    removed: bool
    items: list[CollectedRow]
    bytes: int


class SessionRow(TypedDict):
    agent: str
    id: str
    path: str
    updated_at_ms: int
    turns: int
    bytes: int
    cwd: NotRequired[str]
    title: NotRequired[str]
    branch: NotRequired[str]
    parent: NotRequired[str]
    last_prompt: NotRequired[str]
    passed_over: NotRequired[str]
    """Why a handoff does not take it by itself."""
    partly: NotRequired[bool]
    """Its file is too long for a list: turns and prompts are those of its two ends."""


class SessionList(TypedDict):
    sessions: list[SessionRow]
    skipped: NotRequired[list[dict[str, Any]]]


class SessionHit(TypedDict):
    agent: str
    id: str
    path: str
    kind: str
    line: int
    snippet: str


class SessionHits(TypedDict):
    hits: list[SessionHit]
    skipped: NotRequired[list[dict[str, Any]]]


class SessionPage(TypedDict):
    session: SessionRow
    counts: dict[str, int]
    entries: list[dict[str, Any]]
    redactions: Redacted
    next_offset: NotRequired[int]
    others: NotRequired[int]


class Imported(TypedDict):
    thread_id: str
    agent: str
    session_id: str
    added: int
    head_seq: int
    head_message_id: NotRequired[str]
    redactions: int
    unreadable: NotRequired[int]


class LastFrame(TypedDict):
    thread_id: str
    seq: int
    type: str
    timestamp_ms: int


class HookTraces(TypedDict):
    traces: int
    last: str
    path: str


class MemoryProposals(TypedDict):
    path: str
    candidates: int


class WorkspaceStatus(TypedDict):
    """Only `workspace` and `exists` where there is none yet; what is empty, or as it should be, is left out."""

    workspace: str
    exists: bool
    store: NotRequired[str]
    threads: NotRequired[int]
    archived: NotRequired[int]
    frames: NotRequired[int]
    artifacts: NotRequired[int]
    artifact_bytes: NotRequired[int]
    default_thread_id: NotRequired[str]
    last_frame: NotRequired[LastFrame]
    handoff: NotRequired[HandoffState]
    draft: NotRequired[WaitingDraft]
    hooks: NotRequired[HookTraces]
    spooled: NotRequired[int]
    maintenance: NotRequired[list[str]]
    proposals: NotRequired[list[MemoryProposals]]
    unwritable: NotRequired[str]
    inside_workspace: NotRequired[str]


class Check(TypedDict):
    """The texts are what a new session would be told, and one after a compaction."""

    check: str
    ok: bool
    message: str
    hint: NotRequired[str]
    events: NotRequired[list[str]]
    text: NotRequired[str]
    after_compaction: NotRequired[str]


class SettingRow(TypedDict):
    value: Any
    source: str


class Diagnosis(TypedDict):
    ok: bool
    checks: list[Check]
    settings: dict[str, SettingRow]


class ModelRow(TypedDict):
    """`kind` is `program`, `api` or `command`; `why` says why it is not usable, `remains` what cannot be switched off in it.
    `allowed` tells whether private sessions may go to its `destination`; `said` is what it wrote when it was checked."""

    name: str
    kind: str
    usable: bool
    destination: str
    allowed: bool
    version: NotRequired[str]
    key: NotRequired[bool]
    why: NotRequired[str]
    remains: NotRequired[str]
    said: NotRequired[str]


class ModelList(TypedDict):
    """`chosen` is the model that the settings name, if any."""

    models: list[ModelRow]
    chosen: str
