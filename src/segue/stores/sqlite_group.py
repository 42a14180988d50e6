"""Several appends in one commit of the embedded log, in a few statements however many they are.

Everything the appends must be checked against is read at once, each is decided in turn against what those
before it leave behind, and everything is written at once. Every statement lets other threads at the
interpreter, and with four statements for each append a group of 64 spent most of its time on getting it back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import apsw

from segue.errors import SegueError
from segue.model.frame import Frame
from segue.model.wire import GENESIS
from segue.stores.contract import NEW, Request
from segue.stores.seal import admit, admit_place, admit_stream, id_taken, seal
from segue.stores.sqlite_open import SQL
from segue.stores.sqlite_rows import earlier, frame_rows, insert_frames, insert_key, move_heads

Outcome = list[Frame] | SegueError


class Standing(NamedTuple):
    """Where a stream stands, with its number."""

    number: int
    kind: str
    seq: int
    hash: bytes


class Admitted(NamedTuple):
    """An append whose drafts are in order, and the frame ids that they bring along."""

    ask: Request
    given: list[str]


def admitted(requests: Sequence[Request]) -> list[Admitted | SegueError]:
    """The appends that a log may look at, or why not. Needs no lock."""
    return [_admitted(ask) for ask in requests]


def commit(asks: Sequence[Admitted | SegueError], db: apsw.Cursor) -> list[Outcome]:
    db.execute("BEGIN IMMEDIATE")
    group = _Group(db, [ask for ask in asks if isinstance(ask, Admitted)])
    made = [group.append(ask) if isinstance(ask, Admitted) else ask for ask in asks]
    group.write()
    db.execute("COMMIT")
    return made


class _Group:
    """What a group found and what it is about to write."""

    def __init__(self, db: apsw.Cursor, asks: Sequence[Admitted]) -> None:
        self._db = db
        streams = {one.ask.stream_id for one in asks}
        self._standing = {
            stream_id: Standing(*rest) for stream_id, *rest in db.execute(SQL["standings"], _listed(streams))
        }
        self._unused, self._commit_no = next(db.execute(SQL["new_stream"]))
        given = [frame_id for one in asks for frame_id in one.given]
        self._taken = (
            {frame_id for (frame_id,) in db.execute(SQL["taken"], _listed(given))} if given else set()
        )
        self._frames: list[tuple[int | str | bytes, ...]] = []
        self._moved: dict[str, int] = {}

    def append(self, one: Admitted) -> Outcome:
        """The frames of an append, to be written; or why not. What is refused leaves nothing behind."""
        try:
            return self._decided(one)
        except SegueError as fault:
            return fault

    def _decided(self, one: Admitted) -> list[Frame]:
        stream_id, drafts, expect, stream_kind, key, request = one.ask
        if key is not None:
            self.write()  # the key may be that of an append in this group
            if (first := earlier(self._db, key, request)) is not None:
                return first
        stands = self._standing.get(stream_id)
        if stands is None:
            admit_stream(stream_id, stream_kind)
            stands = Standing(self._unused, stream_kind, NEW, GENESIS)
        admit_place(stream_id, stream_kind, expect, stands.kind, stands.seq)
        for frame_id in one.given:
            if frame_id in self._taken:
                raise id_taken(frame_id)
        sealed = seal(stream_id, stream_kind, stands.seq, stands.hash, drafts)
        base, last = stands.number << 32, sealed[-1]
        if key is not None:
            insert_key(self._db, key, request, base + sealed[0].seq, base + last.seq)
        self._frames += frame_rows(base, self._commit_no, sealed)
        self._moved[stream_id] = self._commit_no
        self._commit_no += 1
        self._taken.update(one.given)
        self._unused += stands.seq == NEW
        self._standing[stream_id] = stands._replace(seq=last.seq, hash=last.hash)
        return sealed

    def write(self) -> None:
        """Writes what was decided since the last time."""
        insert_frames(self._db, self._frames)
        heads = [
            (self._standing[stream_id], stream_id, touched) for stream_id, touched in self._moved.items()
        ]
        move_heads(
            self._db,
            [(at.number, stream_id, at.kind, at.seq, at.hash, touched) for at, stream_id, touched in heads],
        )
        self._frames, self._moved = [], {}


def _admitted(ask: Request) -> Admitted | SegueError:
    try:
        return Admitted(ask, admit(ask.drafts))
    except SegueError as fault:
        return fault


def _listed(texts: Iterable[str]) -> tuple[str]:
    return (json.dumps(list(texts)),)
