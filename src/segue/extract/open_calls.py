"""What is under way: calls without a result, what the agent has just said, and how it all stopped.

A call is open until its result comes. Some programs record none; then its edits are taken as made
when the next turn begins.
"""

from __future__ import annotations

from collections.abc import Callable

from segue.extract.commands.command_line import simple_commands
from segue.extract.commands.runs import was_refused
from segue.extract.commands.tools import only_looks
from segue.extract.text.prose import clipped, flat, start
from segue.extract.tree.places import Places
from segue.model.entry import Entry
from segue.model.facts import Ended, Evidence, InFlight
from segue.model.value import NamedTuple

_NARRATION = 400
_NARRATED_CALLS = 6
_OPEN_CALLS = 500
_TOLD_CALLS = 5
_COMMAND = 400
"""Characters of a command that is quoted."""


class Open(NamedTuple):
    """A call whose result has not come yet, and what the agent had said before it."""

    call: Entry
    narration: str
    background: bool = False
    """It was told to go on by itself; whether it still does is the board's affair."""
    cut_off: bool = False
    """The reply that held it was interrupted: it was never run."""


class Flight:
    def __init__(self) -> None:
        self.ended: Ended = "finished"
        self._calls: dict[str, Open] = {}
        self._closed: tuple[str, Entry] | None = None
        """The last call that a result came for: where the result is the refusal, the person's words follow."""
        self._narration = ""
        self._narrated = 0
        self._answered = 0
        """Where the last result came."""
        self._said_at = Evidence(0)
        self._error: tuple[str, Evidence] | None = None
        self._thought_at = 0
        self._answering: list[str] = []
        """The tools whose results are recorded."""

    def begins(self) -> None:
        """A turn begins."""
        self.ended = "mid_turn"
        self._narration = ""
        self._error = None

    def clear_narration(self) -> None:
        """The person spoke; what the agent said before explains nothing that follows."""
        self._narration = ""

    def says(self, entry: Entry, *, midway: bool = False) -> None:
        """The agent speaks; `midway` where its program says that the turn goes on."""
        self._narration, self._narrated = start(entry.text, _NARRATION), 0
        self._said_at = Evidence(entry.line, entry.native_id)
        self._error = None
        self.ended = "mid_turn" if midway else "finished"

    def thinks(self, entry: Entry) -> None:
        self._thought_at = entry.line

    def rests(self) -> None:
        """The turn is over although the agent said nothing to end it."""
        if self.ended == "mid_turn":
            self.ended = "finished"

    def calls(self) -> None:
        self.ended = "mid_turn"
        self._narrated += 1
        self._error = None

    @property
    def reason(self) -> str:
        """What the agent had just said; after several calls more it no longer speaks of the next one."""
        return self._narration if self._narrated <= _NARRATED_CALLS else ""

    @property
    def crowded(self) -> bool:
        """More calls are open than anybody waits for."""
        return len(self._calls) > _OPEN_CALLS

    def opens(self, call: Entry) -> None:
        self._calls[call.call_id] = Open(call, self.reason)

    def result(self, entry: Entry) -> Open | None:
        """The call that this is the result of; it stays open while it goes on in the background. An edit that
        failed is an error, and how it stopped if nothing comes after it."""
        self._answered = entry.line
        opened = self._calls.get(entry.call_id)
        if opened and opened.call.tool not in self._answering:
            self._answering.append(opened.call.tool)
        if opened and entry.is_error and opened.call.edits and not was_refused(entry):
            paths = dict.fromkeys(edit.path for edit in opened.call.edits)
            failed = f"{opened.call.tool} {', '.join(paths)}: {start(entry.text, 300)}"
            self._error = failed, Evidence(entry.line, entry.native_id)
        if opened and entry.background:
            self._calls[entry.call_id] = opened._replace(background=True)
        elif opened:
            del self._calls[entry.call_id]
            self._closed = entry.call_id, opened.call
        return opened

    def refused(self, call_id: str) -> Entry | None:
        """The person did not let it run; the call that was not."""
        opened = self._calls.pop(call_id, None)
        if opened is None and call_id and self._closed and self._closed[0] == call_id:
            return self._closed[1]
        return opened.call if opened else None

    def forget(self) -> list[Open]:
        """Lets go of all open calls, and gives those that may have been run."""
        forgotten = [opened for opened in self._calls.values() if not opened.cut_off]
        self._calls.clear()
        return forgotten

    def interrupted(self, entry: Entry) -> None:
        self.ended = "interrupted"
        said = start(entry.reason or entry.text, 300), Evidence(entry.line, entry.native_id)
        self._error = None if entry.by == "person" else said
        for name, opened in self._calls.items():
            if opened.call.line > self._answered and opened.call.line >= self._said_at.line:
                self._calls[name] = opened._replace(cut_off=True)

    def stopped_in(self, clean: Callable[[str], str], places: Places) -> InFlight | None:
        """The calls that have no result, else the error or the turn in which everything stopped."""
        waited_for = [
            opened.call
            for opened in self._calls.values()
            if not opened.background and not self._came_unseen(opened.call)
        ]
        pending = [call for call in waited_for if not _only_looks(call)]
        if pending and self.ended != "finished":
            places.choose_root(path for call in pending for path in call.paths)
            *beside, last = [_describe_call(call, clean, places) for call in pending[-_TOLD_CALLS:]]
            return InFlight(
                text=last,
                beside=tuple(clipped(text, 200) for text in beside),
                kind="call",
                evidence=tuple(Evidence(call.line, call.native_id) for call in pending[-_TOLD_CALLS:]),
            )
        if self._error:
            text, at = self._error
            told = clean(flat(text)).replace(f"{places.own}/", "") if places.own else clean(flat(text))
            return InFlight(text=told, kind="error", evidence=(at,))
        said = clean(self._narration) if self.ended != "finished" else ""
        return (
            InFlight(text=clipped(flat(said), 240), kind="turn", evidence=(self._said_at,)) if said else None
        )

    def _came_unseen(self, call: Entry) -> bool:
        """No result of such a call is recorded, and the agent began to think of what comes next."""
        return self._thought_at > call.line and call.tool not in self._answering


def _describe_call(call: Entry, clean: Callable[[str], str], places: Places) -> str:
    if call.command:
        command = clean(start(call.command, 1500)).removeprefix(f"cd {places.own} && ")
        rows = command.replace("\\\n", " ").split("\n")
        return clipped("; ".join(filter(None, map(flat, rows))), _COMMAND)
    paths = [places.relative(path) for path in call.paths]
    return clipped(flat(clean(" ".join(filter(None, (call.tool, *paths, start(call.text, 200)))))), 200)


def _only_looks(call: Entry) -> bool:
    return call.tool_kind in ("read", "search", "web") or (
        bool(call.command) and only_looks(simple_commands(call.command))
    )
