"""The ledger of commands: per command its last good and its last bad run, and which failures are open.

Only a bounded number of distinct commands is remembered, the latest, and the others are counted; outputs are
kept at both ends. A failure is open until something later makes it good (`mended.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec.structs import replace

from segue.extract.commands import shell
from segue.extract.commands.added_up import parsed
from segue.extract.commands.chained import apart
from segue.extract.commands.command_line import COMMAND_LIMIT, SHELLS, program, simple_commands
from segue.extract.commands.explained import explains, gives_up
from segue.extract.commands.mended import KEEPS_WORK_BACK, left_behind, mended_since, ran_beside
from segue.extract.commands.purpose import changes, looks
from segue.extract.commands.refusals import was_refused
from segue.extract.commands.run_keys import run_key
from segue.extract.commands.runs import Parsed, Run, stopped
from segue.extract.commands.slips import there_already
from segue.extract.commands.unanswered import answered_since
from segue.extract.commands.verdict import missing_tool
from segue.extract.text.let_go import Gone, counted, let_go, met_again
from segue.extract.text.prose import ends, finish, start
from segue.model.entry import Entry
from segue.model.facts import Evidence, FailedRun, RunState

_DISTINCT = 1200
_OUTPUT_LIMIT = 5000
_REFUSALS = 3
_TAIL_LIMIT = 1200
_NOT_A_FAILURE = (
    "<tool_use_error>",
    "[Request interrupted",
    "The user doesn't want",
    "Cancelled: parallel tool call",
)
_ASKS = ("curl", "wget")
_NOT_FOUND = 127
"""The exit code of a shell that found no such program."""


class Ledger:
    REMEMBERS: ClassVar = {
        "_runs": dict[str, Run],
        "_pending": dict[str, str],
        "_refused": dict[str, Evidence],
        "_failed": str,
        "_gone": Gone,
    }

    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}
        self._pending: dict[str, str] = {}
        """The command of every call without a result."""
        self._refused: dict[str, Evidence] = {}
        """The commands that the person did not let run, the latest, and where."""
        self._failed = ""
        """The command whose failure the agent has not spoken of yet."""
        self._gone: Gone = {}
        """The commands that are not remembered any more, and which of them had failed last."""

    def call(self, entry: Entry, directory: str) -> None:
        """A shell call; its result may come much later, or never. A poll of a running one is no new run."""
        if "resumes" in entry.data and entry.call_id in self._pending:
            return
        command = start(entry.command, COMMAND_LIMIT)
        run = self._runs.pop(command, None) or Run(command)
        self._runs[command] = run
        met_again(self._gone, command)
        run.runs += 1
        run.open_line, run.directory = entry.line, entry.cwd or directory
        if entry.call_id:
            self._pending[entry.call_id] = command
        if len(self._runs) > _DISTINCT:
            oldest = self._runs.pop(next(iter(self._runs)))
            let_go(self._gone, oldest.command, oldest.bad_line > oldest.ok_line)
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
        if ok is False and stopped(entry.exit_code, entry.text) and (run.ok_line or run.bad_line):
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
        if run and (explains(text) or _is_given_up(run.command, text)):
            run.explained = line
        self._failed = ""

    def refused(self, entry: Entry) -> None:
        """The person did not let it run."""
        run = self._awaited(entry.call_id)
        self._pending.pop(entry.call_id, None)
        if run:
            self._refuse(run, entry)

    def _refuse(self, run: Run, entry: Entry) -> None:
        self._withdraw(run)
        self._refused[run.command] = Evidence(entry.line, entry.native_id)
        if len(self._refused) > _REFUSALS:
            del self._refused[next(iter(self._refused))]

    def refusals(self, clean: Callable[[str], str]) -> list[tuple[str, Evidence]]:
        """What the person did not let run, and where."""
        return [(clean(shell.gist(command)), at) for command, at in self._refused.items()]

    def _awaited(self, call_id: str) -> Run | None:
        command = self._pending.get(call_id)
        return None if command is None else self._runs.get(command)

    def _withdraw(self, run: Run) -> None:
        """Takes back a run that never happened."""
        run.open_line = 0
        run.runs -= 1
        if not run.runs:
            self._runs.pop(run.command, None)

    def forgotten(self) -> tuple[str, ...]:
        """What is not remembered, in words; nothing in all but very long sessions."""
        return counted(self._gone, "earlier command line", "failed when last run")

    def close(self, clean: Callable[[str], str]) -> list[Parsed]:
        """Every remembered line, the one that ran last at the end, with the state its runs add up to."""
        runs = sorted(self._runs.values(), key=lambda run: run.last_line)
        rows = [parsed(part, clean) for run in runs for part in apart(run)]
        for row in rows:
            row.state = _state(row, rows)
            if row.brings and row.state == "resolved":
                row.known_as = ()
        return rows


def _is_given_up(command: str, said: str) -> bool:
    """The agent goes another way than this line; work that is not handed in, or judged to be wrong, stays so."""
    if not gives_up(said, changes=False):
        return False
    ran = [s.words for s in simple_commands(command) if s.words and run_key(s.words)]
    if not ran or any(shell.is_check(words) or words[0] in KEEPS_WORK_BACK for words in ran):
        return False
    return gives_up(said, changes=any(map(changes, ran)))


def _went_well(entry: Entry) -> bool | None:
    if entry.exit_code is not None:
        return entry.exit_code == 0
    if entry.is_error and entry.text.startswith(_NOT_A_FAILURE):
        return None
    return None if entry.is_error is None else not entry.is_error


def _state(row: Parsed, rows: list[Parsed]) -> RunState:
    if row.bad is None:
        return "ok" if row.good else "running"
    if row.ok_line > row.bad_line or row.aborted or row.slip or row.explained or not row.known_as:
        return "resolved"
    if not row.check and there_already(row.simple, row.bad.error_lines):
        return "resolved"
    if row.known_as[0] in _ASKS and not row.bad.error_lines:
        return "resolved"
    ran = [s.words for s in row.simple if s.words and (run_key(s.words) or s is row.brings)]
    if ran and all(map(looks, ran)):
        lasts = row.unanswered and not answered_since(row, rows) and not left_behind(row, rows)
        return "open" if lasts else "resolved"
    if mended_since(row, rows):
        return "resolved"
    if tool := _lacking(row, row.bad):
        row.bad = replace(row.bad, missing=tool)
        return "resolved"
    first = row.simple[0]
    if first.words[:1] == ("cd",) and any(
        later.known_as == row.known_as and ran_beside(later, row) for later in rows
    ):
        row.bad = replace(row.bad, command=f"{first.text} && {row.bad.command}")
    return "open"


def _lacking(row: Parsed, bad: FailedRun) -> str:
    """The tool that is not installed, where that is all that the failure shows. What the project itself calls and
    nobody has is a fault of the project."""
    tool = missing_tool(bad.error_lines)
    if not tool or "/" in tool:
        return ""
    if bad.exit_code not in (None, _NOT_FOUND):
        first = missing_tool(bad.error_lines[:1])
        return first if first == tool and shell.bare(tool) in shell.tools(row.simple) else ""
    if bad.exit_code is None:
        return tool if shell.bare(tool) in map(shell.bare, row.known_as[0].split()) else ""
    run = [program(s.words[0]) for s in row.simple if s.words]
    own = any("/" in name or name in SHELLS for name in run)
    return "" if own and shell.bare(tool) not in map(shell.bare, run) else tool
