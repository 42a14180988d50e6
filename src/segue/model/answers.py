"""What operations answer: plain JSON objects, the same on every surface.

The types are checked where an answer is made and published in the API's description; at run time an
answer is a dict. A field that may be missing is left out, never null.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


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
    kind: str
    where: str
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


class Redacted(TypedDict):
    total: int
    by_kind: dict[str, int]


class Stored(TypedDict):
    artifact_id: str
    bytes: int
    redactions: NotRequired[Redacted]


class ArtifactRow(TypedDict):
    artifact_id: str
    bytes: int


class ArtifactList(TypedDict):
    artifacts: list[ArtifactRow]


class Rebuilt(TypedDict):
    streams: int
    threads: int


class Acknowledged(TypedDict):
    thread_id: str
    seq: int
    sha256: str


class Replayed(TypedDict):
    replayed: bool
    text: NotRequired[str]


class CurrentHandoff(TypedDict):
    text: str


class LintFinding(TypedDict):
    rule: str
    severity: str
    where: str
    message: str
    hint: str


Judgement = TypedDict("Judgement", {"pass": bool, "score": int, "findings": list[LintFinding]})


class Proposal(TypedDict):
    packet: str
    tokens: int
    budget: int
    agent: str
    session_id: str
    redactions: Redacted
    lint: dict[str, Any]
    dropped: list[dict[str, Any]]
    rendered: NotRequired[str]


class Committed(Proposal):
    thread_id: str
    from_thread_id: str
    from_seq: int
    from_message_id: NotRequired[str]
    summary_artifact_id: str


class SessionList(TypedDict):
    sessions: list[dict[str, Any]]
    skipped: NotRequired[list[dict[str, Any]]]


class SessionHits(TypedDict):
    hits: list[dict[str, Any]]
    skipped: NotRequired[list[dict[str, Any]]]


class SessionPage(TypedDict):
    session: dict[str, Any]
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
    redactions: int
