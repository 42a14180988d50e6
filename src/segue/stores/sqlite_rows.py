"""Rows into the embedded log, many to a statement: a third less time a frame than one by one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import apsw

from segue.model.frame import Frame
from segue.stores.seal import key_taken, row_sum
from segue.stores.sqlite_open import SQL

Row = tuple[int | str | bytes, ...]

_ABREAST = (50, 10, 1)
"""Rows that one statement takes. Few widths, so that the prepared statements are found again."""


def _statements(into: str, values: str, after: str = "") -> dict[int, str]:
    return {wide: into + ",".join([values] * wide) + after for wide in _ABREAST}


_FRAMES = _statements(SQL["insert_frames"], SQL["seven_values"])
_HEADS = _statements(SQL["insert_heads"], SQL["six_values"], SQL["moving_them"])


def frame_rows(base: int, commit_no: int, sealed: Sequence[Frame]) -> list[Row]:
    """Frames of one append to the stream whose places begin at `base`."""
    return [
        (base + seq, commit_no, frame_id, kind, digest, body, row_sum(base + seq, commit_no))
        for _, seq, frame_id, kind, body, digest in sealed
    ]


def insert_frames(db: apsw.Cursor, rows: Sequence[Row]) -> None:
    _write(db, _FRAMES, rows)


def move_heads(db: apsw.Cursor, rows: Sequence[Row]) -> None:
    """Heads as (number, stream id, kind, seq, hash, touched), of streams that are there or begin."""
    _write(db, _HEADS, rows)


def insert_key(db: apsw.Cursor, key: str, request: str, first: int, last: int) -> None:
    """`first` and `last` are the places of the frames it stands for."""
    db.execute(SQL["insert_key"], (key, request, first, last, row_sum(key, request, first, last)))


def earlier(db: apsw.Cursor, key: str, request: str) -> list[Frame] | None:
    """What an idempotency key already stands for."""
    used = db.execute(SQL["key"], (key,)).fetchone()
    if used is None:
        return None
    asked, first, last = used
    if asked != request:
        raise key_taken(key)
    return [Frame._make(row) for row in db.execute(SQL["placed"], (first, last))]


def _write(db: apsw.Cursor, statements: dict[int, str], rows: Sequence[Row]) -> None:
    if len(rows) == 1:
        db.execute(statements[1], rows[0])
        return
    at = 0
    for wide, statement in statements.items():
        while len(rows) - at >= wide:
            db.execute(statement, tuple(chain.from_iterable(rows[at : at + wide])))
            at += wide
