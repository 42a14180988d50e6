"""The files a message file was before: Kimi puts it aside and begins anew when it compacts or goes back.

After a compaction the new file begins with the summary, and the old one is what came before it. After going
back to a checkpoint the new file begins as the old one did, and the rest of the old one was taken back.
"""

from __future__ import annotations

import os
import re
from itertools import islice

from segue.agents import _jsonl
from segue.agents._record import record

_ROTATED = re.compile(r"context_(\d+)\.jsonl")
_LOOKED_AT = 16
"""Records in which the first message of a file stands."""


def files(path: str, everything: bool) -> list[str]:
    """The message files of a session, oldest first; without those that were taken back unless everything
    is wanted."""
    folder, name = os.path.split(path)
    if name != "context.jsonl":
        return [path]
    older = _rotated(folder)
    if everything:
        return [*older, path]
    kept, beginning = [path], _beginning(path)
    for file in reversed(older):
        found = _beginning(file)
        if found != beginning:
            kept.append(file)
        beginning = found
    return kept[::-1]


def _rotated(folder: str) -> list[str]:
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return []
    numbered = sorted((int(match[1]), match[0]) for name in names if (match := _ROTATED.fullmatch(name)))
    found = [os.path.join(folder, name) for _, name in numbered]
    return [file for file in found if os.path.isfile(file) and os.access(file, os.R_OK)]


def _beginning(path: str) -> object:
    """The first thing said in a file."""
    for _, _, value in islice(_jsonl.records(path), _LOOKED_AT):
        if record(value).get("role") == "user":
            return record(value).get("content")
    return None
