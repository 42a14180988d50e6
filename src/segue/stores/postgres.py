"""The log of a team: PostgreSQL, many machines, any number of servers that keep nothing themselves.

The same contract as the embedded log. A workspace is a schema of its own, so several share a database and rights
are given by schema. An append is one statement on the expected head, durable when it returns
(`synchronous_commit`); sequence numbers come from the head and never from the database, and two streams share
no row, so writers of different threads never wait for each other. Threads may share one object, forked
processes may not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Unpack

from segue.errors import SegueError
from segue.model.frame import Draft, Frame, Payload, Which
from segue.model.ids import is_id
from segue.model.tombstone import Record
from segue.stores.contract import Finding, Head, Key, Log, More, Request, StreamListener
from segue.stores.paging import LAST_SEQ, Span
from segue.stores.postgres_address import Address, parsed
from segue.stores.postgres_append import Appender, holdable
from segue.stores.postgres_frames import frames
from segue.stores.postgres_pool import Pool
from segue.stores.postgres_watch import Watch

_KEYS_PAGE = 1000
_LOWEST, _HIGHEST = (f"{d * 8}-{d * 4}-{d * 4}-{d * 4}-{d * 12}" for d in "0f")
_SLICE_S = 0.05
_OPERATOR = (
    "PostgreSQL keeps old versions of rows until VACUUM, and backups and archived write-ahead logs have them, too: "
    "whoever runs the server has to see to these."
)


def open_log(spec: str, folder: str, wait: float) -> Log:
    return PostgresLog(parsed(spec), wait)


class PostgresLog:
    """The log at an address. Nothing is connected before the first read or write."""

    def __init__(self, address: Address, wait: float) -> None:
        self._pool = Pool(address, wait)
        self._appender = Appender(self._pool)
        self._watch = Watch(self._pool, self.heads)

    @property
    def rows_read(self) -> int:
        return self._pool.rows_read

    def append(self, stream_id: str, drafts: Sequence[Draft], **more: Unpack[More]) -> list[Frame]:
        made = self._appender.append(Request(stream_id, drafts, **more))
        self._watch.publish(made[-1:])
        return made

    def append_all(self, requests: Sequence[Request]) -> list[list[Frame] | SegueError]:
        answers = self._appender.append_all(requests)
        self._watch.publish([answer[-1] for answer in answers if isinstance(answer, list)])
        return answers

    def adopt(self, frames: Sequence[Frame], forgotten: Sequence[Record] = ()) -> None:
        self._appender.adopt(frames, forgotten)
        self._watch.publish(frames[-1:])

    def forget(self, tombstones: Sequence[Frame], note: Draft) -> Frame:
        told = self._appender.forget(tombstones, note)
        self._watch.publish([told])
        return told

    def wipe(self) -> str:
        """PostgreSQL keeps the old version of a row until its space is used again, and what was archived of its
        write-ahead log, for ever: both are its operator's."""
        return _OPERATOR

    def keys(self) -> Iterator[Key]:
        after = ""
        while page := self._pool.rows("keys", after=after, rows=_KEYS_PAGE):
            yield from map(Key._make, page)
            after = page[-1][0]

    def adopt_keys(self, keys: Sequence[Key]) -> None:
        self._appender.adopt_keys(keys)

    def keyed(self, key: str) -> list[Frame] | None:
        found = self._pool.rows("used_keys", keys=[key]) if holdable(key) else []
        return self._appender.frames(Key._make(found[0])) if found else None

    def read(
        self, stream_id: str, first: int = 0, last: int | None = None, **which: Unpack[Which]
    ) -> Iterator[Frame]:
        span = Span(first, last, **which)
        kinds = list(filter(holdable, span.types))
        if not is_id(stream_id) or (span.types and not kinds):
            return iter(())
        return frames(self._pool, stream_id, span._replace(types=kinds))

    def frame(self, frame_id: str) -> Frame | None:
        found = self._pool.rows("frame", id=frame_id) if is_id(frame_id) else []
        return Frame._make(found[0]) if found else None

    def count(self, stream_id: str, types: Sequence[str], last: int | None = None) -> int:
        last = LAST_SEQ if last is None else last
        if not is_id(stream_id):
            return 0
        kinds = list(filter(holdable, types))
        found = self._pool.rows("count_of_types", stream=stream_id, types=kinds, last=last)
        return int(found[0][0]) if found else 0

    def head(self, stream_id: str) -> Head | None:
        found = self._pool.rows("head", stream=stream_id) if is_id(stream_id) else []
        return Head._make(found[0]) if found else None

    def heads(self, since: int = 0) -> list[Head]:
        return [Head._make(row) for row in self._pool.rows("heads", since=since)]

    def find(self, prefix: str, limit: int = 2) -> list[str]:
        low, high = (prefix + end[len(prefix) :] for end in (_LOWEST, _HIGHEST))
        if not is_id(low):
            return []
        return [stream_id for (stream_id,) in self._pool.rows("find", low=low, high=high, limit=limit)]

    def follow(self, stream_id: str, first: int, stop: Callable[[], bool]) -> Iterator[Frame]:
        with self._watch.of(stream_id) as news:
            while not stop():
                news.clear()
                for frame in self.read(stream_id, first):
                    first = frame.seq + 1
                    yield frame
                while not stop() and not news.wait(_SLICE_S):
                    pass

    def listen(self, heard: StreamListener) -> Callable[[], None]:
        return self._watch.listen(heard)

    def verify(self) -> Iterator[Finding]:
        from segue.stores.postgres_check import findings

        return findings(self._pool)

    def rebuild(self, accept_loss: Payload | None = None) -> int:
        from segue.stores.postgres_check import remake

        self._appender.forget_heads()
        return remake(self._pool, accept_loss)

    def close(self) -> None:
        self._watch.close()
        self._pool.close()
