"""What an operator sees of a server: numbers for Prometheus, and a line of JSON for each request.

Neither ever holds contents, tokens, queries or the ids in an address: a request is named by its operation.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
import traceback
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

import msgspec

EXPOSITION = "text/plain; version=0.0.4; charset=utf-8"
FLUSH_SECONDS = 0.05
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_LINES = msgspec.json.Encoder()
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


MOST_WAITING = 20_000
FAREWELL_SECONDS = 2.0


class Journal:
    """The lines, written by a thread of its own. Who reads them slowly, stopped reading or went away holds up no
    request: so many lines wait at most, and how many were left out beyond that is said in the next one."""

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
                self._write_text("\n".join(lines) + "\n")
            except (OSError, ValueError):  # the reader is gone, or the stream is closed
                with self._news:
                    self._left_out += len(lines)

    def _write_text(self, text: str) -> None:
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


class RequestLine(msgspec.Struct, omit_defaults=True, tag_field="event", tag="request"):
    """A request as it becomes known, and its line in the log."""

    request_id: str
    method: str
    operation: str = ""
    workspace: str = ""
    status: int = 0
    ms: float = 0.0
    ts_ms: int = 0


class Histogram:
    """Counts by upper bound, as Prometheus wants them."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def include(self, other: Histogram) -> None:
        """Counts what another one with the same bounds counted."""
        self._counts = [mine + theirs for mine, theirs in zip(self._counts, other._counts, strict=True)]
        self._sum += other._sum

    def lines(self, name: str) -> list[str]:
        below = 0
        rows = []
        for bound, count in zip((*self._bounds, "+Inf"), self._counts, strict=True):
            below += count
            rows.append(f'{name}_bucket{{le="{bound}"}} {below}')
        return [*rows, f"{name}_sum {self._sum:.6f}", f"{name}_count {below}"]


class Numbers:
    """What is counted of one workspace."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.latency = Histogram(_SECONDS)
        self.groups = Histogram(_SIZES)

    def include(self, other: Numbers) -> None:
        self.requests += other.requests
        self.latency.include(other.latency)
        self.groups.include(other.groups)


class Watch:
    """Counts and tells. `committed` is called by the threads that commit, one at a time for each workspace;
    everything else by the event loop."""

    def __init__(self, stream: TextIO) -> None:
        self._journal = Journal(stream)
        self._done: list[RequestLine] = []
        self._numbers: defaultdict[str, Numbers] = defaultdict(Numbers)
        """By workspace; those of requests that reached none have no name."""
        self._began = time.time()

    def committed(self, workspace: str, appends: int) -> None:
        self._numbers[workspace].groups.add(appends)

    def done(self, seen: RequestLine, status: int, seconds: float) -> None:
        numbers = self._numbers[seen.workspace]
        numbers.requests[seen.operation or "none", status] += 1
        numbers.latency.add(seconds)
        seen.status, seen.ms, seen.ts_ms = status, round(seconds * 1000, 2), int(time.time() * 1000)
        if not self._done:
            asyncio.get_running_loop().call_later(FLUSH_SECONDS, self.flush)
        self._done.append(seen)

    def flush(self) -> None:
        """Passes the lines of all requests that were done since the last time on, at once."""
        done, self._done = self._done, []
        self._journal.add(_LINES.encode_lines(done).decode().split("\n")[:-1])

    def close(self) -> None:
        self.flush()
        self.tell("stopped")
        self._journal.close()

    def fault(self, request_id: str, fault: BaseException) -> None:
        """Where it happened, without what it says: that may quote contents."""
        places = [
            f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(fault.__traceback__)
        ]
        self.tell("fault", request_id=request_id, kind=type(fault).__name__, places=places)

    def tell(self, event: str, **fields: Any) -> None:
        line = msgspec.json.encode({"event": event, **fields, "ts_ms": int(time.time() * 1000)})
        self._journal.add([line.decode()])

    def capture(self, logger: logging.Logger) -> None:
        """Takes what a library logs, from warnings on, into this log."""
        logger.handlers, logger.propagate = [_LibraryHandler(self)], False

    def exposed(
        self, followers: Mapping[str, int], up: Mapping[str, Mapping[str, bool]], only: str | None = None
    ) -> bytes:
        """Everything counted so far, of one workspace or of all, in Prometheus' text form."""
        numbers = Numbers()
        for workspace in [only] if only is not None else list(self._numbers):
            numbers.include(self._numbers[workspace])
        lines = ["# TYPE segue_requests_total counter"]
        lines += [
            f'segue_requests_total{{operation="{operation}",status="{status}"}} {count}'
            for (operation, status), count in sorted(numbers.requests.items())
        ]
        lines += ["# TYPE segue_request_seconds histogram", *numbers.latency.lines("segue_request_seconds")]
        lines += ["# TYPE segue_commit_appends histogram", *numbers.groups.lines("segue_commit_appends")]
        lines += ["# TYPE segue_followers gauge"]
        lines += [f'segue_followers{{workspace="{name}"}} {count}' for name, count in followers.items()]
        lines += ["# TYPE segue_store_up gauge"]
        lines += [
            f'segue_store_up{{workspace="{name}",kind="{kind}"}} {int(is_up)}'
            for name, kinds in up.items()
            for kind, is_up in kinds.items()
        ]
        lines += [
            "# TYPE segue_start_time_seconds gauge",
            f"segue_start_time_seconds {self._began:.3f}",
        ]
        return ("\n".join(lines) + "\n").encode()


class _LibraryHandler(logging.Handler):
    def __init__(self, watch: Watch) -> None:
        super().__init__(logging.WARNING)
        self._watch = watch

    def emit(self, record: logging.LogRecord) -> None:
        self._watch.tell("server", level=record.levelname.lower(), message=str(record.msg))
