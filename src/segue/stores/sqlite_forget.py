"""Tombstones into the embedded log, and the old bytes out of its files.

An update leaves what was there before in free space of its page, in the write-ahead file, and in pages that were
split long ago. So the whole database is written anew and the write-ahead file cut to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from segue.errors import Unavailable
from segue.model.frame import Frame
from segue.stores.forgetting import not_as_read
from segue.stores.sqlite_open import SQL


def replace(db: apsw.Cursor, base: int, tombstones: Sequence[Frame]) -> None:
    """In the stream whose places begin at `base`, within the caller's transaction."""
    for frame in tombstones:
        db.execute(SQL["replace_body"], (frame.body, base + frame.seq, frame.hash))
        if db.connection.changes() != 1:
            raise not_as_read(frame)


def wipe(db: apsw.Cursor) -> None:
    db.execute("VACUUM")
    busy, *_ = next(db.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
    if busy:
        raise Unavailable(
            "Another process reads the log, so bytes of what was forgotten may still be in its write-ahead file.",
            "Forget the same once more when that process is done.",
            "locked",
        )
