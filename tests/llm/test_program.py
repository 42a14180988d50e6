"""A model's program gets a text and gives a text: it sees nothing of the project and leaves nothing behind."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from segue.errors import Unavailable
from segue.llm import program
from segue.llm.registry import model
from segue.model.marks import INSIDE, SUMMARISER


def script(tmp_path: Path, body: str) -> str:
    path = tmp_path / "model.py"
    path.write_text("import os, sys, time\n" + body)
    return f"command:{sys.executable} {path}"


def test_a_command_works_in_an_empty_directory_that_is_gone_afterwards(tmp_path: Path) -> None:
    told = (
        model(script(tmp_path, "print(os.getcwd(), os.listdir(), os.environ['PWD'])"))
        .write("go")
        .text.split()
    )
    assert told[1] == "[]"
    assert told[0] == os.path.realpath(told[2]) != os.getcwd()
    assert not os.path.exists(told[0])


def test_its_environment_and_its_prompt_bear_the_marks_of_segue(tmp_path: Path) -> None:
    body = f"print(os.environ.get({INSIDE!r}), sys.stdin.read(), sep='|')"
    assert model(script(tmp_path, body)).write("the prompt").text.strip() == f"1|{SUMMARISER}\n\nthe prompt"


def test_a_program_beside_the_caller_is_found_from_its_empty_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").write_text("#!/bin/sh\necho found\n")
    (tmp_path / "mine").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert model("command:./mine").write("go").text == "found\n"


def test_what_a_program_started_ends_with_the_call(tmp_path: Path) -> None:
    """A pipe that only the program's child still holds open ends when the child does."""
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    body = (
        f"held = os.open({str(pipe)!r}, os.O_WRONLY)\n"
        "if os.fork() == 0:\n    os.close(1)\n    time.sleep(600)\nprint('done')\n"
    )
    assert model(script(tmp_path, body)).write("go").text == "done\n"
    ended, _, _ = select.select([reading], [], [], 60)
    assert ended and os.read(reading, 1) == b""
    os.close(reading)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_process_that_is_told_to_end_takes_the_program_and_its_directory_with_it(
    tmp_path: Path, number: signal.Signals
) -> None:
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    body = f"held = os.open({str(pipe)!r}, os.O_WRONLY)\nos.fork()\nos.write(held, b'x')\ntime.sleep(600)\n"
    code = f"from segue.llm.registry import model; model({script(tmp_path, body)!r}).write('go')"
    (tmp_path / "temporary").mkdir()
    asking = subprocess.Popen(
        [sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    )
    started = b""
    while len(started) < 2 and select.select([reading], [], [], 60)[0]:
        started += os.read(reading, 2)
    assert len(os.listdir(tmp_path / "temporary")) == 1
    asking.send_signal(number)
    assert asking.wait(60) == 128 + number
    ended, _, _ = select.select([reading], [], [], 60)
    assert ended and os.read(reading, 1) == b""
    os.close(reading)
    assert os.listdir(tmp_path / "temporary") == []


def test_signals_are_handled_as_before_once_a_program_has_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def own(number: int, frame: object) -> None: ...

    before = [
        signal.signal(one, how) for one, how in ((signal.SIGTERM, signal.SIG_DFL), (signal.SIGHUP, own))
    ]
    try:
        body = "print(os.getppid())"
        monkeypatch.setattr(program, "_read", during := _Watching(program._read))
        model(script(tmp_path, body)).write("go")
        assert during.seen[0] not in (signal.SIG_DFL, own) and during.seen[1] is own
        assert _handlers() == [signal.SIG_DFL, own]
    finally:
        for one, how in zip((signal.SIGTERM, signal.SIGHUP), before, strict=True):
            signal.signal(one, how)


def _handlers() -> list[object]:
    return [signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGHUP)]


class _Watching:
    """Reads, and notes how signals are handled meanwhile."""

    def __init__(self, read: Callable[[IO[bytes], float], bytes]) -> None:
        self._read = read
        self.seen: list[object] = []

    def __call__(self, pipe: IO[bytes], deadline: float) -> bytes:
        self.seen = _handlers()
        return self._read(pipe, deadline)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("time.sleep(600)", "did not answer within 0.5 seconds"),
        ("os.fork() or time.sleep(600)", "did not answer within 0.5 seconds"),
        ("sys.exit('no credit left')", "failed: no credit left"),
        ("pass", "failed: it said nothing"),
    ],
)
def test_a_program_that_hangs_fails_or_is_silent_is_told_in_a_sentence(
    tmp_path: Path, body: str, said: str
) -> None:
    with pytest.raises(Unavailable, match=said):
        model(script(tmp_path, body)).write("go", 0.5 if "sleep" in body else 60)


def test_a_program_that_talks_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "LARGEST", 100_000)
    with pytest.raises(Unavailable, match="more than 100,000 bytes"):
        model(script(tmp_path, "while True: print('word ' * 1000)")).write("go")
