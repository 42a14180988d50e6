"""Frames and keys of another log, written into the embedded one as they are."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from segue.model.frame import Frame
from segue.model.tombstone import Record
from segue.stores.adoption import admit_frames, id_elsewhere, key_elsewhere
from segue.stores.contract import Head, Key
from segue.stores.sqlite_open import SQL
from segue.stores.sqlite_rows import frame_rows, insert_frames, insert_key, move_heads


def adopt(frames: Sequence[Frame], forgotten: Sequence[Record], db: apsw.Cursor) -> None:
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


def adopt_keys(keys: Sequence[Key], db: apsw.Cursor) -> None:
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
