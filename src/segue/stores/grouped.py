"""Appends of many threads in few commits: those that arrive while one is being made durable go into the next.

A log wrapped so keeps its contract: an append returns when its frames are durable, or raises what it would
have raised alone. One waiting thread leads: it commits for all that wait, then passes the lead on, so there
is no thread to start or to end, and a lone writer pays nothing. Who cannot wait, as an event loop cannot, hands
its append in (`begin`) and is called when it is done; where only such appends wait, a thread of its choice leads.
"""

from __future__ import annotations

import _thread
from collections.abc import Callable, Sequence

from segue.errors import SegueError
from segue.model.frame import Draft, Frame
from segue.stores.contract import Log, Request, Telling

STREAMS_KNOWN = 50_000
MOST = 512
"""Appends in one commit at most: beyond that waiting grows and the fsync is paid for already."""

Outcome = list[Frame] | BaseException
Committed = Callable[[Sequence[str]], None]


Done = Callable[[Outcome], None]
Elsewhere = Callable[[Callable[[], None]], None]


def in_a_thread(work: Callable[[], None]) -> None:
    _thread.start_new_thread(work, ())


class _Handed:
    """An append in the queue that no thread waits for: `done` is called once it is known what became of it."""

    __slots__ = ("done", "request")

    def __init__(self, request: Request, done: Done) -> None:
        self.request = request
        self.done = done

    def serve(self, outcome: Outcome) -> None:
        self.done(outcome)


class _Waiting:
    """An append in the queue whose thread waits. `called` is free once that was served, or is to lead."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.outcome: Outcome | None = None
        self.called = _thread.allocate_lock()
        self.called.acquire()

    def serve(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.called.release()


class GroupedLog:
    """A log for the threads of one process. `committed` hears after every commit which streams grew, in the
    thread that led it; the same stream may be named twice. `elsewhere` has a thread that may wait do some work."""

    def __init__(
        self,
        log: Log,
        committed: Committed = lambda streams: None,
        elsewhere: Elsewhere = in_a_thread,
    ) -> None:
        self._log = log
        self._committed = committed
        self._elsewhere = elsewhere
        self._turn = _thread.allocate_lock()
        self._queue: list[_Waiting | _Handed] = []
        self._led = False
        self._known: set[str] = set()
        """Streams that are there, which they stay: whoever writes to one asks for it by its id first."""
        self.append_all = log.append_all
        self.adopt = log.adopt
        self.keys = log.keys
        self.adopt_keys = log.adopt_keys
        self.keyed = log.keyed
        self.read = log.read
        self.frame = log.frame
        self.count = log.count
        self.head = log.head
        self.heads = log.heads
        self.follow = log.follow
        self.wipe = log.wipe
        self.verify = log.verify
        self.rebuild = log.rebuild
        self.close = log.close
        if isinstance(log, Telling):
            self.listen = log.listen

    @property
    def rows_read(self) -> int:
        return self._log.rows_read

    @rows_read.setter
    def rows_read(self, rows: int) -> None:
        self._log.rows_read = rows

    def append(
        self,
        stream_id: str,
        drafts: Sequence[Draft],
        *,
        expect: int | None = None,
        stream_kind: str = "continuity",
        key: str | None = None,
        request: str = "",
    ) -> list[Frame]:
        mine = _Waiting(Request(stream_id, drafts, expect, stream_kind, key, request))
        if not self._queued([mine]):
            mine.called.acquire()
        if mine.outcome is None:
            self._lead()
        if isinstance(mine.outcome, list):
            return mine.outcome
        assert mine.outcome is not None
        raise mine.outcome

    def forget(self, tombstones: Sequence[Frame], note: Draft) -> Frame:
        told = self._log.forget(tombstones, note)
        self._committed([told.stream_id])
        return told

    def find(self, prefix: str, limit: int = 2) -> list[str]:
        if prefix in self._known:
            return [prefix]
        found = self._log.find(prefix, limit)
        if found == [prefix]:
            if len(self._known) >= STREAMS_KNOWN:
                self._known.clear()
            self._known.add(prefix)
        return found

    def begin(self, *handed: tuple[Request, Done]) -> None:
        """Hands appends in and returns at once. Each is called when it is known what became of it, in the thread
        that committed."""
        if self._queued([_Handed(request, done) for request, done in handed]):
            self._elsewhere(self._lead)

    def _queued(self, new: Sequence[_Waiting | _Handed]) -> bool:
        """Whether whoever queued them is to see to a leader."""
        with self._turn:
            self._queue += new
            leads, self._led = not self._led, True
        return leads

    def _lead(self) -> None:
        with self._turn:
            group, self._queue = self._queue[:MOST], self._queue[MOST:]
        outcomes = self._commit([one.request for one in group])
        with self._turn:
            self._led = bool(self._queue)
            following = self._next_leader()
            is_left = self._led and following is None
        if following is not None:
            following.called.release()
        for one, outcome in zip(group, outcomes, strict=True):
            one.serve(outcome)
        if is_left:
            self._elsewhere(self._lead)

    def _next_leader(self) -> _Waiting | None:
        """The first thread that waits, put first, so that it is served by the commit that it leads."""
        for at, one in enumerate(self._queue):
            if isinstance(one, _Waiting):
                self._queue.insert(0, self._queue.pop(at))
                return one
        return None

    def _commit(self, requests: list[Request]) -> Sequence[Outcome]:
        try:
            made = self._log.append_all(requests)
        except BaseException as fault:  # every writer of the group must hear of it, or it would wait for ever
            return [_again(fault) for _ in requests]
        self._committed([frames[0].stream_id for frames in made if isinstance(frames, list)])
        return made


def _again(fault: BaseException) -> BaseException:
    """The fault for one more thread to raise: a traceback of its own, the same sentence."""
    if isinstance(fault, SegueError):
        return type(fault)(fault.message, fault.hint, fault.code)
    return fault
