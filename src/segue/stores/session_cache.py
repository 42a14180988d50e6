"""What lists of sessions know without reading them again: a cache, one for all of a person's workspaces.

A row stands for a file of a certain size and time; when either changes, the file is read again. The
cache may be deleted at any time, and where it cannot be written it lives in memory.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import Any

import apsw

from segue.stores.catalog import delete, open_cache

_VERSION = 3
_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, rows TEXT) WITHOUT ROWID;
"""
Rows = list[dict[str, Any]]


class SessionCache:
    def __init__(self, path: str) -> None:
        self._path = path
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            self._db = _open(path)
        except (apsw.Error, OSError) as fault:
            self._db = self._another(fault)

    def _another(self, fault: Exception) -> apsw.Connection:
        """An empty cache: a new file in place of a damaged one, otherwise in memory."""
        if isinstance(fault, apsw.NotADBError | apsw.CorruptError | apsw.SQLError):
            with suppress(apsw.Error, OSError):
                delete(self._path)
                return _open(self._path)
        return _open(":memory:")

    def _run(self, sql: str, *rows: tuple[str | int, ...]) -> list[tuple[Any, ...]]:
        """Runs a statement for each row, on an empty cache if this one cannot be used any more."""
        try:
            return self._db.executemany(sql, rows).fetchall()
        except apsw.Error as fault:
            with suppress(apsw.Error):
                self._db.close(True)
            self._db = self._another(fault)
            return self._db.executemany(sql, rows).fetchall()

    def all(self) -> dict[str, tuple[int, int, str]]:
        """(size, time, rows as JSON) by path."""
        found = self._run("SELECT path, size, mtime_ns, rows FROM sessions", ())
        return {path: (size, mtime_ns, rows) for path, size, mtime_ns, rows in found}

    def put(self, path: str, size: int, mtime_ns: int, rows: Rows) -> None:
        self._run(
            "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?)", (path, size, mtime_ns, json.dumps(rows))
        )

    def forget(self, paths: set[str]) -> None:
        self._run("DELETE FROM sessions WHERE path = ?", *((path,) for path in paths))

    def close(self) -> None:
        self._db.close()


def _open(path: str) -> apsw.Connection:
    return open_cache(path, _VERSION, ("sessions",), _SCHEMA, synchronous=0)
