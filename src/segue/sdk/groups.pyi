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
    Grounded,
    HandoffVerdict,
    Judgement,
    Proposal,
    Replayed,
)

Ask = Callable[[str, dict[str, Any], str | None], Any]
AsyncAsk = Callable[[str, dict[str, Any], str | None], Awaitable[Any]]

class Threads:
    def __init__(self, ask: Ask) -> None: ...
    def ensure(self) -> ThreadId:
        """The workspace's default thread, made at the first call and the same ever after."""
    def create(self, title: str | None = None, *, key: str | None = None) -> ThreadId:
        """A new thread without a parent."""
    def list(
        self,
        archived: bool = False,
        tag: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> ThreadList:
        """All threads, oldest first; archived ones only when asked for; at most `limit` of those that follow the one
        named `after`. Where more follow, `next_after` is where the next page begins."""
    def show(self, thread_id: str) -> ThreadDetail:
        """One thread, with the hash that identifies its whole content."""
    def amend(
        self,
        thread_id: str,
        title: str | None = None,
        add_tags: Sequence[str] = (),
        remove_tags: Sequence[str] = (),
        archived: bool | None = None,
        *,
        key: str | None = None,
    ) -> ThreadDetail:
        """Renames a thread, tags it, puts it away or brings it back: what is given, in one commit."""
    def post(
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
    ) -> Posted:
        """Adds a message and, in the same commit, the run it started, what its tools did, and its end."""
    def branch(
        self,
        thread_id: str,
        title: str | None = None,
        from_message_id: str | None = None,
        from_seq: int | None = None,
        *,
        key: str | None = None,
    ) -> Branched:
        """A child that inherits the parent's history up to a cut; nothing is copied."""
    def handoff(
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
    ) -> HandedOff:
        """A child that starts fresh from a bundle: a summary and references, never the parent's history. `agent` and
        `session_id` are those of the session that it was drafted from, where it was."""
    def reference(
        self,
        thread_id: str,
        to_thread_id: str,
        to_seq: int | None = None,
        note: str | None = None,
        *,
        key: str | None = None,
    ) -> Referenced:
        """Records that this thread draws on another one, up to a cut."""
    def search(self, words: str, limit: int = 20) -> ThreadHits:
        """Threads whose titles, messages or touched paths hold all the words."""
    def lineage(self, thread_id: str) -> Lineage:
        """A thread's ancestors, nearest first, and its children, oldest first."""
    def graph(self, thread_id: str | None = None) -> Graph:
        """The forest, or the tree a thread stands in, as lines of text."""
    def compile(
        self,
        thread_id: str,
        budget: int | None = None,
        at_seq: int | None = None,
        run: str | None = None,
        *,
        key: str | None = None,
    ) -> CompiledContext:
        """The context a run on this thread should start with, stored as an artifact and recorded."""
    def audit(self, thread_id: str) -> Audit:
        """Compiles every recorded context of a thread again; `ok` when all came out byte for byte the same."""
    def checkpoint(
        self,
        thread_id: str,
        summary_markdown: str | None = None,
        summary_artifact_id: str | None = None,
        to_message_id: str | None = None,
        to_seq: int | None = None,
        *,
        key: str | None = None,
    ) -> CheckpointMade:
        """Records a checkpoint at a message: with a written summary, a stored one, or one made from the frames."""
    def checkpoints_due(
        self, thread_id: str, stride: int | None = None, max_new: int = 8, dry_run: bool = False
    ) -> CheckpointsDue:
        """Makes the checkpoints that are due, oldest first, as one recorded job: 8 unless told otherwise, 32 at
        most. A dry run names all that are due."""
    def cut_points(self, thread_id: str, stride: int | None = None, limit: int = 32) -> CutPoints:
        """Where checkpoints may fall: every n-th message, and which of them have one."""

class Artifacts:
    def __init__(self, ask: Ask) -> None: ...
    def put(self, data: bytes, verbatim: bool = False) -> Stored:
        """Stores bytes and says under which name."""
    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes:
        """The bytes of an artifact, or a range of them; no version of the handoff document through a channel."""
    def list(self, limit: int | None = None, after: str | None = None) -> ArtifactList:
        """Every artifact with its size, by name; at most `limit` of those that follow the one named `after`. Where more
        follow, `next_after` is where the next page begins."""

class Sessions:
    def __init__(self, ask: Ask) -> None: ...
    def list(self, agent: str | None = None, limit: int = 50) -> SessionList:
        """Sessions of this project, across agents, newest first."""
    def take(self, data: bytes) -> Imported:
        """Takes a session that a caller sends, in segue's own format: as its own thread, or to bring that thread
        up to date. Whatever it holds is redacted before it is stored."""
    def search(self, words: str, agent: str | None = None, limit: int = 20) -> SessionHits:
        """Entries of this project's sessions that hold all the words, newest session first."""
    def show(
        self, session: str, offset: int = 0, limit: int = 50, line: int | None = None, around: int = 0
    ) -> SessionPage:
        """A session's counts and a page of its entries, redacted; `next_offset` is where the next page begins. With `line`
        only the entries of that line, which a pointer like `[#412]` names, and of so many `around` it."""
    def import_(self, session: str) -> Imported:
        """Brings a session into the log as its own thread, or that thread up to date."""

class Handoffs:
    def __init__(self, ask: Ask) -> None: ...
    def draft(
        self,
        goal: str = "",
        session: str | None = None,
        agent: str | None = None,
        budget: int | None = None,
        preset: Literal["", "implement", "debug", "review", "docs"] = "",
        format: Literal["packet", "document", "bundle", "tc", "json"] = "packet",
        repo: bool | None = None,
        include_files: Sequence[str] = (),
    ) -> Proposal:
        """Drafts the handoff of a session of this project, by default the newest, for a goal; writes nothing."""
    def commit(
        self,
        goal: str = "",
        session: str | None = None,
        agent: str | None = None,
        budget: int | None = None,
        preset: Literal["", "implement", "debug", "review", "docs"] = "",
        repo: bool | None = None,
        include_files: Sequence[str] = (),
        text: str | None = None,
    ) -> Committed:
        """Stores the handoff of a session: its thread, the bundle, and the child thread that starts from it.
        `text` is the packet as reviewed, within its budget; without it the draft stands as it is."""
    def lint(
        self, text: str, kind: Literal["auto", "packet", "document", "tc"] = "auto", budget: int | None = None
    ) -> Judgement:
        """Judges a handoff: findings, a score, and whether it passes."""
    def verify(self, text: str | None = None, artifact_id: str | None = None) -> HandoffVerdict:
        """What of a handoff still holds, what drifted, what cannot be known; by default of the newest one. Through a
        channel, findings quote the current document only as far as that may carry it."""
    def ground(self, text: str, session: str | None = None, repair: bool = False) -> Grounded:
        """Judges a text statement by statement against a session of this project, by default the one that it names, else the
        newest: what stands where it points, what elsewhere, what nowhere, what is contradicted, and what it lost. With
        `repair` the answer holds the text with its pointers corrected and the lost put back."""
    def current(self) -> CurrentHandoff:
        """The current handoff, if its sensitivity allows the channel to carry it."""

class Drafts:
    def __init__(self, ask: Ask) -> None: ...
    def write(
        self, text: str, host: str = "", session_id: str = "", sensitivity: str = "private"
    ) -> DraftTaken:
        """Takes a draft, about the work in a directory of the workspace. The answer says whether it passed, whether it
        waits for approval, and which waiting one it replaces."""
    def show(self) -> DraftState:
        """The waiting draft, if any, and the state of the current handoff. Through a channel, the draft's text only where
        its sensitivity allows that."""
    def approve(self, expect: str, clear: Sequence[str] | None = None) -> DraftApproved:
        """Approves the waiting draft that somebody reviewed: `expect` is its whole id. Raises Conflict when
        another draft waits by now. `clear` names channels that may carry it although they are cleared for less."""
    def reject(self, reason: str | None = None) -> DraftRejected:
        """Sets the waiting draft aside; it stays in the log."""

class Changes:
    def __init__(self, ask: Ask) -> None: ...
    def init(
        self, project: str | None = None, author: str | None = None, force: bool = False
    ) -> RecordsBegun:
        """Starts `docs/TC`. Done again it changes nothing; with `force` the configuration is written anew while
        records, numbers and registry stay."""
    def new(
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
    ) -> ChangeMade:
        """Makes a record with the next free number, linked to the thread of the session at work, or to the one named."""
    def list(
        self,
        status: Sequence[str] = (),
        scope: Sequence[str] = (),
        priority: Sequence[str] = (),
        tag: str | None = None,
        words: str = "",
        only_open: bool = False,
        limit: int | None = None,
    ) -> ChangeList:
        """Rows of the registry, by number. One that cannot be read is derived from the records instead."""
    def lint(self, tc_ids: Sequence[str] = ()) -> Judgement:
        """The quality of the records named; of all of them and of their tree if none is. The worst one decides."""
    def rebuild(self) -> RegistryRebuilt:
        """Makes the registry again from the records, whatever state it is in; a record that cannot be read is told."""
    def retro(self, past: RetroFile) -> ChangesMade:
        """Makes a record of each past change, all in one go, with its commits linked."""
    def dashboard(self) -> DashboardWritten:
        """Writes the page, to `docs/TC/index.html` unless another place is named."""
    def show(self, tc_id: str) -> ChangeRecord:
        """The record as it is in its file."""
    def update(
        self,
        tc_id: str,
        wanted: Update,
        author: str | None = None,
        reason: str = "",
        strict: bool = False,
        seal_anew: bool = False,
    ) -> ChangeUpdated:
        """Applies an update as one revision. `strict` refuses a record that lint would complain about."""
    def resume(
        self,
        tc_id: str,
        platform: str | None = None,
        model: str | None = None,
        session_id: str | None = None,
        summary: str | None = None,
        author: str | None = None,
        dry_run: bool = False,
    ) -> ChangeResumed:
        """Shows the block, checks it against the repository, archives the session before and opens a new one."""
    def promote(self, tc_id: str, refs: Sequence[str]) -> DecisionsWritten:
        """Writes decisions of a change to `docs/decisions.md`, each once; all of them if none is named."""
    def close(
        self,
        tc_id: str,
        approve_by: str | None = None,
        approval_notes: str | None = None,
        summary: str | None = None,
        author: str | None = None,
        reason: str = "",
    ) -> ChangeClosed:
        """Deploys a tested change: approval, status and the end of its session, in one revision."""
    def link(
        self,
        tc_id: str | None,
        commits: Sequence[str] = (),
        ranges: Sequence[str] = (),
        pulls: Sequence[str] = (),
        pull_state: Literal["open", "merged", "closed", "draft"] | None = None,
        releases: Sequence[str] = (),
        author: str | None = None,
        reason: str = "",
    ) -> ChangeUpdated:
        """Links commits, pull requests and releases to a change; HEAD if nothing is named."""

class Upkeep:
    def __init__(self, ask: Ask) -> None: ...
    def replay(self, host: str = "generic", session_id: str = "by-hand") -> Replayed:
        """The current handoff for a session, once; through a channel only what that may carry, whatever the
        host says it is."""
    def ack(self, host: str, session_id: str, evidence: str) -> Acknowledged:
        """Records, once per handoff, that the receiving session has read it. Raises NotFound for a session that
        was given none."""
    def verify(self, what: str = "all") -> Verdict:
        """Re-derives hashes, order, links and blobs, and compares caches with truth."""
    def rebuild(self, accept_loss: bool = False) -> Rebuilt:
        """Makes every cache again from the frames, and says what is wrong with those. Where acknowledged frames are
        missing it refuses, unless the loss is accepted; then that is recorded."""
    def forget(
        self,
        targets: Sequence[str] = (),
        artifacts: Sequence[str] = (),
        sessions: Sequence[str] = (),
        reason: str = "",
        everywhere: bool = False,
        dry_run: bool = False,
    ) -> Forgotten:
        """Removes content for good: `targets` are THREAD@SEQ, a message id, or a THREAD for all that it says; `sessions` are
        AGENT:ID. What else quotes it is named in `also_in`, and goes with `everywhere`. A dry run only says what would go."""
    def gc(self, dry_run: bool = False) -> Collected:
        """Removes what was kept longer than settings say (`retention.*`), and what interrupted writes left. A dry run only
        says what would go, and how much; that is all an agent is told, for whom the settings are a few words in its
        environment."""
    def status(self) -> WorkspaceStatus:
        """Where this workspace stands, in a few numbers."""
    def doctor(self, fix: bool = False) -> Diagnosis:
        """Every check with its verdict, and every setting with its source; mends what is safe to mend."""

class AsyncThreads:
    def __init__(self, ask: AsyncAsk) -> None: ...
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
    def __init__(self, ask: AsyncAsk) -> None: ...
    async def put(self, data: bytes, verbatim: bool = False) -> Stored: ...
    async def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes: ...
    async def list(self, limit: int | None = None, after: str | None = None) -> ArtifactList: ...

class AsyncSessions:
    def __init__(self, ask: AsyncAsk) -> None: ...
    async def list(self, agent: str | None = None, limit: int = 50) -> SessionList: ...
    async def take(self, data: bytes) -> Imported: ...
    async def search(self, words: str, agent: str | None = None, limit: int = 20) -> SessionHits: ...
    async def show(
        self, session: str, offset: int = 0, limit: int = 50, line: int | None = None, around: int = 0
    ) -> SessionPage: ...
    async def import_(self, session: str) -> Imported: ...

class AsyncHandoffs:
    def __init__(self, ask: AsyncAsk) -> None: ...
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
    async def ground(self, text: str, session: str | None = None, repair: bool = False) -> Grounded: ...
    async def current(self) -> CurrentHandoff: ...

class AsyncDrafts:
    def __init__(self, ask: AsyncAsk) -> None: ...
    async def write(
        self, text: str, host: str = "", session_id: str = "", sensitivity: str = "private"
    ) -> DraftTaken: ...
    async def show(self) -> DraftState: ...
    async def approve(self, expect: str, clear: Sequence[str] | None = None) -> DraftApproved: ...
    async def reject(self, reason: str | None = None) -> DraftRejected: ...

class AsyncChanges:
    def __init__(self, ask: AsyncAsk) -> None: ...
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
    def __init__(self, ask: AsyncAsk) -> None: ...
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
