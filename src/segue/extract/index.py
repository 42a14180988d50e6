"""The index: one pass over a session's entries, everything worth knowing kept small.

Each kind of entry goes to the few collectors that care for it. Memory is bounded by what the collectors keep, not by
the session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, TypeVar

from msgspec.structs import replace

from segue.extract.collectors import Collectors
from segue.extract.conclude import Aside, Clean, conclude
from segue.extract.undemanding import asks_nothing
from segue.model.entry import MIDWAY, SUBMITTED, Edit, Entry
from segue.model.memory import Memory, Rememberer, recall, remembered
from segue.model.turn import Index, opens_turn

_Done = TypeVar("_Done")

_THINKING = frozenset(("Think", "think"))
"""Tools that only write down what the agent thinks: nothing waits for their result."""


def build(
    entries: Iterable[Entry], agent: str, path: str, clean: Clean, earlier: Sequence[str] = ()
) -> Index:
    """The index of a session. `agent` and `path` say whose it is and where it lies; `earlier` are the
    packets of handoffs before it, oldest first."""
    indexer = Indexer()
    for packet in earlier:
        indexer.carry(packet)
    indexer.see(entries)
    return indexer.close(agent, path, clean)


class Indexer:
    """An index in the making. What it remembers between two entries, another one can go on from."""

    REMEMBERS: ClassVar = {"_cwd": str, "_delegated": bool}

    def __init__(self) -> None:
        self._kept = Collectors()
        self._cwd = ""
        self._delegated = False
        """A sub-agent has ended and nothing was called since: files that were changed, it changed."""
        self._handlers: dict[str, Callable[[Entry], None]] = {
            "meta": self._on_meta,
            "user": self._on_user,
            "agent": self._on_agent,
            "thought": self._on_thought,
            "tool_call": self._on_call,
            "tool_result": self._on_result,
            "summary": self._on_summary,
            "compaction": self._on_compaction,
            "todo": self._kept.board.todo,
            "plan": self._on_plan,
            "question": self._on_question,
            "answer": self._on_answer,
            "rejection": self._on_rejection,
            "interruption": self._on_interruption,
            "unreadable": self._on_unreadable,
            "model_change": self._on_model,
            "subagent_start": self._kept.board.agent_started,
            "subagent_end": self._on_agent_end,
        }

    def see(self, entries: Iterable[Entry]) -> None:
        handlers, session = self._handlers, self._kept.session
        for entry in entries:
            session.entries += 1
            handler = handlers.get(entry.kind)
            if handler is not None:
                handler(entry)

    def carry(self, packet: str) -> None:
        """A packet of a handoff before this session."""
        self._kept.packets.carry(packet)

    def memory(self) -> Memory:
        self._kept.remarks.judge()
        return {name: remembered(part) for name, part in self._parts().items()}

    def recall(self, memory: Memory) -> None:
        """Goes on where another indexer was. Raises Forgotten for what is no such memory."""
        for name, part in self._parts().items():
            recall(part, memory.get(name, {}))

    def _parts(self) -> dict[str, Rememberer]:
        return {"index": self, **self._kept.each()}

    def _on_meta(self, entry: Entry) -> None:
        if over := entry.data.get("turn_over"):
            self._kept.flight.rests()
            if over == SUBMITTED:
                self._tick(entry)
                self._kept.turns.shows(SUBMITTED)
            return
        self._kept.session.says_of_itself(entry.data)
        self._kept.places.stand(str(entry.data.get("cwd") or ""), own=True)

    def _on_model(self, entry: Entry) -> None:
        self._kept.session.uses(entry.model)

    def _on_user(self, entry: Entry) -> None:
        if entry.by != "person" or entry.agent_id:
            if entry.by == "agent" and opens_turn(entry, self._kept.session.is_requested):
                self._begin(entry, entry.text)
                self._kept.session.requests(entry)
            elif entry.by == "harness":
                self._kept.packets.taken_from(entry)
                self._job_told(entry)
                if self._delegated and entry.via == "notification":
                    self._changed_for_us(entry)
            return
        if entry.via == "shell":
            self._on_call(entry)
            self._on_result(entry)
            return
        text = self._kept.packets.taken_from(entry)
        if opens_turn(entry):
            self._begin(entry, text)
        self._heard(entry, text)

    def _begin(self, entry: Entry, text: str) -> None:
        asked = "?" in self._kept.turns.closing()[0].rstrip().rpartition("\n")[2]
        self._kept.turns.begins(entry, text)
        self._kept.claims.goes_on()
        self._forget_calls()
        if not asks_nothing(text.strip(), answering=asked):
            self._kept.flight.begins()
        self._delegated = False
        self._tick(entry)

    def _heard(self, entry: Entry, text: str) -> None:
        self._kept.board.heard(entry.line)
        self._kept.flight.heard()
        self._kept.unanswered.replies(text, entry.line)
        if entry.via != "plan":
            self._kept.talk.hear(text, entry.line, entry.native_id, entry.via)
        self._kept.files.prose(text, entry.line)
        self._tick(entry)

    def _on_agent(self, entry: Entry) -> None:
        self._tick(entry)
        if entry.agent_id:
            return
        self._kept.turns.speaks(entry)
        self._kept.flight.says(entry, midway=entry.via == MIDWAY)
        self._kept.runs.says(entry.text, entry.line)
        self._kept.talk.overhear(entry.text, entry.line)
        self._kept.remarks.hear(entry.text, entry.line, entry.native_id, self._kept.turns.number)
        self._kept.statements.hear(entry.text, entry.line, entry.native_id)
        self._kept.unanswered.says(entry.text, entry.line)
        self._kept.files.prose(entry.text, entry.line)

    def _on_thought(self, entry: Entry) -> None:
        if not entry.agent_id:
            self._kept.flight.thinks(entry)
            self._kept.statements.think(entry.text, entry.line, entry.native_id)

    def _on_agent_end(self, entry: Entry) -> None:
        self._kept.board.agent_ended(entry)
        self._delegated = True

    def _on_call(self, entry: Entry) -> None:
        self._tick(entry)
        self._delegated = False
        self._kept.turns.calls(entry)
        self._kept.claims.goes_on()
        self._kept.unanswered.acts()
        if entry.kind == "tool_call":
            self._kept.flight.calls()
        if entry.command:
            self._kept.runs.call(entry, self._kept.places.here)
        if not entry.edits:
            sought = entry.text if entry.tool_kind == "search" else ""
            for path in entry.paths:
                self._kept.files.read(path, entry.line, sought)
        if entry.call_id and not entry.agent_id and entry.tool not in _THINKING:
            self._kept.flight.opens(entry)
            if self._kept.flight.crowded:
                self._forget_calls()
        else:
            self._changed(entry, self._kept.flight.reason)

    def _on_result(self, entry: Entry) -> None:
        self._tick(entry)
        opened = self._kept.flight.result(entry)
        if opened and not entry.is_error:
            self._changed(_as_it_went(opened.call, entry), opened.narration)
        elif opened:
            self._failed(opened.call, entry.line)
        command = opened.call.command if opened else entry.command
        if command:
            self._kept.runs.result(entry)
            self._kept.claims.result(command, entry, (opened and opened.call.cwd) or self._kept.places.here)
            self._kept.jobs.result(entry, command)
            if "*" in command:
                self._kept.files.showed(command, entry)
        elif opened:
            self._job_told(entry, opened.call)
        if not opened or not opened.call.edits:
            self._changed(entry, self._kept.flight.reason)
        if not opened or not opened.call.paths:
            for path in entry.paths:
                self._kept.files.read(path, entry.line)
        if opened and opened.call.tool_kind == "task":
            self._kept.files.reported(entry.text, entry.line)
        if entry.is_error:
            self._kept.turns.errs()
            self._kept.places.complained(entry.text, entry.line)

    def _failed(self, call: Entry, line: int) -> None:
        """What a call that failed was to change, it looked at; what it was to read, it did not."""
        for edit in call.edits:
            self._kept.files.read(edit.path, line)
        if call.tool_kind == "read" and not call.edits:
            for path in call.paths:
                self._kept.files.missed(path)

    def _job_told(self, entry: Entry, about: Entry | None = None) -> None:
        """The end of a job is the result of the call that began it; a notice of it shows no output."""
        job = self._kept.jobs.told(entry, about)
        if job and entry.exit_code is not None:
            text, failed = entry.text if about else "", entry.exit_code != 0
            self._kept.runs.result(replace(entry, call_id=job, text=text, is_error=failed))

    def _changed(self, entry: Entry, why: str) -> None:
        for edit in entry.edits:
            since, whole = self._kept.turns.first_line, entry.tool_kind == "write"
            self._kept.files.edited(edit, entry.line, entry.native_id, why, since, whole=whole)
            self._kept.talk.changed(edit.old, edit.new)
            self._kept.edits.changed(edit, entry.line)

    def _changed_for_us(self, entry: Entry) -> None:
        self._tick(entry)
        why, since = self._kept.flight.reason, self._kept.turns.first_line
        for path in entry.paths:
            self._kept.files.edited(Edit(path=path, new=entry.text), entry.line, entry.native_id, why, since)

    def _forget_calls(self) -> None:
        """Takes the edits of calls whose results never came as made."""
        for opened in self._kept.flight.forget():
            self._changed(opened.call, opened.narration)

    def _on_summary(self, entry: Entry) -> None:
        if entry.via == "recap":
            self._kept.claims.recapped(entry)
            return
        self._kept.session.sums_up(entry)
        self._kept.files.prose(entry.text, entry.line)
        self._tick(entry)

    def _on_compaction(self, entry: Entry) -> None:
        self._kept.session.compacts()
        self._tick(entry)
        self._kept.turns.shows("compaction")

    def _on_plan(self, entry: Entry) -> None:
        self._kept.board.plan(entry)
        self._tick(entry)
        self._kept.turns.shows("plan")

    def _on_question(self, entry: Entry) -> None:
        self._kept.board.question(entry)
        self._tick(entry)
        self._kept.turns.shows("question")

    def _on_answer(self, entry: Entry) -> None:
        self._heard(entry, entry.text)
        self._kept.turns.shows("answer")

    def _on_rejection(self, entry: Entry) -> None:
        self._kept.flight.refused(entry.call_id)
        self._kept.runs.refused(entry)
        self._heard(entry, entry.text)
        self._kept.turns.shows("rejection")

    def _on_unreadable(self, entry: Entry) -> None:
        self._kept.session.is_unreadable()

    def _on_interruption(self, entry: Entry) -> None:
        self._tick(entry)
        self._kept.turns.shows("interruption")
        self._kept.flight.interrupted(entry)

    def _tick(self, entry: Entry) -> None:
        self._kept.session.goes_on(entry)
        if entry.cwd and entry.cwd != self._cwd:
            self._cwd = entry.cwd
            self._kept.places.stand(entry.cwd)
        self._kept.turns.goes_on(entry)

    def close(self, agent: str, path: str, clean: Clean, aside: Aside | None = None) -> Index:
        """The index; what `aside` does, it does meanwhile."""
        in_flight = self._kept.flight.stopped_in(clean, self._kept.places)
        self._forget_calls()
        return conclude(self._kept, agent, path, in_flight, clean, aside or _when_asked(clean))


def _as_it_went(call: Entry, result: Entry) -> Entry:
    """The call, with what its result says became of the files; what it says nobody need infer from the tool."""
    if not call.edits or not result.edits:
        return call
    became = {edit.path: edit for edit in result.edits}
    meant = [
        replace(edit, action=became.pop(edit.path).action) if edit.path in became else edit
        for edit in call.edits
    ]
    return replace(call, edits=(*meant, *became.values()), tool_kind="edit")


def _when_asked(clean: Clean) -> Aside:
    def aside(work: Callable[[Clean], _Done], kind: type[_Done]) -> Callable[[], _Done]:
        return lambda: work(clean)

    return aside
