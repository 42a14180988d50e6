"""What segue knows of an agent beside its sessions: one frozen value in the agent's `host.py`.

Everything has a default that stands for nothing, so an agent tells only what it has. A hook loads the module of one
agent, so these import nothing dear.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from segue.model import marks
from segue.model import moment as m
from segue.model.moment import Cap, Reply
from segue.model.value import NamedTuple

Env = Mapping[str, str]
Row = dict[str, object]
Usage = tuple[int, int]
"""Tokens in the context, and of how many; 0 where that is not told."""

PACKET, MODEL = "{packet}", "--model"
WINDOW, LARGE_WINDOW = 200_000, 1_000_000
"""Tokens of the usual context, and of the larger one that some models have."""

CLAUDE_EVENTS = {
    "SessionStart": m.START,
    "UserPromptSubmit": m.PROMPT,
    "PostToolUse": m.TOOL,
    "PreCompact": m.BEFORE,
    "PostCompact": m.AFTER,
    "Stop": m.STOP,
    "SessionEnd": m.END,
}
"""The events of Claude Code, which others took over."""


class Launch(NamedTuple):
    """The arguments of the agent's program; `interactive` holds PACKET for the text, which goes in on standard input
    with `piped`. MODEL stands where the agent takes the name of a model; it goes away when none is asked for."""

    interactive: tuple[str, ...]
    piped: tuple[str, ...] = ()


class Settings(NamedTuple):
    """A JSON file of the host's, whose `hooks` object gets one group for each event, with `hooks`, and whose
    `mcpServers` object, with `server`, gets our MCP server; or a TOML file, which gets a table for the server. The
    timeout of a hook is in the host's own unit."""

    path: str
    hooks: bool = False
    timeout: int = 0
    server: bool = False


DRAFTING = marks.DRAFTING.encode()
SKILL = ".agents/skills/handoff/SKILL.md"
ANY = "any"
"""Stands for the agent in a file that several of them read."""


class File(NamedTuple):
    """A file that is ours alone: a template, from the agent's folder or from `templates/`, or what `text` makes of the
    command that runs segue."""

    path: str
    template: str = ""
    reader: str = ANY
    """The agent that reads it, where it is one alone."""
    sign: bytes = b"`segue install "
    """What every version of the file holds."""
    text: Callable[[str], str] | None = None
    executable: bool = False
    clashes: bool = False
    """Its agent takes the name away from two of one name, in a home and in a project."""

    @property
    def alone(self) -> bool:
        """True for what is in one place only, so also for a skill that several agents look for."""
        return self.clashes or (self.template == "skill.md" and self.reader == ANY)

    @property
    def noun(self) -> str:
        return "skill" if self.template == "skill.md" else "command"


class Integration(NamedTuple):
    """What to change for an agent below a home or a project."""

    settings: tuple[Settings, ...] = ()
    files: tuple[File, ...] = ()
    note: str = ""
    plugin_serves: bool = False
    """True where one of the files brings our MCP server along."""

    @property
    def serves(self) -> bool:
        """True where our MCP server comes along."""
        return self.plugin_serves or any(settings.server for settings in self.settings)


class Step(NamedTuple):
    """One call on the way through a compaction. `source` is how the session starts there; before a step that is
    `late`, the compaction shows in the transcript."""

    event: str
    source: str = ""
    late: bool = False


class Trigger(NamedTuple):
    """The share of its context at which an agent compacts by itself, and where that is set."""

    percent: int
    where: str


def nested(event: str, reply: Reply, injects: bool) -> Row | None:
    """A reply as Claude Code takes it; it refuses `hookSpecificOutput` from events that cannot inject."""
    said: Row = {}
    if reply.inject and injects:
        said["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": reply.inject}
    if reply.notify:
        said["systemMessage"] = reply.notify
    return said or None


def plain(event: str, reply: Reply, injects: bool) -> Row | None:
    """A reply as programs of ours inside an agent take it."""
    return {name: text for name, text in reply._asdict().items() if text} or None


def single_group(event: str, entry: Row) -> Row:
    return {"hooks": [entry]}


