"""Claims of checks: those whose last run passed, and tests that were called and of which none ran."""

from __future__ import annotations

from collections.abc import Sequence

from segue.extract.commands import shell
from segue.extract.commands.command_line import Simple
from segue.extract.commands.run_keys import known_as, named
from segue.extract.commands.runs import Parsed
from segue.extract.text.prose import word_set
from segue.model.claim import ClaimAct, ClaimState, grounded
from segue.model.facts import Claim, Evidence, GoodRun

_BUILDING = ("build", "compile", "assemble", "package", "bundle")
_BUILDERS = word_set("make ninja rustc javac gcc g++ clang msbuild xcodebuild")
"""Programs that build where they are told no more than how."""
_VERB_WITHIN = 5
"""Words of a command among which its verb is."""
_CHECKS = 4
_HOOK = "git commit", ""


def claimed(act: ClaimAct, text: str, state: ClaimState, line: int, id: str = "", command: str = "") -> Claim:
    """A claim with no more than the evidence allows."""
    return Claim(
        text=text,
        state=grounded(state, line > 0),
        act=act,
        command=command,
        evidence=(Evidence(line, id),),
    )


def checked_runs(commands: Sequence[Parsed], passed: int) -> tuple[list[Claim], int]:
    """Checks whose last run passed, the last one that ran only some of its tests, and the line at which the last of them,
    or of those that `passed` before, did."""
    whole: dict[tuple[str, str], Claim] = {}
    some: dict[tuple[str, str], Claim] = {}
    idle: list[Claim] = []
    state: ClaimState
    for row in commands:
        if row.hook:
            passed = max(passed, row.ok_line)
            whole.pop(_HOOK, None)
            state = "tested" if row.hook == "tests" else "done"
            whole[_HOOK] = claimed("check", "`git commit` passed its hook", state, row.ok_line)
        if row.good is None or row.state == "open":
            continue
        checks = row.verdicts
        if not checks:
            idle = _ran_none(row, row.good) or idle
            continue
        tests = any(shell.is_test(s.words) for s in checks)
        idle = [] if tests else idle
        state = "tested" if tests and not row.end_seen else _built_or_done(checks)
        passed = max(passed, row.ok_line)
        if row.bad_line > row.ok_line and not (row.slip or row.aborted):
            continue
        outcome = f" — {row.good.outcome}" if row.good.outcome and row.proved else ""
        seen = " as far as its last lines show" if row.end_seen else ""
        key = " ".join(known_as(checks))
        chosen = some if row.only else whole
        name = named(checks, 90)
        run = key, name.partition(" && ")[0] if name.startswith("cd ") else ""
        if (known := chosen.get(run)) and known.evidence[0].line > row.ok_line:
            continue
        chosen.pop(run, None)
        text = f"`{name}` passed{outcome}{seen}"
        chosen[run] = claimed("check", text, state, row.ok_line, row.good.evidence.id, key)
    return [*list(whole.values())[-_CHECKS:], *list(some.values())[-1:], *idle], passed


def _ran_none(row: Parsed, good: GoodRun) -> list[Claim]:
    """That tests were called and none ran; of those that were only to be built, that they were."""
    tests = [s for s in row.passed if s.words and shell.is_test(s.words)]
    if not tests or row.only != shell.NO_TESTS:
        return []
    name = f"`{named(tests, 90)}`"
    if shell.only(row.simple) == shell.NO_TESTS:
        return [claimed("", f"{name} built the tests and ran none", "built", row.ok_line, good.evidence.id)]
    outcome = f" — {good.outcome}" if good.outcome else ""
    return [claimed("", f"{name} ran no test{outcome}", "not tested", row.ok_line, good.evidence.id)]


def _built_or_done(checks: Sequence[Simple]) -> ClaimState:
    """A build builds; of a linter or type checker that passed no more is to be said than that it was done."""
    return "built" if any(_builds(check.words) for check in checks) else "done"


def _builds(words: tuple[str, ...]) -> bool:
    program, *given = words[:_VERB_WITHIN]
    verbs = [word.lower() for word in given if "/" not in word and "." not in word]
    if any(sign in word for word in verbs for sign in _BUILDING):
        return True
    named = program.rpartition("/")[2]
    return named in _BUILDERS and not any(word[:1] not in "-=" and "=" not in word for word in verbs)
