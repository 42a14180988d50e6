"""The ledger of commands: per command its last good and its last bad run, and which failures are open.

Only a bounded number of distinct commands is remembered, the latest; their outputs are kept at both
ends. A failure is open until something later makes it good (`mended.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

import msgspec

from segue.extract import shell
from segue.extract.command_line import COMMAND_LIMIT, Simple, simple_commands
from segue.extract.commit_hooks import hook
from segue.extract.crash import broke_off
from segue.extract.explained import explains
from segue.extract.mended import mended_since
from segue.extract.prose import ends, finish, start, word_set
from segue.extract.purpose import looks
from segue.extract.refusals import was_refused
from segue.extract.run_keys import keys, known_as, run_key
from segue.extract.slips import there_already, wrongly_written
from segue.extract.verdict import (
    complains,
    complaints,
    conclusion,
    counted,
    decisive,
    gave_up,
    not_over,
    printed_failure,
    ran_none,
    silent,
    still_open,
    untroubled,
)
from segue.model.entry import Entry
from segue.model.facts import CommandFact, Evidence, FailedRun, GoodRun, RunState

_DISTINCT = 1200
_OUTPUT_LIMIT = 5000
_LINE_LIMIT = 220
_NAMES_LIMIT = 80
_REFUSALS = 3
_TAIL_LIMIT = 1200
_NOT_A_FAILURE = (
    "<tool_use_error>",
    "[Request interrupted",
    "The user doesn't want",
    "Cancelled: parallel tool call",
)
_STOPPED = (130, 143)
"""Exit codes of a program that somebody interrupted."""
_ASKS = ("curl", "wget")
_SHOWS = word_set("gh glab kubectl docker podman journalctl curl wget ssh heroku fly")
_COMMIT = ("git", "commit")
_NO_MATCH = 1
"""The exit code of a search that found nothing."""
_ABORTED = (
    "Command aborted",
    "aborted by user",
    "aborted by the user",
    "Operation aborted",
    "interrupted by user",
)


class _Run(msgspec.Struct, gc=False):
    command: str
    directory: str = ""
    runs: int = 0
    failures: int = 0
    ok_line: int = 0
    bad_line: int = 0
    open_line: int = 0
    ok_id: str = ""
    bad_id: str = ""
    ok_text: str = ""
    bad_text: str = ""
    exit_code: int | None = None
    ok_known: bool = False
    explained: int = 0
    goes_on: int = 0
    """Where it was last seen to have begun and not ended."""


class Parsed:
    """A remembered command line with its simple commands, its last runs and what they printed."""

    def __init__(self, simple: list[Simple], run: _Run) -> None:
        self.simple = simple
        self.known_as = known_as(simple)
        self.only = shell.only(simple) if self.known_as else ()
        """The tests that it was told to run of those it was given."""
        self.sieve = shell.sieve(simple) if self.known_as else ()
        self.check = bool(self.known_as) and any(shell.is_check(s.words) for s in simple if s.words)
        self.directory = run.directory
        self.runs, self.failures = run.runs, run.failures
        self.line = _last_line(run)
        self.good: GoodRun | None = None
        self.bad: FailedRun | None = None
        self.proved = False
        """Its good run is more than a run of which nothing bad is known."""
        self.passed: list[Simple] = []
        """The commands that its good run proves to have succeeded."""
        self.proved_keys: frozenset[tuple[str, ...]] = frozenset()
        self.complaints: list[str] = []
        self.counted = 0, ""
        """How many tests its last bad run told of, and in which words."""
        self.ended_well = False
        """The end of its last good run was shown and holds no complaint."""
        self.fell_silent = False
        """Its last good run is one of no tests and printed nothing, also where nobody knows its exit."""
        self.aborted = _stopped(run.exit_code, run.bad_text)
        """Somebody stopped its last bad run."""
        self.explained = run.explained > run.bad_line
        """The agent said that its last bad run is no fault of the work."""
        self.end_seen = False
        """That its good run passed only the end of its output says."""
        self.hook: Literal["", "checks", "tests"] = ""
        """What the hook of its commit ran and let through."""
        self.misused = False
        """Its last bad run is a complaint of how the line was written."""
        self.goes_on = run.goes_on if run.goes_on >= self.line else 0
        """Where it was seen to have begun; 0 once it ended."""
        self.state: RunState = "running"

    @property
    def slip(self) -> bool:
        """Its last bad run says nothing of the work: the line was wrong. A program of the project's own that
        does not take what it is given may be the work."""
        return self.misused and not (
            self.bad and self.bad.exit_code and shell.of_project(_last_keyed(self.simple))
        )

    @property
    def ok_line(self) -> int:
        return self.good.evidence.line if self.good else 0

    @property
    def bad_line(self) -> int:
        return self.bad.evidence.line if self.bad else 0


class Ledger:
    REMEMBERS: ClassVar = {
        "_runs": dict[str, _Run],
        "_pending": dict[str, str],
        "_refused": dict[str, Evidence],
        "_failed": str,
    }

    def __init__(self) -> None:
        self._runs: dict[str, _Run] = {}
        self._pending: dict[str, str] = {}
        """The command of every call without a result."""
        self._refused: dict[str, Evidence] = {}
        """The commands that the person did not let run, the latest, and where."""
        self._failed = ""
        """The command whose failure the agent has not spoken of yet."""

    def call(self, entry: Entry, directory: str) -> None:
        """A shell call; its result may come much later, or never. A poll of a running one is no new run."""
        if "resumes" in entry.data and entry.call_id in self._pending:
            return
        command = start(entry.command, COMMAND_LIMIT)
        run = self._runs.pop(command, None) or _Run(command)
        self._runs[command] = run
        run.runs += 1
        run.open_line, run.directory = entry.line, entry.cwd or directory
        if entry.call_id:
            self._pending[entry.call_id] = command
        if len(self._runs) > _DISTINCT:
            del self._runs[next(iter(self._runs))]
        if len(self._pending) > _DISTINCT:
            del self._pending[next(iter(self._pending))]

    def result(self, entry: Entry) -> bool | None:
        """The result of a call; whether it went well, None where that is not known. After a notice that it ended
        its output may still come."""
        run = self._awaited(entry.call_id)
        if not entry.background and entry.via != "notification":
            self._pending.pop(entry.call_id, None)
        if run is None:
            return None
        if was_refused(entry):
            self._refuse(run, entry)
            return None
        if self._refused:
            self._refused.pop(run.command, None)
        if not entry.background:
            run.open_line = 0
        ok = _went_well(entry)
        if ok is None and entry.is_error:
            self._withdraw(run)
            return None
        if entry.background and ok is not False:
            run.goes_on = entry.line
            return None
        if ok is False and _stopped(entry.exit_code, entry.text) and (run.ok_line or run.bad_line):
            return None
        if ok is False:
            self._failed = run.command
            run.failures += 1
            run.bad_line, run.bad_id, run.exit_code = entry.line, entry.native_id, entry.exit_code
            run.bad_text = ends(entry.text, _OUTPUT_LIMIT)
        else:
            run.ok_line, run.ok_id, run.ok_known = entry.line, entry.native_id, ok is True
            run.ok_text = finish(entry.text, _TAIL_LIMIT)
        return ok

    def says(self, text: str, line: int) -> None:
        """The agent speaks, perhaps of what failed last."""
        if not self._failed:
            return
        run = self._runs.get(self._failed)
        if run and explains(text):
            run.explained = line
        self._failed = ""

    def refused(self, entry: Entry) -> None:
        """The person did not let it run."""
        run = self._awaited(entry.call_id)
        self._pending.pop(entry.call_id, None)
        if run:
            self._refuse(run, entry)

    def _refuse(self, run: _Run, entry: Entry) -> None:
        self._withdraw(run)
        self._refused[run.command] = Evidence(entry.line, entry.native_id)
        if len(self._refused) > _REFUSALS:
            del self._refused[next(iter(self._refused))]

    def refusals(self, clean: Callable[[str], str]) -> list[tuple[str, Evidence]]:
        """What the person did not let run, and where."""
        return [(clean(shell.gist(command)), at) for command, at in self._refused.items()]

    def _awaited(self, call_id: str) -> _Run | None:
        command = self._pending.get(call_id)
        return None if command is None else self._runs.get(command)

    def _withdraw(self, run: _Run) -> None:
        """Takes back a run that never happened."""
        run.open_line = 0
        run.runs -= 1
        if not run.runs:
            self._runs.pop(run.command, None)

    def close(self, clean: Callable[[str], str]) -> list[Parsed]:
        """Every remembered line, the one that ran last at the end, with the state its runs add up to."""
        rows = [_parsed(run, clean) for run in sorted(self._runs.values(), key=_last_line)]
        for row in rows:
            row.state = _state(row, rows)
        return rows


def _last_line(run: _Run) -> int:
    return max(run.ok_line, run.bad_line, run.open_line)


def _stopped(exit_code: int | None, text: str) -> bool:
    return exit_code in _STOPPED or text.rstrip().endswith(_ABORTED)


def _last_keyed(simple: list[Simple]) -> tuple[str, ...]:
    return next((s.words for s in reversed(simple) if s.words and run_key(s.words)), ())


def _went_well(entry: Entry) -> bool | None:
    if entry.exit_code is not None:
        return entry.exit_code == 0
    if entry.is_error and entry.text.startswith(_NOT_A_FAILURE):
        return None
    return None if entry.is_error is None else not entry.is_error


def _parsed(run: _Run, clean: Callable[[str], str]) -> Parsed:
    row = Parsed(simple_commands(clean(run.command)), run)
    good, bad = Evidence(run.ok_line, run.ok_id), Evidence(run.bad_line, run.bad_id)
    if not row.known_as:
        return _plumbing(row, run, good, bad)
    sure_of_exit = run.ok_known and not row.check and not shell.exit_lost(row.simple, run_key)
    unread = sure_of_exit and row.known_as != _COMMIT
    good_text, bad_text = "" if unread else clean(run.ok_text), clean(run.bad_text)
    nothing = Evidence(0)
    waits = bad.line > 0 and shell.watches(row.simple) and not_over(run.exit_code, bad_text)
    if waits or (row.sieve and run.exit_code == _NO_MATCH and untroubled(bad_text)):
        nothing, bad = bad, nothing
        row.failures -= 1
    tests = any(shell.is_test(s.words) for s in row.simple if s.words)
    others = any(shell.is_check(s.words) and not shell.is_test(s.words) for s in row.simple if s.words)
    outcome = conclusion(good_text, of_tests=tests and others) if row.check else ""
    trusted = run.ok_known and not shell.exit_lost(row.simple)
    sifted = bool(row.sieve) and not tests and not outcome
    if good.line > bad.line and (
        _told_to_fail(good_text, trusted=trusted, sifted=sifted)
        if row.check
        else not sure_of_exit and _crashed(row, good_text)
    ):
        good, bad, bad_text = Evidence(0), good, good_text
        row.failures += 1
    if tests and good.line > bad.line and ran_none(good_text):
        row.only = shell.NO_TESTS
    if nothing.line > good.line:
        row.passed = shell.had_to_succeed(row.simple)
        row.good = GoodRun(evidence=nothing, outcome=still_open(bad_text) if waits else "", proved=False)
    elif good.line:
        unheard = any("/dev/null" in simple.writes for simple in row.simple)
        row.fell_silent = silent(run.ok_text) and not tests and not row.sieve and not unheard and run.ok_known
        row.ended_well = shell.shows_end(row.simple) and not silent(good_text)
        row.proved = bool(outcome) or trusted
        row.end_seen = row.ended_well and not row.proved and not tests
        sure = shell.had_to_succeed(row.simple) if run.ok_known else []
        passed = row.simple if row.proved or row.end_seen else sure
        row.passed = [s for s in passed if not s.words or not shell.only_lists(s.words)]
        row.hook = hook(row.simple, good_text) if run.ok_known else ""
        row.good = GoodRun(evidence=good, outcome=outcome, proved=row.proved)
    row.proved_keys = keys(row.passed)
    if bad.line:
        line = _as_run([s for s in row.simple if s.words and run_key(s.words)])
        code = run.exit_code if bad.line == run.bad_line else None
        row.complaints = complaints(bad_text)
        row.counted = counted(conclusion(bad_text, of_tests=True)) if tests else (0, "")
        row.bad = FailedRun(evidence=bad, command=line, exit_code=code, error_lines=decisive(row.complaints))
        row.misused = (
            not 0 < run.ok_line < bad.line
            and wrongly_written(row.simple, row.bad.error_lines)
            and not conclusion(bad_text, of_tests=True)
        )
    return row


def _plumbing(row: Parsed, run: _Run, good: Evidence, bad: Evidence) -> Parsed:
    """A line that is no knowledge to hand over: that it ran is all there is to know, and that is read nowhere."""
    if good.line:
        row.proved = run.ok_known
        row.passed = row.simple if row.proved else []
        row.good = GoodRun(evidence=good, outcome="", proved=row.proved)
    if bad.line:
        row.bad = FailedRun(evidence=bad, command="", exit_code=run.exit_code, error_lines=())
    return row


def _told_to_fail(text: str, *, trusted: bool, sifted: bool) -> bool:
    """What a check printed says that it failed, although its line went well. `trusted` says that the line's exit
    status is the check's own, `sifted` that a search let only some of its output through."""
    return not trusted and (printed_failure(text) or gave_up(text) or (sifted and complains(text)))


