"""Which directory a session belongs to: what it says of itself decides, else where its program keeps it."""

from __future__ import annotations

import os
from itertools import islice

from segue.agents import locate
from segue.service.sessions import rows
from segue.service.sessions.rows import Source


def cwd_of(source: Source) -> str | None:
    """Where a session says it works, from its first entries."""
    told = map(rows.told_cwd, islice(source.entries(), locate.PEEKED))
    return next(filter(None, told), None)


def workplace(source: Source, directory: str) -> str:
    """The directory that a session is about: this one where it belongs there or does not say, else its own, as
    also where it worked in a repository that lies in this directory."""
    cwd = cwd_of(source)
    if not cwd or not os.path.isabs(cwd):
        return directory
    return directory if belongs(cwd, directory, here=True) and not _is_nested(cwd, directory) else cwd


def _is_nested(cwd: str, directory: str) -> bool:
    """Between the directory and the one below it that a session worked in begins another repository."""
    here, there = os.path.realpath(directory), os.path.realpath(cwd)
    while there.startswith(here + os.sep):
        if os.path.exists(os.path.join(there, ".git")):
            return True
        there = os.path.dirname(there)
    return False


def belongs(cwd: str | None, directory: str, here: bool) -> bool:
    """True for a session that worked in the directory, below it, or in the project around it. One that
    does not say where it worked belongs where its program keeps it."""
    if not cwd:
        return here
    if not os.path.isabs(cwd):
        return False
    here_path, there = os.path.realpath(directory), os.path.realpath(cwd)
    return (
        here_path == there
        or there.startswith(here_path + os.sep)
        or (here_path.startswith(there + os.sep) and locate.is_project(there))
    )
