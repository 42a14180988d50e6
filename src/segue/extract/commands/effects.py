"""What a command line does to files, as far as its words tell: reads, writes, moves.

Nothing is looked up; a target without an ending is taken for a directory, as people write it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from segue.extract.commands.command_line import Simple
from segue.extract.text import named
from segue.extract.text.symbols import spelled
from segue.model.scratch import is_scratch
from segue.model.value import NamedTuple

Doing = Literal["read", "created", "modified", "deleted", "renamed"]


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


_DOINGS: dict[str, Doing] = {"touch": "created", "tee": "modified"}
_HISTORY = (("git", "checkout"), ("git", "restore"))
"""What these do to files is told by what was committed before."""
_SEARCHES = ("rg", "grep", "egrep", "ag", "git")


def effects(
    commands: Sequence[Simple], directory: str, resolve: Callable[[str, str], str]
) -> Iterator[Effect]:
    """The effects in order. `resolve` gives the full path of a path seen from a directory."""
    for simple in commands:
        words = simple.words
        if words and words[0] == "cd" and len(words) == 2:
            directory = resolve(f"{words[1]}/", directory).rstrip("/") or directory
            continue
        for effect in (*_written(simple, directory), *_worked(words, directory)):
            if effect.doing == "read" or not is_scratch(effect.path):
                yield effect


def _written(simple: Simple, directory: str) -> Iterator[Effect]:
    for target in simple.writes:
        if path := named.as_path(target):
            yield Effect("modified", path, directory)


def _worked(words: tuple[str, ...], directory: str) -> Iterator[Effect]:
    if not words or words[:2] in _HISTORY:
        return
    words = words[1:] if words[:2] in (("git", "mv"), ("git", "rm")) else words
    if words[0] in ("mv", "cp"):
        yield from _moved(words, directory)
        return
    if words[0] == "rm":
        yield from _removed(words, directory)
        return
    doing = _DOINGS.get(words[0], "read")
    if words[0] == "sed" and any(w.startswith("-i") for w in words[1:3]):
        doing = "modified"
    sought = ""
    if words[0] in _SEARCHES and len(words) > 2:
        sought = " ".join(w for w in words[1:] if spelled(w) and not named.as_path(w))
    for path in named.named_paths(words):
        yield Effect(doing, path, directory, sought=sought)


def _removed(words: tuple[str, ...], directory: str) -> Iterator[Effect]:
    for word in words[1:]:
        if word[:1] != "-":
            below = not named.as_path(word) or "*" in word
            yield Effect(
                "deleted", word.rstrip("/") if below else named.as_path(word), directory, below=below
            )


def _moved(words: tuple[str, ...], directory: str) -> Iterator[Effect]:
    *sources, target = [w for w in words[1:] if not w.startswith("-")] or [""]
    for source in filter(named.as_path, sources):
        into = (
            target
            if named.as_path(target) and len(sources) == 1
            else f"{target.rstrip('/')}/{source.rpartition('/')[2]}"
        )
        if words[0] == "mv":
            yield Effect("renamed", into, directory, source=source)
        else:
            yield Effect("read", source, directory)
            yield Effect("created", into, directory)
