"""Threads that do blocking work for an event loop, and a budget for what they bring.

What `run_in_executor` does, for a third of its price: a task is one queue entry, and answers that are ready
together wake the loop once. So many tasks wait at most: whoever comes then is told to come back, while there is
still time to tell it.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from segue.surfaces.http.problems import overloaded

T = TypeVar("T")

MOST_WAITING = 1024
"""Tasks beside those under way: more than a second's work, of callers who have seconds of patience."""


MOST_BYTES = 192 * 1024 * 1024
"""Bytes that a server has under way: read from a store, and not yet taken by the caller they are for."""


class Budget:
    """So many bytes, for one event loop."""

    def __init__(self, most: int) -> None:
        self._left = most

    def reserve(self, size: int) -> Callable[[], None]:
        """What gives them back, to be called once. Raises Unavailable where there are not so many left."""
        if size > self._left:
            raise overloaded()
        self._left -= size

        def release() -> None:
            self._left += size

        return release


class _Task(NamedTuple):
    answer: asyncio.Future[Any]
    work: Callable[..., Any]
    arguments: tuple[Any, ...]


class Workers:
    """So many threads, for one event loop at a time."""

    def __init__(self, count: int, name: str) -> None:
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._ready: deque[tuple[asyncio.Future[Any], Any]] = deque()
        self._told = False
        self._threads = [
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True)
            for number in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def begin(self, work: Callable[..., T], *arguments: Any) -> asyncio.Future[T]:
        """What `work` will give; to be called, and awaited, in the event loop. Raises Unavailable where too many
        wait already."""
        if self._tasks.qsize() >= MOST_WAITING:
            raise overloaded()
        return self.insist(work, *arguments)

    def insist(self, work: Callable[..., T], *arguments: Any) -> asyncio.Future[T]:
        """`begin`, for those who were let in long ago."""
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._tasks.put(_Task(answer, work, arguments))
        return answer

    def close(self) -> None:
        """Waits until everything begun is done."""
        self.dismiss()
        for thread in self._threads:
            thread.join()

    def dismiss(self) -> None:
        """Lets the threads go when they are done, however long that takes."""
        for _ in self._threads:
            self._tasks.put(None)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                self._give(task.answer, task.work(*task.arguments))
            except BaseException as fault:
                self._give(task.answer, fault)

    def _give(self, answer: asyncio.Future[T], outcome: T | BaseException) -> None:
        """To the event loop, which delivers together what is ready together. A fault is raised there."""
        self._ready.append((answer, outcome))
        if not self._told:
            self._told = True
            try:
                answer.get_loop().call_soon_threadsafe(self._deliver)
            except RuntimeError:  # the loop is closed: nobody waits for answers any more
                self._ready.clear()

    def _deliver(self) -> None:
        self._told = False  # before looking: what is ready from here on tells the loop again
        while self._ready:
            answer, outcome = self._ready.popleft()
            if answer.done():
                continue
            if isinstance(outcome, BaseException):
                answer.set_exception(outcome)
            else:
                answer.set_result(outcome)
