"""The client's methods, one for each operation.

Written by docs/generate_sdk.py from the table of operations; a test compares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
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

Ask = Callable[[str, dict[str, Any], str | None], Any]


class Threads:
    """Threads: append-only streams, branched and handed off by links."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def ensure(self) -> ThreadId:
        """The workspace's default thread, made at the first call and the same ever after."""
        answer: ThreadId = self._ask("thread.ensure", {}, None)
        return answer

    def create(self, title: str | None = None, *, key: str | None = None) -> ThreadId:
        """A new thread without a parent."""
        answer: ThreadId = self._ask("thread.create", {"title": title}, key)
        return answer

    def list(
        self,
        archived: bool = False,
        tag: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> ThreadList:
        """All threads, oldest first; archived ones only when asked for; at most `limit` of those that follow the one
        named `after`. Where more follow, `next_after` is where the next page begins."""
        answer: ThreadList = self._ask(
            "thread.list", {"archived": archived, "tag": tag, "limit": limit, "after": after}, None
        )
        return answer

    def show(self, thread_id: str) -> ThreadDetail:
        """One thread, with the hash that identifies its whole content."""
        answer: ThreadDetail = self._ask("thread.show", {"thread_id": thread_id}, None)
        return answer

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
        answer: ThreadDetail = self._ask(
            "thread.amend",
            {
                "thread_id": thread_id,
                "title": title,
                "add_tags": add_tags,
                "remove_tags": remove_tags,
                "archived": archived,
            },
            key,
        )
        return answer

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
        answer: Posted = self._ask(
            "thread.post",
            {
                "thread_id": thread_id,
                "content": content,
                "role": role,
                "run": run,
                "run_ended": run_ended,
                "effects": effects,
                "expect": expect,
            },
            key,
        )
        return answer

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
        answer: Branched = self._ask(
            "thread.branch",
            {
                "thread_id": thread_id,
                "title": title,
                "from_message_id": from_message_id,
                "from_seq": from_seq,
            },
            key,
        )
        return answer

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
        answer: HandedOff = self._ask(
            "thread.handoff",
            {
                "thread_id": thread_id,
                "title": title,
                "summary_markdown": summary_markdown,
                "summary_artifact_id": summary_artifact_id,
                "goal": goal,
                "refs": refs,
                "from_message_id": from_message_id,
                "from_seq": from_seq,
                "agent": agent,
                "session_id": session_id,
            },
            key,
        )
        return answer

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
        answer: Referenced = self._ask(
            "thread.reference",
            {"thread_id": thread_id, "to_thread_id": to_thread_id, "to_seq": to_seq, "note": note},
            key,
        )
        return answer

    def search(self, words: str, limit: int = 20) -> ThreadHits:
        """Threads whose titles, messages or touched paths hold all the words."""
        answer: ThreadHits = self._ask("thread.search", {"words": words, "limit": limit}, None)
        return answer

    def lineage(self, thread_id: str) -> Lineage:
        """A thread's ancestors, nearest first, and its children, oldest first."""
        answer: Lineage = self._ask("thread.lineage", {"thread_id": thread_id}, None)
        return answer

    def graph(self, thread_id: str | None = None) -> Graph:
        """The forest, or the tree a thread stands in, as lines of text."""
        answer: Graph = self._ask("thread.graph", {"thread_id": thread_id}, None)
        return answer

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
        answer: CompiledContext = self._ask(
            "thread.compile", {"thread_id": thread_id, "budget": budget, "at_seq": at_seq, "run": run}, key
        )
        return answer

    def audit(self, thread_id: str) -> Audit:
        """Compiles every recorded context of a thread again; `ok` when all came out byte for byte the same."""
        answer: Audit = self._ask("thread.audit", {"thread_id": thread_id}, None)
        return answer

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
        answer: CheckpointMade = self._ask(
            "thread.checkpoint",
            {
                "thread_id": thread_id,
                "summary_markdown": summary_markdown,
                "summary_artifact_id": summary_artifact_id,
                "to_message_id": to_message_id,
                "to_seq": to_seq,
            },
            key,
        )
        return answer

    def checkpoints_due(
        self, thread_id: str, stride: int | None = None, max_new: int = 8, dry_run: bool = False
    ) -> CheckpointsDue:
        """Makes the checkpoints that are due, oldest first, as one recorded job: 8 unless told otherwise, 32 at
        most. A dry run names all that are due."""
        answer: CheckpointsDue = self._ask(
            "thread.checkpoints-due",
            {"thread_id": thread_id, "stride": stride, "max_new": max_new, "dry_run": dry_run},
            None,
        )
        return answer

    def cut_points(self, thread_id: str, stride: int | None = None, limit: int = 32) -> CutPoints:
        """Where checkpoints may fall: every n-th message, and which of them have one."""
        answer: CutPoints = self._ask(
            "thread.cut-points", {"thread_id": thread_id, "stride": stride, "limit": limit}, None
        )
        return answer


class Artifacts:
    """Content-addressed bytes."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def put(self, data: bytes, verbatim: bool = False) -> Stored:
        """Stores bytes and says under which name."""
        answer: Stored = self._ask("artifact.put", {"data": data, "verbatim": verbatim}, None)
        return answer

    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes:
        """The bytes of an artifact, or a range of them; no version of the handoff document through a channel."""
        answer: bytes = self._ask(
            "artifact.get", {"artifact_id": artifact_id, "offset": offset, "max_bytes": max_bytes}, None
        )
        return answer

    def list(self, limit: int | None = None, after: str | None = None) -> ArtifactList:
        """Every artifact with its size, by name; at most `limit` of those that follow the one named `after`. Where more
        follow, `next_after` is where the next page begins."""
        answer: ArtifactList = self._ask("artifact.list", {"limit": limit, "after": after}, None)
        return answer


class Sessions:
    """Sessions that agents left behind in this project."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def list(self, agent: str | None = None, limit: int = 50) -> SessionList:
        """Sessions of this project, across agents, newest first."""
        answer: SessionList = self._ask("session.list", {"agent": agent, "limit": limit}, None)
        return answer

    def take(self, data: bytes) -> Imported:
        """Takes a session that a caller sends, in segue's own format: as its own thread, or to bring that thread
        up to date. Whatever it holds is redacted before it is stored."""
        answer: Imported = self._ask("session.take", {"data": data}, None)
        return answer

    def search(self, words: str, agent: str | None = None, limit: int = 20) -> SessionHits:
        """Entries of this project's sessions that hold all the words, newest session first."""
        answer: SessionHits = self._ask(
            "session.search", {"words": words, "agent": agent, "limit": limit}, None
        )
        return answer

    def show(
        self, session: str, offset: int = 0, limit: int = 50, line: int | None = None, around: int = 0
    ) -> SessionPage:
        """A session's counts and a page of its entries, redacted; `next_offset` is where the next page begins. With `line`
        only the entries of that line, which a pointer like `[#412]` names, and of so many `around` it."""
        answer: SessionPage = self._ask(
            "session.show",
            {"session": session, "offset": offset, "limit": limit, "line": line, "around": around},
            None,
        )
        return answer

    def import_(self, session: str) -> Imported:
        """Brings a session into the log as its own thread, or that thread up to date."""
        answer: Imported = self._ask("session.import", {"session": session}, None)
        return answer


class Handoffs:
    """Handoffs: draft, commit, judge, check."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

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
        answer: Proposal = self._ask(
            "handoff.draft",
            {
                "goal": goal,
                "session": session,
                "agent": agent,
                "budget": budget,
                "preset": preset,
                "format": format,
                "repo": repo,
                "include_files": include_files,
            },
            None,
        )
        return answer

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
        answer: Committed = self._ask(
            "handoff.commit",
            {
                "goal": goal,
                "session": session,
                "agent": agent,
                "budget": budget,
                "preset": preset,
                "repo": repo,
                "include_files": include_files,
                "text": text,
            },
            None,
        )
        return answer

    def lint(
        self, text: str, kind: Literal["auto", "packet", "document", "tc"] = "auto", budget: int | None = None
    ) -> Judgement:
        """Judges a handoff: findings, a score, and whether it passes."""
        answer: Judgement = self._ask("handoff.lint", {"text": text, "kind": kind, "budget": budget}, None)
        return answer

    def verify(self, text: str | None = None, artifact_id: str | None = None) -> HandoffVerdict:
        """What of a handoff still holds, what drifted, what cannot be known; by default of the newest one. Through a
        channel, findings quote the current document only as far as that may carry it."""
        answer: HandoffVerdict = self._ask("handoff.verify", {"text": text, "artifact_id": artifact_id}, None)
        return answer

    def current(self) -> CurrentHandoff:
        """The current handoff, if its sensitivity allows the channel to carry it."""
        answer: CurrentHandoff = self._ask("handoff.current", {}, None)
        return answer


class Drafts:
    """Rich handoffs, written and approved."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def write(
        self, text: str, host: str = "", session_id: str = "", sensitivity: str = "private"
    ) -> DraftTaken:
        """Takes a draft, about the work in a directory of the workspace. The answer says whether it passed, whether it
        waits for approval, and which waiting one it replaces."""
        answer: DraftTaken = self._ask(
            "draft.write",
            {"text": text, "host": host, "session_id": session_id, "sensitivity": sensitivity},
            None,
        )
        return answer

    def show(self) -> DraftState:
        """The waiting draft, if any, and the state of the current handoff. Through a channel, the draft's text only where
        its sensitivity allows that."""
        answer: DraftState = self._ask("draft.show", {}, None)
        return answer

    def approve(self, expect: str, clear: Sequence[str] | None = None) -> DraftApproved:
        """Approves the waiting draft that somebody reviewed: `expect` is its whole id. Raises Conflict when
        another draft waits by now. `clear` names channels that may carry it although they are cleared for less."""
        answer: DraftApproved = self._ask("draft.approve", {"expect": expect, "clear": clear}, None)
        return answer

    def reject(self, reason: str | None = None) -> DraftRejected:
        """Sets the waiting draft aside; it stays in the log."""
        answer: DraftRejected = self._ask("draft.reject", {"reason": reason}, None)
        return answer


