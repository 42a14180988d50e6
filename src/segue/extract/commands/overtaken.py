"""What overtakes a failure: a broader check that went well since, another way to the same, or the hook of a commit.

A check that compiles is overtaken by any that compiles the same and does more; what a task of the project is called
tells what it does. A test is overtaken by no lesser check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from segue.extract.commands import shell
from segue.extract.commands.git_line import within
from segue.extract.text.prose import phrases, word_set

if TYPE_CHECKING:
    from segue.extract.commands.runs import Parsed

_COMPILES = {
    "cargo": word_set("check build test clippy nextest run bench"),
    "go": word_set("build vet test install"),
    "dotnet": word_set("build test publish"),
    "swift": word_set("build test"),
    "mvn": word_set("compile test-compile test package verify install"),
    "gradle": word_set(
        "compileJava compileKotlin compileTestJava classes testClasses assemble build test check"
    ),
}
"""The verbs of a tool that compile the whole."""
_ONLY_COMPILES = word_set(
    "check build vet compile test-compile compileJava compileKotlin compileTestJava classes testClasses assemble"
)
"""Those after which nothing has run."""
_COMPILERS = word_set("tsc tsgo vue-tsc svelte-check pyright mypy")
_CHECKING_TASKS = word_set("check checks compile typecheck type-check types tsc ci verify validate")
"""Names of tasks that judge the whole. A build need not: many bundlers look at no types."""
_NO_SUCH = phrases(
    "missing script|no rule to make target|does not contain recipe|unknown task|no such command|"
    "no such subcommand|unknown command|unrecognized option|unknown option|unrecognized arguments|"
    "err_pnpm_no_script|is not a task|unrecognised task|unrecognized task|no task |task not found|"
    "unrecognized subcommand|couldn't find a script|unknown script|is not a command|not a valid command"
)


def broader_since(row: Parsed, rows: list[Parsed]) -> bool:
    """What only compiles has been compiled since, and perhaps tested, by the same tool or a task of the project."""
    compiled = [kinds for s in row.simple if s.words and (kinds := _compiled_by(s.words))]
    kinds = [kind for of_one in compiled for kind in of_one]
    return (
        len(compiled) >= len(_checks(row))
        and bool(kinds)
        and any(
            later.ok_line > row.bad_line
            and later.ok_line > later.bad_line
            and (later.only in ((), shell.NO_TESTS) or all(later.only == kind[1:] for kind in kinds))
            and holds_directory(where(later), where(row))
            and all(any(_compiles_too(s.words, kind) for s in later.passed if s.words) for kind in kinds)
            for later in rows
            if later.passed and later.check
        )
    )


def _checks(row: Parsed) -> list[tuple[str, ...]]:
    return [s.words for s in row.simple if s.words and shell.is_check(s.words)]


def _compiled_by(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The tool of a check that only compiles with each thing that it was given; none for any other."""
    tool, *given = shell.essential(words)
    if tool in _COMPILERS:
        return [(tool,)]
    asked = _asked(tool, given) if tool in _COMPILES else []
    if not asked or not all(verb in _ONLY_COMPILES for verb, _ in asked):
        return []
    return [(tool, place) if place else (tool,) for _, place in asked]


def _asked(tool: str, given: list[str]) -> list[tuple[str, str]]:
    """What a tool is told to do, and where: gradle may be told several things, each with its project before it."""
    verbs = [word for word in given if word[:1] != "-"]
    if tool == "gradle":
        tasks = [word.rpartition(":") for word in verbs]
        return [(task, project.strip(":").replace(":", "/")) for project, _, task in tasks]
    return [(verbs[0], verbs[1].removesuffix("...").strip("./") if verbs[1:] else "")] if verbs else []


def _compiles_too(words: tuple[str, ...], kind: tuple[str, ...]) -> bool:
    """A check compiles what one of this kind, which only does that, was given."""
    if not shell.is_check(words):
        return False
    tool, *given = shell.essential(words)
    if kind[0] in _COMPILERS:
        verbs = [word for word in given if word[:1] != "-"]
        task = verbs[1:2] if tool == "npm" else verbs[:1]
        return shell.runs_task(words) and bool(task) and task[0].partition(":")[0] in _CHECKING_TASKS
    if tool != kind[0]:
        return False
    part = kind[1] if kind[1:] else ""
    return any(
        verb in _COMPILES[tool] and (not place or part == place or part.startswith(f"{place}/"))
        for verb, place in _asked(tool, given)
    )


def where(row: Parsed) -> str:
    """The directory in which a line's last command runs."""
    here = row.directory
    for simple in row.simple:
        if simple.words[:1] == ("cd",) and len(simple.words) == 2:
            here = within(here, simple.words[1])
    return here


def holds_directory(above: str, directory: str) -> bool:
    return directory == above or directory.startswith(f"{above}/")


def another_way_since(row: Parsed, rows: list[Parsed]) -> bool:
    """What was called is not there by that name, and something of its kind has run since."""
    said = " ".join(row.bad.error_lines[:3]).lower() if row.bad else ""
    if not any(sign in said for sign in _NO_SUCH):
        return False
    tools = shell.tools(row.simple)
    return any(
        later.ok_line > row.bad_line and (later.check or not tools.isdisjoint(shell.tools(later.simple)))
        for later in rows
        if later.passed
    )


def hooked_since(row: Parsed, rows: list[Parsed]) -> bool:
    """A commit went through its hook, which judges what is no test, or ran tests itself."""
    tests = any(map(shell.is_test, _checks(row)))
    return row.check and any(
        later.hook and later.ok_line > row.bad_line and (later.hook == "tests" or not tests) for later in rows
    )
