"""What the runs of one command line add up to, once all secrets are known.

What a line printed decides where its exit status is not the command's own, or not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from msgspec.structs import replace

from segue.extract.commands import shell
from segue.extract.commands.command_line import Simple, program, simple_commands
from segue.extract.commands.commit_hooks import hook
from segue.extract.commands.crash import broke_off
from segue.extract.commands.exits import had_to_succeed, printed_exits, prints_exit, prints_last, unseen
from segue.extract.commands.git_line import git_verb
from segue.extract.commands.measured import measured, measures
from segue.extract.commands.purpose import fetches, shows_fault
from segue.extract.commands.run_keys import keys, last_keyed, run_key, undone
from segue.extract.commands.runs import Parsed, Run, how_it_stopped
from segue.extract.commands.slips import wrongly_written
from segue.extract.commands.trouble import (
    ends_well,
    falls_short,
    own_trouble,
    refused_by_server,
    says_passed,
    shows_status,
    trouble,
)
from segue.extract.commands.unanswered import statement
from segue.extract.commands.verdict import (
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
from segue.extract.text.prose import word_set
from segue.model.facts import Evidence, FailedRun, GoodRun
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_LINE_LIMIT = 220
_NAMES_LIMIT = 80
_SHOWS = word_set("gh glab kubectl docker podman journalctl curl wget ssh heroku fly")
_COMMIT = ("git", "commit")
_NOTHING_TO_COMMIT = "nothing to commit"
_NO_MATCH = 1
"""The exit code of a search that found nothing."""
_SEARCH = frozenset((name,) for name in shell.SEARCHES)
_NEVER = Evidence(0)


class _Last(NamedTuple):
    """Where a line last went well and last failed, and what it printed there; `idle` is where it went on watching,
    found nothing or had nothing to commit, which is neither."""

    good: Evidence
    bad: Evidence
    good_text: str
    bad_text: str
    idle: Evidence = _NEVER

    @property
    def went_well(self) -> bool:
        return self.good.line > self.bad.line


def parsed(run: Run, clean: Callable[[str], str]) -> Parsed:
    """What the runs of a line add up to; its state is decided where all lines are known."""
    line = clean(run.command)
    row = Parsed(simple_commands(line), run)
    if not row.known_as:
        return _plumbing(row, run, clean)
    printed = _find_hidden(row, run, line, clean)
    exit_known = run.ok_known or _all_printed(row, printed)
    sure_of_exit = exit_known and not row.check and not row.hidden
    asks_status = row.known_as[0] == "curl" and any(map(shows_status, (s.words for s in row.simple)))
    unread = sure_of_exit and row.known_as != _COMMIT and not asks_status and not falls_short(run.ok_text)
    last = _Last(
        Evidence(run.ok_line, run.ok_id),
        Evidence(run.bad_line, run.bad_id),
        "" if unread else clean(run.ok_text),
        clean(run.bad_text),
    )
    watches = bool(run.bad_line) and shell.watches(row.simple) and not_over(run.exit_code, last.bad_text)
    no_match = run.exit_code == _NO_MATCH and (
        (row.sieve and untroubled(last.bad_text)) or _found_nothing(row, last.bad_text)
    )
    if watches or no_match or _commits_nothing(row, last.bad_text):
        last = last._replace(bad=_NEVER, idle=last.bad)
        row.failures -= 1
    outcome = _outcome(row, last)
    trusted = exit_known and not any(shell.is_check(row.simple[place].words) for place in row.hidden)
    if row.check and not row.tests and not outcome and not trusted and _judges_last(row):
        outcome = says_passed(last.good_text)
    code = next(
        (code for place, code in printed.items() if code and shell.is_check(row.simple[place].words)), 0
    )
    if last.went_well and (
        code or _told_to_fail(row, last.good_text, outcome, trusted=trusted)
        if row.check
        else not sure_of_exit and _crashed(row, last.good_text)
    ):
        last = last._replace(good=_NEVER, bad=last.good, bad_text=last.good_text)
        row.failures += 1
    if row.tests and last.went_well and ran_none(last.good_text):
        row.only = shell.NO_TESTS
    if last.idle.line > last.good.line:
        row.passed = had_to_succeed(row.simple)
        shown = still_open(last.bad_text) if watches else ""
        row.good = GoodRun(evidence=last.idle, outcome=shown, proved=False)
    elif last.good.line:
        sure = trusted if row.check else sure_of_exit
        row.against = "" if outcome else _against(row, last.good_text, printed, sure=sure)
        if asks_status:
            row.against = refused_by_server(last.good_text) or row.against
        _tell_of_good(row, run, last, outcome, trusted=trusted)
        if row.good and not outcome and measures(line):
            row.good = replace(row.good, outcome=measured(clean(run.ok_text)))
    row.proved_keys = keys(row.passed)
    if last.bad.line:
        _tell_of_bad(row, run, last, code or None)
    return row


def _find_hidden(row: Parsed, run: Run, line: str, clean: Callable[[str], str]) -> dict[int, int]:
    """Notes the commands whose exit the line hides; gives the exits that it printed, by their places."""
    hidden = [place for place in unseen(line, row.simple) if row.simple[place].words]
    if not hidden:
        return {}
    printed = printed_exits(line, row.simple, clean(run.ok_text)) if prints_exit(line) else {}
    row.hidden = frozenset(p for p in hidden if run_key(row.simple[p].words) and printed.get(p) != 0)
    return printed


def _all_printed(row: Parsed, printed: dict[int, int]) -> bool:
    """The line itself told how each of its commands ended."""
    return bool(printed) and all(
        place in printed for place, s in enumerate(row.simple) if s.words and run_key(s.words)
    )


def _against(row: Parsed, text: str, printed: dict[int, int], *, sure: bool) -> str:
    """What it printed against its having gone well; where its exit is known only that not all was well."""
    failed = next((f"exit {code}" for code in printed.values() if code), "")
    told = row.simple[max(row.hidden)].words if row.hidden else last_keyed(row.simple)
    if sure:
        said = falls_short(text)
    elif fetches(told):
        said = own_trouble(text, program(told[0]))
    else:
        said = trouble(text)
    return " — ".join(filter(None, (failed, said)))


def _plumbing(row: Parsed, run: Run, clean: Callable[[str], str]) -> Parsed:
    """A line that is no knowledge to hand over: that it ran is all there is to know, and that is read nowhere. What it
    was to bring here and did not is known by the command that failed."""
    if run.ok_line:
        row.proved = run.ok_known
        row.passed = row.simple if row.proved else []
        row.good = GoodRun(evidence=Evidence(run.ok_line, run.ok_id), outcome="", proved=row.proved)
    if run.bad_line:
        row.brings = undone(row.simple, run.exit_code) if run.bad_line > run.ok_line else None
        if row.brings:
            row.known_as = ("git", git_verb(row.brings.words)[0])
        elif row.unanswered and (asked := statement(row.simple)):
            row.brings, row.known_as = asked, (program(asked.words[0]),)
        if row.brings:
            row.complaints = complaints(clean(run.bad_text))
        at = Evidence(run.bad_line, run.bad_id)
        row.bad = FailedRun(
            evidence=at,
            command=row.brings.text if row.brings else "",
            exit_code=run.exit_code,
            error_lines=decisive(row.complaints),
        )
    return row


def _outcome(row: Parsed, last: _Last) -> str:
    """What its last good run says at its end, if it is a check."""
    if not row.check:
        return ""
    others = any(shell.is_check(s.words) and not shell.is_test(s.words) for s in row.simple if s.words)
    return conclusion(last.good_text, of_tests=row.tests and others)


def _tell_of_good(row: Parsed, run: Run, last: _Last, outcome: str, *, trusted: bool) -> None:
    unheard = any("/dev/null" in simple.writes for simple in row.simple)
    row.fell_silent = silent(run.ok_text) and not row.tests and not row.sieve and not unheard and run.ok_known
    row.ended_well = shell.shows_end(row.simple) and not silent(last.good_text) and not row.against
    row.proved = bool(outcome) or (trusted and not row.against)
    row.end_seen = row.ended_well and not row.proved and not row.tests
    sure = had_to_succeed(row.simple) if run.ok_known else []
    if row.against and row.hidden and trusted:
        sure = [simple for place, simple in enumerate(row.simple) if place not in row.hidden]
    passed = row.simple if row.proved or row.end_seen else sure
    row.passed = [s for s in passed if not s.words or not (shell.only_lists(s.words) or shows_fault(s.words))]
    row.hook = hook(row.simple, last.good_text) if run.ok_known else ""
    if row.hidden and not row.against and ends_well(last.good_text):
        row.hidden = frozenset()
    row.good = GoodRun(evidence=last.good, outcome=outcome, proved=row.proved)


def _tell_of_bad(row: Parsed, run: Run, last: _Last, printed: int | None = None) -> None:
    """`printed` is the exit that the line itself told."""
    line = _as_run([s for s in row.simple if s.words and run_key(s.words)])
    code = run.exit_code if last.bad.line == run.bad_line else printed
    tested = conclusion(last.bad_text, of_tests=True)
    found = complaints(last.bad_text)
    row.complaints = [] if row.aborted else found
    row.counted = counted(tested) if row.tests else (0, "")
    said = how_it_stopped(last.bad_text, decisive(found)) if row.aborted else decisive(found)
    row.bad = FailedRun(evidence=last.bad, command=line, exit_code=code, error_lines=said)
    row.misused = (
        not 0 < run.ok_line < last.bad.line
        and wrongly_written(row.simple, row.bad.error_lines)
        and not tested
    )


def _found_nothing(row: Parsed, text: str) -> bool:
    """The exit is that of a search at the end of the line, and beside what searches found nothing speaks against the
    commands before it."""
    if row.simple[-1].words[:1] not in _SEARCH:
        return False
    places = (place for place, s in enumerate(row.simple) if s.words and run_key(s.words))
    return row.hidden.issuperset(places) and untroubled(_hit().sub("", text))


@lru_cache(1)
def _hit() -> re.Pattern[str]:
    """What a search found: `file:line:code`. Who complains tells the column behind the line, or leaves a blank."""
    return compiled(r"^[^\s:]+:\d+:(?!\d+:| \S).*$", re.M)


def _commits_nothing(row: Parsed, text: str) -> bool:
    """All was committed before: nothing that the line was to do is left undone."""
    return row.known_as == _COMMIT and row.simple[-1].words[:1] == ("git",) and _NOTHING_TO_COMMIT in text


def _judges_last(row: Parsed) -> bool:
    """Its one check had the last word."""
    checks = [place for place, s in enumerate(row.simple) if s.words and shell.is_check(s.words)]
    return len(checks) == 1 and prints_last(row.simple, checks[0])


def _told_to_fail(row: Parsed, text: str, outcome: str, *, trusted: bool) -> bool:
    """What a check printed says that it failed, although its line went well. `trusted` says that the line's exit
    status is the check's own. Where a search let only some of its output through, any complaint says so."""
    sifted = bool(row.sieve) and not row.tests and not outcome
    return not trusted and (
        printed_failure(text)
        or gave_up(text)
        or (sifted and complains(text))
        or (not outcome and broke_off(text))
    )


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