class Changes:
    """Change records."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def init(
        self, project: str | None = None, author: str | None = None, force: bool = False
    ) -> RecordsBegun:
        """Starts `docs/TC`. Done again it changes nothing; with `force` the configuration is written anew while
        records, numbers and registry stay."""
        answer: RecordsBegun = self._ask(
            "change.init", {"project": project, "author": author, "force": force}, None
        )
        return answer

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
        answer: ChangeMade = self._ask(
            "change.new",
            {
                "title": title,
                "scope": scope,
                "summary": summary,
                "motivation": motivation,
                "name": name,
                "priority": priority,
                "author": author,
                "session_id": session_id,
                "platform": platform,
                "model": model,
                "thread": thread,
                "more": more,
            },
            None,
        )
        return answer

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
        answer: ChangeList = self._ask(
            "change.list",
            {
                "status": status,
                "scope": scope,
                "priority": priority,
                "tag": tag,
                "words": words,
                "only_open": only_open,
                "limit": limit,
            },
            None,
        )
        return answer

    def lint(self, tc_ids: Sequence[str] = ()) -> Judgement:
        """The quality of the records named; of all of them and of their tree if none is. The worst one decides."""
        answer: Judgement = self._ask("change.lint", {"tc_ids": tc_ids}, None)
        return answer

    def rebuild(self) -> RegistryRebuilt:
        """Makes the registry again from the records, whatever state it is in; a record that cannot be read is told."""
        answer: RegistryRebuilt = self._ask("change.rebuild", {}, None)
        return answer

    def retro(self, past: RetroFile) -> ChangesMade:
        """Makes a record of each past change, all in one go, with its commits linked."""
        answer: ChangesMade = self._ask("change.retro", {"past": past}, None)
        return answer

    def dashboard(self) -> DashboardWritten:
        """Writes the page, to `docs/TC/index.html` unless another place is named."""
        answer: DashboardWritten = self._ask("change.dashboard", {}, None)
        return answer

    def show(self, tc_id: str) -> ChangeRecord:
        """The record as it is in its file."""
        answer: ChangeRecord = self._ask("change.show", {"tc_id": tc_id}, None)
        return answer

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
        answer: ChangeUpdated = self._ask(
            "change.update",
            {
                "tc_id": tc_id,
                "wanted": wanted,
                "author": author,
                "reason": reason,
                "strict": strict,
                "seal_anew": seal_anew,
            },
            None,
        )
        return answer

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
        answer: ChangeResumed = self._ask(
            "change.resume",
            {
                "tc_id": tc_id,
                "platform": platform,
                "model": model,
                "session_id": session_id,
                "summary": summary,
                "author": author,
                "dry_run": dry_run,
            },
            None,
        )
        return answer

    def promote(self, tc_id: str, refs: Sequence[str]) -> DecisionsWritten:
        """Writes decisions of a change to `docs/decisions.md`, each once; all of them if none is named."""
        answer: DecisionsWritten = self._ask("change.promote", {"tc_id": tc_id, "refs": refs}, None)
        return answer

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
        answer: ChangeClosed = self._ask(
            "change.close",
            {
                "tc_id": tc_id,
                "approve_by": approve_by,
                "approval_notes": approval_notes,
                "summary": summary,
                "author": author,
                "reason": reason,
            },
            None,
        )
        return answer

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
        answer: ChangeUpdated = self._ask(
            "change.link",
            {
                "tc_id": tc_id,
                "commits": commits,
                "ranges": ranges,
                "pulls": pulls,
                "pull_state": pull_state,
                "releases": releases,
                "author": author,
                "reason": reason,
            },
            None,
        )
        return answer


class Upkeep:
    """What concerns the workspace as a whole."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def replay(self, host: str = "generic", session_id: str = "by-hand") -> Replayed:
        """The current handoff for a session, once; through a channel only what that may carry, whatever the
        host says it is."""
        answer: Replayed = self._ask("replay", {"host": host, "session_id": session_id}, None)
        return answer

    def ack(self, host: str, session_id: str, evidence: str) -> Acknowledged:
        """Records, once per handoff, that the receiving session has read it. Raises NotFound for a session that
        was given none."""
        answer: Acknowledged = self._ask(
            "ack", {"host": host, "session_id": session_id, "evidence": evidence}, None
        )
        return answer

    def verify(self, what: str = "all") -> Verdict:
        """Re-derives hashes, order, links and blobs, and compares caches with truth."""
        answer: Verdict = self._ask("verify", {"what": what}, None)
        return answer

    def rebuild(self, accept_loss: bool = False) -> Rebuilt:
        """Makes every cache again from the frames, and says what is wrong with those. Where acknowledged frames are
        missing it refuses, unless the loss is accepted; then that is recorded."""
        answer: Rebuilt = self._ask("rebuild", {"accept_loss": accept_loss}, None)
        return answer

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
        answer: Forgotten = self._ask(
            "forget",
            {
                "targets": targets,
                "artifacts": artifacts,
                "sessions": sessions,
                "reason": reason,
                "everywhere": everywhere,
                "dry_run": dry_run,
            },
            None,
        )
        return answer

    def gc(self, dry_run: bool = False) -> Collected:
        """Removes what was kept longer than settings say (`retention.*`), and what interrupted writes left. A dry run only
        says what would go, and how much; that is all an agent is told, for whom the settings are a few words in its
        environment."""
        answer: Collected = self._ask("gc", {"dry_run": dry_run}, None)
        return answer

    def status(self) -> WorkspaceStatus:
        """Where this workspace stands, in a few numbers."""
        answer: WorkspaceStatus = self._ask("status", {}, None)
        return answer

    def doctor(self, fix: bool = False) -> Diagnosis:
        """Every check with its verdict, and every setting with its source; mends what is safe to mend."""
        answer: Diagnosis = self._ask("doctor", {"fix": fix}, None)
        return answer
