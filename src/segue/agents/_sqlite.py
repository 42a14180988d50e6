"""Other programs' SQLite databases, opened for reading and left as they are.

Nothing is written and no side file appears beside the database: a database at rest in WAL mode
is opened as immutable, one in use through the side files its own program keeps, and one whose
program crashed in mid-write as a private copy. What cannot be read becomes a reason in words.
"""

from __future__ import annotations

import os
import urllib.parse
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import apsw

from segue.agents import _jsonl
from segue.model.entry import Entry

MAGIC = b"SQLite format 3\0"
FAULTS = (apsw.Error, UnicodeDecodeError, OSError)
"""What reading a foreign database may raise."""

_BUSY_MS = 1_000
_WAL = 2
_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (apsw.BusyError, "the database is locked by another program"),
    (apsw.LockedError, "the database is locked by another program"),
    (apsw.NotADBError, "this is no SQLite database known here: damaged, encrypted or of a newer version"),
    (apsw.CorruptError, "the database is damaged"),
    (apsw.ReadOnlyError, "the database was left in mid-write; its own program has to open it once"),
    (apsw.SQLError, "the database has another layout than the versions known here"),
    (apsw.CantOpenError, "the database cannot be opened, or was written by a newer SQLite"),
    (apsw.IOError, "the database cannot be read further"),
    (UnicodeDecodeError, "the database holds text that is not UTF-8"),
    (OSError, "the database cannot be copied for reading"),
)


def explain(fault: Exception) -> str:
    """The reason of a fault as an `unreadable` entry states it."""
    sentence = next(
        (text for kind, text in _REASONS if isinstance(fault, kind)), "the database cannot be read"
    )
    return f"{sentence} ({fault})"


@contextmanager
def opened(path: str) -> Iterator[apsw.Connection]:
    """A connection that sees one state of the database throughout. Raises NotFound or BadInput for a
    path that is no file, one of FAULTS for a file that is no sound database."""
    head = _jsonl.head(path, 100)
    with ExitStack() as stack:
        if len(head) < 100 or head[18] != _WAL:
            yield _connect(stack, path, "mode=ro")
        elif not _size(path + "-wal"):
            yield _connect(stack, path, "immutable=1")
        else:
            yield _in_use(stack, path)


def _in_use(stack: ExitStack, path: str) -> apsw.Connection:
    if os.path.exists(path + "-shm"):
        with suppress(apsw.CantOpenError, apsw.ReadOnlyError):
            return _connect(stack, path, "mode=ro&readonly_shm=1")
    return _connect(stack, _copy(stack, path), "mode=rw")


def reported(path: str, entries: Iterator[Entry]) -> Iterator[Entry]:
    """The entries of a database, and where it gives out the reason as an `unreadable` entry."""
    line = 0
    try:
        for entry in entries:
            line = entry.line
            yield entry
    except FAULTS as fault:
        if not line:
            name = os.path.splitext(os.path.basename(path))[0]
            yield Entry(kind="meta", file=path, line=1, by="harness", data={"id": name})
        yield _jsonl.unreadable(path, line + 1, 0, explain(fault))


def columns(connection: apsw.Connection, table: str) -> tuple[str, ...]:
    """The names of a table's columns; none where there is no such table."""
    return tuple(str(row[0]) for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,)))


def row_of(connection: apsw.Connection, sql: str, values: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """The first row of a query, empty where there is none."""
    for row in connection.execute(sql, values):
        return tuple(row)
    return ()


def _connect(stack: ExitStack, path: str, options: str) -> apsw.Connection:
    address = f"file:{urllib.parse.quote(os.path.abspath(path))}?{options}"
    flags = apsw.SQLITE_OPEN_READWRITE if options == "mode=rw" else apsw.SQLITE_OPEN_READONLY
    connection = apsw.Connection(address, flags=flags | apsw.SQLITE_OPEN_URI)
    try:
        connection.set_busy_timeout(_BUSY_MS)
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except BaseException:
        connection.close(True)
        raise
    stack.callback(connection.close, True)
    return connection


def _copy(stack: ExitStack, path: str) -> str:
    import shutil
    import tempfile  # with shutil 14 ms, and needed only after a crash

    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="segue-"))
    copy = os.path.join(folder, "copy.db")
    for suffix in ("", "-wal"):
        shutil.copyfile(path + suffix, copy + suffix)
    return copy


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
