"""Identifiers sort by creation and are recognised by form alone."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import uuid

import pytest

from segue.model.ids import is_artifact_id, is_id, new_id, new_ids, now_ms


def test_an_id_is_a_uuid_of_version_7_and_its_time_is_now() -> None:
    before = time.time_ns() // 1_000_000
    made = uuid.UUID(new_id())
    after = time.time_ns() // 1_000_000
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert before <= made.int >> 80 <= after


def test_ids_made_one_by_one_and_in_batches_are_strictly_increasing() -> None:
    made = [i for count in (1, 3, 500, 1, 2000) for i in [*new_ids(count), new_id()]]
    assert made == sorted(set(made))


def test_threads_never_make_the_same_id() -> None:
    made: list[list[str]] = []

    def make() -> None:
        made.append([new_id() for _ in range(3000)])

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({i for batch in made for i in batch}) == 8 * 3000
    assert all(batch == sorted(batch) for batch in made)


def test_a_clock_that_goes_back_does_not_take_the_order_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    first = new_ids(10)
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert new_id() > first[-1]


def test_a_clock_before_1970_makes_ids_and_times_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: -86_400 * 10**9)
    assert (is_id(new_id()), now_ms()) == (True, 0)


def test_every_id_of_a_large_batch_is_well_formed() -> None:
    assert all(is_id(i) and uuid.UUID(i).version == 7 for i in new_ids(5000))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "01a1e0d4-e636-7320-a0a2-1d7cdf64da7",
        "01A1E0D4-e636-7320-a0a2-1d7cdf64da70",
        "01a1e0d4-e636-7320-a0a2-1d7cdf64da7g",
        "01a1e0d4e636-7320-a0a2-1d7cdf64da70-",
        "01a1e0d4-e636-7320-a0a2-1d7cdf64da7-",
        "../a1e0d4-e636-7320-a0a2-1d7cdf64da70",
    ],
)
def test_what_is_not_the_canonical_form_is_no_id(text: str) -> None:
    assert not is_id(text)


@pytest.mark.parametrize(
    "text", ["", "a" * 63, "a" * 65, "A" * 64, "g" * 64, "../" + "a" * 61, "a" * 63 + "\n"]
)
def test_what_is_not_64_lowercase_hex_digits_is_no_artifact_id(text: str) -> None:
    assert is_artifact_id("0123456789abcdef" * 4)
    assert not is_artifact_id(text)


def test_a_forked_process_makes_other_ids_than_its_parent() -> None:
    program = """
import os
from segue.model.ids import new_id
new_id()
read, write = os.pipe()
child = os.fork() == 0
tails = {new_id()[25:] for _ in range(20)}
if child:
    os.write(write, " ".join(tails).encode())
    os._exit(0)
print(len(tails & set(os.read(read, 4096).decode().split())))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "0\n"
