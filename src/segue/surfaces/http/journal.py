"""The lines an operator reads, written by a thread of its own.

Who reads them slowly, stopped reading or went away holds up no request: so many lines wait at most, and how many were
left out beyond that is said in the next one that is written.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from typing import TextIO

import msgspec

MOST_WAITING = 20_000
FAREWELL_SECONDS = 2.0


class Journal:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._waiting: list[str] = []
        self._left_out = 0
        self._ended = False
        self._news = threading.Condition()
        self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
        self._writer.start()

    def add(self, lines: Sequence[str]) -> None:
        with self._news:
            room = MOST_WAITING - len(self._waiting)
            self._waiting += lines[:room]
            self._left_out += len(lines[room:])
            self._news.notify()

    def close(self) -> None:
        """Writes what waits, as far as somebody reads it."""
        with self._news:
            self._ended = True
            self._news.notify()
        self._writer.join(FAREWELL_SECONDS)

    def _write(self) -> None:
        while lines := self._next():
            try:
                self._say("\n".join(lines) + "\n")
            except (OSError, ValueError):  # the reader is gone, or the stream is closed
                with self._news:
                    self._left_out += len(lines)

    def _say(self, text: str) -> None:
        """Past the buffer of a file: Python, when it ends, would wait for the lock of one that is being written."""
        try:
            descriptor = self._stream.fileno()
        except OSError:
            self._stream.write(text)
            return
        left = memoryview(text.encode())
        while left:
            left = left[os.write(descriptor, left) :]

    def _next(self) -> list[str]:
        with self._news:
            self._news.wait_for(lambda: self._waiting or self._ended)
            lines, self._waiting = self._waiting, []
            if lines and self._left_out:
                told = {"event": "left_out", "lines": self._left_out, "ts_ms": int(time.time() * 1000)}
                lines.append(msgspec.json.encode(told).decode())
                self._left_out = 0
            return lines
