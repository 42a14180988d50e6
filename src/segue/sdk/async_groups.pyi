# Written by docs/generate_sdk.py from the table of operations; a test compares.

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

from segue.model.answers import (
    ArtifactList,
    Audit,
    Branched,
    CheckpointMade,
    CheckpointsDue,
    Collected,
    CompiledContext,
    CutPoints,
    Diagnosis,
    Forgotten,
    Graph,
    HandedOff,
    Imported,
    Lineage,
    Posted,
    Rebuilt,
    Referenced,
    SessionHits,
    SessionList,
    SessionPage,
    Stored,
    ThreadDetail,
    ThreadHits,
    ThreadId,
    ThreadList,
    Verdict,
    WorkspaceStatus,
)
from segue.model.change_answers import (
    ChangeClosed,
    ChangeList,
    ChangeMade,
    ChangeRecord,
    ChangeResumed,
    ChangesMade,
    ChangeUpdated,
    DashboardWritten,
    DecisionsWritten,
    RecordsBegun,
    RegistryRebuilt,
)
from segue.model.change_registry import RetroFile
from segue.model.change_update import Update
from segue.model.handoff_answers import (
    Acknowledged,
    Committed,
    CurrentHandoff,
    DraftApproved,
    DraftRejected,
    DraftState,
    DraftTaken,
    HandoffVerdict,
    Judgement,
    Proposal,
    Replayed,
)

Ask = Callable[[str, dict[str, Any], str | None], Awaitable[Any]]

