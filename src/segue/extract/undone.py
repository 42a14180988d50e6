"""Commits that git took back: what a line of git commands leaves of those made before it.

Only what the words of a command name is taken back. A commit belongs to the directory and the branch it was
made in; where a reset goes is not looked up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from segue.extract.command_line import Simple

_HEX = frozenset("0123456789abcdef")
_LAST = ("HEAD", "@")
_UPSTREAM = ("origin/", "upstream/", "@{u}", "@{upstream}")


class Commit(NamedTuple):
    sha: str
    branch: str
    subject: str
    line: int
    id: str
    directory: str


def directory_of(commands: list[Simple], here: str) -> str:
    """Where the git commands of a line work."""
    for simple in commands:
        words = simple.words
        if words[:1] == ("cd",) and len(words) == 2:
            here = words[1].rstrip("/") or here
        elif words[:2] == ("git", "-C") and len(words) > 2:
            here = words[2].rstrip("/") or here
    return here


def undone(commands: list[Simple], here: str, commits: list[Commit], pushed: int) -> Iterator[str]:
    """The ids of commits that a line which went well takes back. `pushed` is the line of the last push."""
    there = directory_of(commands, here)
    own = [commit for commit in commits if commit.directory == there]
    own = [commit for commit in own if commit.branch == own[-1].branch]
    for simple in commands:
        words = simple.words
        if words[:2] == ("git", "-C"):
            words = ("git", *words[3:])
        if words[:2] == ("git", "reset"):
            kept = _kept(words[2:], own, pushed)
            yield from (commit.sha for commit in own[kept:])
            own = own[:kept]
        elif words[:2] == ("git", "revert"):
            yield from (c.sha for c in own for word in words[2:] if _is_id(word) and _same(word, c.sha))


def reverted(subject: str) -> str:
    """The subject of the commit that this one takes back; empty if it takes back none."""
    return subject[8:-1] if subject.startswith('Revert "') and subject.endswith('"') else ""


def _kept(given: tuple[str, ...], own: list[Commit], pushed: int) -> int:
    """How many of the commits a reset leaves. One without a place to go, or with paths, moves nothing."""
    named = [word for word in given if word and word[0] != "-"]
    if len(named) != 1 or "--" in given:
        return len(own)
    target = named[0]
    if target.startswith(_UPSTREAM):
        return sum(commit.line <= pushed for commit in own)
    if _is_id(target):
        return next((place for place, c in enumerate(own, 1) if _same(target, c.sha)), 0)
    return max(0, len(own) - _back(target))


def _back(target: str) -> int:
    """How many commits before the last one `HEAD~2`, `HEAD^^` and their like are."""
    name = next((name for name in _LAST if target.startswith(name)), "")
    steps = target[len(name) :] if name else ""
    if steps[:1] == "~":
        return int(steps[1:]) if steps[1:].isdecimal() else int(steps == "~")
    return len(steps) if steps == "^" * len(steps) else 0


def _is_id(word: str) -> bool:
    return 7 <= len(word) <= 40 and _HEX.issuperset(word)


def _same(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)
