"""Work states: how far along each changed file is, from what happened after its last edit.

`editing`: the session stopped in the middle of the turn that changed it. `partially_done`: a check
that concerns it fails since. `ready`: such a check passed since and none fails, or a commit holds it in a
session where no check passed or could have. `needs_review`: none of these.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from segue.extract.commands import concern, shell
from segue.extract.commands.runs import Parsed
from segue.extract.commands.verdict import complaints, missing_tool, printed_failure
from segue.extract.text.all_well import says_all_is_well
from segue.extract.text.named import as_path
from segue.extract.text.prose import clipped, flat, sentences
from segue.extract.text.relevance import terms
from segue.extract.text.symbols import ranked, spread
from segue.extract.tree.files import Touched, can_be_checked
from segue.model.facts import Ended, Evidence, FileFact, WorkState
from segue.model.patterns import compiled
from segue.model.turn import Turn
from segue.model.value import NamedTuple

_LEAD_IN = compiled(
    r"^(?:(?:ok(?:ay)?|good|great|perfect|now|next|first|then|so|alright|right|finally|also)[,.!:]?\s+)*"
    r"(?:(?:let me|let's|i'?ll|i will|i'?m going to|i am going to|i'?m|i need to|i should|we need to|i can)\s+)?(?:now\s+|also\s+|first\s+)?"
)
_EMPTY_WHY = compiled(
    r"(?:check|look|see|read|view|verify|run|start|explore|examine|understand|continue|done|same|one more|catch|point)\b"
    r"|(?:that|this|it|there|here|you)(?:'s|'re| is| are| was)\b|found (?:it|the)\b|i (?:now )?(?:have|see|understand|found|got)\b"
    r"|(?:all |both )?(?:the )?(?:\d+ )?(?:\w+ )?(?:tests?|checks?|build|lint)\b.{0,20}\bfail"
)
"""What reports or only leads on, and says nothing of why a file was changed."""
_SHOWS_FAILURE = ("FAIL", "Traceback", "rror", "panic", "Exception", "failed")
_CHANGED = ("created", "modified", "deleted", "renamed")
_PASSES = 400
"""How many of the last passing checks are held against the files."""
_WHY_LIMIT = 110
_SAYS_ONE_THING = 3
"""Sentences up to which a prompt is taken to be about whatever was edited for it."""
_SYMBOLS = 24


def file_facts(
    touched: list[Touched],
    commands: list[Parsed],
    committed: Callable[[str, int], bool],
    turns: list[Turn],
    ended: Ended,
) -> list[FileFact]:
    """The files as facts, in the order of their last touch. `committed` tells whether a commit holds a file as it
    was left at a line."""
    changed_files = [file for file in touched if file.action in _CHANGED]
    passes, failures = _passes(commands), _failures(commands, changed_files)
    proof = _proof(passes, changed_files)
    last_turn = turns[-1].first_line if turns else 0
    prompts = [(turn.first_line, turn.prompt) for turn in turns if turn.prompt]
    failures += _pasted(prompts, passes, changed_files)
    shared = spread(file.symbols for file in touched)
    facts = []
    for file in touched:
        symbols = tuple(ranked(file.symbols, shared)[:_SYMBOLS])
        if file.earlier and file.action == file.earlier.action and not (file.action == "read" and file.reads):
            checked = _checked(file, passes, proof, failures)
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
                work_state=_state(file, _checked(file, passes, proof, failures), kept, stopped)
                if changed
                else None,
                why=_why(file, prompts) if changed else "",
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
        state = state if since == "needs_review" else since
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
    any check of the session passed."""

    passes: bool
    fails: bool
    doubted: bool
    anything: bool


def _passes(commands: list[Parsed]) -> list[_Pass]:
    """The last checks that passed, in the order in which they did."""
    found = []
    for row in commands:
        checks = [s.words for s in row.passed if s.words and shell.is_check(s.words)]
        if checks:
            tests = row.only != shell.NO_TESTS and not row.end_seen and any(map(shell.is_test, checks))
            found.append(_Pass(row.ok_line, concern.scope(checks), tests))
        if row.hook:
            found.append(_Pass(row.ok_line, (), row.hook == "tests"))
    return sorted(found)[-_PASSES:]


def _failures(commands: list[Parsed], changed: list[Touched]) -> list[_Failure]:
    found = []
    for row in commands:
        if row.bad is None or not row.check or row.state != "open" or missing_tool(row.bad.error_lines):
            continue
        checks = [s.words for s in row.simple if s.words and shell.is_check(s.words)]
        said, places = concern.named_in(row.complaints), concern.scope(checks)
        named = {
            f.path
            for f in changed
            if (said.blames(f.path) or concern.within(f.path, places))
            and (can_be_checked(f.path) or said.names(f.path))
        }
        about_code = any(not concern.tests(path) for path in named)
        tests = any(map(shell.is_test, checks))
        elsewhere = bool(said.files) and not tests and not named
        last_edit = max((f.edit_line for f in changed if f.edit_line < row.bad_line), default=0)
        about = frozenset(named if about_code else ())
        by_path = frozenset(path for path in named if said.names(path))
        found.append(_Failure(row.bad_line, tests, about, elsewhere, last_edit, by_path))
    return found


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
    file: Touched, passes: list[_Pass], proof: dict[str, _Pass], failures: list[_Failure]
) -> _Checked:
    proved = file.path in proof
    strong = [
        p for p in passes if p.line > file.edit_line and (not p.places or concern.within(file.path, p.places))
    ]
    fails = doubted = False
    for failure in failures:
        since = failure.line > file.edit_line
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
    return _Checked(proved and not doubted, fails, doubted, bool(passes))


def _outweighs(check: _Pass, failure: _Failure) -> bool:
    """A failure that names nothing is not about a file that passed later in its own check or in a better one, or
    in one as good before something else was edited."""
    if check.line > failure.line:
        return bool(check.places) or check.tests > failure.tests
    return check.tests >= failure.tests and check.line < failure.last_edit


def _why(file: Touched, prompts: list[tuple[int, str]]) -> str:
    """The agent's own sentence before the edit, else the prompt that led to it."""
    for sentence in sentences(file.why)[:2]:
        said = flat(sentence)
        lead = _LEAD_IN.match(said.lower())
        said = said[lead.end() if lead else 0 :].rstrip(".:… ")
        empty = len(said) <= 12 or _EMPTY_WHY.match(said.lower()) or says_all_is_well(sentence)
        if not empty and not _is_of_another(said, file.path):
            return clipped(said, _WHY_LIMIT)
    asked = next((p for line, p in reversed(prompts) if line <= file.edit_line), "")
    told = [s for s in sentences(asked) if len(s.split()) > 2 and not s.endswith(":")]
    first = next((s for s in told if len(told) <= _SAYS_ONE_THING or _speaks_of(s, file.path)), "")
    return f'for: "{clipped(flat(first), _WHY_LIMIT)}"' if first else ""


def _is_of_another(said: str, path: str) -> bool:
    """It names a file, and not this one."""
    name = path.rpartition("/")[2]
    if "." not in said or name in said:
        return False
    return any(as_path(word.strip("`'\"()[],;:.")) for word in said.split())


def _speaks_of(sentence: str, path: str) -> bool:
    """It shares a term with the name of the file."""
    stem = path.rpartition("/")[2].partition(".")[0]
    return not set(terms(sentence)).isdisjoint(terms(stem))
