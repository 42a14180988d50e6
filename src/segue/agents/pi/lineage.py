"""What a fork has from the session it left: `/fork` and `/clone` copy records, with their ids, to a new file.

A session may also name a parent of which it has nothing, so only the parent's file tells what is a copy. It
is looked for under its own name beside the fork and in the folders beside that one, nowhere else.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import takewhile

from segue.agents._jsonl import records
from segue.agents.pi.wire import Link, link
from segue.errors import SegueError


def last_copied(path: str, parent: str) -> int:
    """Where the last record begins that a fork copied from its parent; -1 where there is none."""
    known = _known(_files(path, os.path.basename(parent.replace("\\", "/"))))
    copies = takewhile(lambda record: record[1] in known, _names(path))
    return max((offset for offset, _ in copies), default=-1)


def _known(files: Iterator[str]) -> set[str]:
    """The names of the records of the first of these files that can be read."""
    for file in files:
        with suppress(SegueError):
            return {name for _, name in _names(file)}
    return set()


def _names(path: str) -> Iterator[tuple[int, str]]:
    """Where each record begins and what names it: its id, or its time in files of format 1."""
    for _, offset, value in records(path, link):
        if isinstance(value, Link) and value.type != "session":
            yield offset, value.id or str(value.timestamp)


def _files(path: str, name: str) -> Iterator[str]:
    folder, own = os.path.dirname(os.path.abspath(path)), os.path.realpath(path)
    for place in (glob.escape(folder), os.path.join(glob.escape(os.path.dirname(folder)), "*")):
        for file in sorted(glob.iglob(os.path.join(place, glob.escape(name)))):
            if os.path.isfile(file) and os.path.realpath(file) != own:
                yield file
