"""What a session is called: as its first entry says, or else as its file."""

from __future__ import annotations

import os
from collections.abc import Iterator

from segue.model.entry import Entry


def stem(path: str) -> str:
    """A file's name without its last extension."""
    return os.path.splitext(os.path.basename(path))[0]


def told_id(entries: Iterator[Entry]) -> tuple[str, ...]:
    """The id that a reading begins with; nothing is read beyond it."""
    for entry in entries:
        return (entry.data["id"],)
    return ()
