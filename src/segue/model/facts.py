"""Facts: what one session leaves behind for the next, each with the place where it was seen.

Everything a person or an agent reads (packet, document, bundle, change-record block) is rendered
from one `Facts` value, so two renderings cannot disagree. Texts are quoted session data, already
redacted; nothing in them is an instruction to whoever renders them. The value is a pure function
of the session, the goal, the options and the repository state.
"""

from __future__ import annotations

from posixpath import join, normpath
from typing import Literal, get_args

import msgspec

ClaimState = Literal[
    "done",
    "built",
    "tested",
    "verified live",
    "pushed",
    "not tested",
    "inferred",
    "pending",
    "blocked",
    "reported",
]

ClaimAct = Literal["", "commit", "push", "opening", "uncommitted", "loss"]
"""What a claim tells of: a commit, a push, a request that was opened, that nothing was committed since, or work that is no
longer there."""

CLAIM_STATES: tuple[ClaimState, ...] = get_args(ClaimState)

PROVEN: frozenset[ClaimState] = frozenset(("done", "built", "tested", "verified live", "pushed"))
"""States that only the result of a tool call can give."""


SCHEMA = "segue.facts.v1"

Ended = Literal["finished", "mid_turn", "interrupted"]
PromptKind = Literal["prompt", "queued", "answer", "rejection", "command"]
"""How the person's words arrived: at the start of a turn, while the agent worked, as the answer to a question, as the
reason for rejecting a call, or behind a slash command."""
Role = Literal["", "rule", "decision", "cause", "failed", "open"]
"""What a marker in a sentence speaks of; nothing is concluded from it but how much the sentence weighs."""
RunState = Literal["failing", "ok", "unknown", "running"]
WorkState = Literal["editing", "needs_review", "partially_done", "ready"]
FileAction = Literal["read", "mentioned", "created", "modified", "deleted", "renamed", "reverted", "stashed"]
TodoState = Literal["pending", "in_progress", "completed", "cancelled"]
PlanOutcome = Literal["proposed", "approved", "rejected"]
Verdict = Literal["ok", "failed", "unknown"]
StatementKind = Literal["state", "decision", "dead_end", "finding", "open_question", "next_step"]


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A place in the session: `line` as the reader counts it, `id` the program's own name for it."""

    line: int
    id: str = ""

    def __str__(self) -> str:
        return f"[#{self.line}]"


