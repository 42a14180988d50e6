"""Where sessions would lie, told to a person for whose directory there is none."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence

from segue.agents.contract import Home
from segue.agents.registry import reader
from segue.service.portable_paths import portable

_SUBAGENTS = os.path.join("*", "subagents", "*.jsonl")
"""Where agents that keep the records of sub-agents apart do so, in a folder beside the session's file."""


def looked_for(agents: Sequence[str], home: Home, directory: str) -> str:
    """Where the sessions of each agent would lie: a folder for each of many agents, all of one agent's."""
    most = 1 if len(agents) > 1 else None
    told = []
    for name in agents:
        patterns = list(reader(name).places(home, directory)) or list(reader(name).places(home, None))
        places = dict.fromkeys(_folder(pattern, directory) for pattern in patterns)
        told += [f"{name} in {' or '.join(list(places)[:most])}"] if places else []
    return ", ".join(told)


def of_subagents(agents: Sequence[str], home: Home, directory: str) -> str:
    """A sentence on records of sub-agents in the directory's own places, whose sessions are gone; empty where
    there are none."""
    for name in agents:
        everywhere = list(reader(name).places(home, None))
        for pattern in reader(name).places(home, directory):
            inside = os.path.dirname(pattern)
            if pattern in everywhere or "**" in inside:
                continue
            if found := sorted(glob.glob(os.path.join(inside, _SUBAGENTS))):
                files = "a file" if len(found) == 1 else f"{len(found)} files"
                return f" Of {name} there is only what sub-agents did: {files}, as {found[0]}."
    return ""


def _folder(pattern: str, directory: str) -> str:
    """The part of a pattern that names one place, as a person would write it."""
    fixed = pattern
    while glob.has_magic(fixed):
        fixed = os.path.dirname(fixed)
    return portable(fixed, directory)
