"""Makes the derived half of an embedded log again: heads and indexes, from the frames alone, in one commit. Rows of a
log of an older format get their checksums; one that is missing where every row had one is left to be found.

The old heads are read for one thing: where one is ahead of the frames, frames are lost, and without somebody's word
for it nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import apsw

from segue.errors import Unavailable
from segue.model.frame import Payload
from segue.model.ids import is_id
from segue.model.wire import GENESIS
from segue.stores import lost_frames
from segue.stores.contract import FORMAT, NEW, Head
from segue.stores.seal import row_sum, seal
from segue.stores.sqlite_open import SQL
from segue.stores.sqlite_rows import frame_rows, insert_frames, move_heads
from segue.stores.verify import RESTORE, origin


class _Stream(NamedTuple):
    """A head, and the number that the stream is filed under."""

    number: int
    head: Head


def remake(accept_loss: Payload | None, db: apsw.Cursor) -> int:
    """Drops and derives streams and indexes; returns how many streams."""
    db.execute("BEGIN IMMEDIATE")
    before = _heads(db)
    db.execute(SQL["drop_derived"] + SQL["derived"])
    derived = list(_derived(db))
    losses = _losses(before, derived)
    if losses and accept_loss is None:
        raise lost_frames.refused([(was.head, there.head.seq) for was, there in losses], RESTORE)
    commits = count(max((one.head.touched for one in (*before, *derived)), default=0) + 1)
    numbers = count(max((one.number for one in (*before, *derived)), default=0) + 1)
    streams = {one.number: one.head for one in derived}
    for was, there in losses:
        number = there.number if there.head.seq != NEW else next(numbers)
        streams[number] = _recorded(db, number, was.head, there.head, accept_loss or {}, next(commits))
    for number, head in streams.items():
        move_heads(db, [(number, *head)])
    if losses:
        db.execute(SQL["drop_dangling_keys"])
    if db.execute(SQL["format"]).get < FORMAT:
        db.connection.create_scalar_function("row_sum", row_sum, deterministic=True)
        db.execute(f"{SQL['fill_sums']} PRAGMA user_version = {FORMAT};")
    db.execute("COMMIT")
    return len(streams)


def _heads(db: apsw.Cursor) -> list[_Stream]:
    """The heads as they are; none where they cannot be read, which is what they are made again for."""
    try:
        return [_Stream(number, Head(*head)) for number, *head in db.execute(SQL["all_heads"])]
    except (apsw.SQLError, apsw.CorruptError):
        return []


def _derived(db: apsw.Cursor) -> Iterator[_Stream]:
    number = db.execute(SQL["next_stream"], (0,)).get
    while number is not None:
        *_, seq, digest, commit_no = next(db.execute(SQL["standing"], (number,)))
        said = (origin(body) for (body,) in db.execute(SQL["bodies_back"], (number,)))
        stream_id, kind = next((pair for pair in said if all(pair)), ("", ""))
        if not stream_id:
            raise Unavailable(
                f"No frame of stream number {number} can be decoded, so its id is unknown.",
                RESTORE,
                "damaged",
            )
        yield _Stream(number, Head(stream_id, kind, seq, digest, commit_no))
        number = db.execute(SQL["next_stream"], (number + 1,)).get


def _losses(before: list[_Stream], derived: list[_Stream]) -> list[tuple[_Stream, _Stream]]:
    """Heads that were ahead of the frames, each with what is there: filed under its number, or of its id."""
    by_number = {one.number: one for one in derived}
    by_id = {one.head.stream_id: one for one in derived}
    found = []
    for was in before:
        nothing = was._replace(head=was.head._replace(seq=NEW, hash=GENESIS))
        there = by_id.get(was.head.stream_id) or by_number.get(was.number) or nothing
        if was.head.seq > there.head.seq and is_id(there.head.stream_id):
            found.append((was, there))
    return found


def _recorded(
    db: apsw.Cursor, number: int, was: Head, there: Head, accept_loss: Payload, commit_no: int
) -> Head:
    """The head after the frame that tells of a loss was added."""
    draft = lost_frames.record(was, there.seq, accept_loss)
    (frame,) = seal(there.stream_id, there.stream_kind, there.seq, there.hash, [draft])
    insert_frames(db, frame_rows(number << 32, commit_no, [frame]))
    return there._replace(seq=frame.seq, hash=frame.hash, touched=commit_no)