class Item(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every fact has. `origin` names the session of an earlier handoff it was carried from, if any;
    `score` is its importance among its own kind for this goal, 0 where nobody has judged yet."""

    evidence: tuple[Evidence, ...] = ()
    origin: str = ""
    score: float = 0.0


class Quote(Item, frozen=True, kw_only=True, omit_defaults=True):
    text: str


_RECORDS = (".json", ".db", ".sqlite", ".sqlite3", ".vscdb")
"""Endings of files without lines."""
_IN_RECORDS = ("cline", "copilot-vscode", "opencode", "openhands", "swe-agent")
"""Agents in whose files no line is one entry, whatever they are called."""


class SourceFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The session itself. `started_ms` and `ended_ms` are what the entries say, not the clock."""

    agent: str
    session_id: str = ""
    name: str = ""
    """What `segue sessions show` takes to find it: a file, or `-` for one that came through a pipe; by default its id."""
    path: str = ""
    """The file, from the project (`./…`) or the home (`~/…`) where it lies in one; a bare name where that does not last."""
    cwd: str = ""
    """Where paths begin, told like `path`."""
    branch: str = ""
    title: str = ""
    model: str = ""
    started_ms: int | None = None
    ended_ms: int | None = None
    lines: int = 0
    entries: int = 0
    turns: int = 0
    compactions: int = 0
    unreadable: int = 0
    """Records that nobody could decode, half-written ones among them."""
    ended: Ended = "finished"
    of_subagent: bool = False
    """No person speaks in it: another agent asked for the work."""

    @property
    def in_records(self) -> bool:
        """True where a place is the ordinal of a record, because the lines of the file mean nothing."""
        return self.agent in _IN_RECORDS or self.path.partition("#")[0].endswith(_RECORDS)

    def from_root(self, path: str) -> str:
        """The path of a file from the root of the project; one that lies elsewhere as it is."""
        path = path.removeprefix(f"{self.cwd}/") if self.cwd else path
        if path.startswith(("/", "~")):
            return path
        return normpath(join(self.cwd, path) if self.cwd.startswith("./") else path)


class Prompt(Quote, frozen=True, kw_only=True, omit_defaults=True):
    """What the person said at one place, verbatim; what was pasted is told as that, by its first and last line.

    Prompts that differ in little are one, with a `count`: then `text` is the first, `last` the last of them, and
    `evidence` points to both."""

    kind: PromptKind = "prompt"
    count: int = 1
    last: str = ""
    to: str = ""
    """The question that it answers, the call that it rejects, or what the agent had just asked."""
    to_line: int = 0
    role: Role = ""
    """`rule` where a marker says that something must or must not be."""
    brief: str = ""
    short: str = ""
    long: str = ""
    """The same with less of it, where there is no room for all: a line, a few, a paragraph."""


class Remark(msgspec.Struct, frozen=True, omit_defaults=True):
    """One sentence of a report, verbatim."""

    text: str
    role: Role = ""


class Report(Item, frozen=True, kw_only=True, omit_defaults=True):
    """What the agent said at the end of a turn, or on its way: the sentences that were chosen, in their order, and of
    the newest one the whole text."""

    turn: int = 0
    remarks: tuple[Remark, ...] = ()
    text: str = ""
    midway: bool = False
    """It was said before the turn ended."""


class Run(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One run: the harness's own verdict and the lines of its output that tell most."""

    evidence: Evidence
    verdict: Verdict = "unknown"
    exit_code: int | None = None
    printed: tuple[str, ...] = ()
    through: str = ""
    """What stood between the command and the record, so that the exit status is not its own or its output not
    whole: a pipe, a redirection, a later command."""
    said: str = ""
    """The harness's own word for the outcome, where it gives one."""


class CommandFact(Item, frozen=True, kw_only=True, omit_defaults=True):
    """All runs of one line, known by its key. `failing`: the last run whose verdict is known failed."""

    command: str
    key: str
    runs: int = 1
    failures: int = 0
    check: bool = False
    """It judges the work: a test, a build, a linter."""
    state: RunState = "ok"
    last: Run | None = None
    failed: Run | None = None
    """The last run that failed."""
    settled_by: str = ""
    """Another line of the same program and verb that went well after this one failed, and where."""
    settled_line: int = 0
    edited_since: int = 0
    """Of a failing one, and of a check, the line of an edit after its last run: how it ends now nobody has seen."""
    open: bool = False
    """It failed lately, and nothing was seen since that speaks against it: no run of its kind that went well, no commit."""


class FileFact(Item, frozen=True, kw_only=True, omit_defaults=True):
    """One file: what was done to it, why, and the code symbols that were changed or sought there."""

    path: str
    action: FileAction = "read"
    reads: int = 0
    edits: int = 0
    work_state: WorkState | None = None
    why: str = ""
    symbols: tuple[str, ...] = ()
    sha256: str = ""
    wanted: bool = False
    """The person said that a handoff must name it."""


class TodoFact(Item, frozen=True, kw_only=True, omit_defaults=True):
    """`stale`: turns have passed since the list was last kept."""

    text: str
    state: TodoState = "pending"
    stale: bool = False


class Plan(Item, frozen=True, kw_only=True, omit_defaults=True):
    text: str
    outcome: PlanOutcome = "proposed"
    edits_since: int = 0
    """How many files were edited after it."""


class Background(Item, frozen=True, kw_only=True, omit_defaults=True):
    """A job or a sub-agent that was started and never seen to end."""

    text: str
    state: Literal["running", "ended", "failed"] = "running"


class InFlight(Item, frozen=True, kw_only=True, omit_defaults=True):
    """What was going on when the session stopped. `beside` are the other calls that ran at the same time, in
    the order of their evidence, whose last belongs to `text`."""

    text: str
    kind: Literal["call", "turn", "edit", "question", "error"] = "turn"
    beside: tuple[str, ...] = ()


class Claim(Item, frozen=True, kw_only=True, omit_defaults=True):
    """Something committed, pushed, opened, tested or thrown away, with the state the evidence allows."""

    text: str
    state: ClaimState
    act: ClaimAct = ""
    """What it tells of, for those who look for that."""
    command: str = ""
    """The command that it is about, where it is about one."""


class Statement(Item, frozen=True, kw_only=True, omit_defaults=True):
    """What a model, or an agent, says of the session, found to be shown by the lines it points to."""

    text: str
    kind: StatementKind = "finding"
    seen: bool = False
    """A result of a tool, or the person, is among its evidence; else somebody merely said so."""


class Composition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The receipt of a model's part: who was asked how often, what it cost where that was told, and what became of the
    statements."""

    model: str
    calls: int = 1
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    shown: int = 0
    corrected: int = 0
    """Of those shown, the ones whose pointer was corrected."""
    dropped: int = 0
    sent_to: str = ""
    leave: str = ""
    """Where the session went, and by whose leave."""
    answers: tuple[str, ...] = ()
    """The artifacts that hold the model's answers, redacted."""


class RecentTurn(Item, frozen=True, kw_only=True, omit_defaults=True):
    """One of the last turns: what was asked, what was done, what was said at its end."""

    number: int
    asked: str = ""
    said: str = ""
    actions: tuple[str, ...] = ()


class NextStep(Item, frozen=True, kw_only=True, omit_defaults=True):
    """An imperative step. `basis` says where it comes from: goal, in_flight, question, request, failure, todo, plan,
    report, check."""

    text: str
    basis: str


class RepoState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The repository as git showed it when the handoff was made."""

    root: str = ""
    head: str = ""
    branch: str = ""
    operation: str = ""
    """A merge, rebase, cherry-pick, revert or bisect that is under way."""
    status: tuple[str, ...] = ()
    diff_stat: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    note: str = ""
    """Why something is missing here: not a repository, no git, out of time."""


class Redactions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The receipt: which rules looked at the text and what they took out."""

    rules: str = ""
    total: int = 0
    by_kind: dict[str, int] = {}


FORGOTTEN = "forgotten"
"""Why things are not in a packet of which only the number is known."""


class Dropped(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something known that did not go into the packet."""

    what: str
    why: str
    evidence: tuple[Evidence, ...] = ()


class Lineage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An earlier handoff that this session began with."""

    origin: str
    session_id: str = ""
    agent: str = ""
    goal: str = ""
    evidence: tuple[Evidence, ...] = ()


class Seen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was seen in a session: all that is remembered in its index, what is chosen for a goal in its facts."""

    source: SourceFacts
    prompts: tuple[Prompt, ...] = ()
    reports: tuple[Report, ...] = ()
    commands: tuple[CommandFact, ...] = ()
    files: tuple[FileFact, ...] = ()
    todos: tuple[TodoFact, ...] = ()
    plan: Plan | None = None
    background: tuple[Background, ...] = ()
    subagents: tuple[Background, ...] = ()
    questions: tuple[Quote, ...] = ()
    in_flight: InFlight | None = None
    claims: tuple[Claim, ...] = ()
    summaries: tuple[Quote, ...] = ()
    statements: tuple[Statement, ...] = ()
    gaps: tuple[str, ...] = ()
    """Where evidence is missing, a sentence each."""
    lineage: tuple[Lineage, ...] = ()


class Facts(Seen, frozen=True, kw_only=True, omit_defaults=True, tag_field="schema", tag=SCHEMA):
    """One session's facts; as JSON it begins with `"schema": "segue.facts.v1"`."""

    goal: str = ""
    preset: str = ""
    recent: tuple[RecentTurn, ...] = ()
    repo: RepoState | None = None
    standing: tuple[str, ...] = ()
    """What stands between the next step and the work: another branch checked out, commits not pushed, edits not
    committed."""
    next_steps: tuple[NextStep, ...] = ()
    composed: Composition | None = None
    redactions: Redactions = Redactions()
    dropped: tuple[Dropped, ...] = ()

    @property
    def read_files(self) -> tuple[str, ...]:
        """Files only read, sorted; one that was changed is not repeated here."""
        return tuple(sorted(f.path for f in self.files if f.action == "read"))

    @property
    def modified_files(self) -> tuple[str, ...]:
        """Files created, modified or renamed and neither deleted nor put back, sorted."""
        changed = ("created", "modified", "renamed")
        return tuple(sorted(f.path for f in self.files if f.action in changed))
