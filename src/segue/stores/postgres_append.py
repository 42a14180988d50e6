"""Appending to the log in PostgreSQL: decided against what the writer saw, written where that still holds.

Frames carry ids made beforehand, so a write may be sent again when a connection breaks in the middle: whichever
copy comes second finds the head moved, and the id at its place says by whom. A stream written a moment ago costs one round trip, another one two; writers that keep losing
a race without having expected a head queue for its row instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from segue.errors import BadInput, Conflict, SegueError, Unavailable
from segue.model.frame import Draft, Frame
from segue.model.ids import is_id
from segue.model.tombstone import Record
from segue.model.wire import GENESIS
from segue.stores.adoption import admit_frames, id_elsewhere, key_elsewhere
from segue.stores.contract import NEW, Head, Key, Request
from segue.stores.postgres_pool import Link, Pool
from segue.stores.postgres_write import Moved, Write, Writer, admit_size
from segue.stores.seal import (
    admit,
    admit_place,
    admit_stream,
    id_taken,
    key_taken,
    not_as_read,
    one_stream,
    row_sum,
    seal,
)

_REMEMBERED = 4096
_ROUNDS = 50


class Attempt(NamedTuple):
    """What became of several appends; a Key stands for the frames of its first use."""

    answers: list[list[Frame] | SegueError | Key]
    writes: list[Write]


class Place:
    """What a writer saw: heads, keys and frame ids. Decides appends against it, and moves on with them."""

    def __init__(self, heads: Iterable[Head], keys: Iterable[Key], taken: Iterable[str]) -> None:
        self.heads = {head.stream_id: head for head in heads}
        self.keys = {key.key: key for key in keys}
        self.taken = set(taken)

    def earlier(self, ask: Request) -> Key | None:
        """The use of a key that this append repeats."""
        used = self.keys.get(ask.key) if ask.key is not None else None
        if used is not None and used.request != ask.request:
            raise key_taken(used.key)
        return used

    def write(self, ask: Request) -> Write:
        """The frames to be. Raises what `append` raises."""
        head = self.heads.get(ask.stream_id)
        if head is None:
            admit_stream(ask.stream_id, ask.stream_kind)
            head = Head(ask.stream_id, ask.stream_kind, NEW, GENESIS, 0)
        admit_place(ask.stream_id, ask.stream_kind, ask.expect, head.stream_kind, head.seq)
        given = [draft.id for draft in ask.drafts if draft.id is not None]
        for frame_id in given:
            if frame_id in self.taken:
                raise id_taken(frame_id)
        frames = seal(ask.stream_id, ask.stream_kind, head.seq, head.hash, ask.drafts)
        admit_size(frames)
        self.taken.update(given)
        last = frames[-1]
        self.heads[ask.stream_id] = head._replace(seq=last.seq, hash=last.hash)
        if ask.key is not None:
            self.keys[ask.key] = Key(ask.key, ask.request, ask.stream_id, frames[0].seq, last.seq)
        return Write(ask, frames, head.hash)


def admit_request(ask: Request) -> list[str]:
    """The frame ids given beforehand. Raises BadInput for what no stream can take, or PostgreSQL cannot hold."""
    given = admit(ask.drafts)
    for text in (ask.key or "", ask.request, *{draft.type for draft in ask.drafts}):
        if not holdable(text):
            raise BadInput(
                "A frame type, an idempotency key or a request holds characters PostgreSQL cannot.",
                "Leave out NUL and lone surrogates.",
            )
    return given


def holdable(text: str) -> bool:
    """False for a text that PostgreSQL cannot hold."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


