"""The embedded log: one SQLite file, many processes, no server.

An append runs behind the gate in one immediate transaction that reads the head, checks what the
writer expected, seals the frames and moves the head; `synchronous=FULL` makes the commit durable
before it is acknowledged. A read takes whole pages and keeps nothing open between them, so a slow
reader never holds back a checkpoint. Threads may share one object, forked processes may not.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Unpack

import apsw

from segue.errors import SegueError
from segue.model.frame import Draft, Frame, Payload
from segue.model.tombstone import Record
from segue.model.wire import GENESIS
from segue.stores.contract import NEW, Finding, Head, Key, Log, More, Request
from segue.stores.forgetting import not_as_read, one_stream
from segue.stores.seal import admit, admit_place, admit_stream, id_taken, seal
from segue.stores.sqlite_file import Row, SqliteFile
from segue.stores.sqlite_frames import LAST_SEQ, frames
from segue.stores.sqlite_open import SQL
from segue.stores.sqlite_rows import earlier, frame_rows, insert_frames, insert_key, move_heads

WAIT_SECONDS = 10.0
POLL_SECONDS = 0.02
_BEGIN_AT_HEAD = "BEGIN IMMEDIATE;" + SQL["append_head"]
_KEYS_PAGE = 1000


def open_log(spec: str, folder: str, wait: float) -> Log:
    return SqliteLog(folder, wait)


class SqliteLog:
    """The log in `folder`. Nothing is touched before the first read or write."""

    def __init__(self, folder: str, wait: float = WAIT_SECONDS, vfs: str | None = None) -> None:
        self._file = SqliteFile(folder, wait, vfs)

    @property
    def path(self) -> str:
        return self._file.path

    @property
    def rows_read(self) -> int:
        return self._file.rows_read

    def append(self, stream_id: str, drafts: Sequence[Draft], **more: Unpack[More]) -> list[Frame]:
        ask = Request(stream_id, drafts, **more)
        given = admit(drafts)

        def commit(db: apsw.Cursor) -> list[Frame]:
            head = db.execute(_BEGIN_AT_HEAD, (stream_id,)).fetchone()
            made = _append(db, ask, given, head)
            db.execute("COMMIT")
            return made

        return self._file.exclusive(commit)

    def append_all(self, requests: Sequence[Request]) -> list[list[Frame] | SegueError]:
        from segue.stores import sqlite_group  # 1 ms, and only servers append together

        return self._file.exclusive(partial(sqlite_group.commit, sqlite_group.admitted(requests)))

    def adopt(self, frames: Sequence[Frame], forgotten: Sequence[Record] = ()) -> None:
        from segue.stores.sqlite_adopt import adopt

        self._file.exclusive(partial(adopt, frames, forgotten))

    def forget(self, tombstones: Sequence[Frame], note: Draft) -> Frame:
        from segue.stores.sqlite_forget import replace

        stream_id = one_stream(tombstones)
        admit([note])

        def commit(db: apsw.Cursor) -> Frame:
            head = db.execute(_BEGIN_AT_HEAD, (stream_id,)).fetchone()
            if head is None:
                raise not_as_read(tombstones[0])
            replace(db, head[0] << 32, tombstones)
            made = _append(db, Request(stream_id, [note], stream_kind=head[1]), [], head)
            db.execute("COMMIT")
            return made[0]

        return self._file.exclusive(commit)

    def wipe(self) -> str:
        from segue.stores.sqlite_forget import wipe

        if os.path.exists(self.path):
            self._file.exclusive(wipe)
        return ""

    def keys(self) -> Iterator[Key]:
        after = ""
        while page := self._file.rows(SQL["keys"], (after, _KEYS_PAGE)):
            yield from map(Key._make, page)
            after = page[-1][0]

    def adopt_keys(self, keys: Sequence[Key]) -> None:
        from segue.stores.sqlite_adopt import adopt_keys

        self._file.exclusive(partial(adopt_keys, keys))

    def keyed(self, key: str) -> list[Frame] | None:
        found = self._file.rows(SQL["key"], (key,))
        if not found:
            return None
        _, first, last = found[0]
        return [Frame._make(row) for row in self._file.rows(SQL["placed"], (first, last))]

    def read(
        self,
        stream_id: str,
        first: int = 0,
        last: int | None = None,
        *,
        types: Sequence[str] = (),
        reverse: bool = False,
        limit: int | None = None,
    ) -> Iterator[Frame]:
        base = self._base(stream_id)
        if base is None:
            return iter(())
        return frames(self._file, stream_id, base, first, last, types, reverse, limit)

    def frame(self, frame_id: str) -> Frame | None:
        found = self._file.rows(SQL["frame"], (frame_id,))
        return Frame._make(found[0]) if found else None

    def count(self, stream_id: str, types: Sequence[str], last: int | None = None) -> int:
        base = self._base(stream_id)
        last = LAST_SEQ if last is None else min(last, LAST_SEQ)
        if base is None or last < 0:
            return 0
        spans = [(kind, base, base + last) for kind in dict.fromkeys(types)]
        return sum(self._file.rows(SQL["count_of_type"], span)[0][0] for span in spans)

    def head(self, stream_id: str) -> Head | None:
        found = self._file.rows(SQL["head"], (stream_id,))
        return Head._make(found[0]) if found else None

    def heads(self, since: int = 0) -> list[Head]:
        return [Head._make(row) for row in self._file.rows(SQL["heads"], (since,))]

    def find(self, prefix: str, limit: int = 2) -> list[str]:
        return [stream_id for (stream_id,) in self._file.rows(SQL["find"], (prefix, limit))]

    def follow(self, stream_id: str, first: int, stop: Callable[[], bool]) -> Iterator[Frame]:
        while not stop():
            seen = self._file.version()
            for frame in self.read(stream_id, first):
                first = frame.seq + 1
                yield frame
            while self._file.version() == seen and not stop():
                time.sleep(POLL_SECONDS)

    def verify(self) -> Iterator[Finding]:
        from segue.stores.sqlite_check import findings

        return findings(self._file)

    def rebuild(self, accept_loss: Payload | None = None) -> int:
        from segue.stores.sqlite_rebuild import remake

        return self._file.exclusive(partial(remake, accept_loss)) if os.path.exists(self.path) else 0

    def close(self) -> None:
        self._file.close()

    def _base(self, stream_id: str) -> int | None:
        """The place before which the frames of a stream cannot lie."""
        found = self._file.rows(SQL["number"], (stream_id,))
        return found[0][0] << 32 if found else None


def _append(db: apsw.Cursor, ask: Request, given: list[str], head: Row | None) -> list[Frame]:
    stream_id, drafts, expect, stream_kind, key, request = ask
    if key is not None and (first := earlier(db, key, request)) is not None:
        return first
    if head is None:
        admit_stream(stream_id, stream_kind)
        number, commit_no = next(db.execute(SQL["new_stream"]))
        kind, seq, previous = stream_kind, NEW, GENESIS
    else:
        number, kind, seq, previous, commit_no = head
    admit_place(stream_id, stream_kind, expect, kind, seq)
    for frame_id in given:
        if db.execute(SQL["frame"], (frame_id,)).fetchone():
            raise id_taken(frame_id)
    sealed = seal(stream_id, stream_kind, seq, previous, drafts)
    base, last = number << 32, sealed[-1]
    insert_frames(db, frame_rows(base, commit_no, sealed))
    if key is not None:
        insert_key(db, key, request, base + sealed[0].seq, base + last.seq)
    move_heads(db, [(number, stream_id, stream_kind, last.seq, last.hash, commit_no)])
    return sealed
