"""The ledger of commands: every line that was run, with the harness's own verdict on its last run.

A later run of the same line settles an earlier one; nothing else does. Only a bounded number of distinct lines is
remembered, the latest, and the others are counted; outputs are kept at both ends.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from segue.extract.commands import output
from segue.extract.commands.command_line import COMMAND_LIMIT
from segue.extract.commands.line import Line, line_of
from segue.extract.text.overflow import Gone, counted, let_go, met_again
from segue.extract.text.prose import clipped, ends, finish, start
from segue.model.entry import Entry
from segue.model.facts import CommandFact, Evidence, Run, RunState, Verdict

_DISTINCT = 1200
_OUTPUT_LIMIT = 6000
_TAIL_LIMIT = 1600
_COMMAND = 600
_NEVER_RAN = (
    "<tool_use_error>",
    "[Request interrupted",
    "The user doesn't want",
    "Cancelled: parallel tool call",
)
_REFUSES = ("reject", "denied", "declin", "refus", "cancel", "doesn't want", "does not want", "disallow")


class _Run(msgspec.Struct):
    """One run of a line and how it ended. `end` is None where no result was seen."""

    line: int
    end: Evidence | None = None
    exit_code: int | None = None
    is_error: bool | None = None
    text: str = ""
    said: str = ""

    @property
    def has_status(self) -> bool:
        return self.exit_code is not None or self.is_error is not None


class _Line(msgspec.Struct):
    command: str
    directory: str = ""
    runs: int = 0
    failures: int = 0
    last: _Run | None = None
    before: _Run | None = None
    """The run before the last one, which stands where that one never happened."""
    bad: _Run | None = None
    """The last run that its record calls failed."""


class Row(msgspec.Struct, frozen=True):
    """A remembered line, parsed, for those who ask what it did to files."""

    line: Line
    directory: str
    at: int
    ran: bool
    failed: bool
    silent: bool
    absent: frozenset[str]


class Ledger:
    def __init__(self) -> None:
        self._lines: dict[str, _Line] = {}
        self._pending: dict[str, tuple[str, _Run]] = {}
        self._gone: Gone = {}
        self._refused = "", ""
        """The last call that never ran, and its command."""
        self._verdicts = self._results = 0

    def call(self, entry: Entry, directory: str) -> None:
        """A shell call; its result may come much later, or never. A poll of a running one is no new run."""
        if "resumes" in entry.data and entry.call_id in self._pending:
            return
        command = start(entry.command, COMMAND_LIMIT)
        line = self._lines.pop(command, None) or _Line(command)
        self._lines[command] = line
        met_again(self._gone, command)
        line.runs += 1
        line.directory = entry.cwd or directory
        line.before, line.last = line.last, _Run(entry.line)
        if entry.call_id:
            self._pending[entry.call_id] = command, line.last
            if len(self._pending) > _DISTINCT:
                del self._pending[next(iter(self._pending))]
        if len(self._lines) > _DISTINCT:
            oldest = self._lines.pop(next(iter(self._lines)))
            let_go(self._gone, oldest.command, oldest.bad is not None and oldest.bad is oldest.last)

    def result(self, entry: Entry) -> None:
        """The result of a call. After a notice that it ended its output may still come."""
        command, run = self._pending.get(entry.call_id, ("", None))
        line = self._lines.get(command)
        if run is None or line is None:
            return
        if not entry.background and entry.via != "notification":
            del self._pending[entry.call_id]
        if was_refused(entry) or (entry.is_error and entry.text.startswith(_NEVER_RAN)):
            self._refused = entry.call_id, command
            self._withdraw(line)
            return
        if entry.background and not _failed(entry):
            return
        self._results += 1
        self._verdicts += entry.exit_code is not None or entry.is_error is not None
        bad = _failed(entry)
        run.end = Evidence(entry.line, entry.native_id)
        run.exit_code, run.is_error, run.said = entry.exit_code, entry.is_error, entry.reason
        text = entry.text or run.text
        run.text = (
            ends(text, _OUTPUT_LIMIT) if bad or len(text) < _OUTPUT_LIMIT else finish(text, _TAIL_LIMIT)
        )
        if bad:
            line.failures += 1
            line.bad = run

    def refused(self, entry: Entry) -> str:
        """The person did not let it run; the command that was not."""
        command, _ = self._pending.pop(entry.call_id, ("", None))
        if line := self._lines.get(command):
            self._withdraw(line)
        return command or (self._refused[1] if self._refused[0] == entry.call_id else "")

    def _withdraw(self, line: _Line) -> None:
        """Takes back a run that never happened."""
        line.runs -= 1
        line.last = line.before
        if line.runs <= 0:
            self._lines.pop(line.command, None)

    def forgotten(self) -> tuple[str, ...]:
        """What is not remembered, in words; nothing in all but very long sessions."""
        return counted(self._gone, "earlier command line", "failed when last run")

    @property
    def lacks_verdicts(self) -> bool:
        """Runs are recorded, and of none an exit status or an error flag."""
        return self._results > 2 and not self._verdicts

    def rows(self) -> list[Row]:
        """Every remembered line in the order of its last run."""
        found = []
        for line in sorted(self._lines.values(), key=_at):
            run = line.last
            ended = run is not None and run.end is not None
            text = run.text if run else ""
            found.append(
                Row(
                    line=line_of(line.command),
                    directory=line.directory,
                    at=_at(line),
                    ran=ended,
                    failed=run is not None and run is line.bad,
                    silent=ended and not output.rows(text[:200]),
                    absent=_absent(text),
                )
            )
        return found

    def close(self, clean: Callable[[str], str], root: str) -> list[CommandFact]:
        """The lines that are more than plumbing, runs of one core together, the one that ran last at the end."""
        together: dict[tuple[str, str], list[_Line]] = {}
        for line in sorted(self._lines.values(), key=_at):
            parsed = line_of(line.command)
            if parsed.key and line.last:
                where = parsed.directory if parsed.directory != root else ""
                together.setdefault((where, parsed.core), []).append(line)
        facts = [_fact(lines, clean, root) for lines in together.values()]
        facts.sort(key=lambda fact: fact.evidence[0].line)
        return _settled(facts)


def _at(line: _Line) -> int:
    return line.last.line if line.last else 0


def _failed(entry: Entry) -> bool:
    """The record calls it failed. A status that the harness itself interprets as no error is none."""
    if entry.exit_code is None or entry.is_error is False:
        return bool(entry.is_error)
    return entry.exit_code != 0


def was_refused(entry: Entry) -> bool:
    """The result of a call that did not run because the person would not have it."""
    if entry.exit_code is not None:
        return False
    said = entry.text[:200].partition("\n")[0].lower()
    if "user" not in said:
        return False
    by_user = said.partition("by user")[0] if "by user" in said else said.partition("by the user")[0]
    if by_user != said:
        return any(verb in by_user[-40:] for verb in _REFUSES)
    return said.partition("user ")[2].removeprefix("has ").startswith(_REFUSES)


def _absent(printed: str) -> frozenset[str]:
    """The words of the complaints that something is not there; the names of the files are among them."""
    if "o such file" not in printed and "fatal: path " not in printed:
        return frozenset()
    around = str.maketrans("'\"`:‘’()", "        ")
    told = (row for row in printed.split("\n") if "o such file" in row or "fatal: path " in row)
    return frozenset(word for row in told for word in row.translate(around).split())


def _run(line: Line, run: _Run, clean: Callable[[str], str]) -> Run:
    """A run as a fact. Where something took the exit status, only a printed sum tells how it went."""
    if run.end is None:
        return Run(evidence=Evidence(run.line), verdict="unknown")
    printed = output.rows(clean(run.text))
    summed, _ = output.summary(printed, line.masked or not run.has_status) if line.sums else ("unknown", "")
    verdict = _verdict(line, run, summed)
    if verdict == "failed":
        shown = output.complaints(printed)
    elif verdict == "ok":
        shown = output.conclusion(printed) if line.check else ()
    else:
        shown = output.conclusion(printed)
    return Run(
        evidence=run.end,
        verdict=verdict,
        exit_code=run.exit_code,
        printed=shown,
        through=line.through,
        said=clean(run.said),
    )


def _verdict(line: Line, run: _Run, summed: Verdict) -> Verdict:
    """The harness's word, or that of the line's own sum where something took the status. A filter that lets only some lines
    through may have kept a failure back; a failure that was printed is one, whatever command came after it."""
    if line.masked or run.said or not run.has_status:
        return "unknown" if summed == "ok" and line.selects else summed
    return "failed" if run.exit_code or run.is_error or summed == "failed" else "ok"


def _fact(lines: list[_Line], clean: Callable[[str], str], root: str) -> CommandFact:
    """All runs of one core. A line that fails is told as it was run when it failed: with its own pipe, at its own place."""
    newest, parsed = lines[-1], [line_of(line.command) for line in lines]
    runs = [
        (_run(parse, line.last, clean), parse) for parse, line in zip(parsed, lines, strict=True) if line.last
    ]
    last = runs[-1][0]
    known = [run for run, _ in runs if run.verdict != "unknown"]
    bad = [
        (_run(parse, line.bad, clean), parse)
        for parse, line in zip(parsed, lines, strict=True)
        if line.bad and line.bad is not line.last
    ]
    bad = [one for one in (*bad, *runs) if one[0].verdict == "failed"]
    failed, failing = max(bad, key=lambda one: one[0].evidence.line, default=(None, parsed[-1]))
    state: RunState = "running" if newest.last and newest.last.end is None else "unknown"
    if state != "running" and known and (known[-1].verdict == "failed" or known[-1] is last):
        state = "failing" if known[-1].verdict == "failed" else "ok"
    told = failing if state == "failing" else parsed[-1]
    return CommandFact(
        command=clean(told.render(root, _COMMAND, whole=state == "failing")),
        key=clean(" ".join(told.key)),
        runs=sum(line.runs for line in lines),
        failures=sum(line.failures for line in lines) or len(bad),
        check=told.check,
        state=state,
        last=last,
        failed=failed,
        evidence=(last.evidence,),
    )


def _settled(facts: list[CommandFact]) -> list[CommandFact]:
    """The lines, a failing one with that of the same program and verb that went well after it, if one did."""
    good: dict[str, tuple[int, str]] = {}
    for fact in facts:
        if fact.state == "ok" and fact.last:
            good[_kin(fact)] = fact.last.evidence.line, fact.command
    found = []
    for fact in facts:
        at, command = good.get(_kin(fact), (0, ""))
        if fact.state == "failing" and fact.failed and at > fact.failed.evidence.line:
            fact = msgspec.structs.replace(fact, settled_by=clipped(command, 120), settled_line=at)
        found.append(fact)
    return found


def _kin(fact: CommandFact) -> str:
    """Program and verb; of a runner of tasks the task, too, and of what is no check what it was about."""
    words = fact.key.split()
    return " ".join(words[: 2 if fact.check and words[1:2] != ["run"] else 3])
