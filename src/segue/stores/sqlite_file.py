"""Runs queries against the embedded log, and nothing else.

All access goes through here: reads under a mutex, so that threads share a connection, and writes behind
the gate, where whatever is not committed is rolled back. While one thread waits for the disk, another one's
reads go through a second connection, which is opened when that first happens.
A log that does not exist yet reads as empty and is made by the first write.
"""

from __future__ import annotations

import _thread
import contextlib
import os
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import apsw

from segue.stores.private_files import disk_fault, private_folder, require_file
from segue.stores.sqlite_open import connect, create, unavailable, writer
from segue.stores.writer_queue import Gate

T = TypeVar("T")
R = TypeVar("R", bound=tuple[Any, ...])
Row = tuple[Any, ...]
Bindings = tuple[Any, ...] | dict[str, Any]


class LogFile(Protocol):
    """What a log in SQLite asks of its file."""

    path: str
    rows_read: int

    def exists(self) -> bool: ...

    def rows(self, sql: str, bindings: Bindings = ()) -> list[Row]: ...

    def reading(self, query: Callable[[apsw.Connection], list[R]]) -> list[R]: ...

    def exclusive(self, work: Callable[[apsw.Cursor], T]) -> T: ...

    def version(self) -> tuple[int, int]: ...

    def close(self) -> None: ...


class SqliteFile:
    def __init__(self, folder: str, wait: float, vfs: str | None) -> None:
        self.folder = os.path.abspath(folder)
        self.path = os.path.join(self.folder, "log.db")
        self.rows_read = 0
        self._wait = wait
        self._vfs = vfs
        self._gate = Gate(os.path.join(self.folder, "log.lock"), wait)
        self._mutex = _thread.allocate_lock()
        self._db: apsw.Connection | None = None
        self._aside_mutex = _thread.allocate_lock()
        self._aside: apsw.Connection | None = None
        self._writer: apsw.Cursor | None = None
        self._commits = 0

    def exists(self) -> bool:
        return os.path.exists(self.path)

    def rows(self, sql: str, bindings: Bindings = ()) -> list[Row]:
        """All rows of a query."""
        return self.reading(lambda db: db.execute(sql, bindings).fetchall())

    def reading(self, query: Callable[[apsw.Connection], list[R]]) -> list[R]:
        """What a query finds, an empty list where there is no log yet."""
        if not self._mutex.acquire(blocking=False):
            with self._aside_mutex:
                return self._asked(self._open_aside, query)
        try:
            return self._asked(self._open, query)
        finally:
            self._mutex.release()

    def _asked(
        self, connected: Callable[[], apsw.Connection | None], query: Callable[[apsw.Connection], list[R]]
    ) -> list[R]:
        try:
            db = connected()
            rows = query(db) if db else []
            self.rows_read += len(rows)
            return rows
        except apsw.Error as fault:
            raise unavailable(fault, self.path) from fault
        except OSError as fault:
            raise disk_fault(fault, self.path) from fault

    def exclusive(self, work: Callable[[apsw.Cursor], T]) -> T:
        """Runs `work` behind the gate, with one cursor for all its statements, which is a tenth faster than
        one for each. It begins and commits itself; what it leaves uncommitted, by returning or raising, is
        rolled back."""
        try:
            if self._db is None:
                private_folder(self.folder)
            with self._gate, self._mutex:
                db = self._db or self._open() or self._create()
                cursor = self._writer = self._writer or writer(db)
                try:
                    return work(cursor)
                except apsw.Error:
                    self._drop()
                    raise
                finally:
                    self._commits += 1
                    if self._db and db.in_transaction:
                        cursor.execute("ROLLBACK")
        except apsw.Error as fault:
            raise unavailable(fault, self.path) from fault
        except OSError as fault:
            raise disk_fault(fault, self.path) from fault

    def version(self) -> tuple[int, int]:
        """Changes whenever a commit, ours or another's, may have changed the log. Connections count for
        themselves, so it is always the first that is asked."""
        with self._mutex:
            found: list[Row] = self._asked(
                self._open, lambda db: db.execute("PRAGMA data_version").fetchall()
            )
        return self._commits, found[0][0] if found else 0

    def close(self) -> None:
        with self._mutex:
            self._drop()
        self._gate.close()

    def _open(self) -> apsw.Connection | None:
        self._db = self._db or self._connected()
        return self._db

    def _open_aside(self) -> apsw.Connection | None:
        self._aside = self._aside or self._connected()
        return self._aside

    def _connected(self) -> apsw.Connection | None:
        for beside in ("", "-wal", "-shm", "-journal"):
            require_file(self.path + beside)
        if not os.path.exists(self.path):
            return None
        return connect(self.path, self._wait, self._vfs)

    def _create(self) -> apsw.Connection:
        create(self.path, self._vfs)
        self._db = connect(self.path, self._wait, self._vfs)
        return self._db

    def _drop(self) -> None:
        """Closing rolls back; what a failing disk makes of that no longer matters."""
        with self._aside_mutex:
            for db in (self._db, self._aside):
                if db is not None:
                    with contextlib.suppress(apsw.Error):
                        db.close(True)
            self._db = self._writer = self._aside = None
