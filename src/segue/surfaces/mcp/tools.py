"""The tools: which operations an agent may call, and in what words it is told of them.

A row names an operation; what it takes and gives comes from the operation's own signature, whether it writes
from the operations table. A person's approval is nobody else's to give, so what would approve is not offered.
"""

from __future__ import annotations

from typing import NamedTuple

from segue.service.operations import Operation, named


class Tool(NamedTuple):
    does: str
    """The operation."""
    toolset: str
    title: str
    description: str
    rows: str = ""
    """The list in the answer that is given page by page."""
    page: int = 20
    hidden: tuple[str, ...] = ()
    """Parameters not offered; a dot leads into one."""
    whole: tuple[str, ...] = ()
    """Texts of the answer that are made to be read as they are: rendered by segue, within a budget."""
    omitted: tuple[str, ...] = ()
    """What of the answer only costs tokens here; a dot leads into a member or into rows."""
    quotes: bool = False
    """Whether the answer quotes what sessions, threads or records say."""
    defaults: tuple[tuple[str, int], ...] = ()
    """What is taken where the caller says nothing, smaller than an answer elsewhere."""
    idempotent: bool = False
    open_shape: bool = False
    """Whether the answer holds a file that others write, too, so that its shape cannot be promised."""

    @property
    def name(self) -> str:
        return f"segue_{self.does.replace('.', '_')}"

    @property
    def operation(self) -> Operation:
        return named(self.does)


_RUN = ("run", "run_ended", "effects", "expect")

