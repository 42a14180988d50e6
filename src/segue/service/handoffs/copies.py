"""A copy of this process, which does part of the work on another processor and says through a pipe what came of it.

Threads would wait for one interpreter's lock. A copy may be lost at any time: whoever begins one can do its work too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, NoReturn

from segue.model.value import NamedTuple

_PIPE = 1024 * 1024
"""Bytes that may wait in the pipe: what a copy says while this process is busy."""

Work = Callable[[BinaryIO], None]
"""Writes what comes of it."""


class Copy(NamedTuple):
    process: int
    said: int
    """The end of the pipe at which this process listens."""

    @contextmanager
    def heard(self) -> Iterator[BinaryIO]:
        """What the copy says, as far as it gets; it is gone afterwards."""
        try:
            with open(self.said, "rb", buffering=_PIPE) as pipe:
                yield pipe
        finally:
            os.waitpid(self.process, 0)

    def all_it_says(self) -> bytes:
        with self.heard() as pipe:
            return pipe.read()


def can_be_made() -> bool:
    """Whether there is a second processor, and no thread whose locks a copy would hold for ever."""
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        return False
    threading = sys.modules.get("threading")
    return threading is None or threading.active_count() == 1


def begun(work: Work) -> Copy:
    receiving, sending = os.pipe()
    _widen(sending)
    process = os.fork()
    if not process:
        os.close(receiving)
        _work_and_exit(work, sending)
    os.close(sending)
    return Copy(process, receiving)


def ahead(work: Callable[[], bytes], *, apart: bool) -> Callable[[], bytes]:
    """What some work on things as they are now gives: begun in a copy where that is wanted and possible, and nothing
    where the copy was lost."""
    if not apart or not can_be_made():
        done = work()
        return lambda: done

    def write(pipe: BinaryIO) -> None:
        pipe.write(work())

    return begun(write).all_it_says


def _widen(pipe: int) -> None:
    import fcntl

    with suppress(OSError):  # more than this user may have: then the copy waits more often
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)


def _work_and_exit(work: Work, sending: int) -> NoReturn:
    """What the copy does. It exits without a word whatever happens, and without the cleaning up that is the other
    process's."""
    try:
        with open(sending, "wb") as pipe:
            work(pipe)
    finally:
        os._exit(0)
