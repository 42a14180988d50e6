"""Claims of checks: those whose last run passed, and tests that were called and of which none ran."""

from __future__ import annotations

from collections.abc import Sequence

from segue.extract.commands import shell
from segue.extract.commands.command_line import Simple
from segue.extract.commands.conditions import exported, only_manner
from segue.extract.commands.run_keys import known_as, named, run_key
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
_SETTINGS = 3
"""As many are told of those that a line gave its check."""
_VALUE_LIMIT = 24
_EXPANDED = frozenset(" \t\n$`'\"\\;&|<>()*")


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
        name = _told(row, checks, commands)
        run = key, name.partition(" && ")[0] if name.startswith("cd ") else ""
        if (known := chosen.get(run)) and known.evidence[0].line > row.ok_line:
            continue
        chosen.pop(run, None)
        text = f"`{name}` passed{outcome}{seen}"
        chosen[run] = claimed("check", text, state, row.ok_line, row.good.evidence.id, key)
    kept = [*list(whole.values())[-_CHECKS:], *list(some.values())[-1:]]
    failing = _failing(commands) if kept else []
    return [*(claim for claim in kept if not _failed_since(claim, failing)), *idle], passed


def _failing(commands: Sequence[Parsed]) -> list[tuple[str, int]]:
    """The checks, as they are told, that fail in a line in which nothing else can be meant, and where they did."""
    found = []
    for row in commands:
        if not row.check or row.state != "open" or row.grouped or row.slip or row.aborted:
            continue
        checks = [s for s in row.simple if s.words and shell.is_check(s.words)]
        if len(checks) == 1 and row.bad_line > row.ok_line:
            found.append((_told(row, checks, commands), row.bad_line))
    return found


def _failed_since(claim: Claim, failing: Sequence[tuple[str, int]]) -> bool:
    """The very same check failed later, in a line that was written otherwise."""
    return any(
        line > claim.evidence[0].line and "…" not in name and claim.text.startswith(f"`{name}` passed")
        for name, line in failing
    )


def _told(row: Parsed, checks: list[Simple], commands: Sequence[Parsed]) -> str:
    """Checks by the one they are known as, with the settings that their line gave it. Those that change no more than how
    it runs are told where it failed without them."""
    name = named(checks, 90)
    given = _given(row.simple, checks)
    if not given:
        return name
    others = [
        other for other in commands if other.bad and other.known_as == row.known_as and other is not row
    ]
    if not any(_given(other.simple, other.simple) != given for other in others):
        given = {setting: value for setting, value in given.items() if not only_manner(setting)}
    way, _, check = name.partition(" && ") if name.startswith("cd ") else ("", "", name)
    pairs = [_setting(*pair) for pair in given.items() if f"{pair[0]}=" not in check]
    more = ["…"] if len(pairs) > _SETTINGS else []
    told = " ".join((*pairs[:_SETTINGS], *more, check))
    return f"{way} && {told}" if way else told


def _given(commands: list[Simple], checks: list[Simple]) -> dict[str, str]:
    """What a line gave the check that is known of it."""
    if not any(simple.words[:1] == ("export",) for simple in commands):
        return {}
    key = known_as(checks)
    check = next((s for s in reversed(checks) if s.words and run_key(s.words) == key), None)
    return exported(commands, check) if check else {}


def _setting(name: str, value: str) -> str:
    """One that was given, its value left out where it is long or the shell would read it otherwise."""
    plain = value and len(value) <= _VALUE_LIMIT and _EXPANDED.isdisjoint(value)
    return f"{name}={value}" if plain else f"{name}=…"


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