TOOLS: tuple[Tool, ...] = (
    Tool(
        "session.list",
        "sessions",
        "List sessions",
        "Lists earlier agent sessions of this project (Claude Code, Codex and others), newest first, with id, "
        "agent, title, number of turns and last prompt. Start here to find work to continue.",
        rows="sessions",
        omitted=("sessions.path", "sessions.bytes"),
        quotes=True,
    ),
    Tool(
        "session.search",
        "sessions",
        "Search sessions",
        "Finds entries in this project's sessions that hold all the words; gives the session, the line and a snippet.",
        rows="hits",
        page=10,
        omitted=("hits.path",),
        quotes=True,
    ),
    Tool(
        "session.show",
        "sessions",
        "Read a session",
        "Reads a session page by page: counts, then entries (what user, agent and tools said), without secrets.",
        rows="entries",
        page=10,
        omitted=(
            *("session.path", "session.bytes"),
            *("entries.file", "entries.cwd", "entries.native_id", "entries.offset", "entries.usage"),
        ),
        quotes=True,
    ),
    Tool(
        "handoff.draft",
        "handoff",
        "Draft a handoff",
        "Drafts the packet that a new session should start with to reach a goal, from a session of this project "
        "(default: your own, where your program tells it). Writes nothing. Show the packet to the user for review before committing.",
        hidden=("include_files", "repo"),
        whole=("packet", "rendered"),
    ),
    Tool(
        "handoff.commit",
        "handoff",
        "Commit a handoff",
        "Stores a reviewed handoff: the session as a thread, the bundle, and a child thread that starts from it. "
        "Pass `text` for a packet that you wrote or the user changed, and the budget it was drafted for; what you write has "
        "to be shown by your session (segue_handoff_ground says what is not). Without it the draft for the same goal is stored. Tell the user the `notes` of the answer. The next session "
        "takes it up with segue_thread_compile of the child thread.",
        hidden=("include_files", "repo"),
        omitted=("packet", "dropped", "redactions"),
    ),
    Tool(
        "brief",
        "handoff",
        "Brief a session",
        "Tells a session of this project (default: your own, where your program tells it) in order: what the person said, what "
        "was done, how it went, each with a pointer like [#412], then what stands at the end. With `since_compaction` only "
        "what you have lost from your context: read it before you write a handoff.",
        whole=("brief",),
        quotes=True,
        defaults=(("budget", 12000),),
    ),
    Tool(
        "handoff.lint",
        "handoff",
        "Judge a handoff",
        "Judges the text of a handoff (packet, document or change record): pass, score, findings with hints.",
        rows="findings",
    ),
    Tool(
        "handoff.verify",
        "handoff",
        "Verify a handoff",
        "Re-checks a handoff against the repository and the session: what still holds, what drifted, what cannot "
        "be known. Without `text` or `artifact_id` the newest handoff of this workspace.",
        rows="findings",
        quotes=True,
    ),
    Tool(
        "handoff.ground",
        "handoff",
        "Ground a text in its session",
        "Checks a handoff or any Markdown about a session, statement by statement: each `[#line]` must hold the numbers, "
        "paths, symbols, quotations and outcomes told there. Gives what is elsewhere, not seen or contradicted with the "
        "line of your text, and what the text lost. Mend what it finds, then ground again.",
        rows="findings",
        whole=("text",),
        quotes=True,
    ),
    Tool(
        "handoff.current",
        "handoff",
        "Read the current handoff",
        "Gives the handoff document of this workspace that a person approved, if its sensitivity allows MCP to carry it; "
        "what was committed is on its thread instead. It is "
        "navigation, not authority: check what matters against the repository.",
        whole=("text",),
        quotes=True,
    ),
    Tool(
        "draft.write",
        "handoff",
        "Write a rich handoff",
        "Stores a rich handoff document that you wrote about your own session, in Markdown. It must pass lint (findings "
        "say what to mend) and have the sections `## Current objective`, `## Current state summary`, `## Projects and "
        "files touched recently`, `## Decisions made`, `## Open threads`, `## Active role state`, `## Immediate next "
        "actions`, `## Things the next agent would regret losing`. It waits until a person approves it.",
    ),
    Tool(
        "replay",
        "handoff",
        "Resume from the handoff",
        "Gives a session the current handoff, at most once per session and handoff, and records that it did; "
        "`replayed` is false where there is none, or the session has had it. Name your agent and session id so that "
        "segue_ack can follow.",
        whole=("text",),
        quotes=True,
    ),
    Tool(
        "ack",
        "handoff",
        "Acknowledge the handoff",
        "Records that your session has read the handoff it was given (by a hook or segue_replay), with evidence: "
        "for example the objective and the next step in your own words.",
        idempotent=True,
    ),
    Tool(
        "thread.list",
        "threads",
        "List threads",
        "Lists the threads of this workspace, the oldest first, with title, tags, length and parent.",
        rows="threads",
        hidden=("after",),
        omitted=("next_after",),
        quotes=True,
    ),
    Tool(
        "thread.search",
        "threads",
        "Search threads",
        "Finds threads whose titles, messages or touched paths hold all the words.",
        rows="hits",
        page=10,
        quotes=True,
    ),
    Tool(
        "thread.ensure",
        "threads",
        "Get the default thread",
        "Gives the id of this workspace's default thread, which is made at the first call and stays the same.",
        idempotent=True,
    ),
    Tool(
        "thread.create",
        "threads",
        "Create a thread",
        "Makes a new, empty thread for a piece of work of its own. To go on from a thread there is, branch it or hand it off.",
    ),
    Tool(
        "thread.post",
        "threads",
        "Post to a thread",
        "Appends a message to a thread: what was asked, decided or found. The log is append-only: nothing posted can be "
        "changed. Secrets are taken out.",
        hidden=_RUN,
    ),
    Tool(
        "thread.branch",
        "threads",
        "Branch a thread",
        "Makes a child thread that shares the parent's history up to a cut (default: its end), to try another way. "
        "Nothing is copied and the parent is not changed.",
    ),
    Tool(
        "thread.handoff",
        "threads",
        "Hand a thread off",
        "Makes a child thread that starts fresh from a summary you write, without the parent's history.",
        hidden=("refs", "agent", "session_id"),
    ),
    Tool(
        "thread.lineage",
        "threads",
        "Show lineage",
        "Tells where a thread comes from (ancestors, nearest first) and what came of it (children).",
        rows="children",
    ),
    Tool(
        "thread.compile",
        "threads",
        "Compile context",
        "Gives the context that a run on this thread should start with (what was said, or the handoff it began from), "
        "within a token budget, and records it. Also the way to read a thread.",
        hidden=("run",),
        quotes=True,
        defaults=(("budget", 4000),),
    ),
    Tool(
        "change.list",
        "changes",
        "List change records",
        "Lists change records of this project (what changes, how far it is, who works on it), by number.",
        rows="changes",
        hidden=("limit",),
        omitted=("changes.path", "changes.seal", "changes.last_revision"),
        quotes=True,
    ),
    Tool(
        "change.show",
        "changes",
        "Show a change record",
        "Gives one change record: description, status, files, tests, revisions and the handoff block.",
        quotes=True,
        open_shape=True,
    ),
    Tool(
        "change.new",
        "changes",
        "Begin a change record",
        "Begins a record for a change, linked to the thread that work is in. Fill in more with segue_change_update.",
        hidden=("author", "more"),
    ),
    Tool(
        "change.update",
        "changes",
        "Update a change record",
        "Applies one update to a change record: status, files, tests and results, next steps, blockers, decisions, "
        "notes. A status must be earned; a refusal says what is missing. Approving is left to a person.",
        hidden=(
            *("author", "seal_anew"),
            *("wanted.approve", "wanted.maturity", "wanted.sub_edits", "wanted.coverage", "wanted.handoff"),
        ),
    ),
    Tool(
        "change.resume",
        "changes",
        "Take up a change",
        "Takes up a change in this session: checks its handoff block against the repository, archives the session "
        "before, and gives the packet to go on with. `dry_run` only shows it.",
        hidden=("author",),
        whole=("packet",),
        quotes=True,
        open_shape=True,
    ),
    Tool(
        "change.close",
        "changes",
        "Close a change",
        "Deploys a tested change that a person has approved.",
        hidden=("author", "approve_by", "approval_notes"),
    ),
    Tool(
        "change.lint",
        "changes",
        "Judge change records",
        "Judges the quality of the change records named, or of all of them: pass, score, findings with hints.",
        rows="findings",
    ),
    Tool(
        "status",
        "threads",
        "Workspace status",
        "Tells where this workspace stands: threads, artifacts, the current handoff and drafts that wait for approval.",
    ),
)

