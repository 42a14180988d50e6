"""What is remembered of the runs of one command line, and what is known of them in the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import msgspec

from segue.extract.commands import concern, shell
from segue.extract.commands.absent import absent
from segue.extract.commands.command_line import Simple
from segue.extract.commands.conditions import Conditions, conditions
from segue.extract.commands.run_keys import essence, known_as, last_keyed
from segue.extract.commands.unanswered import unanswered
from segue.extract.commands.verdict import silent
from segue.model.facts import FailedRun, GoodRun, RunState

_STOPPED = (130, 143)
"""Exit codes of a program that somebody interrupted."""
_ABORTED = (
    "Command aborted",
    "aborted by user",
    "aborted by the user",
    "Operation aborted",
    "interrupted by user",
)
_CLEAN_TREE = "nothing to commit, working "


class Run(msgspec.Struct, gc=False):
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

    @property
    def last_line(self) -> int:
        return max(self.ok_line, self.bad_line, self.open_line)


class Parsed:
    """A remembered command line with its simple commands, its last runs and what they printed."""

    def __init__(self, simple: list[Simple], run: Run) -> None:
        self.simple = simple
        self.known_as = known_as(simple)
        self.only = shell.only(simple) if self.known_as else ()
        """The tests that it was told to run of those it was given."""
        self.sieve = shell.sieve(simple) if self.known_as else ()
        self.check = bool(self.known_as) and any(shell.is_check(s.words) for s in simple if s.words)
        self.tests = bool(self.known_as) and any(shell.is_test(s.words) for s in simple if s.words)
        self.directory = run.directory
        self.grouped = "(cd " in run.command or "( cd " in run.command
        """A part of it, nobody knows which, ran elsewhere than the rest."""
        self.runs, self.failures = run.runs, run.failures
        self.line = run.last_line
        self.good: GoodRun | None = None
        self.bad: FailedRun | None = None
        self.proved = False
        """Its good run is more than a run of which nothing bad is known."""
        self.passed: list[Simple] = []
        """The commands that its good run proves to have succeeded."""
        self.proved_keys: frozenset[tuple[str, ...]] = frozenset()
        self.hidden: frozenset[int] = frozenset()
        """The places of commands, more than plumbing, whose exit the line hides and nothing else tells."""
        self.against = ""
        """What its last good run printed against its having gone well."""
        self.complaints: list[str] = []
        self.counted = 0, ""
        """How many tests its last bad run told of, and in which words."""
        self.ended_well = False
        """The end of its last good run was shown and holds no complaint."""
        self.fell_silent = False
        """Its last good run is one of no tests and printed nothing, also where nobody knows its exit."""
        self.aborted = stopped(run.exit_code, run.bad_text)
        """Somebody stopped its last bad run."""
        self.explained = run.explained > run.bad_line
        """The agent said that its last bad run is no fault of the work, or gave up that way."""
        self.end_seen = False
        """That its good run passed only the end of its output says."""
        self.hook: Literal["", "checks", "tests"] = ""
        """What the hook of its commit ran and let through."""
        self.misused = False
        """Its last bad run is a complaint of how the line was written."""
        self.brings: Simple | None = None
        """The command that was to bring something here, if only an answer, and with which its last run, all plumbing,
        failed."""
        self.unanswered = run.bad_line > run.ok_line and unanswered(run.bad_text)
        """Its last run failed, and says that what it turned to does not answer."""
        printed = run.bad_text if run.bad_line > run.ok_line else run.ok_text
        self.silent = silent(printed)
        """Its last run printed nothing."""
        self.absent = absent(printed)
        """What its last run looked for and did not find, among other words."""
        self.clean_at = max(run.ok_line, run.bad_line) if _CLEAN_TREE in printed else 0
        """Where git told that nothing is left to be committed."""
        self.goes_on = run.goes_on if run.goes_on >= self.line else 0
        """Where it was seen to have begun; 0 once it ended."""
        self.state: RunState = "running"

    @cached_property
    def essence(self) -> tuple[str, ...]:
        """The key of what it is known as, whoever runs it; empty where that judges nothing."""
        return essence(self.simple)

    @cached_property
    def test_words(self) -> list[tuple[str, ...]]:
        """Its tests."""
        return [s.words for s in self.simple if s.words and shell.is_test(s.words)] if self.tests else []

    @cached_property
    def verdicts(self) -> list[Simple]:
        """The checks that went well; no tests of which none ran."""
        checks = [s for s in self.passed if s.words and shell.is_check(s.words)]
        return [s for s in checks if not shell.is_test(s.words)] if self.only == shell.NO_TESTS else checks

    @cached_property
    def conditions(self) -> tuple[Conditions, ...]:
        """Under which its checks ran."""
        return conditions(self.simple)

    @cached_property
    def runs_task(self) -> bool:
        """A task of the project runs its tests."""
        return any(map(shell.runs_task, self.test_words))

    @cached_property
    def places(self) -> tuple[str, ...]:
        """What the checks that went well were given."""
        checks = [s.words for s in self.passed if s.words and shell.is_check(s.words)]
        return (*concern.scope(checks), *self.known_as[2:])

    @property
    def slip(self) -> bool:
        """Its last bad run says nothing of the work: the line was wrong. A program of the project's own that
        does not take what it is given may be the work."""
        return self.misused and not (
            self.bad and self.bad.exit_code and shell.of_project(last_keyed(self.simple))
        )

    @property
    def ok_line(self) -> int:
        return self.good.evidence.line if self.good else 0

    @property
    def bad_line(self) -> int:
        return self.bad.evidence.line if self.bad else 0


def stopped(exit_code: int | None, text: str) -> bool:
    """Somebody stopped it."""
    return exit_code in _STOPPED or text.rstrip().endswith(_ABORTED)


def how_it_stopped(text: str, complained: Sequence[str]) -> tuple[str, ...]:
    """The word that somebody stopped it, with what it had complained of before: that may be no error of its own."""
    last = text.rstrip().rpartition("\n")[2].strip()
    word = last if last.endswith(_ABORTED) else "stopped from outside"
    before = next((row for row in complained if row != last), "")
    return (f"{word}, having printed: {before}",) if before else (word,)
