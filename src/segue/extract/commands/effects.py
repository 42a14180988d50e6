"""What a command line does to files, as far as its words tell: reads, writes, moves.

Nothing is looked up; a target without an ending is taken for a directory, as people write it. Only what shows a file
reads it: of what a program is given nobody knows what it does with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Literal

from segue.extract.commands.command_line import Simple
from segue.extract.text import named
from segue.extract.text.prose import word_set
from segue.extract.text.symbols import spelled
from segue.model.scratch import is_scratch
from segue.model.value import NamedTuple

Doing = Literal["mentioned", "read", "written", "modified", "deleted", "renamed"]
"""What is written is given all that it holds, whether it was there before or not."""


class Effect(NamedTuple):
    """`path` as written, seen from `directory`. What is renamed was `source` before; `sought` is what a
    search looked for there."""

    doing: Doing
    path: str
    directory: str
    source: str = ""
    sought: str = ""
    below: bool = False
    """Also to all that lies below it, or that it stands for."""
    hushed: bool = False
    """Had it not been there, nobody would have been told."""
    searched: bool = False
    """Only what was sought in it would have been shown."""


_DOINGS: dict[str, Doing] = {"touch": "written", "tee": "written"}
READERS = word_set("cat head tail sed nl less more bat wc awk jq file stat diff cmp grep egrep fgrep rg ag")
"""Programs that look into files; what they name was read."""
_SHOWN_BY_GIT = word_set("show diff blame grep cat-file")
_PATTERNS_ONLY = word_set("find fd")
_INTO = ("-o", "--output", "--out")
_INTO_THIS = ("--out", "-out=")
_NOWHERE = "/dev/null"
_TAKES = (("cp",), ("mv",))
_LOOPED = 60
"""Over how many files a loop is followed."""
_HISTORY = (("git", "checkout"), ("git", "restore"))
"""What these do to files is told by what was committed before."""
_ADDRESSED = (("gh", "api"), ("glab", "api"))
"""What these are given lies on a host."""
_HOST = "$host"
"""The directory of that: as unknown as one in a variable."""
_SEARCHES = ("rg", "grep", "egrep", "ag", "git")


def effects(
    commands: Sequence[Simple], directory: str, resolve: Callable[[str, str], str]
) -> Iterator[Effect]:
    """The effects in order. `resolve` gives the full path of a path seen from a directory."""
    alone = sum(simple.then != "|" for simple in commands[:-1] if simple.words[:1] != ("cd",)) == 0
    for simple in _unrolled(commands):
        words = simple.words
        if words and words[0] == "cd" and len(words) == 2:
            directory = resolve(f"{words[1]}/", directory).rstrip("/") or directory
            continue
        hushed = _NOWHERE in simple.writes
        for effect in (*_written(simple, directory), *_worked(words, directory)):
            if effect.doing == "read":
                doing: Doing = "read" if alone or not hushed else "mentioned"
                yield effect._replace(doing=doing, hushed=hushed, searched=words[0] in _SEARCHES)
            elif not is_scratch(effect.path):
                yield effect


def _unrolled(commands: Sequence[Simple]) -> Iterator[Simple]:
    """The commands, those of a loop over files once for each of them. What a loop takes elsewhere is not followed: it
    is often taken there by a pattern the next time."""
    over: dict[str, tuple[str, ...]] = {}
    for simple in commands:
        words = simple.words
        if words[:1] == ("for",) and words[2:3] == ("in",):
            over[f"${words[1]}"] = over[f"${{{words[1]}}}"] = words[3 : 3 + _LOOPED]
        followed = over and words[:1] not in _TAKES
        name = next((word for word in words if word in over), "") if followed else ""
        for value in over[name] if name else ():
            yield simple._replace(words=tuple(value if word == name else word for word in words))
        if not name:
            yield simple


def _written(simple: Simple, directory: str) -> Iterator[Effect]:
    for target in simple.writes:
        if path := named.as_path(target):
            yield Effect("modified" if target in simple.appends else "written", path, directory)


def _worked(words: tuple[str, ...], directory: str) -> Iterator[Effect]:
    if not words or words[:2] in _HISTORY or words[0] in _PATTERNS_ONLY:
        return
    directory = _HOST if words[:2] in _ADDRESSED else directory
    words = words[1:] if words[:2] in (("git", "mv"), ("git", "rm")) else words
    if words[0] in ("mv", "cp"):
        yield from _moved(words, directory)
        return
    if words[0] == "rm":
        yield from _removed(words, directory)
        return
    if words[0] == "sed" and any(w.startswith("-i") for w in words[1:3]):
        doing: Doing = "modified"
    elif words[0] in READERS or (words[0] == "git" and not _SHOWN_BY_GIT.isdisjoint(words[1:4])):
        doing = "read"
    else:
        doing = _DOINGS.get(words[0], "mentioned")
    made = _made(words) if doing == "mentioned" else ""
    sought = ""
    if words[0] in _SEARCHES and len(words) > 2:
        sought = " ".join(w for w in words[1:] if spelled(w) and not named.as_path(w))
    for path in named.named_paths(words):
        if path != made:
            yield Effect(doing, path, directory, sought=sought)
    if made:
        yield Effect("written", made, directory)


def _made(words: tuple[str, ...]) -> str:
    """The file that a program was told to make: by a flag, or last where it was told what to make it from."""
    for flag, word in pairwise(words):
        if flag in _INTO:
            return named.as_path(word)
        if word.startswith(_INTO_THIS) and "=" in word:
            return named.as_path(word.partition("=")[2])
    given = [word for flag, word in pairwise(words) if flag == "-i" and named.as_path(word)]
    last = named.as_path(words[-1])
    return last if given and last not in given and words[-2][:1] != "-" else ""


def _removed(words: tuple[str, ...], directory: str) -> Iterator[Effect]:
    for word in words[1:]:
        if word[:1] != "-":
            below = not named.as_path(word) or "*" in word
            yield Effect(
                "deleted", word.rstrip("/") if below else named.as_path(word), directory, below=below
            )


def _moved(words: tuple[str, ...], directory: str) -> Iterator[Effect]:
    *sources, target = [w for w in words[1:] if not w.startswith("-")] or [""]
    for source in sources if words[0] == "mv" else ():
        if not named.as_path(source) and "*" not in source:
            yield Effect("renamed", target, directory, source=source.rstrip("/"), below=True)
    for source in filter(named.as_path, sources):
        into = (
            target
            if named.as_path(target) and len(sources) == 1
            else f"{target.rstrip('/')}/{source.rpartition('/')[2]}"
        )
        if words[0] == "mv":
            yield Effect("renamed", into, directory, source=source)
        else:
            yield Effect("mentioned", source, directory)
            yield Effect("written", into, directory)
