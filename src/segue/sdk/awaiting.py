"""A blocking iterator as an asynchronous one: a thread reads ahead by a few, the loop takes them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

_AHEAD = 64
"""How far the thread reads ahead of a slow consumer."""


async def awaited(begin: Callable[[Callable[[], bool]], Iterator[T]]) -> AsyncIterator[T]:
    """The values of the iterator that `begin` makes, one by one. `begin` is given a question to ask now and
    then: whether the consumer has left."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
    room = threading.Semaphore(_AHEAD)
    left = threading.Event()

    def say(kind: str, value: Any) -> None:
        if not left.is_set():
            loop.call_soon_threadsafe(queue.put_nowait, (kind, value))

    def read() -> None:
        try:
            for value in begin(left.is_set):
                room.acquire()
                if left.is_set():
                    return
                say("value", value)
            say("end", None)
        except BaseException as fault:
            say("fault", fault)

    threading.Thread(target=read, daemon=True, name="segue-events").start()
    try:
        while True:
            kind, value = await queue.get()
            if kind == "end":
                return
            if kind == "fault":
                raise value
            room.release()
            yield value
    finally:
        left.set()
        room.release()
