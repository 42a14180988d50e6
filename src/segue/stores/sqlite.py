"""The embedded log: one SQLite file, many processes, no server.

An append runs behind the gate in one immediate transaction that reads the head, checks what the
writer expected, seals the frames and moves the head; `synchronous=FULL` makes the commit durable
before it is acknowledged. A read takes whole pages and keeps nothing open between them, so a slow
reader never holds back a checkpoint. Threads may share one object, forked processes may not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Unpack

import apsw

from segue.errors import SegueError, Unavailable
from segue.model.frame import Draft, Frame, Payload, Which
from segue.model.tombstone import Record
from segue.model.wire import GENESIS
from segue.stores.contract import NEW, Finding, Head, Key, Log, More, Request
from segue.stores.paging import LAST_SEQ, Span
from segue.stores.seal import admit, admit_place, admit_stream, id_taken, not_as_read, one_stream, seal
from segue.stores.sqlite_file import LogFile, Row, SqliteFile
from segue.stores.sqlite_frames import frames
from segue.stores.sqlite_open import SQL
from segue.stores.sqlite_rows import earlier, frame_rows, insert_frames, insert_key, move_heads

WAIT_SECONDS = 10.0
POLL_SECONDS = 0.02
_BEGIN_AT_HEAD = "BEGIN IMMEDIATE;" + SQL["append_head"]
_KEYS_PAGE = 1000


def open_log(spec: str, folder: str, wait: float) -> Log:
    return SqliteLog(folder, wait)


class SqliteLog:
    """The log in `folder`, or in another `file` than that. Nothing is touched before the first read or write."""

    def __init__(
        self,
        folder: str,
        wait: float = WAIT_SECONDS,
        vfs: str | None = None,
        file: LogFile | None = None,
    ) -> None:
        self._file: LogFile = file or SqliteFile(folder, wait, vfs)

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
        self._file.exclusive(partial(_adopt, frames, forgotten))

    def forget(self, tombstones: Sequence[Frame], note: Draft) -> Frame:
        stream_id = one_stream(tombstones)
        admit([note])

        def commit(db: apsw.Cursor) -> Frame:
            head = db.execute(_BEGIN_AT_HEAD, (stream_id,)).fetchone()
            if head is None:
                raise not_as_read(tombstones[0])
            for frame in tombstones:
                db.execute(SQL["replace_body"], (frame.body, (head[0] << 32) + frame.seq, frame.hash))
                if db.connection.changes() != 1:
                    raise not_as_read(frame)
            made = _append(db, Request(stream_id, [note], stream_kind=head[1]), [], head)
            db.execute("COMMIT")
            return made[0]

        return self._file.exclusive(commit)

    def wipe(self) -> str:
        """An update leaves what was there before in free space of its page, in the write-ahead file, and in pages that
        were split long ago. So the whole database is written anew and the write-ahead file cut to nothing."""
        if self._file.exists():
            self._file.exclusive(_wipe)
        return ""

    def keys(self) -> Iterator[Key]:
        after = ""
        while page := self._file.rows(SQL["keys"], (after, _KEYS_PAGE)):
            yield from map(Key._make, page)
            after = page[-1][0]

    def adopt_keys(self, keys: Sequence[Key]) -> None:
        self._file.exclusive(partial(_adopt_keys, keys))

    def keyed(self, key: str) -> list[Frame] | None:
        found = self._file.rows(SQL["key"], (key,))
        if not found:
            return None
        _, first, last = found[0]
        return [Frame._make(row) for row in self._file.rows(SQL["placed"], (first, last))]

    def read(
        self, stream_id: str, first: int = 0, last: int | None = None, **which: Unpack[Which]
    ) -> Iterator[Frame]:
        base = self._base(stream_id)
        return iter(()) if base is None else frames(self._file, stream_id, base, Span(first, last, **which))

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

        return self._file.exclusive(partial(remake, accept_loss)) if self._file.exists() else 0

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


def _adopt(frames: Sequence[Frame], forgotten: Sequence[Record], db: apsw.Cursor) -> None:
    from segue.stores.adoption import admit_frames, id_elsewhere  # 0.4 ms, and only copies need it

    db.execute("BEGIN IMMEDIATE")
    stream_id = frames[0].stream_id if frames else ""
    found = db.execute(SQL["head"], (stream_id,)).fetchone()
    kind = admit_frames(frames, Head._make(found) if found else None, forgotten)
    unused, commit_no = next(db.execute(SQL["new_stream"]))
    number = db.execute(SQL["number"], (stream_id,)).get or unused
    last = frames[-1]
    if any(db.execute(SQL["frame"], (frame.id,)).fetchone() for frame in frames):
        raise id_elsewhere(stream_id)
    insert_frames(db, frame_rows(number << 32, commit_no, frames))
    move_heads(db, [(number, stream_id, kind, last.seq, last.hash, commit_no)])
    db.execute("COMMIT")


def _adopt_keys(keys: Sequence[Key], db: apsw.Cursor) -> None:
    from segue.stores.adoption import key_elsewhere

    db.execute("BEGIN IMMEDIATE")
    for key in keys:
        head = db.execute(SQL["append_head"], (key.stream_id,)).fetchone()
        if head is None or not 0 <= key.first <= key.last <= head[2]:
            raise key_elsewhere(key)
        base = head[0] << 32
        meant = (key.request, base + key.first, base + key.last)
        used = db.execute(SQL["key"], (key.key,)).fetchone()
        if used is None:
            insert_key(db, key.key, *meant)
        elif used != meant:
            raise key_elsewhere(key)
    db.execute("COMMIT")


def _wipe(db: apsw.Cursor) -> None:
    db.execute("VACUUM")
    busy, *_ = next(db.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
    if busy:
        raise Unavailable(
            "Another process reads the log, so bytes of what was forgotten may still be in its write-ahead file.",
            "Forget the same once more when that process is done.",
            "locked",
        )
