"""Calls of a tool that judges, in which it judges nothing: it tells about itself or what it would do, is set up, or puts
text in order.

A tool is told by its name with all that it was given, whoever runs it. A formatter judges only where it was told to compare
and leaves the files as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.extract.text.prose import word_set

RUNS_NONE = word_set(
    "--no-run -DskipTests -DskipTests=true -Dmaven.test.skip -Dmaven.test.skip=true --compile-only"
)
"""Flags with which a test tool builds tests and runs none."""
_TELLS = word_set(
    """
    --collect-only --co --list --listTests --dry-run --setup-plan --version --help --fixtures --markers
    --fixtures-per-test --help-all --showConfig --show-config --print-config --show-settings --show-files --env-info --init
    --cache-show
    """
)
_TELLS_OF = {
    "go": word_set("-list -n"),
    "ctest": word_set("-N"),
    "dotnet": word_set("-t"),
    "vitest": word_set("list"),
    "make": word_set("-n --just-print"),
    "tox": word_set("-l -a --listenvs"),
    "nox": word_set("-l"),
    "ruff": word_set("rule config linter version clean"),
    "golangci-lint": word_set("linters formatters version cache config"),
    "playwright": word_set("show-report show-trace codegen"),
    "cypress": word_set("open info verify cache"),
}
"""What a tool is given that is only to tell something or what it would do."""
_ASKED = ("--version", "--help")
_ASKED_LAST = ("-h", "-V")
_SHORT_VERSION = word_set("tsc eslint jest vitest prettier make rspec biome")
"""Tools that take `-v` alone for the question which version they are."""
_TALKS = word_set("ctest mvn")
"""Tools that `-V` makes talk."""
_SETS_UP = word_set(
    "install install-deps uninstall add i ci remove create init publish version upgrade update"
)
_SET_UP = word_set("npm yarn pnpm bun playwright cypress pre-commit golangci-lint biome")
"""Tools that these verbs set up. Others build what they install."""


_MAKES = word_set("make gmake just task")
_NO_GOALS = word_set("clean distclean deps setup dev run start serve up down stop logs shell")


def asked(words: Sequence[str]) -> str:
    """The word by which a program is only asked about itself: its version, or how it is used."""
    given = words[1:]
    if found := next((word for word in _ASKED if word in given), ""):
        return found
    tool = words[0].rpartition("/")[2]
    if given and given[-1] in _ASKED_LAST and tool not in _TALKS:
        return given[-1]
    return "-v" if len(given) == 1 and given[0] == "-v" and tool in _SHORT_VERSION else ""


def only_tells(tool: str, given: Sequence[str]) -> bool:
    """It does nothing but tell something."""
    listed = _TELLS_OF.get(tool)
    return (
        not _TELLS.isdisjoint(given)
        or (listed is not None and not listed.isdisjoint(given))
        or any(word.startswith("--list-") and word not in _COMPARING for word in given)
        or "help" in given[:1]
        or bool(asked((tool, *given)))
    )


def sets_up(tool: str, given: Sequence[str]) -> bool:
    """The tool, or what the project needs, is brought here, begun or cleared away."""
    if tool in _MAKES:
        goals = [word for word in given if word[:1] != "-" and "=" not in word]
        return bool(goals) and _NO_GOALS.issuperset(goals)
    return tool in _SET_UP and not _SETS_UP.isdisjoint(given[:1])


_VERB_OF_FORMATTER = {
    **dict.fromkeys(
        ("cargo", "go", "deno", "terraform", "tofu", "nix", "zig", "dprint", "golangci-lint"), "fmt"
    ),
    **dict.fromkeys(("ruff", "biome", "dart", "mix", "dotnet", "swift"), "format"),
}
FORMATTERS = word_set(
    "gofmt goimports gofumpt rustfmt black isort yapf autopep8 prettier shfmt stylua clang-format oxfmt"
)
_COMPARING = word_set(
    """
    --check -check --check-only --check-formatted --set-exit-if-changed --verify-no-changes --list-different
    """
)
"""Flags with which a formatter judges and leaves the files as they are."""
_COMPARING_OF = {
    "prettier": word_set("-c -l"),
    "isort": word_set("-c"),
    "ruff": word_set("--diff"),
    "shfmt": word_set("-d"),
}
MAY_COMPARE = frozenset.union(_COMPARING, word_set("biome"), *_COMPARING_OF.values())
"""One of these stands wherever a formatter compares."""
_FORMATTING = ("fmt", "format")
_RUN_TASKS = word_set("npm make just task mise poe rake")
_JUDGING = word_set("check lint verify ci")
_WRITING = ("--write", "--fix")


def is_formatter(tool: str, given: Sequence[str]) -> bool:
    """A program, a verb or a task of the project that is there to put text in order."""
    verb = next((word for word in given if word[:1] not in ("-", "+")), "")
    if tool in FORMATTERS or (verb and _VERB_OF_FORMATTER.get(tool) == verb):
        return True
    task = next((word for word in given if word[:1] != "-" and word != "run"), "")
    return tool in _RUN_TASKS and _names_formatting(task)


def _names_formatting(task: str) -> bool:
    *before, last = task.split(":")
    return last in _FORMATTING and _JUDGING.isdisjoint(before)


def compares(tool: str, given: Sequence[str]) -> bool:
    """A formatter is told only to say whether something is not in order."""
    if not is_formatter(tool, given):
        return False
    if tool == "biome":
        return not any(word in given for word in _WRITING)
    return not (_COMPARING | _COMPARING_OF.get(tool, frozenset())).isdisjoint(given)


def formats(tool: str, given: Sequence[str]) -> bool:
    """A formatter puts text in order."""
    return is_formatter(tool, given) and not compares(tool, given)
