"""A server goes on when nobody reads what it says of itself."""

from __future__ import annotations

import io
import json
import os
import threading
from pathlib import Path

from segue.surfaces.http.watch import MOST_WAITING, Journal

from .conftest import Caller
from .processes import Process

PIPE_BYTES = 1 << 16


def test_requests_are_answered_while_nobody_reads_the_log(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    server = Process(root, "--no-token")
    call = Caller(server.port, None, root)
    for _ in range(2 * PIPE_BYTES // 100):
        assert call("GET", "/nowhere").status == 404
    code, log = server.terminate()
    assert code == 0
    assert sum(line["event"] == "request" for line in log) == 2 * PIPE_BYTES // 100


class Held(io.StringIO):
    """A stream whose reader waits."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.free = threading.Event(), threading.Event()

    def write(self, text: str, /) -> int:
        self.begun.set()
        assert self.free.wait(10)
        return super().write(text)


def test_lines_beyond_those_that_may_wait_are_counted() -> None:
    stream = Held()
    journal = Journal(stream)
    journal.add(["first"])
    assert stream.begun.wait(10)
    journal.add([str(number) for number in range(MOST_WAITING + 7)])
    stream.free.set()
    journal.close()
    *told, last = stream.getvalue().splitlines()
    assert told == ["first", *map(str, range(MOST_WAITING))]
    assert json.loads(last)["lines"] == 7


def test_a_reader_that_went_away_stops_nothing() -> None:
    before = set(threading.enumerate())
    unread, written = os.pipe()
    os.close(unread)
    with os.fdopen(written, "w") as stream:
        journal = Journal(stream)
        journal.add(["one"])
        journal.close()
        assert set(threading.enumerate()) <= before


class Returning(io.StringIO):
    """A stream whose reader is gone for the first lines and comes back."""

    def __init__(self) -> None:
        super().__init__()
        self.refused = threading.Event()

    def write(self, text: str, /) -> int:
        if not self.refused.is_set():
            self.refused.set()
            raise BrokenPipeError
        return super().write(text)


def test_lines_that_nobody_was_there_to_read_are_counted() -> None:
    stream = Returning()
    journal = Journal(stream)
    journal.add(["one", "two"])
    assert stream.refused.wait(10)
    journal.add(["three"])
    journal.add(["four"])
    journal.close()
    told = [line for line in stream.getvalue().splitlines() if not line.startswith("{")]
    counted = [json.loads(line) for line in stream.getvalue().splitlines() if line.startswith("{")]
    assert (told, [line["lines"] for line in counted]) == (["three", "four"], [2])
