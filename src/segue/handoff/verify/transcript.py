"""What a session's transcript shows of the things that a handoff tells.

A witness looks at the session once. It concludes nothing: it keeps what stands at the lines that the
handoff points to, every run of the lines that it names, the last to-do list and what calls named files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from segue.handoff.wording import is_line
from segue.model.entry import Entry, Todo
from segue.model.turn import opens_turn

Speaker = Literal["person", "agent", "call", "result", "other"]

_SPEAKERS: dict[str, Speaker] = {
    "answer": "person",
    "rejection": "person",
    "interruption": "person",
    "agent": "agent",
    "thought": "agent",
    "question": "agent",
    "summary": "agent",
    "todo": "agent",
    "plan": "agent",
    "tool_call": "call",
    "subagent_start": "call",
    "tool_result": "result",
}
_BY: dict[str, Speaker] = {"person": "person", "agent": "person"}
"""Who speaks in a `user` entry: in a sub-agent's session another agent is the one who asks."""


class Shown(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One thing that happened at a line. `failed` is what the record itself says; None where it does not."""

    line: int
    by: Speaker
    kind: str
    text: str
    command: str = ""
    """The command that was called, else the tool with its paths."""
    exit_code: int | None = None
    failed: bool | None = None
    call_id: str = ""
    background: bool = False
    reason: str = ""
    edits: tuple[str, ...] = ()
    outcome: str = ""

    @property
    def whole(self) -> str:
        """All that it says."""
        return "\n".join(filter(None, (self.command, self.text, self.reason, *self.edits)))


class Ran(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A call of a line that the handoff names, or its result."""

    command: str
    line: int
    failed: bool | None = None


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """A session as it is today."""

    session_id: str = ""
    turns: int = 0
    lines: int = 0
    places: Mapping[int, tuple[Shown, ...]] = {}
    runs: tuple[Ran, ...] = ()
    todos: tuple[Todo, ...] = ()
    asked: tuple[tuple[int, str], ...] = ()
    """(line, words) of all that the person said."""
    questions: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()
    ended: frozenset[str] = frozenset()
    """Calls, jobs and sub-agents whose end was seen."""
    named: frozenset[str] = frozenset()
    """Names of files that the handoff lists and a call names."""
    ids: frozenset[str] = frozenset()
    """Commits that the handoff names and a result shows."""

    def at(self, *lines: int) -> list[Shown]:
        return [shown for line in lines for shown in self.places.get(line, ())]


class Witness:
    def __init__(
        self,
        lines: Iterable[int],
        commands: Iterable[str] = (),
        names: Iterable[str] = (),
        ids: Iterable[str] = (),
    ) -> None:
        self._lines = frozenset(lines)
        self._commands = tuple(dict.fromkeys(commands))
        self._unnamed = set(names)
        self._named: set[str] = set()
        self._unseen = set(ids)
        self._ids: set[str] = set()
        self._places: dict[int, list[Shown]] = {}
        self._calls: dict[str, tuple[int, str]] = {}
        self._jobs: dict[str, tuple[str, str]] = {}
        """By the name of a job in the background, its call and its command."""
        self._runs: list[Ran] = []
        self._asked: list[tuple[int, str]] = []
        self._questions: list[str] = []
        self._plans: list[str] = []
        self._ended: set[str] = set()
        self._todos: tuple[Todo, ...] = ()
        self._session_id = ""
        self._turns = self._last = 0
        self._requested = False

    def saw(self, entries: Iterable[Entry]) -> Transcript:
        """What these entries show."""
        for entry in entries:
            self._look(entry)
        return Transcript(
            session_id=self._session_id,
            turns=self._turns,
            lines=self._last,
            places={line: tuple(shown) for line, shown in self._places.items()},
            runs=tuple(self._runs),
            todos=self._todos,
            asked=tuple(self._asked),
            questions=tuple(self._questions),
            plans=tuple(self._plans),
            ended=frozenset(self._ended),
            named=frozenset(self._named),
            ids=frozenset(self._ids),
        )

    def _look(self, entry: Entry) -> None:
        if opens_turn(entry, self._requested):
            self._turns += 1
            self._requested = self._requested or entry.by == "agent"
        if entry.kind == "meta":
            self._session_id = str(entry.data.get("id") or self._session_id)
            return
        self._last = max(self._last, entry.line)
        if entry.kind == "todo":
            self._todos = entry.todos
        elif entry.kind == "question":
            self._questions.append(entry.text)
        elif entry.kind == "plan" and entry.text:
            self._plans.append(entry.text)
        elif entry.kind == "subagent_end":
            self._ended.update((entry.agent_id, entry.call_id))
        self._see(
            entry, _BY.get(entry.by, "other") if entry.kind == "user" else _SPEAKERS.get(entry.kind, "other")
        )

    def _see(self, entry: Entry, by: Speaker) -> None:
        called_at, command, call_id = entry.line, entry.command, entry.call_id
        own = command or " ".join(filter(None, (entry.tool, *entry.paths)))
        if by == "person":
            self._asked.append((entry.line, entry.text))
        if entry.kind in ("rejection", "answer"):
            command = self._calls.get(call_id, (0, ""))[1]
        elif entry.via == "shell":
            self._ran(entry, command)
        elif by == "call" and not ("resumes" in entry.data and call_id in self._calls):
            about = next((job for job in self._jobs if f'"{job}"' in entry.text), "") if not command else ""
            self._calls[call_id] = entry.line, command or (self._jobs[about][1] if about else own)
            command = self._calls[call_id][1]
            self._ran(entry, command)
        elif by == "result":
            called_at, asked = self._calls.get(call_id, (entry.line, ""))
            command = command or asked
            if not entry.background:
                self._ended.add(call_id)
                self._ran(entry, command)
            else:
                self._ended.discard(call_id)
            if entry.background and (task := str(entry.data.get("task", ""))):
                self._jobs[task] = call_id, command
        elif entry.via == "notification" and (task := str(entry.data.get("task", ""))) in self._jobs:
            call_id, command = self._jobs[task]
            by = "result"
            self._ended.add(call_id)
            self._ran(entry, command)
        self._find(entry, command)
        for line in {entry.line, called_at} & self._lines:
            self._places.setdefault(line, []).append(_shown(entry, by, command, call_id))

    def _ran(self, entry: Entry, command: str) -> None:
        if command and any(is_line(command, told) for told in self._commands):
            self._runs.append(Ran(command=command, line=entry.line, failed=_failed(entry)))

    def _find(self, entry: Entry, command: str) -> None:
        if self._unseen and entry.kind == "tool_result":
            shown = {sought for sought in self._unseen if sought in entry.text}
            self._ids |= shown
            self._unseen -= shown
        if self._unnamed:
            said = "\n".join((command, *entry.paths, *(edit.path for edit in entry.edits)))
            found = {name for name in self._unnamed if name in said} if said else set()
            self._named |= found
            self._unnamed -= found


def _failed(entry: Entry) -> bool | None:
    """What the record says. A status that the harness itself calls no error is none."""
    return entry.is_error if entry.exit_code is None or entry.is_error is False else entry.exit_code != 0


def _shown(entry: Entry, by: Speaker, command: str, call_id: str) -> Shown:
    edited = (text for edit in entry.edits for text in (edit.path, edit.old, edit.new))
    return Shown(
        line=entry.line,
        by=by,
        kind=entry.kind,
        text="\n".join(filter(None, (entry.text, *(todo.text for todo in entry.todos), *entry.paths))),
        command=command,
        exit_code=entry.exit_code,
        failed=_failed(entry),
        call_id=call_id,
        background=entry.background,
        reason=entry.reason,
        edits=tuple(filter(None, edited)),
        outcome=str(entry.data.get("outcome", "")),
    )
