"""The growing end of a workspace's threads, for any number of followers.

A follower reads pages from the store and holds nothing in between. It is stirred when its thread grew: at
once by appends of this server; by those of others when the store tells of them, or within `POLL_SECONDS` where
it does not and has to be asked, once for all.
Followers of one thread that stand at the same place share one reading of the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from segue.errors import SegueError
from segue.model.frame import Frame
from segue.stores.contract import Log, Notifying
from segue.surfaces.http.workers import Workers

POLL_SECONDS = 0.05
PAGE_FRAMES = 200
PAGE_BYTES = 256 * 1024


class Page(NamedTuple):
    """Frames that follow a place, and the last sequence number among them."""

    frames: tuple[Frame, ...]
    last_seq: int


class Follower:
    """Somebody who waits at the end of a thread."""

    def __init__(self) -> None:
        self.stirred = asyncio.Event()
        self.gone = False

    def leave(self) -> None:
        self.gone = True
        self.stirred.set()


class Tail:
    """`log` is set by whoever opens it, since appends report here from the first one on."""

    log: Log

    def __init__(self, readers: Workers) -> None:
        self.closing = False
        self.following = 0
        self._readers = readers
        self._loop: asyncio.AbstractEventLoop | None = None
        self._followers: dict[str, set[Follower]] = {}
        self._pages: dict[tuple[str, int, int], asyncio.Future[Page]] = {}
        self._seen = 0
        self._poller: asyncio.Task[None] | None = None
        self._stop_listening: Callable[[], None] | None = None

    def grew(self, streams: Sequence[str]) -> None:
        """Streams that an append of this process just added to; called from any thread."""
        if self._loop is not None and not self._followers.keys().isdisjoint(streams):
            self._loop.call_soon_threadsafe(self._stir, streams)

    @contextmanager
    def follower(self, stream_id: str) -> Iterator[Follower]:
        self._loop = asyncio.get_running_loop()
        follower = Follower()
        self._followers.setdefault(stream_id, set()).add(follower)
        self.following += 1
        self._attend(self._loop)
        try:
            yield follower
        finally:
            self.following -= 1
            if not self.following:
                self._rest()
            self._followers[stream_id].discard(follower)
            if not self._followers[stream_id]:
                del self._followers[stream_id]

    async def page(self, stream_id: str, after: int, most: int = PAGE_FRAMES) -> Page:
        """Frames after a place, at most so many. Raises SegueError."""
        place = (stream_id, after, most)
        reading = self._pages.get(place)
        if reading is None:
            reading = self._readers.insist(_page, self.log, stream_id, after, most)
            self._pages[place] = reading
            reading.add_done_callback(lambda _: self._pages.pop(place, None))
        return await asyncio.shield(reading)

    def close(self) -> None:
        """Ends every stream; those who follow are told to come back."""
        self.closing = True
        self._rest()
        self._stir(list(self._followers))

    def _attend(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begins to hear of what others add."""
        if isinstance(self.log, Notifying):
            self._stop_listening = self._stop_listening or self.log.listen(self._on_store_notice)
        elif self._poller is None:
            self._poller = loop.create_task(self._poll())

    def _rest(self) -> None:
        if self._stop_listening is not None:
            self._stop_listening()
        if self._poller is not None:
            self._poller.cancel()
        self._stop_listening = self._poller = None

    def _on_store_notice(self, stream_id: str) -> None:
        """What the store tells, in a thread of its own."""
        streams = [stream_id] if stream_id else list(self._followers)
        with suppress(RuntimeError):  # the loop has ended meanwhile
            self.grew(streams)

    def _stir(self, streams: Iterable[str]) -> None:
        for stream_id in streams:
            for follower in self._followers.get(stream_id, ()):
                follower.stirred.set()

    async def _poll(self) -> None:
        while not self.closing:
            try:
                heads = await self._readers.insist(self.log.heads, self._seen)
            except SegueError:
                heads = []  # a store that is away for a while: followers learn of it when they read
            self._stir(head.stream_id for head in heads)
            self._seen = max((head.touched for head in heads), default=self._seen)
            await asyncio.sleep(POLL_SECONDS)


def _page(log: Log, stream_id: str, after: int, most: int) -> Page:
    taken: list[Frame] = []
    room = PAGE_BYTES
    for frame in log.read(stream_id, after + 1, limit=most):
        taken.append(frame)
        room -= len(frame.body)
        if room <= 0:
            break
    return Page(tuple(taken), taken[-1].seq if taken else after)
