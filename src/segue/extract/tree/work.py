"""Work states: how far along each changed file is, from what happened after its last edit.

`editing`: the session stopped in the middle of the turn that changed it. `partially_done`: a check
that concerns it fails since. `ready`: such a check passed since and none fails, or a commit holds it in a
session where no check passed or could have. `needs_review`: none of these.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from segue.extract.commands import concern, shell
from segue.extract.commands.command_line import Simple, simple_commands
from segue.extract.commands.conditions import asks_for_less
from segue.extract.commands.runs import Parsed
from segue.extract.commands.verdict import complaints, missing_tool, printed_failure
from segue.extract.text.symbols import ranked, spread
from segue.extract.tree.reasons import reason
from segue.extract.tree.touched import Touched, can_be_checked
from segue.model.facts import CommandFact, Ended, Evidence, FileFact, WorkState
from segue.model.turn import Turn
from segue.model.value import NamedTuple

_SHOWS_FAILURE = ("FAIL", "Traceback", "rror", "panic", "Exception", "failed")
_CHANGED = ("created", "modified", "deleted", "renamed")
_PASSES = 400
"""How many of the last passing checks are held against the files."""
_SYMBOLS = 24


def file_facts(
    touched: list[Touched],
    commands: list[Parsed],
    committed: Callable[[str, int], bool],
    turns: list[Turn],
    ended: Ended,
    failing: Sequence[CommandFact] = (),
    begun: int = 0,
    *,
    seen_to_pass: bool = False,
) -> list[FileFact]:
    """The files as facts, in the order of their last touch. `committed` tells whether a commit holds a file as it
    was left at a line; `failing` is what failed in earlier sessions, before the line at which this one had `begun`,
    and `seen_to_pass` says that checks passed in one of them."""
    changed_files = [file for file in touched if file.action in _CHANGED]
    passes, failures = _passes(commands), _failures(commands, changed_files)
    failures += _failed_before(failing, changed_files, begun)
    proof = _proof(passes, changed_files)
    last_turn = turns[-1].first_line if turns else 0
    prompts = [(turn.first_line, turn.prompt) for turn in turns if turn.prompt]
    failures += _pasted(prompts, passes, changed_files)
    asked = [line for line, _ in prompts]
    for_prompt = Counter(bisect_right(asked, file.edit_line) for file in changed_files)
    shared = spread(file.symbols for file in touched)
    facts = []
    for file in touched:
        symbols = tuple(ranked(file.symbols, shared)[:_SYMBOLS])
        if file.earlier and file.action == file.earlier.action and not (file.action == "read" and file.reads):
            checked = _checked(file, passes, proof, failures, seen_to_pass)
            kept = committed(file.path, file.edit_line)
            facts.append(_inherited(file, file.earlier, symbols, checked, kept))
            continue
        changed = file.action in _CHANGED
        kept = changed and committed(file.path, file.edit_line)
        stopped = ended != "finished" and file.edit_line >= last_turn
        facts.append(
            FileFact(
                path=file.path,
                action=file.action,
                reads=file.reads,
                edits=file.edits,
                work_state=_state(file, _checked(file, passes, proof, failures, seen_to_pass), kept, stopped)
                if changed
                else None,
                why=reason(file, prompts, alone=for_prompt[bisect_right(asked, file.edit_line)] == 1)
                if changed
                else "",
                symbols=symbols,
                evidence=(Evidence(file.edit_line or file.line, file.id if file.edit_line else ""),),
            )
        )
    return facts


def _inherited(
    file: Touched, earlier: FileFact, symbols: tuple[str, ...], checked: _Checked, committed: bool
) -> FileFact:
    """A file that nobody changed since an earlier handoff, whose state a check or a commit may have settled."""
    state = earlier.work_state
    if file.edit_line:
        since = _state(file, checked, committed, stopped=False)
        only_kept = since == "ready" and not checked.passes and _failed_then(file)
        state = state if since == "needs_review" or only_kept else since
    return replace(earlier, path=file.path, reads=file.reads, symbols=symbols, work_state=state)


def _state(file: Touched, checked: _Checked, committed: bool, stopped: bool) -> WorkState:
    if checked.fails:
        return "partially_done"
    if checked.passes:
        return "ready"
    if committed:
        unchecked = checked.doubted or (checked.anything and can_be_checked(file.path))
        return "needs_review" if unchecked else "ready"
    return "editing" if stopped else "needs_review"


class _Pass(NamedTuple):
    """A check that passed, what it was given, and whether it was one of tests."""

    line: int
    places: tuple[str, ...]
    tests: bool


class _Failure(NamedTuple):
    """A check that fails, and the changed files that it names; none where it may be about any of them, and less
    likely so where it names files that were not changed."""

    line: int
    tests: bool
    named: frozenset[str]
    elsewhere: bool
    last_edit: int
    """Where any file was edited last before it."""
    by_path: frozenset[str] = frozenset()
    """Those that it names by their paths."""


class _Checked(NamedTuple):
    """What checks say of a file since its last edit, whether a failure before that leaves it in doubt, and whether
    any check passed, in the session or before it."""

    passes: bool
    fails: bool
    doubted: bool
    anything: bool


def _passes(commands: list[Parsed]) -> list[_Pass]:
    """The last checks that passed, in the order in which they did; not those that leave out what fails."""
    found = []
    failing = [row for row in commands if row.check and row.state == "open"]
    for row in commands:
        checks = [s.words for s in row.verdicts]
        less = bool(checks) and any(row.ok_line > bad.bad_line and _is_less(row, bad) for bad in failing)
        if checks and not less:
            tests = not row.end_seen and any(map(shell.is_test, checks))
            found.append(_Pass(row.ok_line, concern.scope(checks), tests))
        if row.hook:
            found.append(_Pass(row.ok_line, (), row.hook == "tests"))
    return sorted(found)[-_PASSES:]


def _is_less(passed: Parsed, failing: Parsed) -> bool:
    """It picks some of the tests that failed as a whole, or leaves out what failed."""
    if passed.only and not failing.only and passed.essence == failing.essence:
        return True
    return asks_for_less(passed.conditions, failing.conditions, failing.complaints)


def _failures(commands: list[Parsed], changed: list[Touched]) -> list[_Failure]:
    found = []
    for row in commands:
        if row.bad is None or not row.check or row.state != "open" or missing_tool(row.bad.error_lines):
            continue
        found.append(_failure(row.bad_line, row.simple, row.complaints, changed))
    return found


def _failed_before(failing: Sequence[CommandFact], changed: list[Touched], line: int) -> list[_Failure]:
    """The checks of earlier sessions that nothing has made good, as if they had failed at this line."""
    return [
        _failure(line, simple_commands(run.command), list(run.last_bad.error_lines), changed)
        for run in failing
        if run.check and run.state == "open" and run.last_bad and not missing_tool(run.last_bad.error_lines)
    ]


def _failure(line: int, simple: list[Simple], complained: list[str], changed: list[Touched]) -> _Failure:
    checks = [s.words for s in simple if s.words and shell.is_check(s.words)]
    said, places = concern.named_in(complained), concern.scope(checks)
    named = {
        f.path
        for f in changed
        if (said.blames(f.path) or concern.within(f.path, places))
        and (can_be_checked(f.path) or said.names(f.path))
    }
    about_code = any(not concern.tests(path) for path in named)
    tests = any(map(shell.is_test, checks))
    elsewhere = bool(said.files) and not tests and not named
    last_edit = max((f.edit_line for f in changed if f.edit_line < line), default=0)
    about = frozenset(named if about_code else ())
    by_path = frozenset(path for path in named if said.names(path))
    return _Failure(line, tests, about, elsewhere, last_edit, by_path)


def _pasted(prompts: list[tuple[int, str]], passes: list[_Pass], changed: list[Touched]) -> list[_Failure]:
    """Failures that the person showed, as long as no test passed since."""
    tested = max((check.line for check in passes if check.tests), default=0)
    found = []
    for line, prompt in prompts:
        if line > tested and any(sign in prompt for sign in _SHOWS_FAILURE) and printed_failure(prompt):
            said = concern.named_in(complaints(prompt))
            named = frozenset(f.path for f in changed if f.edit_line < line and said.blames(f.path))
            if named:
                found.append(_Failure(line, True, named, False, line, named))
    return found


def _proof(passes: list[_Pass], changed: list[Touched]) -> dict[str, _Pass]:
    """Of each file the last pass since its last edit that concerns it."""
    proof: dict[str, _Pass] = {}
    for check in passes:
        waiting = [f.path for f in changed if f.edit_line < check.line]
        unproved = [path for path in waiting if path not in proof]
        given = [path for path in waiting if concern.within(path, check.places)]
        if check.places and not check.tests:
            proof.update(dict.fromkeys(given, check))
            continue
        meant = any(path in unproved and not concern.tests(path) for path in given)
        written = [path for path in waiting if not can_be_checked(path)]
        proof.update(dict.fromkeys((*given, *written) if meant else waiting, check))
    return proof


def _checked(
    file: Touched, passes: list[_Pass], proof: dict[str, _Pass], failures: list[_Failure], before: bool
) -> _Checked:
    proved = file.path in proof
    strong = [
        p for p in passes if p.line > file.edit_line and (not p.places or concern.within(file.path, p.places))
    ]
    fails = doubted = False
    for failure in failures:
        since = failure.line > file.edit_line - _failed_then(file)
        if file.path in failure.by_path or file.path in failure.named:
            fails = fails or since
            doubted = (
                doubted or file.path in failure.by_path or not any(p.tests >= failure.tests for p in strong)
            )
        elif failure.named or not since or not can_be_checked(file.path):
            continue
        elif failure.elsewhere:
            fails = fails or not proved
        else:
            fails = fails or not any(_outweighs(p, failure) for p in strong)
    return _Checked(proved and not doubted, fails, doubted, before or bool(passes))


def _failed_then(file: Touched) -> bool:
    """What failed in an earlier session failed after its last edit there."""
    return file.earlier is not None and file.earlier.work_state == "partially_done"


def _outweighs(check: _Pass, failure: _Failure) -> bool:
    """A failure that names nothing is not about a file that passed later in its own check or in a better one, or
    in one as good before something else was edited."""
    if check.line > failure.line:
        return bool(check.places) or check.tests > failure.tests
    return check.tests >= failure.tests and check.line < failure.last_edit
