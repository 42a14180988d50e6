"""Entries: what happened in a session, in one vocabulary, whoever recorded it.

A reader turns a program's session file into a stream of entries in file order. An entry says
what kind of thing happened, who really caused it, and where exactly it stands in the file.
Nothing is dropped: what a reader does not understand is carried as `other`, what it cannot
decode as `unreadable`. Session text is data; no field of an entry is ever executed or obeyed.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Kind = Literal[
    "meta",  # facts about the session itself, in `data` (see META_KEYS); a later one wins key by key
    "user",  # words that reached the agent as the user's; `by` and `via` say whose they really are
    "agent",  # what the agent said
    "thought",  # what the agent thought, where it was recorded
    "tool_call",
    "tool_result",
    "summary",  # a compaction or branch summary, as text
    "compaction",  # the boundary itself; `data` may hold trigger and token counts
    "todo",  # a snapshot of the to-do list, in `todos`
    "plan",  # a plan as proposed; `data["outcome"]` is approved or rejected once that is known
    "question",  # the agent asks the person
    "answer",  # the person answers; `text` holds question and answer
    "rejection",  # the person refused a tool call; `text` holds the person's words, may be empty
    "interruption",  # the person, or a crash, stopped the agent
    "model_change",  # `model` is the new one
    "subagent_start",
    "subagent_end",
    "unreadable",  # `reason` says why; the locator says where
    "other",  # an entry type this version does not know; `data["type"]` names it
]

ToolKind = Literal["shell", "read", "write", "edit", "search", "web", "task", "todo", "other"]
Speaker = Literal["person", "agent", "harness", "subagent"]
Action = Literal["created", "modified", "deleted", "renamed"]
TodoState = Literal["pending", "in_progress", "completed", "cancelled"]

MIDWAY = "commentary"
"""The channel of an `agent` entry of which the record says that the turn goes on after it."""

META_KEYS = (
    "id",
    "cwd",
    "title",
    "branch",
    "model",
    "agent_version",
    "parent",
    "started_mid_session",
    "window",
    "named_by",
    "turn_over",
)
"""Keys of a `meta`. `named_by` says that the id is none of the program's own: it is the name of the `file`, or
the `time` when the session began, and another session may have the same. `turn_over` says that a turn has
ended although its last words were `MIDWAY`; where its program takes the work at the end, that it was
`SUBMITTED`."""

SUBMITTED = "submitted"

TEXT_LIMIT = 16_384
"""Characters of one text that a reader keeps; of longer ones the head and the tail, see `clip`."""


class Edit(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One file changed by one tool call. `new` and `old` are excerpts, enough to name what was touched."""

    path: str
    action: Action = "modified"
    new: str = ""
    old: str = ""


class Todo(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    text: str
    state: TodoState = "pending"


class Usage(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Tokens as the provider counted them for one model reply. `window` is the model's context size."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    window: int = 0

    @property
    def context(self) -> int:
        """What the model had before it: the occupancy that matters at a boundary."""
        return self.input + self.cache_read + self.cache_write


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One thing that happened.

    The locator is `file`, `offset` (bytes), `line` (from 1; for formats without lines, the ordinal
    of the record) and `native_id`. A pointer printed as `[#412]` names `line` 412.
    """

    kind: Kind
    file: str
    line: int
    offset: int = 0
    native_id: str = ""
    time_ms: int | None = None
    by: Speaker = "agent"
    via: str = ""
    text: str = ""
    size: int = 0
    """Characters of the text before it was clipped; 0 when it is whole."""
    call_id: str = ""
    tool: str = ""
    tool_kind: ToolKind = "other"
    paths: tuple[str, ...] = ()
    command: str = ""
    edits: tuple[Edit, ...] = ()
    todos: tuple[Todo, ...] = ()
    exit_code: int | None = None
    is_error: bool | None = None
    """True or False only when the record itself says so, or the exit code does."""
    background: bool = False
    """The call goes on after its result: a job in the background, or a process still polled."""
    usage: Usage | None = None
    model: str = ""
    agent_id: str = ""
    """The sub-agent this belongs to; empty for the main line."""
    cwd: str = ""
    reason: str = ""
    """Why it is unreadable or was interrupted; of a result the harness's own word for its exit status."""
    data: dict[str, Any] = {}


def clip(text: str, limit: int = TEXT_LIMIT) -> tuple[str, int]:
    """The text within `limit` and its original length, 0 if nothing was cut.

    Results announce themselves at the start and conclude at the end, so the middle goes; the cut is
    marked and falls on line ends where there are any, else between words, so that no secret is halved.
    """
    size = len(text)
    if size <= limit:
        return text, 0
    head = text[: limit // 2]
    tail = text[-(limit - len(head)) :]
    head = head[: (head.rfind("\n") + 1) or (head.rfind(" ") + 1)] or head
    tail = tail[(tail.find("\n") + 1) or (tail.find(" ") + 1) :] or tail
    return f"{head}\n[… {size - len(head) - len(tail)} characters left out …]\n{tail}", size
