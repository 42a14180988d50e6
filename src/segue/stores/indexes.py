"""Indexes of sessions, kept so that the next handoff reads only what is new: a cache.

An index is an artifact, written once under the hash of its bytes; a small file under the hash of its key
says which. The latest few are kept. Whatever is missing, damaged or cannot be written is read again
from the session itself, so nothing here raises and all of it may be deleted at any time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from segue.errors import SegueError
from segue.model.ids import is_artifact_id
from segue.model.wire import content_id
from segue.stores.blobs import Blobs
from segue.stores.marks import touch

MOST = 32


class Indexes:
    """The kept indexes in a folder."""

    def __init__(self, folder: str) -> None:
        self._blobs = Blobs(folder)
        self._rows = os.path.join(os.path.abspath(folder), "rows")

    def get(self, key: str) -> bytes | None:
        try:
            return self._blobs.get(self._named(self._row(key)))
        except (OSError, SegueError):
            return None

    def put(self, key: str, data: bytes) -> None:
        """Keeps an index in place of the one that had its key."""
        with suppress(OSError, SegueError):
            row = self._row(key)
            before = self._named(row)
            kept, _ = self._blobs.put(data)
            touch(row, kept)
            if before != kept:
                self._drop(before)
            self._forget_oldest()

    def clear(self) -> None:
        """Drops every index that is kept."""
        for folder in (self._rows, self._blobs.folder):
            with suppress(FileNotFoundError):
                for name in os.listdir(folder):
                    os.unlink(os.path.join(folder, name))

    def rows(self) -> Iterator[tuple[str, float, int]]:
        """The path of the row of every index, when it was last written, and what it takes on disk."""
        with suppress(FileNotFoundError):
            for name in sorted(os.listdir(self._rows)):
                row = os.path.join(self._rows, name)
                with suppress(OSError):
                    size = os.path.getsize(os.path.join(self._blobs.folder, self._named(row)))
                    yield row, os.path.getmtime(row), size

    def drop(self, row: str) -> None:
        """Drops the index of a row."""
        self._drop(self._named(row))
        os.unlink(row)

    def _row(self, key: str) -> str:
        return os.path.join(self._rows, content_id(key.encode("utf-8", "surrogateescape")))

    def _named(self, row: str) -> str:
        """The artifact that a row names; empty if it names none."""
        try:
            with open(row, encoding="ascii", errors="replace") as file:
                name = file.read(64)
        except FileNotFoundError:
            return ""
        return name if is_artifact_id(name) else ""

    def _forget_oldest(self) -> None:
        rows = [os.path.join(self._rows, name) for name in os.listdir(self._rows)]
        for row in sorted(rows, key=os.path.getmtime)[:-MOST]:
            self.drop(row)

    def _drop(self, artifact_id: str) -> None:
        if artifact_id:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(self._blobs.folder, artifact_id))
