"""Git commands taken apart: the verb, what it was given, and in which directory it works.

Nothing is looked up; what a name points to is known only as far as the words tell.
"""

from __future__ import annotations

from functools import lru_cache

from segue.extract.commands.command_line import COMMAND_LIMIT, simple_commands
from segue.extract.text.prose import start
from segue.extract.text.scratch import expanded, scratch_names
from segue.model.value import NamedTuple

_HEX = frozenset("0123456789abcdef")
_LAST = ("HEAD", "@")
_BEFORE_VERB = ("-C", "-c", "--git-dir", "--work-tree")
"""Options of git itself that take a word."""
_TAKES_WORD = frozenset(("-m", "--message", "-F", "--file", "--author", "--date", "-x", "--exec", "--onto"))


class Git(NamedTuple):
    """`silenced` where what it prints goes nowhere."""

    verb: str
    given: tuple[str, ...]
    directory: str
    silenced: bool = False

    @property
    def named(self) -> list[str]:
        """What it was given that is neither an option nor the word of one, paths after `--` left out."""
        names: list[str] = []
        before = ""
        for word in self.given:
            if word == "--":
                break
            if word[:1] != "-" and (before not in _TAKES_WORD or self.verb == "branch"):
                names.append(word)
            before = word
        return names

    @property
    def paths(self) -> tuple[str, ...]:
        """What stands after `--`."""
        return self.given[self.given.index("--") + 1 :] if "--" in self.given else ()

    def has(self, *options: str) -> bool:
        return any(option in self.given for option in options)

    def short(self, letter: str) -> bool:
        """An option of one letter, alone or among others."""
        return any(word[:1] == "-" and word[1:2] != "-" and letter in word for word in self.given)

    @property
    def message(self) -> str:
        """The subject of a commit, where the line gives it."""
        for place, word in enumerate(self.given):
            if word.startswith("--message="):
                return word[10:].partition("\n")[0]
            bundled = word[:1] == "-" and word[1:2] != "-" and word[-1:] == "m"
            if (bundled or word == "--message") and place + 1 < len(self.given):
                return self.given[place + 1].partition("\n")[0]
        return ""


@lru_cache(1 << 10)
def git_commands(line: str, here: str) -> list[Git]:
    """The git commands of a line in order, `here` being where it began. Everybody who asks gets the same list."""
    found: list[Git] = []
    names: frozenset[str] | None = None
    for simple in simple_commands(start(line, COMMAND_LIMIT)):
        words = simple.words
        if words[:1] in (("cd",), ("git",), ("pushd",)):
            if names is None:
                names = scratch_names(line)
            if words[0] == "git":
                found.append(_git(words[1:], here, names, silenced="/dev/null" in simple.writes))
            elif len(words) == 2:
                here = within(here, words[1], names)
    return found


def _git(words: tuple[str, ...], here: str, names: frozenset[str], *, silenced: bool) -> Git:
    place = 0
    while place < len(words) and words[place][:1] == "-":
        if words[place] == "-C" and place + 1 < len(words):
            here = within(here, words[place + 1], names)
        place += 2 if words[place] in _BEFORE_VERB else 1
    verb, *given = words[place:] or ("",)
    return Git(verb, tuple(given), here, silenced)


def within(here: str, directory: str, names: frozenset[str] = frozenset()) -> str:
    """A directory as seen from another; `names` are the variables that mean one to be thrown away."""
    if directory[:1] in ("$", "`"):
        return expanded(directory, here, names)
    if directory[:1] not in ("/", "~"):
        parts = here.split("/") if here else []
        for part in directory.split("/"):
            if part == ".." and parts:
                parts.pop()
            elif part not in ("", ".", ".."):
                parts.append(part)
        directory = "/".join(parts)
    return directory.rstrip("/") or here


def holds(given: str, path: str) -> bool:
    """A path given to git, perhaps from another directory, is a file or holds it."""
    given = given.removeprefix("./").rstrip("/")
    return given in ("", ".") or f"/{path}".endswith(f"/{given}") or f"/{given}/" in f"/{path}"


def back(target: str) -> int:
    """How many commits before the last one `HEAD~2`, `HEAD^^` and their like are; -1 for any other name."""
    name = next((name for name in _LAST if target == name or target.startswith((f"{name}~", f"{name}^"))), "")
    if not name:
        return -1
    steps = target[len(name) :]
    if steps[:1] == "~":
        return int(steps[1:]) if steps[1:].isdecimal() else 1 if steps == "~" else -1
    return len(steps) if steps == "^" * len(steps) else -1


def is_id(word: str) -> bool:
    return 7 <= len(word) <= 40 and _HEX.issuperset(word)


def same_id(one: str, other: str) -> bool:
    return bool(one and other) and (one.startswith(other) or other.startswith(one))
