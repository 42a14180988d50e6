"""What can be said against an embedded log, and how its derived half is made again.

`findings` compares everything derived with the frames and the frames with their own hashes; it
never holds a transaction across streams, so it can run beside writers. `remake` reads frames only.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from segue.errors import BadInput, Unavailable
from segue.model.wire import decode
from segue.stores.contract import Finding
from segue.stores.sqlite_file import SqliteFile
from segue.stores.sqlite_frames import frames
from segue.stores.sqlite_open import SQL
from segue.stores.sqlite_rows import move_heads
from segue.stores.verify import REBUILD, RESTORE, stream_findings


def findings(file: SqliteFile) -> Iterator[Finding]:
    try:
        yield from _page_findings(file)
        yield from _index_findings(file)
        number = _next_stream(file, 0)
        while number is not None:
            yield from _number_findings(file, number)
            number = _next_stream(file, number + 1)
        for (key,) in file.rows(SQL["dangling_keys"]):
            yield Finding("dangling_key", key, "An idempotency key names frames that are missing.", RESTORE)
    except Unavailable as fault:
        if fault.code != "damaged":
            raise
        yield Finding("damaged", file.path, fault.message, fault.hint)


def remake(db: apsw.Cursor) -> int:
    """Drops and derives streams and indexes; returns how many streams. All in one commit."""
    db.execute("BEGIN IMMEDIATE;" + SQL["drop_derived"] + SQL["derived"])
    streams = 0
    number = db.execute(SQL["next_stream"], (0,)).get
    while number is not None:
        move_heads(db, [_derived_head(db, number)])
        streams += 1
        number = db.execute(SQL["next_stream"], (number + 1,)).get
    db.execute("COMMIT")
    return streams


def _derived_head(db: apsw.Cursor, number: int) -> tuple[int, str, str, int, bytes, int]:
    *_, seq, digest, commit_no = next(db.execute(SQL["standing"], (number,)))
    for (body,) in db.execute(SQL["bodies_back"], (number,)):
        stream_id, stream_kind = _origin(body)
        if stream_id and stream_kind:
            return number, stream_id, stream_kind, seq, digest, commit_no
    raise Unavailable(
        f"No frame of stream number {number} can be decoded, so its id is unknown.", RESTORE, "damaged"
    )


def _origin(body: bytes) -> tuple[str, str]:
    """Stream id and kind as a frame says them itself; empty when it does not."""
    try:
        said = decode(body)
        return str(said["stream_id"]), str(said["stream_kind"])
    except (BadInput, TypeError, KeyError):
        return "", ""


def _next_stream(file: SqliteFile, number: int) -> int | None:
    found = file.rows(SQL["next_stream"], (number,))
    return found[0][0] if found else None


def _page_findings(file: SqliteFile) -> Iterator[Finding]:
    for (message,) in file.rows(SQL["quick_check"]):
        if message != "ok":
            yield Finding("damaged", file.path, f"The database file is damaged: {message}.", RESTORE)


def _index_findings(file: SqliteFile) -> Iterator[Finding]:
    for there, by_id, by_type in file.rows(SQL["index_counts"]):
        for name, entries in (("frames_by_id", by_id), ("frames_by_type", by_type)):
            if entries != there:
                yield Finding(
                    "index_mismatch", name, f"The index has {entries} entries for {there} frames.", REBUILD
                )


def _number_findings(file: SqliteFile, number: int) -> Iterator[Finding]:
    """The head and the last frame are read in one statement: a writer cannot come between them."""
    stream_id, stream_kind, *head, seq, digest, commit_no = file.rows(SQL["standing"], (number,))[0]
    base = number << 32
    if seq is None:
        yield Finding("head_mismatch", stream_id, "The stream has a head but no frames.", REBUILD)
        return
    if stream_id is None:
        yield Finding("head_mismatch", f"stream {number}", "The stream has frames but no head.", REBUILD)
        stream_id, stream_kind = _origin(file.rows(SQL["body"], (base + seq,))[0][0])
    elif head != [seq, digest, commit_no]:
        yield Finding(
            "head_mismatch",
            stream_id,
            f"The head says frame {head[0]}; the last frame is {seq}, or their hashes or commits differ.",
            REBUILD,
        )
    yield from stream_findings(stream_id, stream_kind, frames(file, stream_id, base, last=seq))
