"""A session told by a second process, while this one gets ready to listen.

Reading a file and making sense of it take about as long as each other, and both wait for the same interpreter's lock;
so the file is read by a copy of this process, which sends what it reads through a pipe. The copy may be lost at any
time: whatever it did not tell, this process then reads itself, and meets the same troubles. It changes no answer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import BinaryIO, NoReturn

import msgspec

from segue.agents.contract import Mark
from segue.model.entry import Entry

Marked = Callable[[Mark], None]
Tell = Callable[[Marked], Iterable[Entry]]
"""Tells a session from the start; what it is given is called at the mark it was asked for, if any."""

WORTH = 2 * 1024 * 1024
"""Bytes from which on reading takes several times as long as copying a process."""
_TOGETHER = 64
_PIPE = 1024 * 1024
"""Bytes that may wait in the pipe: what is read while this process imports what it listens with."""
_ENTRIES, _MARK, _END = b"e", b"m", b"."


def begun(tell: Tell) -> Tell:
    """The same telling, begun by a second process; as it is, where that would gain nothing or be unsafe."""
    if not _can_be_copied():
        return tell
    receiving, sending = os.pipe()
    _widen(sending)
    copy = os.fork()
    if not copy:
        os.close(receiving)
        _tell_and_exit(tell, sending)
    os.close(sending)
    return lambda marked: _heard(copy, receiving, tell, marked)


def _can_be_copied() -> bool:
    """Whether there is a second processor, and no thread whose locks a copy would hold for ever."""
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return False
    threading = sys.modules.get("threading")
    return threading is None or threading.active_count() == 1


def _widen(pipe: int) -> None:
    import fcntl

    with suppress(OSError):  # more than this user may have: then the copy waits more often
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)


def _tell_and_exit(tell: Tell, sending: int) -> NoReturn:
    """What the copy does. It exits without a word whatever happens, and without the cleaning up that is the other
    process's."""
    try:
        with open(sending, "wb") as pipe:
            _send_all(tell, pipe)
    finally:
        os._exit(0)


def _send_all(tell: Tell, pipe: BinaryIO) -> None:
    encode = msgspec.msgpack.Encoder().encode
    waiting: list[Entry] = []

    def send(kind: bytes, value: object) -> None:
        data = encode(value)
        pipe.write(kind + len(data).to_bytes(4, "big"))
        pipe.write(data)
        pipe.flush()

    def send_waiting() -> None:
        send(_ENTRIES, waiting)
        waiting.clear()

    def send_mark(mark: Mark) -> None:
        send_waiting()
        send(_MARK, mark)

    for entry in tell(send_mark):
        waiting.append(entry)
        if len(waiting) == _TOGETHER:
            send_waiting()
    send_waiting()
    send(_END, None)


def _heard(copy: int, receiving: int, tell: Tell, marked: Marked) -> Iterator[Entry]:
    entries = msgspec.msgpack.Decoder(list[Entry]).decode
    heard = 0
    try:
        with open(receiving, "rb", buffering=_PIPE) as pipe:
            for kind, data in _parcels(pipe):
                if kind == _END:
                    return
                if kind == _MARK:
                    marked(msgspec.msgpack.decode(data, type=Mark))
                    continue
                some = entries(data)
                heard += len(some)
                yield from some
    finally:
        os.waitpid(copy, 0)
    yield from islice(tell(marked), heard, None)


def _parcels(pipe: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Everything that arrived whole."""
    while len(head := pipe.read(5)) == 5:
        size = int.from_bytes(head[1:], "big")
        data = pipe.read(size)
        if len(data) < size:
            return
        yield head[:1], data
