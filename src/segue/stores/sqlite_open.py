"""Making and opening the file of the embedded log, and what its failures mean.

A log is made under another name and renamed into place whole, so a `log.db` without our marks
is never a log in the making: it is damaged, foreign, or of a newer version, and says so.
"""

from __future__ import annotations

import contextlib
import os

import apsw

from segue.errors import Unavailable
from segue.stores.contract import FORMAT
from segue.stores.named_sql import parts
from segue.stores.private_files import PRIVATE_FILE, sync_folder

APPLICATION = 0x73656775
"""`segu`, where SQLite files carry the mark of their owner."""

_RESTORE = "Run `segue verify log` to see what is wrong, and restore log.db from a backup."
_REBUILD = "Run `segue rebuild`; if that does not help, restore log.db from a backup."
_DISK = "Check the disk and the rights on the workspace folder."


SQL = parts(os.path.join(os.path.dirname(__file__), "sqlite.sql"))

LAYOUT = (
    f"BEGIN; {SQL['tables']} {SQL['derived']}"
    f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; COMMIT;"
)
"""Makes an empty database a log."""

_FAULTS: tuple[tuple[type[apsw.Error], str, str, str], ...] = (
    (apsw.BusyError, "locked", "is locked by another process", "Wait for it to finish and try again."),
    (apsw.LockedError, "locked", "is locked by another process", "Wait for it to finish and try again."),
    (apsw.FullError, "full", "cannot grow: the disk is full", "Free some space; nothing was half-written."),
    (apsw.ReadOnlyError, "read_only", "cannot be written: it is read-only", _DISK),
    (apsw.PermissionsError, "read_only", "cannot be written: permission is denied", _DISK),
    (apsw.CantOpenError, "unavailable", "cannot be opened", _DISK),
    (apsw.NotADBError, "damaged", "is damaged: it is not a database", _RESTORE),
    (apsw.CorruptError, "damaged", "is damaged", _RESTORE),
    (apsw.ConstraintError, "damaged", "is damaged: it contradicts itself", _RESTORE),
    (apsw.SQLError, "damaged", "is damaged: parts of it are missing", _REBUILD),
    (apsw.IOError, "unavailable", "cannot be used: the disk reports an error", _DISK),
)


def unavailable(fault: apsw.Error, path: str) -> Unavailable:
    """What the database library refused, as a sentence about the log at `path`."""
    if isinstance(fault, apsw.ReadOnlyError) and _has_no_room(path):
        fault = apsw.FullError()  # it was opened to be read only, for want of room
    for kind, code, state, hint in _FAULTS:
        if isinstance(fault, kind):
            return Unavailable(f"The log {path} {state}.", hint, code)
    return Unavailable(f"The log {path} cannot be used: {fault}.", _RESTORE)


def connect(path: str, wait: float, vfs: str | None) -> apsw.Connection:
    """A connection to an existing log. Raises Unavailable or apsw.Error."""
    try:
        return _checked(apsw.Connection(path, apsw.SQLITE_OPEN_READWRITE, vfs), path, wait)
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError, apsw.FullError) as fault:
        if not _pending(path):
            # A log at rest on a disk that is read-only or full: SQLite cannot make its side files, and needs none.
            flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            return _checked(apsw.Connection(f"{_address(path)}?immutable=1", flags, vfs), path, wait)
        if isinstance(fault, apsw.CantOpenError | apsw.ReadOnlyError):
            raise
        # A full disk has no room for the index of the write-ahead file; who reads alone may keep it in memory.
        db = apsw.Connection(path, apsw.SQLITE_OPEN_READWRITE, vfs)
        db.pragma("locking_mode", "exclusive")
        return _checked(db, path, wait)


def _address(path: str) -> str:
    return "file:" + path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _checked(db: apsw.Connection, path: str, wait: float) -> apsw.Connection:
    try:
        db.set_busy_timeout(int(wait * 1000))
        db.execute(SQL["connect"])
        application, version = (db.execute(SQL[mark]).get for mark in ("application", "format"))
        if application != APPLICATION:
            raise Unavailable(f"The log {path} is damaged: it is not a segue log.", _RESTORE, "damaged")
        if version > FORMAT:
            raise Unavailable(
                f"The log {path} has format {version}; this version of segue reads up to format {FORMAT}.",
                "Upgrade segue to open this workspace.",
                "newer_format",
            )
    except BaseException:
        db.close()
        raise
    return db


def writer(db: apsw.Connection) -> apsw.Cursor:
    """What to write through; the caller holds the gate. A log of an older version gets the columns it lacks."""
    cursor = db.cursor()
    for (alteration,) in cursor.execute(SQL["lacking_sums"]).fetchall():
        cursor.execute(str(alteration))
    return cursor


def create(path: str, vfs: str | None) -> None:
    """Makes an empty log; the caller holds the gate. Raises Unavailable, OSError or apsw.Error."""
    if _pending(path):
        raise Unavailable(
            f"The log {path} is missing, but frames not yet moved into it lie beside it.",
            "Restore log.db from a backup; keep log.db-wal where it is.",
            "damaged",
        )
    draft = path + ".new"
    for leftover in (draft, draft + "-journal", draft + "-wal", draft + "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(leftover)
    os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    db = apsw.Connection(draft, apsw.SQLITE_OPEN_READWRITE, vfs)
    try:
        db.execute(SQL["connect"])
        db.execute(f"{LAYOUT} PRAGMA journal_mode = WAL;")
    finally:
        db.close()
    os.rename(draft, path)
    sync_folder(os.path.dirname(path))


def _has_no_room(path: str) -> bool:
    try:
        disk = os.statvfs(os.path.dirname(path))
    except OSError:
        return False
    return disk.f_bavail == 0 and not disk.f_flag & os.ST_RDONLY


def _pending(path: str) -> bool:
    """True when commits wait in the write-ahead file."""
    try:
        return os.path.getsize(path + "-wal") > 0
    except FileNotFoundError:
        return False
