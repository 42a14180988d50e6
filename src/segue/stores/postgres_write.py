"""The statements that write to the log in PostgreSQL: a compare-and-set on the head, and the frames behind it.

A statement moves heads from the sequence and hash they are expected to have, and inserts frames and keys only for
heads it moved. Frames of several streams go in one statement; it is the caller's transaction that makes them all
or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import psycopg
from psycopg import errors

from segue.errors import BadInput
from segue.model.frame import Frame
from segue.stores.contract import Request
from segue.stores.postgres_pool import Link, Row
from segue.stores.seal import row_sum

MAX_STATEMENT_BYTES = 512 * 1024 * 1024
"""PostgreSQL takes no message of 1 GiB."""


class Moved(Exception):
    """Somebody else moved a head or took a key between our look and our write."""


class Write(NamedTuple):
    """Frames ready to be written after the frame with hash `previous`."""

    ask: Request
    frames: list[Frame]
    previous: bytes


def admit_size(frames: Sequence[Frame]) -> None:
    """Raises BadInput for frames that do not fit into one statement."""
    size = _size(frames)
    if size > MAX_STATEMENT_BYTES:
        raise BadInput(
            f"{size:,} bytes are too much for one append; the limit is {MAX_STATEMENT_BYTES:,}.",
            "Append in several calls, or store large contents as artifacts.",
        )


class Writer:
    def __init__(self, sql: dict[str, str]) -> None:
        self._sql = sql
        self._statements = {
            (first, keyed, single): sql["append"]
            .replace("{head}", sql["make_head" if first else "move_head"])
            .replace("{key}", f", key AS ({sql['take_key']})" if keyed else "")
            .replace("{frames}", sql["one_frame" if single else "many_frames"])
            for first in (False, True)
            for keyed in (False, True)
            for single in (False, True)
        }

    def write(self, link: Link, writes: Sequence[Write]) -> None:
        """Raises Moved when a head or a key is not as it was; what was written by then is to be rolled back."""
        for part in _parts(writes):
            try:
                done = self.one(link, part[0]) if len(part) == 1 else self._many(link, part)
            except errors.UniqueViolation:
                raise Moved from None
            if done.rowcount != sum(len(write.frames) for write in part):
                raise Moved

    def is_there(self, link: Link, frames: Sequence[Frame]) -> bool:
        """Whether it was these frames that were written at their place."""
        first = frames[0]
        place = {"stream": first.stream_id, "seq": first.seq}
        return link.rows(self._sql["placed_id"], place) == [(first.id,)]

    def one(self, link: Link, write: Write) -> psycopg.Cursor[Row]:
        (stream_id, _, _, kind, key, request), frames, previous = write
        first, last = frames[0], frames[-1]
        bindings: dict[str, Any] = {
            "stream": stream_id,
            "kind": kind,
            "expected": first.seq - 1,
            "previous": previous,
            "first": first.seq,
            "last": last.seq,
            "hash": last.hash,
            "lift": link.lift,
            "key": key,
            "request": request,
            "sum": _key_sum(write) if key is not None else None,
        }
        if first is last:
            bindings |= {"id": first.id, "type": first.type, "body": first.body}
        else:
            bindings |= _columns(frames)
        statement = self._statements[first.seq == 0, key is not None, first is last]
        return link.connection.execute(statement, bindings)

    def _many(self, link: Link, writes: Sequence[Write]) -> psycopg.Cursor[Row]:
        """The writes of one stream become one."""
        streams: dict[str, list[Write]] = {}
        for write in writes:
            streams.setdefault(write.ask.stream_id, []).append(write)
        begins = [several[0] for several in streams.values()]
        ends = [several[-1].frames[-1] for several in streams.values()]
        keyed = [write for write in writes if write.ask.key is not None]
        frames = [frame for write in writes for frame in write.frames]
        return link.connection.execute(
            self._sql["append_all"],
            {
                "lift": link.lift,
                "streams": list(streams),
                "kinds": [write.ask.stream_kind for write in begins],
                "expected": [write.frames[0].seq - 1 for write in begins],
                "previous": [write.previous for write in begins],
                "lasts": [frame.seq for frame in ends],
                "heads": [frame.hash for frame in ends],
                "keys": [write.ask.key for write in keyed],
                "requests": [write.ask.request for write in keyed],
                "key_streams": [write.ask.stream_id for write in keyed],
                "key_firsts": [write.frames[0].seq for write in keyed],
                "key_lasts": [write.frames[-1].seq for write in keyed],
                "key_sums": [_key_sum(write) for write in keyed],
                "frame_streams": [frame.stream_id for frame in frames],
                "seqs": [frame.seq for frame in frames],
                **_columns(frames),
            },
        )


def _key_sum(write: Write) -> int:
    key, request = write.ask.key or "", write.ask.request
    return row_sum(key, request, write.ask.stream_id, write.frames[0].seq, write.frames[-1].seq)


def _parts(writes: Sequence[Write]) -> Iterator[list[Write]]:
    """The writes in their order, as many together as one statement takes."""
    part: list[Write] = []
    room = MAX_STATEMENT_BYTES
    for write in writes:
        size = _size(write.frames)
        if part and size > room:
            yield part
            part, room = [], MAX_STATEMENT_BYTES
        part.append(write)
        room -= size
    if part:
        yield part


def _size(frames: Sequence[Frame]) -> int:
    return sum(len(frame.body) for frame in frames)


def _columns(frames: Sequence[Frame]) -> dict[str, list[Any]]:
    _, _, ids, types, bodies, hashes = zip(*frames, strict=True)
    return {"ids": list(ids), "types": list(types), "bodies": list(bodies), "hashes": list(hashes)}
