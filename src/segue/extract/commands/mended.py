"""What makes a failure good: a later run that covers it, the end of what it complained of, or that nobody needed it.

A run covers a failed one if it was given the same or more: the whole, the directory above, the module
around. A test that was run alone makes good only what failed by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from segue.extract.commands import concern, shell
from segue.extract.commands.conditions import asks_for_less
from segue.extract.commands.conflicts import resolved_since
from segue.extract.commands.formatted import formatted_since
from segue.extract.commands.git_line import git_verb
from segue.extract.commands.overtaken import (
    another_way_since,
    broader_since,
    holds_directory,
    hooked_since,
    where,
)
from segue.extract.commands.purpose import changes
from segue.extract.commands.run_keys import keys, run_key
from segue.extract.commands.same_object import runs_everywhere, same_object
from segue.extract.commands.verdict import counted, missing_tool
from segue.model.patterns import compiled
from segue.model.scratch import is_scratch

if TYPE_CHECKING:
    from segue.extract.commands.runs import Parsed

Key = tuple[str, ...]

_COMMITS = frozenset({("git", "commit")})
_HANDS_IN = _COMMITS | {("git", "push")}
KEEPS_WORK_BACK = ("git", "gh", "glab")
"""Whose failure may keep finished work from being handed in, however long ago."""
_UNCOMMITTED = (
    "please commit",
    "uncommitted",
    "not committed",
    "working tree is dirty",
    "dirty working tree",
)
_MUCH_ELSE = 40
"""Distinct commands after which a failure counts as abandoned, if work was handed in since."""


def mended_since(row: Parsed, rows: list[Parsed]) -> bool:
    """The last bad run of this line is made good by one of these."""
    rows = [later for later in rows if max(later.line, later.goes_on) > row.bad_line]
    if row.simple[0].words[:1] == ("cd",) and row.known_as[0] != "git":
        rows = [later for later in rows if not ran_beside(later, row)]
    if row.check:
        rows = [
            later
            for later in rows
            if not (later.check and asks_for_less(later.conditions, row.conditions, row.complaints))
        ]
    return any(mended(row, rows) for mended in _MENDED)


def ran_beside(later: Parsed, row: Parsed) -> bool:
    """One ran in another part of what the other began in: `cd web && make`, `cd api && make`."""
    if later.directory != row.directory:
        return False
    one, other = where(later), where(row)
    inside = all(here != row.directory and holds_directory(row.directory, here) for here in (one, other))
    return inside and not holds_directory(one, other) and not holds_directory(other, one)


def makes_good(later: frozenset[Key], failed: Key) -> bool:
    """A line with these keys, which went well, shows that the failed command works now. Of what was written to be
    thrown away any other one does."""
    if failed in later:
        return True
    if failed[:2] in _beginnings(later):
        akin = [key for key in later if key[:2] == failed[:2]] if len(failed) > 1 else []
        if akin and (not _is_check(failed) or any(_covers(key[2:], failed[2:]) for key in akin)):
            return True
    if _means_others_too(failed):
        others = [key for key in later if key[0] == failed[0]]
        if _is_thrown_away(failed) or any(_everywhere(key, failed) for key in others):
            return bool(others)
    return failed[:1] in later and shell.is_test(tuple(failed[0].split()))


@lru_cache(4096)
def _beginnings(keys: frozenset[Key]) -> frozenset[Key]:
    """What the keys begin with. Each line is asked for each that failed before it, and most are of another kind."""
    return frozenset(key[:2] for key in keys)


@lru_cache(4096)
def _means_others_too(failed: Key) -> bool:
    return _is_thrown_away(failed) or any(map(_may_run_everywhere, failed[1:]))


def _is_thrown_away(key: Key) -> bool:
    return len(key) == 2 and is_scratch(key[1])


def _everywhere(key: Key, failed: Key) -> bool:
    return len(key) == len(failed) and all(
        one == other or runs_everywhere(one, other) for one, other in zip(key[1:], failed[1:], strict=True)
    )


def _may_run_everywhere(word: str) -> bool:
    return word[:1] == ":" or word[:2] == "//"


def _is_check(key: Key) -> bool:
    return shell.is_check(tuple(" ".join(key).split()))


def _covers(given: Key, failed: Key) -> bool:
    """What was given to a check that passed holds all that was given to the one that failed."""
    if not given or not failed:
        return not given or not _place(given[0])
    whole, part = _place(given[0]), _place(failed[0])
    return not whole or part == whole or part.startswith((f"{whole}/", f"{whole}::"))


def _place(word: str) -> str:
    return word.removesuffix("...").removeprefix("./").strip("/.")


def _run_again_since(row: Parsed, rows: list[Parsed]) -> bool:
    """It, or what it is a part of, has been run and went well, on what it had failed with."""
    known = [key for key in (row.known_as, row.essence) if key]
    return any(
        later.ok_line > row.bad_line
        and later.only in ((), row.only)
        and any(makes_good(later.proved_keys, key) for key in known)
        and _of_the_same(later, row)
        for later in rows
        if later.passed
    )


def _of_the_same(later: Parsed, row: Parsed) -> bool:
    failed = next((s.words for s in reversed(row.simple) if s.words and run_key(s.words) == row.known_as), ())
    again = [s.words for s in later.passed if s.words and run_key(s.words)[:1] == row.known_as[:1]]
    known = (n for n in range(1, len(failed)) if shell.is_check(failed[:n]))
    begin = next(known, len(row.known_as[0].split()))
    return not again or any(same_object(failed, words, begin) for words in again)


def _counted_since(row: Parsed, rows: list[Parsed]) -> bool:
    """As many tests as there were have passed, all of them, where a task of the project runs them by another name."""
    there, summed = row.counted if row.check else (0, "")
    return there > 0 and any(
        later.ok_line > row.bad_line
        and later.proved
        and not later.only
        and later.directory == row.directory
        and (row.runs_task or later.runs_task)
        and not concern.scope(later.test_words)
        and counted(later.good.outcome if later.good else "") >= (there, summed)
        and counted(later.good.outcome if later.good else "")[1] == summed
        for later in rows
    )


def _retested_since(row: Parsed, rows: list[Parsed]) -> bool:
    """All that failed by name has been run alone and went well."""
    failed = list(_failed(row.complaints)) if row.check else []
    if not failed:
        return False
    known, runs_task = row.essence, row.runs_task
    tool = known[: 1 if len(known) < 2 or _is_place(known[1]) else 2]
    alone = [
        later
        for later in rows
        if later.passed and later.ok_line > row.bad_line and _same_tool(later, tool, runs_task)
    ]
    return all(any(_ran(later, name) for later in alone) for name in failed)


def _same_tool(later: Parsed, tool: Key, runs_task: bool) -> bool:
    if not later.check:
        return False
    own = later.essence[: len(tool)] == tool
    return own or (bool(later.test_words) and runs_task != later.runs_task)


def _is_place(word: str) -> bool:
    return "/" in word or "." in word or "::" in word


def _failed(complaints: list[str]) -> Iterator[str]:
    """The names of the tests that failed, the file before the name where it is told."""
    for row in complaints:
        if found := _failed_test().match(row):
            yield next(name for name in found.groups() if name)


@lru_cache(1)
def _failed_test() -> re.Pattern[str]:
    return compiled(
        r"--- FAIL: (\S+)|FAILED (\S+::\S+)|test (\S+) \.\.\. FAILED|---- (\S+) stdout|FAIL (\S+/\S+\.\w+)(?: >|$)"
    )


def _ran(later: Parsed, name: str) -> bool:
    if later.only:
        return any(part in name for part in later.only)
    file, _, _ = name.partition("::")
    return any(place in name or concern.within(file, (place,)) for place in later.places)


def _found_since(row: Parsed, rows: list[Parsed]) -> bool:
    """The tool that was not found has run since, by whatever name or path."""
    missing = shell.bare(missing_tool(row.bad.error_lines)) if row.bad else ""
    if not missing or missing not in shell.tools(row.simple):
        return False
    return any(
        later.ok_line > row.bad_line and missing in shell.tools(later.simple)
        for later in rows
        if later.proved
    )


def _sifted_since(row: Parsed, rows: list[Parsed]) -> bool:
    """What let its complaints through lets nothing through any more."""
    return bool(row.sieve) and any(
        later.sieve == row.sieve
        and later.known_as == row.known_as
        and later.ok_line > row.bad_line
        and later.bad_line < later.ok_line
        for later in rows
    )


def _ended_well_since(row: Parsed, rows: list[Parsed]) -> bool:
    """What it was seen to fail by, the end of its output, no longer says so."""
    told_by_its_end = row.bad is not None and not row.bad.exit_code
    return told_by_its_end and any(
        later.ended_well and later.known_as == row.known_as and later.ok_line > row.bad_line for later in rows
    )


def _fell_silent_since(row: Parsed, rows: list[Parsed]) -> bool:
    """What complained when it failed printed nothing, also where its exit was lost."""
    return bool(row.complaints) and any(
        later.fell_silent
        and later.ok_line > row.bad_line
        and later.only in ((), row.only)
        and makes_good(keys(later.simple), row.known_as)
        for later in rows
    )


def _called_rightly_since(row: Parsed, rows: list[Parsed]) -> bool:
    """The program that complained of how it was called has been called in another way."""
    return row.misused and any(
        later.proved
        and later.ok_line > row.bad_line
        and row.known_as[0] in {key[0] for key in keys(later.simple)}
        for later in rows
    )


def _brought_since(row: Parsed, rows: list[Parsed]) -> bool:
    """What git was to bring here it brought later, or it is there: something was done in it."""
    if not row.brings or row.brings.words[0] != "git":
        return False
    verb, given = git_verb(row.brings.words)
    if any(_NOTHING_THERE in said for said in row.complaints):
        return True
    place = _cloned_to(given) if verb == "clone" else ""
    reaches = _REACHES if verb == "fetch" else frozenset((verb,))
    return any(
        _is_there(s.words, place) if place else s.words[0] == "git" and git_verb(s.words)[0] in reaches
        for later in rows
        if later.ok_line > row.bad_line
        for s in later.passed
        if s.words
    )


_NOTHING_THERE = "No stash entries"
_REACHES = frozenset(("fetch", "pull", "push", "clone"))


def _cloned_to(given: Key) -> str:
    """The directory that a clone makes: the one it was given, else the end of the address."""
    words = [word for word in given if word[:1] != "-"]
    return words[-1].rstrip("/").replace(":", "/").rpartition("/")[2].removesuffix(".git") if words else ""


def _is_there(words: Key, place: str) -> bool:
    """A command that went well was given the place, or something in it."""
    return any(place in word.removesuffix(".git").replace(":", "/").split("/") for word in words[1:])


def _committed_since(row: Parsed, rows: list[Parsed]) -> bool:
    """The check complained only that something was not committed, and a commit was made."""
    said = row.bad.error_lines[0].lower() if row.bad and row.bad.error_lines else ""
    return row.check and any(sign in said for sign in _UNCOMMITTED) and _went_well_since(row, rows, _COMMITS)


def left_behind(row: Parsed, rows: list[Parsed]) -> bool:
    """Nobody came back to what neither judges nor changes anything, while much else was run and work was handed
    in."""
    kept = row.check or row.known_as[0] in KEEPS_WORK_BACK or any(changes(s.words) for s in row.simple)
    if kept or not _went_well_since(row, rows, _HANDS_IN):
        return False
    return sum(later.line > row.bad_line for later in rows) >= _MUCH_ELSE


def _went_well_since(row: Parsed, rows: list[Parsed], wanted: frozenset[Key]) -> bool:
    return any(
        later.ok_line > row.bad_line and not wanted.isdisjoint(later.proved_keys)
        for later in rows
        if later.proved
    )


_MENDED = (
    _run_again_since,
    _counted_since,
    _retested_since,
    _found_since,
    _sifted_since,
    _ended_well_since,
    _fell_silent_since,
    _called_rightly_since,
    _brought_since,
    _committed_since,
    broader_since,
    another_way_since,
    hooked_since,
    formatted_since,
    resolved_since,
    left_behind,
)
