"""Finding sessions: in the places their programs keep them, or in a file somebody names.

Only names, sizes, times and the first 64 KiB of a file are looked at. Patterns that match a folder
name a session kept in one; links are followed, loops and vanishing files are passed over.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import cast

import msgspec

from segue.agents import _jsonl
from segue.agents._record import millis
from segue.agents.contract import Home, Kindred, Nesting, Reader
from segue.agents.registry import READERS, reader
from segue.errors import BadInput, NotFound
from segue.model.value import NamedTuple

HEAD = 64 * 1024
PROJECT_MARKS = (".git", ".segue")
"""What the root of a project holds."""
PEEKED = 200
"""Entries a peek looks at before it gives up on finding the working directory."""
_LEVELS = 3
_LOOKED_AT = 2000
"""Entries of a folder that are looked at to tell whether it changed; a store of old may hold 100,000."""
_TAILS = (64 * 1024, 4 * 1024 * 1024)
"""Bytes of a file's end in which its last time is looked for; the last record may be large."""
_SURE = 95
"""A reader this sure is not compared with the rest: importing all of them takes a tenth of a second."""


class Found(NamedTuple):
    """A file or folder that holds sessions of one agent."""

    agent: str
    path: str
    mtime_ns: int
    size: int
    here: bool = False
    """Kept where its program keeps the sessions of the directory that was asked for."""


def find(home: Home, agents: Sequence[str], cwd: str | None, everywhere: bool = False) -> Iterator[Found]:
    """What the places of these agents hold, newest first. `cwd` narrows where a program's naming allows, to
    it, what encloses it up to its project, and what is below it; `everywhere` looks in all other places as well."""
    from glob import iglob

    found: dict[str, Found] = {}
    around = [] if cwd is None else enclosing(cwd)
    for agent in agents:
        anywhere = list(reader(agent).places(home, None))
        near = [place for directory in around for place in reader(agent).places(home, directory)]
        below = _below_it(agent, home, cwd)
        wide = [*near, *anywhere] if everywhere or cwd is None else [*near, *below]
        for pattern in dict.fromkeys(wide):
            own = pattern not in anywhere and pattern not in below
            for path in iglob(pattern, recursive=True):
                seen = None if path in found else measured(agent, path)
                if seen is not None:
                    found[path] = seen._replace(
                        here=own or any(_below(path, directory, home.home) for directory in around)
                    )
    yield from sorted(found.values(), key=lambda f: (-f.mtime_ns, f.path))


def _below_it(agent: str, home: Home, cwd: str | None) -> list[str]:
    """Where the sessions of directories below lie; they say themselves where they worked."""
    nesting = reader(agent)
    if cwd is None or not hasattr(nesting, "places_below"):
        return []
    return list(cast(Nesting, nesting).places_below(home, cwd))


def enclosing(directory: str) -> list[str]:
    """A directory and those around it up to the root of its project; alone where it is in none."""
    around = [directory]
    while not is_project(around[-1]):
        above = os.path.dirname(around[-1])
        if above == around[-1]:
            return [directory]
        around.append(above)
    return around


def is_project(directory: str) -> bool:
    return any(os.path.exists(os.path.join(directory, mark)) for mark in PROJECT_MARKS)


def _below(path: str, directory: str, home: str) -> bool:
    """True for a file inside the project; a directory that holds the whole home is no project."""
    return path.startswith(directory + os.sep) and not f"{home}{os.sep}".startswith(directory + os.sep)


def measured(agent: str, path: str) -> Found | None:
    """What tells whether a file, a database with its journal, or a folder has changed. Nothing for what
    holds no session: an empty file, a pipe, what is gone."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    newest, size = status.st_mtime_ns, status.st_size
    if stat.S_ISDIR(status.st_mode):
        later, size = _inside(path)
        return Found(agent, path, max(newest, later), size)
    if not stat.S_ISREG(status.st_mode) or not size:
        return None
    if path.endswith(".db"):
        with suppress(OSError):
            journal = os.stat(path + "-wal")
            newest, size = max(newest, journal.st_mtime_ns), size + journal.st_size
    return Found(agent, path, newest, size)


def _inside(folder: str) -> tuple[int, int]:
    """The newest time and the size of what lies in a folder and two levels below: a change there is a
    change of it."""
    newest = size = seen = 0
    level = [folder]
    for _ in range(_LEVELS):
        below: list[str] = []
        for inner in level:
            with suppress(OSError), os.scandir(inner) as entries:
                for entry in islice(entries, _LOOKED_AT - seen):
                    status = entry.stat(follow_symlinks=False)
                    seen, newest = seen + 1, max(newest, status.st_mtime_ns)
                    if entry.is_dir(follow_symlinks=False):
                        below.append(entry.path)
                    else:
                        size += status.st_size
        level = below
    return newest, size


ends_only, is_long = _jsonl.ends_only, _jsonl.is_long


def last_time(path: str) -> int | None:
    """The latest time that the last records of a JSONL file bear, in milliseconds; None for other files, and where
    those records bear none."""
    if not path.endswith(".jsonl"):
        return None
    with _jsonl.open_source(path) as source:
        for size in _TAILS:
            start = max(0, source.size - size)
            lines = source.read(start, size).split(b"\n")[1 if start else 0 :]
            times = [time for time in map(_stamp, lines) if time is not None]
            if times or not start:
                return max(times, default=None)
    return None


def _stamp(line: bytes) -> int | None:
    try:
        return millis(_STAMP.decode(line).timestamp)
    except (ValueError, RecursionError):  # msgspec's errors are of the former kind
        return None


class _Stamped(msgspec.Struct):
    timestamp: str | float | None = None


_STAMP = msgspec.json.Decoder(_Stamped)


def require(path: str) -> None:
    """Raises NotFound or BadInput for a path where no session can be: nothing, a broken link, nothing in it."""
    if os.path.islink(path) and not os.path.lexists(os.path.realpath(path)):
        raise NotFound(
            f"{path} is a broken link: {os.path.realpath(path)} is not there.", "Name the file itself."
        )
    if not os.path.lexists(path):
        raise NotFound(f"There is no file {path}.", "`segue sessions list --all` shows the sessions here.")
    if os.path.isfile(path) and not os.path.getsize(path):
        raise BadInput(f"{path} is empty.", "A session file holds at least one record.")


def identify(path: str) -> tuple[str, Reader]:
    """The agent that wrote a file or folder, and its reader. Raises BadInput when nobody knows it."""
    require(path)
    head = b"" if os.path.isdir(path) else _jsonl.head(path, HEAD)
    best, sure = "", 0
    for agent in READERS:
        confidence = reader(agent).sniff(path, head)
        if confidence > sure:
            best, sure = agent, confidence
        if sure >= _SURE:
            break
    if not best:
        for agent in (agent for agent in READERS if hasattr(reader(agent), "akin")):
            if cast(Kindred, reader(agent)).akin(path, head):
                raise BadInput(
                    f"{path} was written by a program built on {agent}.",
                    f"Name it {agent}:FILE to have it read as one of {agent}'s.",
                )
        raise BadInput(
            f"{path} looks like none of the {len(READERS)} session formats segue reads.",
            "Name its program before it, as in codex:FILE, or convert it to the generic format (docs/reference/generic-sessions.md).",
        )
    return best, reader(best)
