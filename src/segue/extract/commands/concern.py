"""Concern: which of the changed files a check judges, by what it was given and what it complained of.

A check that was given files or directories speaks of those, of what lies in them and of what they
test. One that was given nothing speaks of everything, and so does one that was given nothing that
was changed: whoever ran it after an edit ran it for that edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from segue.extract.commands import shell
from segue.extract.text import named
from segue.extract.text.prose import word_set
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_TOKEN = compiled(r"[\w@./+:-]+")
_REMEMBERED = 4096
_TESTING = word_set("test tests spec specs __tests__ testing e2e")
_AFFIXES = ("test_", "_test", "_tests", "_spec", "-test", "-spec", "tests", "test", "spec")
_GENERIC = word_set("index main mod __init__ lib init conftest")
"""Names that say nothing without the directory they lie in."""


class Named(NamedTuple):
    """What a text names: files, parts of qualified names, and directories or packages."""

    files: tuple[str, ...] = ()
    parts: frozenset[str] = frozenset()
    directories: tuple[str, ...] = ()

    def names(self, path: str) -> bool:
        """The file is named by its path or the end of it."""
        return any(_same(file, path) for file in self.files)

    def blames(self, path: str) -> bool:
        """The file is named, or a test of it, or the directory it lies in."""
        directory = path.rpartition("/")[0]
        return (
            any(_same(file, path) or (tests(file) and subject(file) == subject(path)) for file in self.files)
            or subject(path) in self.parts
            or (bool(directory) and any(f"/{place}".endswith(f"/{directory}") for place in self.directories))
        )


def named_in(rows: Iterable[str]) -> Named:
    """What the complaints of a check name."""
    files: dict[str, None] = {}
    parts: set[str] = set()
    directories: dict[str, None] = {}
    for row in rows:
        for token in _TOKEN.findall(row):
            first, *rest = token.split("::")
            if file := named.as_path(first.rstrip(":.,-")):
                files[file.removeprefix("./")] = None
            elif rest:
                parts.update(part.lower() for part in (first, *rest) if part and part not in _TESTING)
            elif "/" in token:
                directories[token.strip("./:-")] = None
    return Named(tuple(files), frozenset(parts), tuple(directories))


def scope(checks: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The files, directories and qualified names that checks were given; empty where one was given none."""
    found: list[str] = []
    for words in checks:
        given = [
            place
            for word in shell.arguments(words)
            if ("/" in word or "::" in word or named.as_path(word))
            and (place := word.removesuffix("...").removeprefix("./").strip("/"))
        ]
        if not given:
            return ()
        found += given
    return tuple(found)


def within(path: str, places: Sequence[str]) -> bool:
    """A file is one of the places, lies in one, or is what one of them tests."""
    return any(needle in f"/{path}/" or subject(path) in about for needle, about in map(_meant, places))


@lru_cache(_REMEMBERED)
def _meant(place: str) -> tuple[str, frozenset[str]]:
    """How the path of what lies in a place goes, and what a file may be about to be meant by it."""
    first, *rest = place.split("::")
    if file := named.as_path(first):
        return f"/{file}/", frozenset((subject(file),))
    return f"/{first}/", frozenset(part.lower() for part in (first, *rest) if rest)


def tests(path: str) -> bool:
    """A file of tests."""
    *above, name = path.lower().split("/")
    return not _TESTING.isdisjoint(above) or "test" in name or "spec" in name


@lru_cache(_REMEMBERED)
def subject(path: str) -> str:
    """What a file is about: its name without ending and without the mark of a test."""
    *above, name = path.lower().split("/")
    name = name.lstrip(".").partition(".")[0]
    for affix in _AFFIXES:
        bare = name.removeprefix(affix) if affix.endswith("_") else name.removesuffix(affix)
        if bare and bare != name:
            name = bare.strip("_-")
            break
    return above[-1] if name in _GENERIC and above else name


def _same(named_file: str, path: str) -> bool:
    return f"/{path}".endswith(f"/{named_file}") or f"/{named_file}".endswith(f"/{path}")
