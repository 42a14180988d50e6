"""The gate lets one in at a time, in order, and nobody waits for ever."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
import threading
from pathlib import Path

import pytest

from segue.errors import Unavailable
from segue.stores.writer_queue import Gate


def held(path: Path) -> int:
    """The lock as another process would hold it: by an open file of its own."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def is_free(path: Path) -> bool:
    file = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(file)
    return True


def test_inside_the_lock_is_held_and_afterwards_it_is_free(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    gate = Gate(str(path), 1)
    for _ in range(3):
        with gate:
            assert not is_free(path)
        assert is_free(path)
    gate.close()


def test_the_lock_file_is_private_and_empty(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with Gate(str(path), 1):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert path.stat().st_size == 0


def test_a_gate_held_by_another_process_is_unavailable_after_the_wait(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    other = held(path)
    with pytest.raises(Unavailable, match="locked by another process") as caught, Gate(str(path), 0.02):
        raise AssertionError("let in")
    assert (caught.value.code, caught.value.exit_code) == ("locked", 5)
    assert caught.value.hint
    os.close(other)


def test_who_waits_is_let_in_when_the_other_leaves(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    other = held(path)
    gate = Gate(str(path), 30)
    inside = threading.Event()

    def enter() -> None:
        with gate:
            inside.set()

    waiting = threading.Thread(target=enter)
    waiting.start()
    assert not inside.is_set()
    os.close(other)
    waiting.join(30)
    assert inside.is_set()
    assert is_free(path)


def test_a_gate_that_gave_up_works_again_and_its_old_place_in_line_blocks_nobody(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    gate = Gate(str(path), 0.02)
    other = held(path)
    for _ in range(3):
        with pytest.raises(Unavailable), gate:
            raise AssertionError("let in")
    os.close(other)
    patient = Gate(str(path), 30)
    for _ in range(5):
        with patient:
            assert not is_free(path)
    with gate:
        assert not is_free(path)
    patient.close()


def test_who_is_interrupted_while_waiting_leaves_the_gate_usable(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    gate = Gate(str(path), 30)
    other = held(path)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(KeyboardInterrupt), gate:
            raise AssertionError("let in")
    finally:
        signal.signal(signal.SIGALRM, before)
    os.close(other)
    with gate:
        assert not is_free(path)
    assert is_free(path)


def test_threads_that_share_a_gate_take_turns(tmp_path: Path) -> None:
    gate = Gate(str(tmp_path / "lock"), 30)
    inside: list[int] = []
    most: list[int] = []

    def enter() -> None:
        for _ in range(50):
            with gate:
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(most) == 200
    assert set(most) == {1}


def test_what_fails_inside_leaves_the_gate_open(tmp_path: Path) -> None:
    gate = Gate(str(tmp_path / "lock"), 0.02)
    with pytest.raises(ZeroDivisionError), gate:
        _ = 1 // 0
    with gate:
        assert not is_free(tmp_path / "lock")


def test_a_lock_file_that_cannot_be_made_leaves_the_gate_usable_later(tmp_path: Path) -> None:
    path = tmp_path / "later" / "lock"
    gate = Gate(str(path), 0.02)
    with pytest.raises(FileNotFoundError), gate:
        raise AssertionError("let in")
    path.parent.mkdir()
    with gate:
        assert not is_free(path)