class Host(NamedTuple):
    """An agent, as far as it is more than the files of its sessions."""

    program: str
    """What its process is called, and what a shell starts."""

    marks: tuple[str, ...] = ()
    """Variables that are there in its shell, its hooks or its MCP servers, and nowhere else (docs/decisions/0030). Each has
    the first part of the agent's name in it, by which hosts that cannot be meant are not even loaded."""
    session_variable: str = ""
    """The variable that holds the session's id in a shell."""
    call_session: str = ""
    """The member of `_meta` that holds it in a call of an MCP tool."""

    launch: Launch | None = None
    tried_version: str = ""
    """The version that the integration was last tried with."""
    oldest_version: str = ""
    """The first version known to work."""

    integration: Callable[[str, bool, Env], Integration] | None = None
    """What to change below a home, or a project where the second argument is true."""
    hook_entry: Callable[[str, Row], Row] = single_group
    """The group that one of our hooks becomes in the settings."""
    server: Mapping[str, object] = {}
    """What our MCP server's entry holds beside its command, in this order."""
    skill_folders: tuple[str, ...] = ()
    """Where it looks for skills, below a home and a project, if a prompt of our server takes the name away from a skill."""
    draft_hint: str = ""
    """How else a handoff is begun: what installing puts there beside the hooks."""

    events: Mapping[str, str] = {}
    """Its events, in the order of a session, and the moments they are."""
    reply: Callable[[str, Reply, bool], Row | None] = nested
    """What it reads after an event, if anything; the last argument says whether that event's reply reaches the model."""
    cap: Cap | None = None
    """What it passes on to the model in one piece; all of it where there is none."""
    transcript: Callable[[str, Env], str] | None = None
    """Where a session's transcript is, for a host whose payloads do not always say."""
    home_variable: str = ""
    """The variable that moves such transcripts."""
    compaction_steps: tuple[Step, ...] = ()
    """What it calls around a compaction, up to the call that hands the model its handoff."""
    injects_after_compaction: bool = False
    """The reply to the event after a compaction reaches the model."""
    unannounced_compaction: bool = False
    """An automatic compaction is announced neither before nor after it: the transcript is watched."""
    late_transcript: bool = False
    """The transcript is not whole before a compaction; it is read again after it."""
    forgets_start: bool = False
    """What is said at a start is not kept in the conversation; it is said at the first prompt."""

    owner: Callable[[Row], object] | None = None
    """The session's id, as a record of the transcript tells it."""
    owner_last: bool = False
    """Every record bears the id, so the last one tells who writes now."""
    short_id: int | None = None
    """How many characters of the id are in the transcript's name."""
    usage: Callable[[bytes], Usage | None] | None = None
    """How full the context is, as a line of the transcript tells it."""
    window: Callable[[str, str, Env], int] | None = None
    """What the settings of a home and a project let the context grow to; 0 where they do not say."""
    compaction_sign: bytes = b""
    """What a compaction leaves in the transcript."""
    is_new_compaction: Callable[[bytes, bytes], bool] | None = None
    """Whether lines with that sign tell of a new compaction, beside what came before them."""

    compacts_at: Callable[[str, str, Env], Trigger | None] | None = None
    """When it compacts by itself, as the settings of a home and a project tell."""
    compacts_above: int | None = None
    """The percentage above which it was seen to compact by itself, where that is below the usual target."""

    trusts_project: Callable[[str, str, Env], bool] | None = None
    """Whether the person trusted a project, given a home: until then its hooks are passed over in silence."""
    unaccepted_hooks: Callable[[str, str, Env], dict[str, str]] | None = None
    """Event and reason of each hook of ours in a file that it will pass over, given a home."""
    accept_hint: str = ""
    """How a person accepts those."""

    def injects(self, event: str) -> bool:
        """Whether what is said after an event reaches the model."""
        kind = self.events.get(event)
        return kind in (m.START, m.PROMPT, m.TOOL) or (kind == m.AFTER and self.injects_after_compaction)


NOBODY = Host("")
"""Stands for an agent without a host."""
