"""Finding sessions: in the places their programs keep them, or in a file somebody names.

Only names, sizes, times and the first 64 KiB of a file are looked at. Patterns that match a folder
name a session kept in one; links are followed, loops and vanishing files are passed over.
"""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from segue.agents import _jsonl
from segue.agents.contract import Home, Reader
from segue.agents.registry import READERS, reader
from segue.errors import BadInput, NotFound

HEAD = 64 * 1024
PEEKED = 200
"""Entries a peek looks at before it gives up on finding the working directory."""
_SURE = 95
"""A reader this sure is not compared with the rest: importing all of them takes a tenth of a second."""


class Found(NamedTuple):
    """A file or folder that holds sessions of one agent."""

    agent: str
    path: str
    mtime_ns: int
    size: int


def find(home: Home, agents: Sequence[str], cwd: str | None) -> Iterator[Found]:
    """What the places of these agents hold, newest first. `cwd` narrows where a program's naming allows."""
    found: dict[str, Found] = {}
    for agent in agents:
        for pattern in reader(agent).places(home, cwd):
            for path in glob.iglob(pattern, recursive=True):
                seen = _stat(agent, path)
                if seen is not None:
                    found.setdefault(path, seen)
    yield from sorted(found.values(), key=lambda f: (-f.mtime_ns, f.path))


def _stat(agent: str, path: str) -> Found | None:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(status.st_mode) and status.st_size:
        return Found(agent, path, status.st_mtime_ns, status.st_size)
    if stat.S_ISDIR(status.st_mode):
        newest, size = _inside(path)
        return Found(agent, path, max(newest, status.st_mtime_ns), size)
    return None


def _inside(folder: str) -> tuple[int, int]:
    """The newest time and the size of the files right inside a folder: a change there is a change of it."""
    newest = size = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                newest, size = max(newest, status.st_mtime_ns), size + status.st_size
    except OSError:
        pass
    return newest, size


def identify(path: str) -> tuple[str, Reader]:
    """The agent that wrote a file or folder, and its reader. Raises BadInput when nobody knows it."""
    if not os.path.lexists(path):
        raise NotFound(f"There is no file {path}.", "`segue sessions list --all` shows the sessions here.")
    head = b"" if os.path.isdir(path) else _jsonl.head(path, HEAD)
    best, sure = "", 0
    for agent in READERS:
        confidence = reader(agent).sniff(path, head)
        if confidence > sure:
            best, sure = agent, confidence
        if sure >= _SURE:
            break
    if not best:
        raise BadInput(
            f"{path} looks like none of the {len(READERS)} session formats segue reads.",
            "Name its program with --agent, or convert it to the generic format (docs/reference/generic-sessions.md).",
        )
    return best, reader(best)


def peek(path: str, of: Reader, session: str | None = None) -> dict[str, Any]:
    """The facts a session tells about itself at its beginning (see META_KEYS): its id, and what else
    comes until its working directory is known."""
    facts: dict[str, Any] = {}
    for entry in islice(of.read(path, session), PEEKED):
        if entry.kind == "meta":
            facts |= entry.data
        elif entry.cwd:
            facts.setdefault("cwd", entry.cwd)
        if "cwd" in facts:
            break
    return facts
