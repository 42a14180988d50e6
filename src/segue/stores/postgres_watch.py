"""News of other processes' commits: LISTEN and NOTIFY, and a look at the heads now and then.

A notification names a stream and a frame and is sent after the commit, in a transaction of its own: inside it would
hold a lock of the whole server until the disk has synced, and 32 writers would commit at a ninth of their rate. Who
writes much speaks for many commits at once. A notification may be lost; what it announces is found by the look at the
heads, which serves all followers of a process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial

import psycopg

from segue.errors import SegueError
from segue.model.frame import Frame
from segue.stores.contract import Head, StreamListener
from segue.stores.postgres_pool import Connection, Pool

LOOK_SECONDS = 1.0
NOTIFY_SECONDS = 0.02
"""From one notification to the next: another round trip for every commit would cost a quarter of the rate."""
_LISTEN_SLICE_S = 0.2


class Watch:
    """Wakes who follows a stream, and tells who listens to all. Its thread and connection live while somebody does."""

    def __init__(self, pool: Pool, heads: Callable[[int], list[Head]]) -> None:
        self._pool = pool
        self._heads = heads
        self._mutex = threading.Lock()
        self._followers: dict[str, set[threading.Event]] = {}
        self._listeners: set[StreamListener] = set()
        self._listener: threading.Thread | None = None
        self._news: dict[str, int] = {}
        self._announced_at = 0.0
        self._announcer: threading.Thread | None = None

    def publish(self, frames: Sequence[Frame]) -> None:
        """Announces commits: at once, or together with those that follow shortly."""
        for frame in frames:
            self._wake(frame.stream_id)
        with self._mutex:
            self._news.update((frame.stream_id, frame.seq) for frame in frames)
            now = time.monotonic()
            at_once = self._announcer is None and now - self._announced_at >= NOTIFY_SECONDS
            if at_once:
                self._announced_at = now
            elif self._announcer is None:
                # Not a daemon: a process that ends says what it has to say.
                self._announcer = threading.Thread(target=self._announce, name="segue-notify")
                self._announcer.start()
        if at_once:
            self._notify()

    def _announce(self) -> None:
        """Speaks now and then while there is something to say."""
        while True:
            time.sleep(NOTIFY_SECONDS)
            with self._mutex:
                if not self._news:
                    self._announcer = None
                    return
            self._notify()

    def _notify(self) -> None:
        with self._mutex:
            news, self._news = self._news, {}
        said = [f"{stream_id} {seq}" for stream_id, seq in news.items()]
        told = {"channel": self._pool.address.schema, "news": said}
        with suppress(SegueError):
            self._pool.writing(lambda link: link.rows(self._pool.sql["tell"], told))

    @contextmanager
    def of(self, stream_id: str) -> Iterator[threading.Event]:
        """An event that is set whenever the stream may have grown."""
        event = threading.Event()
        with self._mutex:
            self._followers.setdefault(stream_id, set()).add(event)
            self._start_listener()
        try:
            yield event
        finally:
            with self._mutex:
                others = self._followers.get(stream_id, set()) - {event}
                if others:
                    self._followers[stream_id] = others
                else:
                    self._followers.pop(stream_id, None)

    def listen(self, heard: StreamListener) -> Callable[[], None]:
        with self._mutex:
            self._listeners.add(heard)
            self._start_listener()
        return partial(self._listeners.discard, heard)

    def close(self) -> None:
        with self._mutex:
            self._followers.clear()
            self._listeners.clear()
            threads = [thread for thread in (self._listener, self._announcer) if thread is not None]
        for thread in threads:
            thread.join()

    def _wake(self, stream_id: str) -> None:
        for event in list(self._followers.get(stream_id, ())):
            event.set()

    def _forward(self, stream_id: str) -> None:
        """News from elsewhere; an empty id is news of any stream."""
        for followed in [stream_id] if stream_id else list(self._followers):
            self._wake(followed)
        for heard in list(self._listeners):
            heard(stream_id)

    def _start_listener(self) -> None:
        if self._listener is None:
            self._listener = threading.Thread(target=self._listen, name="segue-listen", daemon=True)
            self._listener.start()

    def _wanted(self) -> bool:
        """Whether to go on listening; who says no has stopped."""
        with self._mutex:
            wanted = bool(self._followers or self._listeners)
            if not wanted:
                self._listener = None
            return wanted

    def _listen(self) -> None:
        connection: Connection | None = None
        since, looked = 0, 0.0
        while self._wanted():
            try:
                if connection is None:
                    connection = self._pool.connect()
                    connection.execute(f"LISTEN {self._pool.address.schema}")
                    since, looked = self._now(), time.monotonic()
                    self._forward("")
                for notice in connection.notifies(timeout=_LISTEN_SLICE_S):
                    self._forward(notice.payload.partition(" ")[0])
                if time.monotonic() - looked > LOOK_SECONDS:
                    since, looked = self._look(since), time.monotonic()
            except (psycopg.Error, SegueError):
                if connection is not None:
                    connection.close()
                connection = None
                self._forward("")
                time.sleep(_LISTEN_SLICE_S)
        if connection is not None:
            connection.close()

    def _now(self) -> int:
        """Where to look on from for whoever reads its stream after this."""
        found = self._pool.rows("now")
        return int(found[0][0]) if found else 0

    def _look(self, since: int) -> int:
        heads = self._heads(since)
        for head in heads:
            self._forward(head.stream_id)
        return heads[-1].touched if heads else since
