"""Appends of many threads in few commits: those that arrive while one is being made durable go into the next.

A log wrapped so keeps its contract: an append returns when its frames are durable, or raises what it would
have raised alone. One waiting thread leads: it commits for all that wait, then passes the lead on, so there
is no thread to start or to end, and a lone writer pays nothing.
"""

from __future__ import annotations

import _thread
from collections.abc import Callable, Sequence
from typing import Unpack

from segue.errors import SegueError
from segue.model.frame import Draft, Frame
from segue.stores.contract import Log, More, Notifying, Request

STREAMS_KNOWN = 50_000
MOST = 512
"""Appends in one commit at most: beyond that waiting grows and the fsync is paid for already."""

Outcome = list[Frame] | BaseException
Committed = Callable[[Sequence[str]], None]


class _Waiting:
    """An append in the queue. `called` is free once its thread was served, or is to lead."""

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
    thread that led it; the same stream may be named twice."""

    def __init__(self, log: Log, committed: Committed = lambda streams: None) -> None:
        self._log = log
        self._committed = committed
        self._turn = _thread.allocate_lock()
        self._queue: list[_Waiting] = []
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
        if isinstance(log, Notifying):
            self.listen = log.listen

    @property
    def rows_read(self) -> int:
        return self._log.rows_read

    def append(self, stream_id: str, drafts: Sequence[Draft], **more: Unpack[More]) -> list[Frame]:
        mine = _Waiting(Request(stream_id, drafts, **more))
        with self._turn:
            self._queue.append(mine)
            leads, self._led = not self._led, True
        if not leads:
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

    def _lead(self) -> None:
        with self._turn:
            group, self._queue = self._queue[:MOST], self._queue[MOST:]
        outcomes = self._commit([one.request for one in group])
        with self._turn:
            self._led = bool(self._queue)
            following = self._queue[0] if self._queue else None
        if following is not None:
            following.called.release()
        for one, outcome in zip(group, outcomes, strict=True):
            one.serve(outcome)

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