class Appender:
    """The writing half of a log."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._writer = Writer(pool.sql)
        self._known: dict[str, Head] = {}
        """Heads as this process last saw them: a guess that saves a look, and never more than that."""

    def append(self, ask: Request) -> list[Frame]:
        given = admit_request(ask)
        guess = self._known.get(ask.stream_id)
        if guess and not given and ask.expect in (None, guess.seq) and ask.stream_kind == guess.stream_kind:
            write = Place([guess], (), ()).write(ask)
            if self._commit(write):
                return write.frames
        place = self._pool.writing(lambda link: self._look(link, [ask], given, self._pool.sql["head"]))
        used = place.earlier(ask)
        if used is not None:
            return self.frames(used)
        write = place.write(ask)
        if self._commit(write):
            return write.frames
        (answer,) = self.append_all([ask])
        if isinstance(answer, SegueError):
            raise answer
        return answer

    def append_all(self, asks: Sequence[Request]) -> list[list[Frame] | SegueError]:
        """Queues for the heads, decides, writes and commits; starts over when somebody was faster."""
        refusals = [_refusal(ask) for ask in asks]
        sound = [ask for ask, refusal in zip(asks, refusals, strict=True) if refusal is None]
        attempts: list[Attempt] = []

        def once(link: Link) -> Attempt:
            with link.connection.transaction():
                given = [draft.id for ask in sound for draft in ask.drafts if draft.id is not None]
                place = self._look(link, sound, given, self._pool.sql["lock_heads"])
                for attempt in attempts:
                    if self._writer.is_there(link, attempt.writes[0].frames):
                        return attempt
                attempt = _attempt(place, asks, refusals)
                if attempt.writes:
                    attempts.append(attempt)
                    try:
                        self._writer.write(link, attempt.writes)
                    except Moved:
                        attempts.pop()
                        raise
                return attempt

        attempt = self._in_the_end(lambda: self._pool.writing(once, doubt=lambda: bool(attempts)))
        for write in attempt.writes:
            self._remember(write)
        return [self.frames(answer) if isinstance(answer, Key) else answer for answer in attempt.answers]

    def forget(self, tombstones: Sequence[Frame], note: Draft) -> Frame:
        """Puts tombstones in the place of frames and adds the frame that names them, with the head locked."""
        stream_id = one_stream(tombstones)
        admit([note])

        def once(link: Link) -> Frame:
            with link.connection.transaction():
                place = self._look(link, [Request(stream_id, ())], (), self._pool.sql["lock_heads"])
                for frame in tombstones:
                    named = {"stream": stream_id, "seq": frame.seq, "hash": frame.hash, "body": frame.body}
                    if link.connection.execute(self._pool.sql["replace_body"], named).rowcount != 1:
                        raise not_as_read(frame)
                ask = Request(stream_id, [note], stream_kind=place.heads[stream_id].stream_kind)
                write = place.write(ask)
                self._writer.write(link, [write])
                self._remember(write)
                return write.frames[0]

        return self._pool.writing(once)

    def adopt(self, frames: Sequence[Frame], forgotten: Sequence[Record] = ()) -> None:
        """Like an append, with frames sealed elsewhere."""
        stream_id = frames[0].stream_id if frames else ""
        admit_size(frames)

        def look(link: Link) -> Place:
            ids = [frame.id for frame in frames]
            return self._look(link, [Request(stream_id, ())], ids, self._pool.sql["head"])

        place = self._pool.writing(look)
        head = place.heads.get(stream_id)
        kind = admit_frames(frames, head, forgotten)
        if place.taken:
            raise id_elsewhere(stream_id)
        write = Write(Request(stream_id, (), None, kind), list(frames), head.hash if head else GENESIS)
        if not self._commit(write):
            raise Conflict(f"The stream {stream_id} moved while frames were adopted.", "Copy again.")

    def adopt_keys(self, keys: Sequence[Key]) -> None:
        def once(link: Link) -> None:
            for key in keys:
                named = {"key": key.key, "request": key.request, "stream": key.stream_id}
                link.connection.execute(
                    self._pool.sql["adopt_key"],
                    {**named, "first": key.first, "last": key.last, "sum": row_sum(*key)},
                )
            there = {
                Key._make(row)
                for row in link.rows(self._pool.sql["used_keys"], {"keys": [k.key for k in keys]})
            }
            for key in keys:
                if key not in there:
                    raise key_elsewhere(key)

        self._pool.writing(once)

    def frames(self, key: Key) -> list[Frame]:
        """What a key stands for."""
        span = {"stream": key.stream_id, "first": key.first, "last": key.last}
        return [Frame._make(row) for row in self._pool.rows("placed", **span)]

    def _look(self, link: Link, asks: Sequence[Request], ids: Sequence[str], heads: str) -> Place:
        """What there is where the appends would go; with a query that locks, nobody else changes it."""
        streams = [ask.stream_id for ask in asks if is_id(ask.stream_id)]
        keys = [ask.key for ask in asks if ask.key is not None]
        found = link.rows(heads, {"streams": streams, "stream": streams[0]}) if streams else []
        used = link.rows(self._pool.sql["used_keys"], {"keys": keys}) if keys else []
        taken = link.rows(self._pool.sql["taken_ids"], {"ids": ids}) if ids else []
        return Place(map(Head._make, found), map(Key._make, used), (frame_id for (frame_id,) in taken))

    def _commit(self, write: Write) -> bool:
        """One statement, one commit. False when somebody was faster."""
        sent: list[Write] = []

        def once(link: Link) -> bool:
            sent.append(write)
            try:
                self._writer.write(link, [write])
            except Moved:
                return len(sent) > 1 and self._writer.is_there(link, write.frames)
            return True

        done = self._pool.writing(once, doubt=lambda: bool(sent))
        if done:
            self._remember(write)
        else:
            self._known.pop(write.ask.stream_id, None)
        return done

    def forget_heads(self) -> None:
        """Heads are about to be made anew: what this process saw of them is worth nothing."""
        self._known.clear()

    def _remember(self, write: Write) -> None:
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        last = write.frames[-1]
        self._known[last.stream_id] = Head(last.stream_id, write.ask.stream_kind, last.seq, last.hash, 0)

    def _in_the_end(self, work: Callable[[], Attempt]) -> Attempt:
        for _ in range(_ROUNDS):
            try:
                return work()
            except Moved:
                continue
        raise Unavailable(
            f"{self._pool.address.description} is written by too many at once.", "Try again.", "locked"
        )


def _attempt(place: Place, asks: Sequence[Request], refusals: Sequence[SegueError | None]) -> Attempt:
    """Decides every append after the other."""
    answers: list[list[Frame] | SegueError | Key] = []
    writes: list[Write] = []
    for ask, refusal in zip(asks, refusals, strict=True):
        try:
            if refusal is not None:
                raise refusal
            used = place.earlier(ask)
            if used is None:
                writes.append(place.write(ask))
            answers.append(used or writes[-1].frames)
        except SegueError as fault:
            answers.append(fault)
    return Attempt(answers, writes)


def _refusal(ask: Request) -> SegueError | None:
    try:
        admit_request(ask)
    except SegueError as fault:
        return fault
    return None
