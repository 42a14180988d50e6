"""The catalog: which threads there are, how they hang together, and what they say. A cache.

A SQLite file beside the log, made from frames and never asked for truth: deleting it changes no
answer. It remembers how far it has read by stream; when the log it was made from is another one, it
starts again from nothing. So it does when its file turns out to be damaged, at whatever question; where
the disk is full or cannot be written, it lives in memory. Threads may share one object: they take turns.
"""

from __future__ import annotations

import _thread
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import apsw

from segue.model.wire import decode_own, scrub
from segue.stores.contract import Head
from segue.stores.private_files import require_file

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
_MEMORY = ":memory:"
_DAMAGED = (apsw.NotADBError, apsw.CorruptError, apsw.SQLError, apsw.ConstraintError)


class Catalog:
    """One open catalog."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.level: Head | None = None
        """The head of its log that this object was last brought level with; None when it cannot know."""
        self._fold: Callable[[], None] = lambda: None
        self._folding = False
        self._turn = _thread.RLock()
        try:
            self._db = self._open(path)
        except (apsw.Error, OSError) as fault:
            self._db = self._another(fault)

    @staticmethod
    def _open(path: str) -> apsw.Connection:
        return open_cache(path, _VERSION, _TABLES, _SCHEMA, synchronous=1)

    def _another(self, fault: Exception) -> apsw.Connection:
        """A new file in place of a damaged one; memory where that cannot be, or the disk is at fault. A
        full disk gets the room back."""
        if self.path != _MEMORY and isinstance(fault, (*_DAMAGED, apsw.FullError)):
            with suppress(apsw.Error, OSError):
                delete(self.path)
                if not isinstance(fault, apsw.FullError):
                    return self._open(self.path)
        return self._open(_MEMORY)

    def keep_level(self, fold: Callable[[], None]) -> None:
        """Runs `fold`, which brings this catalog level with its log: now, and from nothing whenever the
        file fails."""
        with self._turn:
            self._fold = fold
            try:
                fold()
            except apsw.Error as fault:
                self._begin_again(fault)

    def _begin_again(self, fault: Exception) -> None:
        self.level = None
        with suppress(apsw.Error):
            self._db.close(True)
        self._db = self._another(fault)
        try:
            self._fold()
        except apsw.Error:
            self._db = self._open(_MEMORY)
            self._fold()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        self._folding = True
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        finally:
            self._folding = False

    def _rows(self, sql: str, bindings: tuple[str | int | None, ...] = ()) -> list[tuple[Any, ...]]:
        with self._turn:
            try:
                return self._db.execute(sql, bindings).fetchall()
            except apsw.Error as fault:
                if self._folding:
                    raise
                self._begin_again(fault)
                return self._db.execute(sql, bindings).fetchall()

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

    def wipe(self) -> None:
        """Empties the catalog and leaves no byte of what it held; whoever asks next folds the log anew."""
        with self._turn:
            self.level = None
            try:
                with self.transaction():
                    for table in _TABLES:
                        self._db.execute(f"DROP TABLE IF EXISTS {table}")
                    self._db.execute(_SCHEMA)
                self._db.execute("VACUUM")
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except apsw.Error as fault:
                with suppress(apsw.Error):
                    self._db.close(True)
                if self.path != _MEMORY:
                    delete(self.path)
                self._db = self._another(fault)

    def state(self, thread_id: str) -> dict[str, Any] | None:
        found = self._rows("SELECT state FROM threads WHERE thread_id = ?", (thread_id,))
        return decode_own(found[0][0]) if found else None

    def states(self, after: str | None = None, limit: int = -1) -> list[dict[str, Any]]:
        """All threads, oldest first; those that follow one, at most so many."""
        rows = self._rows(
            "SELECT state FROM threads WHERE ?1 IS NULL OR (created_at_ms, thread_id) > "
            "(SELECT created_at_ms, thread_id FROM threads WHERE thread_id = ?1) "
            "ORDER BY created_at_ms, thread_id LIMIT ?2",
            (after, limit),
        )
        return [decode_own(state) for (state,) in rows]

    def children(self, thread_id: str) -> list[dict[str, Any]]:
        rows = self._rows(
            "SELECT state FROM threads WHERE parent_id = ? ORDER BY created_at_ms, thread_id", (thread_id,)
        )
        return [decode_own(state) for (state,) in rows]

    def counts(self) -> dict[str, tuple[int, int]]:
        """By thread: how many texts and how many native ids are known."""
        texts, natives = (
            dict(self._rows(f"SELECT thread_id, count(*) FROM {table} GROUP BY thread_id"))
            for table in ("texts", "natives")
        )
        return {thread: (texts.get(thread, 0), natives.get(thread, 0)) for thread in texts.keys() | natives}

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
        found = self._rows(
            "SELECT message_id FROM natives WHERE native_id = ? AND thread_id = ?", (native_id, thread_id)
        )
        return str(found[0][0]) if found else None

    def names(self, thread_id: str, prefix: str, limit: int) -> list[tuple[str, str]]:
        """Native ids of a thread that begin so, each with its message."""
        sql = (
            "SELECT native_id, message_id FROM natives WHERE native_id >= ? AND native_id < ? AND thread_id = ?"
            " ORDER BY native_id LIMIT ?"
        )
        found = self._rows(sql, (prefix, prefix + "\U0010ffff", thread_id, limit))
        return [(str(native), str(message)) for native, message in found]

    def follow_runs(self, rows: Iterable[tuple[str, int]]) -> None:
        """Remembers where the runs of messages were last heard of."""
        self._db.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?)", rows)

    def last_of_run(self, message_id: str) -> int | None:
        found = self._rows("SELECT last_seq FROM runs WHERE message_id = ?", (message_id,))
        return int(found[0][0]) if found else None

    def search(self, words: str, limit: int) -> list[tuple[str, int, str]]:
        """(thread, seq, snippet) of the best matches. Every word must occur; none is an operator."""
        plain = scrub(words).replace("\0", " ")
        terms = " ".join('"' + word.replace('"', '""') + '"' for word in plain.split())
        if not terms:
            return []
        rows = self._rows(
            "SELECT thread_id, seq, snippet(texts, 0, '', '', '…', 24) FROM texts WHERE texts MATCH ?"
            " ORDER BY rank, thread_id, seq LIMIT ?",
            (terms, limit),
        )
        return [(thread_id, seq, snippet) for thread_id, seq, snippet in rows]

    def close(self) -> None:
        self._db.close()


def open_cache(
    path: str, version: int, tables: tuple[str, ...], schema: str, synchronous: int
) -> apsw.Connection:
    """A database of what can be made again; one of another version is emptied."""
    if path != _MEMORY:
        for beside in ("", "-wal", "-shm", "-journal"):
            require_file(path + beside)
    db = apsw.Connection(path)
    db.set_busy_timeout(10_000)
    if path != _MEMORY:
        os.chmod(path, 0o600)
        db.pragma("journal_mode", "wal")
        db.pragma("synchronous", synchronous)
    if db.pragma("user_version") != version:
        for table in tables:
            db.execute(f"DROP TABLE IF EXISTS {table}")
        db.execute(schema)
        db.pragma("user_version", version)
    return db


def delete(path: str) -> None:
    """Removes a database and what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.unlink(path + suffix)