def _crashed(row: Parsed, text: str) -> bool:
    """What it printed ends in a crash; asked where nobody knows that it went well all the same. What only shows what
    others printed has not crashed."""
    return row.known_as[0].split()[0] not in _SHOWS and broke_off(text)


def _told(simple: Simple) -> str:
    """A command as written; of git only the verb, since a commit message explains no failure."""
    return " ".join(run_key(simple.words)) if simple.words[0] == "git" else simple.text


def _as_run(commands: list[Simple]) -> str:
    """The commands of a line as they were chained, its plumbing left out; of a long chain the end, where it broke,
    and of what came before it the names as far as there is room."""
    kept = [_told(simple) for simple in commands[-1:]]
    for simple in reversed(commands[:-1]):
        room = _LINE_LIMIT - sum(map(len, kept))
        told, name = _told(simple), " ".join(run_key(simple.words))
        if len(told) > room and len(name) > room + _NAMES_LIMIT:
            return " && ".join(["…", *kept])
        kept = [told if len(told) <= room else name, *kept]
    return " && ".join(kept)


def _state(row: Parsed, rows: list[Parsed]) -> RunState:
    if row.bad is None:
        return "ok" if row.good else "running"
    if row.ok_line > row.bad_line or row.aborted or row.slip or row.explained or not row.known_as:
        return "resolved"
    if not row.check and there_already(row.simple, row.bad.error_lines):
        return "resolved"
    unanswered = row.known_as[0] in _ASKS and not row.bad.error_lines
    if unanswered or all(looks(s.words) for s in row.simple if s.words and run_key(s.words)):
        return "resolved"
    return "resolved" if mended_since(row, rows) else "open"


