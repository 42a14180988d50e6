"""Chains: of `a && b && c` that failed, the command that failed and those before it, which went well.

A shell comes to a command of such a chain only when all before it succeeded. So whoever is seen to have printed something
had its turn, and where the chain failed, it failed in the last that had.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from segue.extract.commands import shell
from segue.extract.commands.command_line import Simple, program, simple_commands
from segue.extract.commands.run_keys import run_key
from segue.extract.commands.runs import Run
from segue.extract.commands.verdict import conclusion, counts_failures
from segue.extract.text.prose import phrases

_CHAIN = "&&"
_TEST_FAILED = ("--- FAIL", "FAIL\t", "FAIL", "not ok ", "test result: FAILED")
"""How a row begins that tells of a test that failed; the first two are said of nothing else."""
_OF_PUSH = phrases("[rejected]|[remote rejected]|error: failed to push")
_SHORTEST = 5
"""Letters of a word that can tell who printed it."""
_PUNCTUATION = frozenset("0123456789./:_-@")


def apart(run: Run) -> list[Run]:
    """The run of a line whose last run failed in a command that can be told, as those of what went well before it and of
    what failed; any other as it is."""
    if run.last_line != run.bad_line or run.goes_on > run.bad_line or _CHAIN not in run.command:
        return [run]
    simple = simple_commands(run.command)
    at = _failed_in(simple, run.bad_text)
    if at < 0:
        return [run]
    led = [s.text for s in simple[:at] if s.words[:1] == ("cd",)]
    tested = any(shell.is_test(s.words) for s in simple[:at] if s.words)
    well = Run(
        f" {_CHAIN} ".join(s.text for s in simple[:at]),
        run.directory,
        runs=1,
        ok_line=run.bad_line,
        ok_id=run.bad_id,
        ok_text=run.bad_text if tested else "",
        ok_known=True,
    )
    whole = [replace(run, runs=run.runs - run.failures, failures=0, bad_line=0)] if run.ok_line else []
    failed = replace(
        run, command=f" {_CHAIN} ".join((*led, simple[at].text)), runs=run.failures, ok_line=0, ok_text=""
    )
    return [*whole, well, failed]


def _failed_in(simple: Sequence[Simple], printed: str) -> int:
    """The place of the command in which a chain failed; -1 where that cannot be told, or it is the first."""
    if any(s.then != _CHAIN for s in simple[:-1]) or any(not s.words for s in simple):
        return -1
    keyed = [place for place, s in enumerate(simple) if run_key(s.words)]
    if len(keyed) < 2:
        return -1
    tests = [place for place in keyed if shell.is_test(simple[place].words)]
    if len(tests) == 1:
        rows = printed.split("\n")
        summed = conclusion(printed, of_tests=True)
        signs = _TEST_FAILED if summed else _TEST_FAILED[:2]
        failed = counts_failures(summed) or any(row.lstrip().startswith(signs) for row in rows)
        later = keyed[keyed.index(tests[0]) + 1 :]
        if failed or (summed and len(later) == 1):
            at = tests[0] if failed else later[0]
            return at if at > keyed[0] else -1
    last = keyed[-1]
    return last if _had_its_turn(simple[last], simple[:last], printed) else -1


def _had_its_turn(last: Simple, before: Sequence[Simple], printed: str) -> bool:
    """It was the last command that printed something: in its own name, or naming what it alone was given. A check says
    where something is wrong, so a place in a file tells nothing of who printed it."""
    if shell.is_check(last.words) or counts_failures(conclusion(printed)):
        return False
    name = program(last.words[0]).rpartition("/")[2]
    if name == "git":
        alone = all(s.words[0] != "git" for s in before) and "\nfatal: " in f"\n{printed}"
        return alone or ("push" in last.words and any(sign in printed for sign in _OF_PUSH))
    earlier = " ".join(s.text for s in before)
    words = [word for word in last.words[1:] if word[:1] != "-" and word not in earlier]
    if name not in earlier and f"\n{name}: " in f"\n{printed}":
        return True
    return any(
        len(word) >= _SHORTEST and not _PUNCTUATION.isdisjoint(word) and _is_named(word, printed)
        for word in words
    )


def _is_named(word: str, printed: str) -> bool:
    """It stands in what was printed, other than before a place in it."""
    at = printed.find(word)
    while at >= 0:
        behind = printed[at + len(word) : at + len(word) + 2]
        if not (behind[:1] in (":", "(") and behind[1:].isdigit()):
            return True
        at = printed.find(word, at + 1)
    return False
