"""Under which conditions a check ran, and whether a later one asks for less than the one that failed.

A run that leaves out what failed, that runs in another setting, with another version of the language or without the part
that was to be judged, says nothing of the failure. How a check talks, how many of it run at once and where it keeps its
things are no conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from segue.extract.commands import concern, shell
from segue.extract.commands.command_line import Simple
from segue.extract.commands.verdict import missing_tool
from segue.extract.text.prose import word_set
from segue.model.value import NamedTuple


class Conditions(NamedTuple):
    """Those of one check, which is told by its tool and whether it tests. `settings` are what the environment was given;
    `versions` those of what runs it; `demands` the flags that ask for more; `left_out` what was not to be judged, empty
    where that is not told."""

    about: tuple[str, bool]
    settings: tuple[tuple[str, str], ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    demands: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()

    @property
    def some(self) -> bool:
        return bool(self.settings or self.versions or self.demands or self.left_out)


_MANNER = word_set(
    """
    PATH PYTHONPATH DIR HOME TMPDIR TMP CACHE LOG LOGS LEVEL DEBUG VERBOSE BACKTRACE COLOR COLORS TERM COLUMNS JOBS
    THREADS WORKERS TIMEOUT PORT CI INCREMENTAL LANG LC PAGER EDITOR DISPLAY PROXY TOKEN KEY SECRET PASSWORD ADDOPTS
    PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONIOENCODING
    """
)
"""Parts of the names of settings that change how a check runs, and not what it judges."""
_SKIPPING = word_set("SKIP SKIPS EXCLUDE IGNORE DISABLE WITHOUT FAST QUICK ONLY")
_BEFORE = ("env", "sudo", "time", "export", "nohup", "exec")
_LEAVES_OUT = (
    *(
        "--deselect",
        "--ignore",
        "--skip",
        "-skip",
        "--exclude",
        "--extend-exclude",
        "--extend-ignore",
        "--disable",
    ),
    *("--testPathIgnorePatterns", "--exit-zero"),
)
_LEAVES_OUT_OF = {
    "go": word_set("-short"),
    "cargo": word_set("--lib --bins --doc -A -E --filter-expr"),
    "ctest": word_set("-E -LE"),
    "gradle": word_set("-x"),
    "mocha": word_set("-i --invert"),
}
_EXPRESSION = frozenset(" ()[]{}+?\\")
"""What stands in no name: nobody knows what is meant by the whole."""
_OF_THE_WAY = (
    "cache",
    "install",
    "script",
    "engine",
    "platform",
    "git",
    "build",
    "setup",
    "download",
    "optional",
)
"""What is left out without anything being judged less."""
_DEMANDS = word_set(
    """
    --features -F --all-features --no-default-features -tags --tags --race -race -msan -asan --target --release --strict
    --runslow --run-slow --slow --integration --max-warnings -W -Werror --select --browser --pedantic --fatal-warnings
    --warnings-as-errors --cov-fail-under -D
    """
)
_MANAGES_VERSIONS = ("uv", "uvx", "rustup", "nvm", "pyenv")


def asks_for_less(
    later: Sequence[Conditions], failed: Sequence[Conditions], complaints: Sequence[str]
) -> bool:
    """Of a check that failed the later line holds only runs that say nothing of the failure."""
    if not any(one.some for one in failed) and not any(one.some for one in later):
        return False
    for wanted in failed:
        again = [one for one in later if one.about == wanted.about]
        if again and all(one != wanted and _is_less(one, wanted, complaints) for one in again):
            return True
    return False


def _is_less(later: Conditions, failed: Conditions, complaints: Sequence[str]) -> bool:
    otherwise = _differs(later.settings, failed.settings) or _another(later.versions, failed.versions)
    if otherwise and not _tool_is_absent(complaints):
        return True
    lacking = failed.demands - later.demands
    if lacking and not (lacking <= {"--features", "-F"} and "--all-features" in later.demands):
        return True
    left_out = [part for part in later.left_out if part not in failed.left_out]
    return bool(left_out) and _speaks_of(left_out, complaints)


def _tool_is_absent(complaints: Sequence[str]) -> bool:
    """It failed for want of the tool, whatever it was to judge."""
    return bool(missing_tool(tuple(complaints))) or any("No module named " in row for row in complaints[-3:])


def _differs(later: tuple[tuple[str, str], ...], failed: tuple[tuple[str, str], ...]) -> bool:
    """What the failed one was given the later one was not. What it was given besides may be what was missing."""
    given = dict(later)
    return any(given.get(name) != value for name, value in failed)


def _another(later: tuple[tuple[str, str], ...], failed: tuple[tuple[str, str], ...]) -> bool:
    given = dict(later)
    return any(given.get(name, value) != value for name, value in failed)


def _speaks_of(left_out: Sequence[str], complaints: Sequence[str]) -> bool:
    """The failure is about something that was left out, or does not say what it is about."""
    if "" in left_out or any(part in row for part in left_out for row in complaints):
        return True
    said = concern.named_in(complaints)
    return not (said.files or said.parts)


def conditions(commands: Sequence[Simple]) -> tuple[Conditions, ...]:
    """The conditions of each check of a line."""
    return tuple(
        _of(s.words, dict(_set(commands, s))) for s in commands if s.words and shell.is_check(s.words)
    )


def _set(commands: Sequence[Simple], check: Simple) -> Iterator[tuple[str, str]]:
    """What the line gave the environment of a check."""
    for simple in commands:
        if "=" in simple.text and (simple is check or simple.words[:1] == ("export",)):
            yield from _settings(simple.text)


def exported(commands: Sequence[Simple], check: Simple) -> dict[str, str]:
    """What a line gave the environment of a check with commands of their own that come before it."""
    found: dict[str, str] = {}
    given: dict[str, str] = {}
    for simple in commands:
        if simple == check:
            found = dict(given)
        elif simple.words[:1] == ("export",):
            pairs = (word.partition("=") for word in simple.words[1:])
            given.update((name, value) for name, is_given, value in pairs if is_given and name.isidentifier())
        elif simple.words[:1] == ("unset",):
            for name in simple.words[1:]:
                given.pop(name, None)
    return found


def only_manner(name: str) -> bool:
    """A setting of this name changes how a check runs, and not what it judges."""
    return not _MANNER.isdisjoint(name.upper().split("_"))


def _of(words: tuple[str, ...], settings: dict[str, str]) -> Conditions:
    tool, *given = shell.essential(words)
    left_out = [*_left_out(tool, given)]
    left_out += [
        value.strip().removeprefix("not ").strip("() ") if flag[:2] == "-k" else ""
        for flag, value in shell.selection(words)
        if flag[:2] in ("-k", "-m") and value.strip().startswith("not ")
    ]
    if any(not _SKIPPING.isdisjoint(name.upper().split("_")) for name in settings):
        left_out.append("")
    kept = (pair for pair in settings.items() if not only_manner(pair[0]))
    return Conditions(
        (tool, shell.is_test(words)),
        tuple(kept),
        tuple(_versions(words)),
        _DEMANDS.intersection(word.partition("=")[0] for word in given),
        tuple(left_out),
    )


def _settings(text: str) -> Iterator[tuple[str, str]]:
    text = text.partition(" && ")[2] if text.startswith("cd ") else text
    for word in text.split():
        name, given, value = word.partition("=")
        if given and name.isidentifier():
            yield name, value.strip("'\"")
        elif word not in _BEFORE:
            return


def _versions(words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The versions of languages and toolchains that a command names: `python3.9 -m …`, `cargo +nightly …`."""
    name = words[0].rpartition("/")[2]
    if (bare := shell.bare(name)) != name and "." in name:
        yield bare, name
    if words[1:2] and words[1][:1] == "+":
        yield "toolchain", words[1]
    if name in _MANAGES_VERSIONS:
        if words[:2] in (("rustup", "run"), ("nvm", "exec")):
            yield "toolchain", " ".join(words[2:3])
        for flag, value in pairwise(words):
            if flag in ("--python", "-p"):
                yield "python", f"python{value.removeprefix('python')}"
            elif flag.startswith("--python="):
                yield "python", f"python{flag.partition('=')[2].removeprefix('python')}"
        ran = shell.inner(words)
        if ran:
            yield from _versions(ran)


def _left_out(tool: str, given: Sequence[str]) -> Iterator[str]:
    own = _LEAVES_OUT_OF.get(tool, frozenset())
    for word, behind in pairwise((*given, "")):
        flag, joined, value = word.partition("=")
        begins = any(flag == known or flag.startswith(f"{known}-") for known in _LEAVES_OUT)
        if word[:1] != "-" or not (begins or flag in own) or any(sign in flag for sign in _OF_THE_WAY):
            continue
        named = value if joined else behind if behind[:1] != "-" else ""
        if _EXPRESSION.isdisjoint(named):
            yield from (part.strip("^$*/ .!~") for part in named.split("|"))
        else:
            yield ""
