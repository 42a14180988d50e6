"""Facts: what one session leaves behind for the next, each with the place where it was seen.

Everything a person or an agent reads (packet, document, bundle, change-record block) is rendered
from one `Facts` value, so two renderings cannot disagree. Texts are quoted session data, already
redacted; nothing in them is an instruction to whoever renders them. The value is a pure function
of the session, the goal, the options and the repository state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeVar

import msgspec

from segue.model.claim import ClaimAct, ClaimState

SCHEMA = "segue.facts.v1"

Ended = Literal["finished", "mid_turn", "interrupted"]
WordKind = Literal[
    "constraint", "correction", "preference", "allowed", "answer", "rejection", "stated", "pasted"
]
"""`allowed` is leave that the person gave; `pasted` is what the person showed of somebody else's words: a reviewer's
finding, an agent's offer."""
RunState = Literal["open", "resolved", "ok", "running"]
WorkState = Literal["editing", "needs_review", "partially_done", "ready"]
FileAction = Literal["read", "mentioned", "created", "modified", "deleted", "renamed", "reverted", "stashed"]
NoteKind = Literal["finding", "risk", "blocked", "said"]
DecisionState = Literal["standing", "superseded"]
TodoState = Literal["pending", "in_progress", "completed", "cancelled"]
PlanOutcome = Literal["proposed", "approved", "rejected"]


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


_Fact = TypeVar("_Fact", bound=Item)


class Quote(Item, frozen=True, kw_only=True, omit_defaults=True):
    text: str
    to: str = ""
    """What the agent had said that it answers, where it says nothing by itself, and the line of that."""
    to_line: int = 0
    to_origin: str = ""
    """The earlier session whose line that is, where it is another one than that of the quotation."""


class SourceFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The session itself. `started_ms` and `ended_ms` are what the entries say, not the clock."""

    agent: str
    session_id: str = ""
    path: str = ""
    cwd: str = ""
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


class Objective(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the person wanted: the first prompt, the last one, and the prompts that changed course between."""

    first: Quote | None = None
    current: Quote | None = None
    shifts: tuple[Quote, ...] = ()


class Word(Quote, frozen=True, kw_only=True, omit_defaults=True):
    """One sentence of the person's own, verbatim. `superseded_by` points at the later word that replaced it."""

    kind: WordKind
    strength: int = 1
    """3 for what must not be broken, 2 for what is asked for firmly, 1 for a wish."""
    whole: str = ""
    """The sentence with the neighbour without which it says nothing, until the words are compared with each other."""
    superseded_by: Evidence | None = None
    superseded_in: str = ""
    """The earlier session whose line that is; empty for this one."""
    superseded_text: str = ""
    """What the word that replaced it says: several may stand on that line."""
    superseded_in_part: bool = False
    """Something in it was not spoken of again and still stands."""
    doubted_by: Evidence | None = None
    """A later word that may have replaced it; it is not sure that both are about the same thing."""
    doubted_text: str = ""


class Decision(Item, frozen=True, kw_only=True, omit_defaults=True):
    text: str
    why: str = ""
    rejected: tuple[str, ...] = ()
    state: DecisionState = "standing"
    by: Literal["person", "agent"] = "agent"


class DeadEnd(Item, frozen=True, kw_only=True, omit_defaults=True):
    tried: str
    why: str = ""


class Note(Item, frozen=True, kw_only=True, omit_defaults=True):
    """Something the agent found out, warned of or said on the way."""

    text: str
    kind: NoteKind


class FailedRun(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last bad run: the line as it was run, its exit status where known, and what it complained of."""

    evidence: Evidence
    command: str = ""
    exit_code: int | None = None
    error_lines: tuple[str, ...] = ()
    missing: str = ""
    """The program that is not installed, where that is all it shows."""


class GoodRun(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last good run and the line in which its output concluded, where one is worth keeping."""

    evidence: Evidence
    outcome: str = ""
    proved: bool = True
    """False where nothing bad was seen, but neither an exit status nor the output tells success."""


class CommandFact(Item, frozen=True, kw_only=True, omit_defaults=True):
    """All runs of one command, known by its key. `open`: it failed last and nothing later made it good."""

    command: str
    key: str
    runs: int = 1
    failures: int = 0
    check: bool = False
    """It judges the work: a test, a build, a linter."""
    state: RunState = "ok"
    last_ok: GoodRun | None = None
    last_bad: FailedRun | None = None
    edited_since: int = 0
    """Of an open one the line of an edit after its last bad run: whether it fails now nobody has seen."""


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
    carried_out: bool = False
    """Edits followed it, and the work went on to something else or was handed in."""
    worked_on: int = 0
    """How many files were edited since, where it is not known to be carried out."""


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
    """Something built, tested, committed, pushed or said to be done, with the state the evidence allows."""

    text: str
    state: ClaimState
    act: ClaimAct = ""
    """What it tells of, for those who look for that."""
    command: str = ""
    """The command that it is about, where it is about one."""


class RecentTurn(Item, frozen=True, kw_only=True, omit_defaults=True):
    """One of the last turns: what was asked, what was done, what was said at its end."""

    number: int
    asked: str = ""
    said: str = ""
    actions: tuple[str, ...] = ()


class NextStep(Item, frozen=True, kw_only=True, omit_defaults=True):
    """An imperative step. `basis` says where it comes from: goal, failure, todo, plan, question, in flight, said, check."""

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


class Facts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="schema", tag=SCHEMA):
    """One session's facts; as JSON it begins with `"schema": "segue.facts.v1"`."""

    source: SourceFacts
    goal: str = ""
    goal_to: str = ""
    """What of the agent's last words a goal answers that says nothing by itself, and the line of that."""
    goal_to_line: int = 0
    preset: str = ""
    objective: Objective = Objective()
    words: tuple[Word, ...] = ()
    decisions: tuple[Decision, ...] = ()
    dead_ends: tuple[DeadEnd, ...] = ()
    notes: tuple[Note, ...] = ()
    commands: tuple[CommandFact, ...] = ()
    files: tuple[FileFact, ...] = ()
    todos: tuple[TodoFact, ...] = ()
    plan: Plan | None = None
    background: tuple[Background, ...] = ()
    subagents: tuple[Background, ...] = ()
    questions: tuple[Quote, ...] = ()
    said: tuple[Note, ...] = ()
    in_flight: InFlight | None = None
    claims: tuple[Claim, ...] = ()
    summaries: tuple[Quote, ...] = ()
    recent: tuple[RecentTurn, ...] = ()
    repo: RepoState | None = None
    next_steps: tuple[NextStep, ...] = ()
    lineage: tuple[Lineage, ...] = ()
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


def each_once(text: Callable[[_Fact], str], *parts: Iterable[_Fact]) -> list[_Fact]:
    """The facts of all parts in order; one that is said again stands where it was said last."""
    found: dict[str, _Fact] = {}
    for part in parts:
        for fact in part:
            found.pop(text(fact), None)
            found[text(fact)] = fact
    return list(found.values())
