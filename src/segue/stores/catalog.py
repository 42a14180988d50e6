"""The catalog: which threads there are, how they hang together, and what they say. A cache.

A SQLite file beside the log, made from frames and never asked for truth: deleting it changes no
answer. It remembers how far it has read by stream; when the log it was made from is another one, it
starts again from nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import apsw

from segue.stores.contract import Head

_VERSION = 2
_SCHEMA = """
CREATE TABLE IF NOT EXISTS position (only INTEGER PRIMARY KEY CHECK (only = 1), touched INTEGER,
                                     stream_id TEXT, seq INTEGER, hash BLOB);
CREATE TABLE IF NOT EXISTS threads (thread_id TEXT PRIMARY KEY, parent_id TEXT, created_at_ms INTEGER,
                                    state TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS threads_by_parent ON threads (parent_id, thread_id);
CREATE TABLE IF NOT EXISTS natives (native_id TEXT, thread_id TEXT, message_id TEXT,
                                    PRIMARY KEY (native_id, thread_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (message_id TEXT PRIMARY KEY, last_seq INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5 (body, thread_id UNINDEXED, seq UNINDEXED,
                                                     tokenize = "unicode61 tokenchars '_'");
"""
_TABLES = ("position", "threads", "natives", "runs", "texts")


class Catalog:
    """One open catalog. Falls back to memory where the disk cannot be written."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self._db = self._open(path)
        except (apsw.NotADBError, apsw.CorruptError):
            os.unlink(path)
            self._db = self._open(path)
        except (apsw.CantOpenError, apsw.ReadOnlyError, OSError):
            self._db = self._open(":memory:")

    @staticmethod
    def _open(path: str) -> apsw.Connection:
        db = apsw.Connection(path)
        db.set_busy_timeout(10_000)
        if path != ":memory:":
            os.chmod(path, 0o600)
            db.pragma("journal_mode", "wal")
            db.pragma("synchronous", 1)
        if db.pragma("user_version") != _VERSION:
            for table in _TABLES:
                db.execute(f"DROP TABLE IF EXISTS {table}")
            db.execute(_SCHEMA)
            db.pragma("user_version", _VERSION)
        return db

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def position(self) -> Head | None:
        """The head this catalog last caught up with."""
        row = self._db.execute("SELECT stream_id, seq, hash, touched FROM position").fetchone()
        return Head(row[0], "", row[1], row[2], row[3]) if row else None

    def advance(self, head: Head) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO position VALUES (1, ?, ?, ?, ?)",
            (head.touched, head.stream_id, head.seq, head.hash),
        )

    def clear(self) -> None:
        for table in _TABLES:
            self._db.execute(f"DELETE FROM {table}")

    def state(self, thread_id: str) -> dict[str, Any] | None:
        row = self._db.execute("SELECT state FROM threads WHERE thread_id = ?", (thread_id,)).fetchone()
        return json.loads(row[0]) if row else None

    def states(self) -> list[dict[str, Any]]:
        """All threads, oldest first."""
        rows = self._db.execute("SELECT state FROM threads ORDER BY created_at_ms, thread_id")
        return [json.loads(state) for (state,) in rows]

    def children(self, thread_id: str) -> list[dict[str, Any]]:
        rows = self._db.execute(
            "SELECT state FROM threads WHERE parent_id = ? ORDER BY created_at_ms, thread_id", (thread_id,)
        )
        return [json.loads(state) for (state,) in rows]

    def put(self, state: dict[str, Any]) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO threads VALUES (?, ?, ?, ?)",
            (state["thread_id"], state["parent_id"], state["created_at_ms"], json.dumps(state)),
        )

    def index(self, thread_id: str, rows: Iterable[tuple[int, str]]) -> None:
        self._db.executemany(
            "INSERT INTO texts (body, thread_id, seq) VALUES (?, ?, ?)",
            ((text, thread_id, seq) for seq, text in rows),
        )

    def name(self, thread_id: str, rows: Iterable[tuple[str, str]]) -> None:
        """Remembers which message a native id stands for."""
        self._db.executemany(
            "INSERT OR REPLACE INTO natives VALUES (?, ?, ?)",
            ((native_id, thread_id, message_id) for native_id, message_id in rows),
        )

    def named(self, thread_id: str, native_id: str) -> str | None:
        row = self._db.execute(
            "SELECT message_id FROM natives WHERE native_id = ? AND thread_id = ?", (native_id, thread_id)
        ).fetchone()
        return str(row[0]) if row else None

    def follow_runs(self, rows: Iterable[tuple[str, int]]) -> None:
        """Remembers where the runs of messages were last heard of."""
        self._db.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?)", rows)

    def last_of_run(self, message_id: str) -> int | None:
        row = self._db.execute("SELECT last_seq FROM runs WHERE message_id = ?", (message_id,)).fetchone()
        return int(row[0]) if row else None

    def search(self, words: str, limit: int) -> list[tuple[str, int, str]]:
        """(thread, seq, snippet) of the best matches. Every word must occur; none is an operator."""
        terms = " ".join('"' + word.replace('"', '""') + '"' for word in words.split())
        if not terms:
            return []
        rows = self._db.execute(
            "SELECT thread_id, seq, snippet(texts, 0, '', '', '…', 24) FROM texts WHERE texts MATCH ?"
            " ORDER BY rank, thread_id, seq LIMIT ?",
            (terms, limit),
        )
        return [(thread_id, seq, snippet) for thread_id, seq, snippet in rows]

    def close(self) -> None:
        self._db.close()
