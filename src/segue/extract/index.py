"""The index: one pass over a session's entries, everything worth knowing kept small.

Each kind of entry goes to the few collectors that care for it. Memory is bounded by what the
collectors keep, not by the session. Collectors hold raw text until the end; `clean` (redaction,
with all secrets of the session learned by then) goes over it once, and only cleaned text is
thought about or leaves this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace

from segue.extract import (
    claims,
    dead_ends,
    failures,
    files,
    inherited,
    objected,
    remarks,
    statements,
    unanswered,
    words,
)
from segue.extract.flight import Flight
from segue.extract.history import History
from segue.extract.jobs import Jobs
from segue.extract.places import Places
from segue.extract.prose import clipped, ends, flat
from segue.extract.supersede import superseded
from segue.extract.todos import Board
from segue.extract.turns import Book
from segue.extract.work import file_facts
from segue.model.entry import MIDWAY, SUBMITTED, Edit, Entry
from segue.model.facts import Evidence, Quote, SourceFacts
from segue.model.memory import Memory, Rememberer, recall, remembered
from segue.model.packet import OPENING
from segue.model.turn import Index

if TYPE_CHECKING:
    from segue.extract.carried import Carried

Clean = Callable[[str], str]

_SUMMARY_LIMIT = 12_000
_SUMMARIES = 4
_NOWHERE = Evidence(0)
_THINKING = frozenset(("Think", "think"))
"""Tools that only write down what the agent thinks: nothing waits for their result."""
_STARTS_TURN = frozenset(("prompt", "command", "plan", ""))


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

    REMEMBERS: ClassVar = {
        "count": int,
        "_meta": dict[str, Any],
        "_summaries": list[tuple[str, Evidence]],
        "_requests": list[tuple[str, Evidence]],
        "_packets": list[tuple[str, Evidence]],
        "_compactions": int,
        "_unreadable": int,
        "_lines": int,
        "_times": list[int | None],
        "_cwd": str,
        "_delegated": bool,
    }

    def __init__(self) -> None:
        self.count = 0
        self._meta: dict[str, Any] = {}
        self._turns = Book()
        self._words = words.Listener()
        self._remarks = remarks.Listener()
        self._statements = statements.Listener()
        self._unanswered = unanswered.Listener()
        self._runs = failures.Ledger()
        self._places = Places()
        self._files = files.Ledger(self._places)
        self._history = History(self._places)
        self._claims = claims.Ledger(self._history)
        self._board = Board()
        self._jobs = Jobs()
        self._flight = Flight()
        self._summaries: list[tuple[str, Evidence]] = []
        self._requests: list[tuple[str, Evidence]] = []
        """What another agent asked for: the objective where no person gave one."""
        self._packets: list[tuple[str, Evidence]] = []
        """Packets of earlier handoffs, oldest first, and where they stand."""
        self._compactions = self._unreadable = self._lines = 0
        self._times: list[int | None] = [None, None]
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
            "todo": self._board.todo,
            "plan": self._on_plan,
            "question": self._on_question,
            "answer": self._on_answer,
            "rejection": self._on_rejection,
            "interruption": self._on_interruption,
            "unreadable": self._on_unreadable,
            "model_change": self._on_model,
            "subagent_start": self._board.agent_started,
            "subagent_end": self._on_agent_end,
        }

    def see(self, entries: Iterable[Entry]) -> None:
        handlers = self._handlers
        for entry in entries:
            self.count += 1
            handler = handlers.get(entry.kind)
            if handler is not None:
                handler(entry)

    def memory(self) -> Memory:
        return {name: remembered(part) for name, part in self._parts().items()}

    def recall(self, memory: Memory) -> None:
        """Goes on where another indexer was. Raises Forgotten for what is no such memory."""
        for name, part in self._parts().items():
            recall(part, memory.get(name, {}))

    def _parts(self) -> dict[str, Rememberer]:
        return {
            "index": self,
            "turns": self._turns,
            "words": self._words,
            "remarks": self._remarks,
            "statements": self._statements,
            "unanswered": self._unanswered,
            "runs": self._runs,
            "places": self._places,
            "files": self._files,
            "history": self._history,
            "claims": self._claims,
            "board": self._board,
            "jobs": self._jobs,
            "flight": self._flight,
        }

    def _on_meta(self, entry: Entry) -> None:
        if over := entry.data.get("turn_over"):
            self._flight.rests()
            if over == SUBMITTED:
                self._tick(entry)
                self._turns.shows(SUBMITTED)
            return
        self._meta.update({k: v for k, v in entry.data.items() if v})
        self._places.stand(str(entry.data.get("cwd") or ""), own=True)

    def _on_model(self, entry: Entry) -> None:
        self._meta["model"] = entry.model

    def _on_user(self, entry: Entry) -> None:
        if entry.by != "person" or entry.agent_id:
            if entry.by == "agent" and not self._requests:
                self._begin(entry, entry.text)
                self._requests.append((ends(entry.text, _SUMMARY_LIMIT), _place(entry)))
            elif entry.by == "harness":
                self._without_packet(entry)
                self._job_told(entry)
                if self._delegated and entry.via == "notification":
                    self._changed_for_us(entry)
            return
        if entry.via == "shell":
            self._on_call(entry)
            self._on_result(entry)
            return
        text = self._without_packet(entry)
        if entry.via in _STARTS_TURN:
            self._begin(entry, text)
        self._heard(entry, text)

    def _begin(self, entry: Entry, text: str) -> None:
        self._turns.begins(entry, text)
        self._claims.goes_on()
        self._forget_calls()
        self._flight.begins()
        self._delegated = False
        self._tick(entry)

    def _without_packet(self, entry: Entry) -> str:
        """The prompt without the packet of an earlier handoff, whose facts are carried on."""
        if OPENING not in entry.text:
            return entry.text
        from segue.extract.carried import apart  # 3 ms

        packet, rest = apart(entry.text)
        if packet:
            self.carry(packet, _place(entry))
        return rest

    def carry(self, packet: str, at: Evidence = _NOWHERE) -> None:
        """A packet of an earlier handoff; a later one of the same session takes its place."""
        from segue.extract.carried import apart, source_of  # 3 ms

        packet, _ = apart(packet)
        if packet:
            others = [known for known in self._packets if source_of(known[0]) != source_of(packet)]
            self._packets = [*others, (packet, at)]

    def _heard(self, entry: Entry, text: str) -> None:
        self._board.heard(entry.line)
        self._flight.heard()
        self._unanswered.replies(text, entry.line)
        if entry.via != "plan":
            self._words.hear(text, entry.line, entry.native_id, entry.via)
        self._files.prose(text, entry.line)
        self._tick(entry)

    def _on_agent(self, entry: Entry) -> None:
        self._tick(entry)
        if entry.agent_id:
            return
        self._turns.speaks(entry)
        self._flight.says(entry, midway=entry.via == MIDWAY)
        self._runs.says(entry.text, entry.line)
        self._words.overhear(entry.text, entry.line)
        self._remarks.hear(entry.text, entry.line, entry.native_id, self._turns.number)
        self._statements.hear(entry.text, entry.line, entry.native_id)
        self._unanswered.says(entry.text, entry.line)
        self._files.prose(entry.text, entry.line)

    def _on_thought(self, entry: Entry) -> None:
        if not entry.agent_id:
            self._statements.think(entry.text, entry.line, entry.native_id)

    def _on_agent_end(self, entry: Entry) -> None:
        self._board.agent_ended(entry)
        self._delegated = True

    def _on_call(self, entry: Entry) -> None:
        self._tick(entry)
        self._delegated = False
        self._turns.calls(entry)
        self._claims.goes_on()
        self._unanswered.acts()
        self._flight.calls()
        if entry.command:
            self._runs.call(entry, self._places.here)
        if not entry.edits:
            sought = entry.text if entry.tool_kind == "search" else ""
            for path in entry.paths:
                self._files.read(path, entry.line, sought)
        if entry.call_id and not entry.agent_id and entry.tool not in _THINKING:
            self._flight.opens(entry)
            if self._flight.crowded:
                self._forget_calls()
        else:
            self._changed(entry, self._flight.reason)

    def _on_result(self, entry: Entry) -> None:
        self._tick(entry)
        opened = self._flight.result(entry)
        if opened and not entry.is_error:
            self._changed(opened.call, opened.narration)
        elif opened:
            for edit in opened.call.edits:
                self._files.read(edit.path, entry.line)
        command = opened.call.command if opened else entry.command
        if command:
            self._runs.result(entry)
            self._claims.result(command, entry, (opened and opened.call.cwd) or self._places.here)
            self._jobs.result(entry, command)
        elif opened:
            self._job_told(entry, opened.call)
        self._changed(entry, self._flight.reason)
        if not opened or not opened.call.paths:
            for path in entry.paths:
                self._files.read(path, entry.line)
        if opened and opened.call.tool_kind == "task":
            self._files.reported(entry.text, entry.line)
        if entry.is_error:
            self._turns.errs()

    def _job_told(self, entry: Entry, about: Entry | None = None) -> None:
        """The end of a job is the result of the call that began it; a notice of it shows no output."""
        job = self._jobs.told(entry, about)
        if job and entry.exit_code is not None:
            text, failed = entry.text if about else "", entry.exit_code != 0
            self._runs.result(replace(entry, call_id=job, text=text, is_error=failed))

    def _changed(self, entry: Entry, why: str) -> None:
        for edit in entry.edits:
            self._files.edited(edit, entry.line, entry.native_id, why, self._turns.first_line)
            self._words.changed(edit.old, edit.new)

    def _changed_for_us(self, entry: Entry) -> None:
        self._tick(entry)
        why, since = self._flight.reason, self._turns.first_line
        for path in entry.paths:
            self._files.edited(Edit(path=path, new=entry.text), entry.line, entry.native_id, why, since)

    def _forget_calls(self) -> None:
        """Takes the edits of calls whose results never came as made."""
        for opened in self._flight.forget():
            self._changed(opened.call, opened.narration)

    def _on_summary(self, entry: Entry) -> None:
        if entry.via == "recap":
            self._claims.recapped(entry)
            return
        self._summaries = [
            *self._summaries[-(_SUMMARIES - 1) :],
            (ends(entry.text, _SUMMARY_LIMIT), _place(entry)),
        ]
        self._files.prose(entry.text, entry.line)
        self._tick(entry)

    def _on_compaction(self, entry: Entry) -> None:
        self._compactions += 1
        self._tick(entry)
        self._turns.shows("compaction")

    def _on_plan(self, entry: Entry) -> None:
        self._board.plan(entry)
        self._tick(entry)
        self._turns.shows("plan")

    def _on_question(self, entry: Entry) -> None:
        self._board.question(entry)
        self._tick(entry)
        self._turns.shows("question")

    def _on_answer(self, entry: Entry) -> None:
        self._heard(entry, entry.text)
        self._turns.shows("answer")

    def _on_rejection(self, entry: Entry) -> None:
        self._flight.refused(entry.call_id)
        self._runs.refused(entry)
        self._heard(entry, entry.text)
        self._turns.shows("rejection")

    def _on_unreadable(self, entry: Entry) -> None:
        self._unreadable += 1

    def _on_interruption(self, entry: Entry) -> None:
        self._tick(entry)
        self._turns.shows("interruption")
        self._flight.interrupted(entry)

    def _tick(self, entry: Entry) -> None:
        self._lines = max(self._lines, entry.line)
        if entry.cwd and entry.cwd != self._cwd:
            self._cwd = entry.cwd
            self._places.stand(entry.cwd)
        if entry.time_ms is not None:
            if self._times[0] is None:
                self._times[0] = entry.time_ms
            self._times[1] = entry.time_ms
        self._turns.goes_on(entry)

    def close(self, agent: str, path: str, clean: Clean) -> Index:
        in_flight = self._flight.stopped_in(clean, self._places)
        self._forget_calls()
        closing, closing_line = self._turns.closing()
        packets = self._carried(clean)
        standing = inherited.latest(packets)
        commands = self._runs.close(clean)
        for packet in standing:
            self._files.inherit(packet.files, max(1, packet.lineage.evidence[0].line))
        touched = self._files.close(commands, self._history.thrown(), clean)
        prompts, said = self._words.close(clean)
        remarked = self._remarks.close(clean)
        turns = self._turns.close(clean, self._places.shown)
        told = [r.text for r in remarked]
        decided, dropped = objected.weighed(
            inherited.each_once(
                lambda d: d.text,
                (d for c in packets for d in c.decisions),
                (remarks.decision(r) for r in remarked if r.kind == "decision"),
            ),
            turns,
        )
        todos = self._board.todos(clean)
        refused = self._runs.refusals(clean)
        claimed = self._claims.close(clean, commands, touched, closing, closing_line, refused)
        background = self._jobs.close(clean, commands)
        running = frozenset(job.evidence[0].line for job in background)
        return Index(
            source=self._source(agent, path, clean, of_subagent=bool(self._requests) and not prompts),
            turns=tuple(turns),
            prompts=tuple(prompts)
            or tuple(Quote(text=clean(text), evidence=(at,)) for text, at in self._requests),
            asked_before=tuple(inherited.asked_before(packets)),
            words=tuple(
                superseded(
                    inherited.each_once(lambda w: w.text, (w for c in packets for w in c.words), said),
                    self._words.changes(),
                )
            ),
            decisions=tuple(decided),
            dead_ends=(
                *dead_ends.still_dead(
                    inherited.each_once(
                        lambda d: d.tried,
                        (d for c in packets for d in c.dead_ends),
                        (remarks.dead_end(r) for r in remarked if r.kind == "dead_end"),
                    ),
                    [*self._claims.commits(), *((r.line, r.text) for r in remarked if r.kind == "decision")],
                ),
                *dropped,
            ),
            notes=tuple(
                inherited.each_once(
                    lambda n: n.text,
                    (n for c in packets for n in c.notes),
                    (remarks.note(r, r.kind) for r in remarked if r.kind in ("finding", "risk", "blocked")),
                )
            ),
            announced=(
                *inherited.steps(standing, todos, claimed),
                *(remarks.announced(r) for r in remarked if r.kind == "next"),
            ),
            commands=(*inherited.failures(standing, commands), *failures.command_facts(commands, running)),
            files=tuple(file_facts(touched, commands, self._claims.committed, turns, self._flight.ended)),
            todos=(*todos, *inherited.todos(standing, todos, claimed)),
            plan=inherited.plan(standing, self._board.the_plan(clean)),
            background=tuple(background),
            subagents=tuple(self._board.subagents(clean)),
            questions=(*self._unanswered.close(clean), *self._board.questions(clean, closing, closing_line)),
            said=tuple(self._statements.close(clean, told, closing_line)),
            in_flight=in_flight,
            claims=tuple(claimed),
            summaries=tuple(Quote(text=clean(text), evidence=(at,)) for text, at in self._summaries),
            lineage=tuple(c.lineage for c in packets),
        )

    def _carried(self, clean: Clean) -> list[Carried]:
        if not self._packets:
            return []
        from segue.extract.carried import carried  # 3 ms

        return [carried(clean(packet), at) for packet, at in self._packets]

    def _source(self, agent: str, path: str, clean: Clean, *, of_subagent: bool) -> SourceFacts:
        meta = self._meta
        return SourceFacts(
            agent=agent,
            session_id=str(meta.get("id", "")),
            path=path,
            cwd=self._places.root or str(meta.get("cwd", "")),
            branch=str(meta.get("branch", "")),
            title=clipped(flat(clean(str(meta.get("title", "")))), 200),
            model=str(meta.get("model", "")),
            started_ms=self._times[0],
            ended_ms=self._times[1],
            lines=self._lines,
            entries=self.count,
            turns=self._turns.number,
            compactions=self._compactions,
            unreadable=self._unreadable,
            ended=self._flight.ended,
            of_subagent=of_subagent,
        )


def _place(entry: Entry) -> Evidence:
    return Evidence(entry.line, entry.native_id)
