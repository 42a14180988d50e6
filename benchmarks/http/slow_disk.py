"""A disk whose sync takes longer: `python slow_disk.py serve …` is `segue serve …` on such a one.

SQLite reaches its files through a table of functions. Each log that is opened gets a copy of that table in which
`xSync` first waits; everything else stays SQLite's own, so that nothing but the sync is slower. The wait leaves
the interpreter to others, as a disk does.
"""

from __future__ import annotations

import ctypes
import sys
import time

import apsw

from segue.stores import sqlite_file

SYNC_MS = 2.0
"""What a sync takes beyond what it takes here: that of a common solid-state disk without a protected cache."""

_POINTERS = 18
_SYNC = 4
_Sync = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


class _Methods(ctypes.Structure):
    """`sqlite3_io_methods`, version 3."""

    _fields_ = (("version", ctypes.c_int), ("functions", ctypes.c_void_p * _POINTERS))


class _File(ctypes.Structure):
    """The beginning of `sqlite3_file`."""

    _fields_ = (("methods", ctypes.POINTER(_Methods)),)


_kept: list[object] = []
"""What SQLite points to must live as long as the process does."""


def slow_down(seconds: float) -> None:
    """From now on, every log that is opened syncs so much more slowly."""
    connected = sqlite_file.connect

    def connect(path: str, wait: float, vfs: str | None) -> apsw.Connection:
        db = connected(path, wait, vfs)
        db.execute("SELECT count(*) FROM sqlite_schema").fetchall()  # opens the write-ahead file
        for which in (apsw.SQLITE_FCNTL_FILE_POINTER, apsw.SQLITE_FCNTL_JOURNAL_POINTER):
            found = ctypes.c_void_p()
            db.file_control("main", which, ctypes.addressof(found))
            _slow(ctypes.cast(found, ctypes.POINTER(_File)).contents, seconds)
        return db

    sqlite_file.connect = connect


def _slow(file: _File, seconds: float) -> None:
    copy = _Methods.from_buffer_copy(file.methods.contents)
    sync = _Sync(copy.functions[_SYNC])

    def slowly(this: int, flags: int) -> int:
        time.sleep(seconds)
        return int(sync(this, flags))

    slow = _Sync(slowly)
    copy.functions[_SYNC] = ctypes.cast(slow, ctypes.c_void_p).value
    file.methods = ctypes.pointer(copy)
    _kept.extend((copy, sync, slow))


if __name__ == "__main__":
    from segue.__main__ import command

    slow_down(SYNC_MS / 1000)
    sys.exit(command())
