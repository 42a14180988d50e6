"""What programs are for, from one table: `tools.tsv` holds a role a line, with an example that has it and one that has
not. A new test runner is a word in that table."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise

from segue import extract
from segue.extract.commands.command_line import Simple, program
from segue.model.patterns import compiled

_REMEMBERED = 4096
_TABLE = f"{extract.__path__[0]}/commands/tools.tsv"
_OPAQUE = compiled(r"[\s$`]")
_NAME = compiled(r"[A-Za-z_.][\w./+-]*$")
_VERSION = compiled(r"[\d.]+$")
_STATEFUL_GIT = frozenset(
    ["push", "commit", "merge", "rebase", "cherry-pick", "revert", "pull", "am", "apply", "tag"]
)
_ALONE = frozenset(["make", "ninja", "just", "rake", "cargo", "npm", "yarn", "pnpm", "go"])
_SCRIPTED = (".py", ".sh", ".bash", ".js", ".mjs", ".ts", ".rb", ".pl", ".php")
_TAKES_VERB = frozenset(("manage.py", "setup.py", "x.py", "artisan", "console", "ace"))
"""Scripts whose first argument says what they do."""
_GIT_WORDS = ("-C", "-c", "--git-dir", "--work-tree")


@cache
def _roles() -> dict[str, list[str]]:
    with open(_TABLE, encoding="utf-8") as file:
        rows = [line.split("\t") for line in file if line[0] != "#"]
    return {role: names.split() for role, names, *_ in rows}


@cache
def names(role: str) -> frozenset[str]:
    """The names that have a role."""
    return frozenset(_roles()[role])


@cache
def _runners() -> dict[tuple[str, ...], int]:
    """Commands that run another one, by their words, and how many words stand between: the name of a container."""
    found = {tuple(name.split("_")): 0 for name in _roles()["runner"]}
    return found | {tuple(name.split("_")): 1 for name in _roles()["runner-named"]}


def inner(words: tuple[str, ...]) -> tuple[str, ...]:
    """The command that a runner runs, or the module that `python -m` does; empty for any other command."""
    lead = next((words[:n] for n in (1, 2, 3) if words[:n] in _runners()), ())
    if not lead:
        module = program(words[0]).startswith("python") and "-m" in words[1:3]
        return words[words.index("-m") + 1 :] if module else ()
    if "--" in words:
        return words[words.index("--") + 1 :]
    rest = list(words[len(lead) :])
    while rest and rest[0].startswith("-"):
        del rest[: 2 if rest[0] in names("value-flag") else 1]
    return tuple(rest[_runners()[lead] :])


def bare(tool: str) -> str:
    """The name of a program without directory and version."""
    return _VERSION.sub("", tool.rsplit("/", 1)[-1]) or tool


def arguments(words: tuple[str, ...]) -> list[str]:
    """The words that are neither flags nor their values."""
    valued = names("value-flag")
    return [
        word
        for before, word in pairwise(words)
        if word and word[0] != "-" and before not in valued and len(word) <= 200 and not _OPAQUE.search(word)
    ]


@lru_cache(_REMEMBERED)
def key(words: tuple[str, ...]) -> tuple[str, ...]:
    """What identifies a run: `go test -v ./x` is (go, test, ./x). Empty for what only looks, moves or prepares, and
    for inline scripts."""
    ran = inner(words)
    if ran:
        return key(ran)
    name = program(words[0])
    if name == "git":
        verb = _git_verb(words)
        return ("git", verb) if verb in _STATEFUL_GIT else ()
    tool = bare(name)
    if (
        tool in names("look")
        or tool in names("plumbing")
        or tool in names("formatter")
        or not _NAME.match(name)
    ):
        return ()
    if tool in names("interpreter") and (len(words) < 2 or words[1][:1] == "-"):
        return ()
    given = [word.rstrip("/") or word for word in arguments(words)]
    if not given and "/" not in name and tool not in _ALONE and not _is_check_name(tool):
        return ()
    return (name, *given[: 3 if tool in ("gh", "glab") else 2])


def _git_verb(words: tuple[str, ...]) -> str:
    place = 1
    while place < len(words) and words[place][:1] == "-":
        place += 2 if words[place] in _GIT_WORDS else 1
    return words[place] if place < len(words) else ""


def _is_check_name(tool: str) -> bool:
    return tool in names("test") or tool in names("check")


def _says(word: str, role: str) -> bool:
    """A word, or a part of it, is one of a role: `test:unit`, `build-all`, `./scripts/lint.sh`."""
    word = word.rsplit("/", 1)[-1].removesuffix(".sh").removesuffix(".py")
    known = names(role)
    return word in known or not known.isdisjoint(re.split(r"[:_.-]", word))


@lru_cache(_REMEMBERED)
def is_test(words: tuple[str, ...]) -> bool:
    """A check that runs tests: by its program and verb."""
    ran = inner(words)
    if ran:
        return is_test(ran)
    tool, verbs = bare(words[0]), _verbs(words)
    if tool in names("test"):
        return True
    return (
        tool not in names("remote")
        and not _sets_up(verbs)
        and any(_says(verb, "test-word") for verb in verbs)
    )


@lru_cache(_REMEMBERED)
def is_check(words: tuple[str, ...]) -> bool:
    """A run that judges the work: tests, builds, linters, type checkers."""
    if not key(words):
        return False
    ran = inner(words)
    if ran:
        return is_check(ran)
    tool, verbs = bare(words[0]), _verbs(words)
    if _sets_up(verbs):
        return False
    if _is_check_name(tool) or is_test(words):
        return True
    return tool not in names("remote") and any(_says(verb, "check-word") for verb in verbs)


def _sets_up(verbs: list[str]) -> bool:
    return bool(verbs) and verbs[0] in names("sets-up")


def _verbs(words: tuple[str, ...]) -> list[str]:
    """The words that say what a program does: its first arguments, or the script that is run; not what it is given."""
    tool = bare(words[0])
    given = arguments(words[:8])
    if tool in names("interpreter"):
        script = given[:1] if given and (given[0].endswith(_SCRIPTED) or given[0] in _TAKES_VERB) else []
        verb = given[1:2] if script and script[0].rsplit("/", 1)[-1] in _TAKES_VERB else []
        return [*script, *verb] if tool not in ("deno", "bun") else given[:1]
    if "/" in words[0] or words[0].endswith(_SCRIPTED):
        return [words[0], *(word for word in given[:1] if "/" not in word)]
    if tool in names("task-runner"):
        return [word for word in given[:3] if word not in ("run", "run-script") and "=" not in word]
    return [word for word in given[:1] if "/" not in word]


def only_looks(commands: list[Simple]) -> bool:
    """They read and list and change nothing."""
    return bool(commands) and all(s.words and s.words[0] in names("look") and not s.writes for s in commands)
