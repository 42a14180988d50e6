"""The index: one pass over a session's entries, everything worth knowing kept small.

Each kind of entry goes to the few collectors that care for it. Memory is bounded by what the collectors keep, not by
the session. They hold raw text until the end; then redaction, with all secrets of the session learned, goes over it
once, and only cleaned text leaves this room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from segue.extract import earlier_facts, open_at_end
from segue.extract.commands import runs
from segue.extract.commands.jobs import Jobs
from segue.extract.earlier_facts import FactsOf, Packets
from segue.extract.open_calls import Flight
from segue.extract.prompts import Talk
from segue.extract.reports import Reports
from segue.extract.session import Clean, Session
from segue.extract.tasks import Board
from segue.extract.text.prose import sentences, start
from segue.extract.tree import files, git_claims
from segue.extract.tree.history import History
from segue.extract.tree.places import Places
from segue.extract.tree.work import file_facts
from segue.extract.turns import Book
from segue.model.entry import MIDWAY, SUBMITTED, Edit, Entry
from segue.model.facts import Claim, Evidence, Facts, PromptKind
from segue.model.patterns import compiled
from segue.model.turn import Index, opens_turn

_THINKING = frozenset(("Think", "think"))
"""Tools that only write down what the agent thinks: nothing waits for their result."""
_KINDS: dict[str, PromptKind] = {
    "queued": "queued",
    "command": "command",
    "answer": "answer",
    "rejection": "rejection",
}
_COMMAND = compiled(r"/[\w:-]+")
"""An order to the program itself."""
_ASKED = 600
"""Characters at the end of what the agent said that a brief prompt may answer."""


def build(
    entries: Iterable[Entry],
    agent: str,
    path: str,
    clean: Clean,
    facts_of: FactsOf = lambda packet: None,
    earlier: Sequence[Facts] = (),
    is_own: Callable[[str], bool] = lambda path: False,
) -> Index:
    """The index of a session. `agent` and `path` say whose it is and where it lies; `facts_of` finds the facts of a
    packet that stands among its prompts, and `earlier` are those of handoffs before it, oldest first; `is_own` knows the
    paths that are no files of its work, wherever they are named."""
    indexer = Indexer(earlier, facts_of, is_own)
    indexer.see(entries)
    return indexer.close(agent, path, clean)


class Indexer:
    """An index in the making."""

    def __init__(
        self,
        earlier: Sequence[Facts] = (),
        facts_of: FactsOf = lambda packet: None,
        is_own: Callable[[str], bool] = lambda path: False,
    ) -> None:
        self._session = Session()
        self._turns = Book()
        self._talk = Talk()
        self._reports = Reports()
        self._runs = runs.Ledger()
        self._places = Places()
        self._files = files.Ledger(self._places, is_own)
        self._history = History(self._places)
        self._git = git_claims.Ledger(self._history)
        self._packets = Packets(facts_of, earlier)
        self._board = Board()
        self._jobs = Jobs()
        self._flight = Flight()
        self._cwd = ""
        self._asked = ("", 0)
        """The last structured question and its line."""
        self._answered = 0
        """Where the person last spoke."""
        self._used_git = False
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
            "todo": self._on_todo,
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
        handlers, session = self._handlers, self._session
        for entry in entries:
            session.entries += 1
            handler = handlers.get(entry.kind)
            if handler is not None:
                handler(entry)

    def _on_meta(self, entry: Entry) -> None:
        if over := entry.data.get("turn_over"):
            self._flight.rests()
            if over == SUBMITTED:
                self._tick(entry)
                self._turns.shows(SUBMITTED)
            return
        self._session.says_of_itself(entry.data)
        self._places.stand(str(entry.data.get("cwd") or ""), own=True)

    def _on_model(self, entry: Entry) -> None:
        self._session.uses(entry.model)

    def _on_user(self, entry: Entry) -> None:
        if entry.by != "person" or entry.agent_id:
            if entry.by == "agent" and opens_turn(entry, self._session.is_requested):
                self._begin(entry, entry.text)
                self._session.requests(entry)
            elif entry.by == "harness":
                self._packets.taken_from(entry)
                self._job_told(entry)
                if self._delegated and entry.via == "notification":
                    self._changed_for_us(entry)
            return
        if entry.via == "shell":
            self._on_call(entry)
            self._on_result(entry)
            return
        text = self._packets.taken_from(entry)
        if opens_turn(entry):
            self._begin(entry, text)
        self._add_prompt(entry, text)

    def _begin(self, entry: Entry, text: str) -> None:
        self._turns.begins(entry, text)
        self._forget_calls()
        self._flight.begins()
        self._delegated = False
        self._tick(entry)

    def _add_prompt(self, entry: Entry, text: str, to: str = "", to_line: int = 0) -> None:
        self._board.clear_questions()
        if entry.kind == "user":
            self._asked = "", 0
        self._flight.clear_narration()
        if entry.via != "plan" and not _COMMAND.fullmatch(text.strip()):
            kind = _KINDS.get(entry.kind) or _KINDS.get(entry.via, "prompt")
            if not to and kind in ("prompt", "queued") and (asked := self._question_before(entry.line)):
                to, to_line = asked
            self._talk.add(text, Evidence(entry.line, entry.native_id), kind, to, to_line)
            self._answered = entry.line
        self._files.prose(text, entry.line)
        self._tick(entry)

    def _question_before(self, line: int) -> tuple[str, int] | None:
        """What the agent asked last, where its last words end in a question: a brief prompt may be its answer."""
        said, at = self._reports.last()
        tail = said.rstrip()[-_ASKED:].rpartition("\n\n")[2]
        if "?" not in tail or not self._answered < at < line:
            return None
        asks = tail.rstrip("*_ )\"'").endswith("?") or any(
            part.endswith("?") for part in sentences(tail)[-2:]
        )
        return (tail, at) if asks else None

    def _on_agent(self, entry: Entry) -> None:
        self._tick(entry)
        if entry.agent_id or not entry.text.strip():
            return
        self._turns.speaks(entry)
        self._flight.says(entry, midway=entry.via == MIDWAY)
        self._reports.add(entry.text, Evidence(entry.line, entry.native_id), self._turns.number)
        self._files.prose(entry.text, entry.line)

    def _on_thought(self, entry: Entry) -> None:
        if not entry.agent_id:
            self._flight.thinks(entry)

    def _on_agent_end(self, entry: Entry) -> None:
        self._board.agent_ended(entry)
        self._delegated = True

    def _on_call(self, entry: Entry) -> None:
        self._tick(entry)
        self._delegated = False
        self._turns.calls(entry)
        if entry.kind == "tool_call":
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
            self._changed(_as_it_went(opened.call, entry), opened.narration)
        elif opened:
            self._failed(opened.call, entry.line)
        command = opened.call.command if opened else entry.command
        if command:
            self._runs.result(entry)
            self._used_git = self._used_git or "git " in command
            self._git.result(command, entry, (opened and opened.call.cwd) or self._places.here)
            self._jobs.result(entry, command)
            if "*" in command:
                self._files.showed(command, entry)
        elif opened:
            self._job_told(entry, opened.call)
        if not opened or not opened.call.edits:
            self._changed(entry, self._flight.reason)
        if not opened or not opened.call.paths:
            for path in entry.paths:
                self._files.read(path, entry.line)
        if opened and opened.call.tool_kind == "task":
            self._files.reported(entry.text, entry.line)
        if entry.is_error:
            self._turns.errs()
            self._places.complained(entry.text, entry.line)

    def _failed(self, call: Entry, line: int) -> None:
        """What a call that failed was to change, it looked at; what it was to read, it did not."""
        for edit in call.edits:
            self._files.read(edit.path, line)
        if call.tool_kind == "read" and not call.edits:
            for path in call.paths:
                self._files.missed(path)

    def _job_told(self, entry: Entry, about: Entry | None = None) -> None:
        """The end of a job is the result of the call that began it; a notice of it shows no output."""
        job = self._jobs.end_job(entry, about)
        if job and entry.exit_code is not None:
            text, failed = entry.text if about else "", entry.exit_code != 0
            self._runs.result(replace(entry, call_id=job, text=text, is_error=failed))

    def _changed(self, entry: Entry, why: str) -> None:
        for edit in entry.edits:
            since, whole = self._turns.first_line, entry.tool_kind == "write"
            self._files.edited(edit, entry.line, entry.native_id, why, since, whole=whole)

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
            return
        self._session.sums_up(entry)
        self._files.prose(entry.text, entry.line)
        self._tick(entry)

    def _on_compaction(self, entry: Entry) -> None:
        self._session.compacts()
        self._tick(entry)
        self._turns.shows("compaction")

    def _on_todo(self, entry: Entry) -> None:
        self._board.todo(entry, self._turns.number)

    def _on_plan(self, entry: Entry) -> None:
        self._board.plan(entry)
        self._tick(entry)
        self._turns.shows("plan")

    def _on_question(self, entry: Entry) -> None:
        self._board.question(entry)
        self._asked = start(entry.text, _ASKED), entry.line
        self._tick(entry)
        self._turns.shows("question")

    def _on_answer(self, entry: Entry) -> None:
        asked, line = self._asked
        self._asked = "", 0
        self._add_prompt(entry, entry.text, "" if asked[:40] in entry.text else asked, line)
        self._turns.shows("answer")

    def _on_rejection(self, entry: Entry) -> None:
        call = self._flight.refused(entry.call_id)
        command = self._runs.refused(entry)
        rejected = command or (" ".join((call.tool, *call.paths)) if call else "")
        if rejected or entry.text.strip():
            self._add_prompt(entry, entry.text, rejected, call.line if call else 0)
        else:
            self._tick(entry)
        self._turns.shows("rejection")

    def _on_unreadable(self, entry: Entry) -> None:
        self._session.is_unreadable()

    def _on_interruption(self, entry: Entry) -> None:
        self._tick(entry)
        self._turns.shows("interruption")
        self._flight.interrupted(entry)

    def _tick(self, entry: Entry) -> None:
        self._session.extend(entry)
        if entry.cwd and entry.cwd != self._cwd:
            self._cwd = entry.cwd
            self._places.stand(entry.cwd)
        self._turns.extend(entry)

    def close(self, agent: str, path: str, clean: Clean) -> Index:
        in_flight = self._flight.stopped_in(clean, self._places)
        self._forget_calls()
        before = self._packets.close()
        for facts, line in before:
            self._files.inherit(earlier_facts.files(facts), line)
        rows = self._runs.rows()
        touched = self._files.close(rows, self._history.thrown(), clean)
        commands = self._runs.close(clean, self._places.root)
        ended = self._flight.ended
        turns = self._turns.close(clean, self._places.relative)
        stopped = turns[-1].first_line if turns and ended != "finished" else 0
        own = self._talk.close(clean)
        requested = [] if own else self._session.requested(clean)
        claims = self._git.close(clean, touched)
        claims += _lacking(
            self._git.unpushed(clean),
            self._git.uncommitted(touched, self._used_git or bool(self._session.branch)),
        )
        since = open_at_end.lately(turns)
        commands = open_at_end.commands(
            [c for facts, _ in before for c in earlier_facts.failing(facts)] + commands, claims, since
        )
        source = self._session.facts(
            agent,
            path,
            clean,
            root=self._places.root,
            branch=self._history.branch,
            turns=self._turns.number,
            ended=ended,
            of_subagent=bool(requested),
        )
        return Index(
            source=source,
            turns=tuple(turns),
            prompts=tuple([p for facts, _ in before for p in earlier_facts.prompts(facts)] + requested + own),
            reports=tuple(
                [r for facts, _ in before for r in earlier_facts.reports(facts)] + self._reports.close(clean)
            ),
            commands=tuple(commands),
            files=tuple(file_facts(touched, commands, self._git.committed, stopped)),
            todos=tuple(
                self._board.todos(clean, self._turns.number)
                or [t for facts, _ in before for t in earlier_facts.with_origin(facts, facts.todos)]
            ),
            plan=self._board.the_plan(clean, [file.edit_line for file in touched if file.edits]),
            background=open_at_end.jobs(self._jobs.close(clean), commands, since),
            subagents=tuple(self._board.subagents(clean)),
            questions=tuple(self._board.questions(clean)),
            in_flight=in_flight,
            claims=tuple([c for facts, _ in before for c in earlier_facts.claims(facts)] + claims),
            summaries=tuple(self._session.summaries(clean)),
            statements=tuple(s for facts, _ in before for s in earlier_facts.statements(facts)),
            gaps=tuple(self._gaps()),
            lineage=tuple(link for facts, line in before for link in Packets.lineage(facts, line)),
            forgotten=(
                *self._talk.forgotten(),
                *self._reports.forgotten(),
                *self._runs.forgotten(),
                *self._files.forgotten(),
            ),
        )

    def _gaps(self) -> Iterable[str]:
        if self._runs.lacks_verdicts:
            yield "This agent records no exit statuses: whether a command worked is known only from what it printed."


def _lacking(unpushed: str, uncommitted: str) -> list[Claim]:
    """That no push or commit was seen."""
    acts = (("push", unpushed), ("uncommitted", uncommitted))
    return [Claim(text=text, state="pending", act=act) for act, text in acts if text]  # type: ignore[arg-type]


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
