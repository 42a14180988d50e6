"""What a session is called: as its first entry says, or else as its file."""

from __future__ import annotations

import os
from collections.abc import Iterator

from segue.model.entry import Entry
from segue.model.patterns import compiled

_OF_ITSELF = compiled(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{12,}|\d{8}_\d{6}")
"""What a program puts into the name of a file so that no other has the same: an id, or a time to the second."""


def stem(path: str) -> str:
    """A file's name without its last extension."""
    return os.path.splitext(os.path.basename(path))[0]


def by_name(name: str) -> dict[str, str]:
    """The id that a name lends to a session without one; says so where others may bear the same name."""
    return {"id": name} if _OF_ITSELF.search(name) else {"id": name, "named_by": "file"}


def by_file(path: str) -> dict[str, str]:
    """The id that a file's name lends to its session."""
    return by_name(stem(path))


def first_id(entries: Iterator[Entry]) -> tuple[str, ...]:
    """The id that a reading begins with; nothing is read beyond it."""
    for entry in entries:
        return (entry.data["id"],)
    return ()