class AsyncThreads:
    def __init__(self, ask: Ask) -> None: ...
    async def ensure(self) -> ThreadId: ...
    async def create(self, title: str | None = None, *, key: str | None = None) -> ThreadId: ...
    async def list(
        self,
        archived: bool = False,
        tag: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> ThreadList: ...
    async def show(self, thread_id: str) -> ThreadDetail: ...
    async def amend(
        self,
        thread_id: str,
        title: str | None = None,
        add_tags: Sequence[str] = (),
        remove_tags: Sequence[str] = (),
        archived: bool | None = None,
        *,
        key: str | None = None,
    ) -> ThreadDetail: ...
    async def post(
        self,
        thread_id: str,
        content: str,
        role: str = "user",
        run: str | None = None,
        run_ended: str | None = None,
        effects: Sequence[dict[str, Any]] = (),
        expect: int | None = None,
        *,
        key: str | None = None,
    ) -> Posted: ...
    async def branch(
        self,
        thread_id: str,
        title: str | None = None,
        from_message_id: str | None = None,
        from_seq: int | None = None,
        *,
        key: str | None = None,
    ) -> Branched: ...
    async def handoff(
        self,
        thread_id: str,
        title: str | None = None,
        summary_markdown: str | None = None,
        summary_artifact_id: str | None = None,
        goal: str | None = None,
        refs: dict[str, Sequence[dict[str, Any]]] | None = None,
        from_message_id: str | None = None,
        from_seq: int | None = None,
        agent: str | None = None,
        session_id: str | None = None,
        *,
        key: str | None = None,
    ) -> HandedOff: ...
    async def reference(
        self,
        thread_id: str,
        to_thread_id: str,
        to_seq: int | None = None,
        note: str | None = None,
        *,
        key: str | None = None,
    ) -> Referenced: ...
    async def search(self, words: str, limit: int = 20) -> ThreadHits: ...
    async def lineage(self, thread_id: str) -> Lineage: ...
    async def graph(self, thread_id: str | None = None) -> Graph: ...
    async def compile(
        self,
        thread_id: str,
        budget: int | None = None,
        at_seq: int | None = None,
        run: str | None = None,
        *,
        key: str | None = None,
    ) -> CompiledContext: ...
    async def audit(self, thread_id: str) -> Audit: ...
    async def checkpoint(
        self,
        thread_id: str,
        summary_markdown: str | None = None,
        summary_artifact_id: str | None = None,
        to_message_id: str | None = None,
        to_seq: int | None = None,
        *,
        key: str | None = None,
    ) -> CheckpointMade: ...
    async def checkpoints_due(
        self, thread_id: str, stride: int | None = None, max_new: int = 8, dry_run: bool = False
    ) -> CheckpointsDue: ...
    async def cut_points(self, thread_id: str, stride: int | None = None, limit: int = 32) -> CutPoints: ...

class AsyncArtifacts:
    def __init__(self, ask: Ask) -> None: ...
    async def put(self, data: bytes, verbatim: bool = False) -> Stored: ...
    async def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes: ...
    async def list(self, limit: int | None = None, after: str | None = None) -> ArtifactList: ...

class AsyncSessions:
    def __init__(self, ask: Ask) -> None: ...
    async def list(self, agent: str | None = None, limit: int = 50) -> SessionList: ...
    async def take(self, data: bytes) -> Imported: ...
    async def search(self, words: str, agent: str | None = None, limit: int = 20) -> SessionHits: ...
    async def show(
        self, session: str, offset: int = 0, limit: int = 50, line: int | None = None, around: int = 0
    ) -> SessionPage: ...
    async def import_(self, session: str) -> Imported: ...

class AsyncHandoffs:
    def __init__(self, ask: Ask) -> None: ...
    async def draft(
        self,
        goal: str = "",
        session: str | None = None,
        agent: str | None = None,
        budget: int | None = None,
        preset: Literal["", "implement", "debug", "review", "docs"] = "",
        format: Literal["packet", "document", "bundle", "tc", "json"] = "packet",
        repo: bool | None = None,
        include_files: Sequence[str] = (),
    ) -> Proposal: ...
    async def commit(
        self,
        goal: str = "",
        session: str | None = None,
        agent: str | None = None,
        budget: int | None = None,
        preset: Literal["", "implement", "debug", "review", "docs"] = "",
        repo: bool | None = None,
        include_files: Sequence[str] = (),
        text: str | None = None,
    ) -> Committed: ...
    async def lint(
        self, text: str, kind: Literal["auto", "packet", "document", "tc"] = "auto", budget: int | None = None
    ) -> Judgement: ...
    async def verify(self, text: str | None = None, artifact_id: str | None = None) -> HandoffVerdict: ...
    async def current(self) -> CurrentHandoff: ...

class AsyncDrafts:
    def __init__(self, ask: Ask) -> None: ...
    async def write(
        self, text: str, host: str = "", session_id: str = "", sensitivity: str = "private"
    ) -> DraftTaken: ...
    async def show(self) -> DraftState: ...
    async def approve(self, expect: str, clear: Sequence[str] | None = None) -> DraftApproved: ...
    async def reject(self, reason: str | None = None) -> DraftRejected: ...

class AsyncChanges:
    def __init__(self, ask: Ask) -> None: ...
    async def init(
        self, project: str | None = None, author: str | None = None, force: bool = False
    ) -> RecordsBegun: ...
    async def new(
        self,
        title: str,
        scope: str = "feature",
        summary: str | None = None,
        motivation: str | None = None,
        name: str | None = None,
        priority: str = "medium",
        author: str | None = None,
        session_id: str | None = None,
        platform: str | None = None,
        model: str | None = None,
        thread: str | None = "current",
        more: Update | None = None,
    ) -> ChangeMade: ...
    async def list(
        self,
        status: Sequence[str] = (),
        scope: Sequence[str] = (),
        priority: Sequence[str] = (),
        tag: str | None = None,
        words: str = "",
        only_open: bool = False,
        limit: int | None = None,
    ) -> ChangeList: ...
    async def lint(self, tc_ids: Sequence[str] = ()) -> Judgement: ...
    async def rebuild(self) -> RegistryRebuilt: ...
    async def retro(self, past: RetroFile) -> ChangesMade: ...
    async def dashboard(self) -> DashboardWritten: ...
    async def show(self, tc_id: str) -> ChangeRecord: ...
    async def update(
        self,
        tc_id: str,
        wanted: Update,
        author: str | None = None,
        reason: str = "",
        strict: bool = False,
        seal_anew: bool = False,
    ) -> ChangeUpdated: ...
    async def resume(
        self,
        tc_id: str,
        platform: str | None = None,
        model: str | None = None,
        session_id: str | None = None,
        summary: str | None = None,
        author: str | None = None,
        dry_run: bool = False,
    ) -> ChangeResumed: ...
    async def promote(self, tc_id: str, refs: Sequence[str]) -> DecisionsWritten: ...
    async def close(
        self,
        tc_id: str,
        approve_by: str | None = None,
        approval_notes: str | None = None,
        summary: str | None = None,
        author: str | None = None,
        reason: str = "",
    ) -> ChangeClosed: ...
    async def link(
        self,
        tc_id: str | None,
        commits: Sequence[str] = (),
        ranges: Sequence[str] = (),
        pulls: Sequence[str] = (),
        pull_state: Literal["open", "merged", "closed", "draft"] | None = None,
        releases: Sequence[str] = (),
        author: str | None = None,
        reason: str = "",
    ) -> ChangeUpdated: ...

class AsyncUpkeep:
    def __init__(self, ask: Ask) -> None: ...
    async def replay(self, host: str = "generic", session_id: str = "by-hand") -> Replayed: ...
    async def ack(self, host: str, session_id: str, evidence: str) -> Acknowledged: ...
    async def verify(self, what: str = "all") -> Verdict: ...
    async def rebuild(self, accept_loss: bool = False) -> Rebuilt: ...
    async def forget(
        self,
        targets: Sequence[str] = (),
        artifacts: Sequence[str] = (),
        sessions: Sequence[str] = (),
        reason: str = "",
        everywhere: bool = False,
        dry_run: bool = False,
    ) -> Forgotten: ...
    async def gc(self, dry_run: bool = False) -> Collected: ...
    async def status(self) -> WorkspaceStatus: ...
    async def doctor(self, fix: bool = False) -> Diagnosis: ...
