"""The queue in front of the log: one writer at a time, served in order, never for ever.

SQLite lets waiting writers sleep and retry, which starves some of them for seconds; a blocking
`flock` on a file of its own queues them in the kernel. `flock` knows no time limit, so a writer
that must queue sends a thread to stand in line and gives up when the thread is not served in
time. A thread that was given up on closes its file once served, which lets the next one in.
"""

from __future__ import annotations

import _thread  # threading costs 2 ms and adds nothing here
import fcntl
import os

from segue.errors import Unavailable
from segue.stores.private_files import open_file


class Gate:
    """`with gate:` holds the lock file against other threads and other processes."""

    def __init__(self, path: str, wait: float) -> None:
        self._path = path
        self._wait = wait
        self._turn = _thread.allocate_lock()
        self._file = -1

    def __enter__(self) -> None:
        if not self._turn.acquire(timeout=self._wait):
            raise self._locked()
        try:
            self._lock()
        except BaseException:
            self.close()
            self._turn.release()
            raise

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)
        self._turn.release()

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _lock(self) -> None:
        if self._file < 0:
            self._file = open_file(self._path, os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._queue()

    def _queue(self) -> None:
        file, self._file = self._file, -1
        decided = _thread.allocate_lock()
        served = _thread.allocate_lock()
        served.acquire()

        def stand_in_line() -> None:
            fcntl.flock(file, fcntl.LOCK_EX)
            if decided.acquire(blocking=False):
                served.release()
            else:
                os.close(file)

        _thread.start_new_thread(stand_in_line, ())
        try:
            served.acquire(timeout=self._wait)
        finally:
            if not decided.acquire(blocking=False):
                self._file = file
        if self._file < 0:
            raise self._locked()

    def _locked(self) -> Unavailable:
        return Unavailable(
            f"The log is locked by another process and was not freed within {self._wait:g} seconds.",
            "Wait for the other command to finish, or stop it, and try again.",
            "locked",
        )