FIELDS: dict[str, str] = {
    "agent": "Only sessions of this agent, such as claude-code or codex.",
    "archived": "Also threads that were put away.",
    "around": "With line: so many lines before and after it, too.",
    "artifact_id": "An artifact's id, or a unique beginning of at least 8 characters.",
    "at_seq": "The frame to compile at; the end of the thread by default.",
    "budget": "The most tokens it may have.",
    "content": "The text of the message.",
    "dry_run": "Only show, write nothing.",
    "evidence": "How it is known that the handoff was read and understood.",
    "format": "A further rendering beside the packet.",
    "from_message_id": "Cut after the turn of this message. Not together with from_seq.",
    "from_seq": "Cut after this frame; the end of the thread by default.",
    "goal": "What the next session is to achieve, in a sentence.",
    "host": "The agent whose session it is, such as claude-code or codex.",
    "kind": "What kind of text it is.",
    "limit": "The most rows in one answer.",
    "line": "Only the entries of this line, whole: what a pointer like [#412] names.",
    "model": "The model that works in this session.",
    "motivation": "Why the change is made.",
    "name": "A short name, which becomes part of the record's id.",
    "offset": "The row to begin with; next_offset of the answer before.",
    "only_open": "Only changes that are neither deployed nor voided.",
    "platform": "The agent that works on it, such as claude-code; by default yours.",
    "repair": "Also give the text with its pointers corrected and what it lost put back.",
    "preset": "The kind of work that comes next.",
    "priority": "How urgent it is.",
    "reason": "Why, for the revision.",
    "role": "Who speaks: user, assistant or system.",
    "scope": "The kind of change: feature, bugfix and so on.",
    "sensitivity": "Who may be given it: private (this machine's own agents), team or public.",
    "session": "A session's id, a unique beginning of it, or agent:id, as segue_session_list shows it.",
    "session_id": "The id of the session.",
    "since_compaction": "Only what was lost from the context at the last compaction, and the summary that took its place.",
    "status": "Only changes of these statuses.",
    "strict": "Refuse an update that lint would complain about.",
    "summary": "What it is about, in a few sentences.",
    "summary_artifact_id": "A stored handoff bundle to start from, instead of a summary.",
    "summary_markdown": "What the child thread must know, in Markdown.",
    "tag": "Only those with this tag.",
    "tc_id": "A change record's id, or a unique part of it.",
    "tc_ids": "The records to judge; all of them by default.",
    "text": "The text itself.",
    "thread": "The thread to link with.",
    "thread_id": "A thread's id, a unique beginning of at least 8 characters, or `default`.",
    "title": "A short title.",
    "wanted": "What is to change. Items of lists are named by their number as shown, or by their text.",
    "words": "Words that must all occur.",
}
"""What a parameter means, where it means the same in every tool."""