def command_facts(rows: list[Parsed], running: frozenset[int] = frozenset()) -> list[CommandFact]:
    """One fact per command, the one that ran last at the end. A line that failed is one fact as it was run;
    of a line that went well each command is that did something and ended: `running` are the lines at which one was
    left behind that still runs."""
    facts: dict[str, CommandFact] = {}
    idle = {row.bad_line for row in rows if row.slip or row.aborted}
    for row in rows:
        for simple in row.simple if row.good else ():
            key = run_key(simple.words) if simple.words else ()
            if simple.then == "&" and row.ok_line in running:
                continue
            if key and not shell.only_lists(simple.words):
                check = shell.is_check(simple.words)
                _add(facts, " ".join(key), simple.text, row, idle, failed=False, check=check)
        if row.bad and row.known_as:
            _add(facts, " ".join(row.known_as), row.bad.command, row, idle, failed=True, check=row.check)
        if row.state == "running" and row.known_as:
            _add(facts, " ".join(row.known_as), row.simple[-1].text, row, idle, failed=False, check=row.check)
    return list(facts.values())


def _add(
    facts: dict[str, CommandFact],
    key: str,
    text: str,
    row: Parsed,
    idle: set[int],
    *,
    failed: bool,
    check: bool,
) -> None:
    """`idle` are the lines of bad runs that say nothing of the work."""
    known = facts.pop(key, None) or CommandFact(command=text, key=key, runs=0, state="running")
    last_bad = known.last_bad
    if row.bad and failed and (last_bad is None or _says_more(row.bad, last_bad, idle)):
        last_bad = row.bad
    last_ok = known.last_ok
    if row.good and not failed and row.ok_line >= (last_ok.evidence.line if last_ok else 0):
        outcome = row.good.outcome if key == " ".join(row.known_as) else ""
        proved = any(" ".join(run_key(s.words)) == key for s in row.passed if s.words)
        last_ok = msgspec.structs.replace(row.good, outcome=outcome, proved=proved)
    state: RunState = known.state
    if last_bad is None:
        state = "ok" if last_ok else "running"
    elif last_bad is row.bad:
        state = row.state
    facts[key] = CommandFact(
        command=known.command if known.last_ok and (failed or row.good is None) else text,
        key=key,
        runs=known.runs + row.runs,
        failures=known.failures + (row.failures if failed else 0),
        check=known.check or check,
        state=state,
        last_ok=last_ok,
        last_bad=last_bad,
        evidence=(Evidence(row.line),),
    )


def _says_more(new: FailedRun, old: FailedRun, idle: set[int]) -> bool:
    """The later failure is the one to tell, but no slip of the pen over a real one."""
    slips = new.evidence.line in idle, old.evidence.line in idle
    return new.evidence.line >= old.evidence.line if slips[0] == slips[1] else slips[1]
