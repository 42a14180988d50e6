"""Appends of many threads share commits, and each is answered as if it were alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from segue.errors import Conflict, SegueError, Unavailable
from segue.model.frame import MESSAGE, Draft, Frame
from segue.model.ids import new_id
from segue.stores import grouped as grouped_module
from segue.stores.contract import NEW, Request
from segue.stores.grouped import GroupedLog
from segue.stores.sqlite import SqliteLog

SAID = {"role": "user", "actor_id": "user", "origin": "test"}


def say(text: str) -> Draft:
    return Draft(MESSAGE, {**SAID, "content": text})


class Held(SqliteLog):
    """A log whose first commit waits until the others queue up behind it."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self.groups: list[int] = []
        self.begun, self.go = threading.Event(), threading.Event()

    def append_all(self, requests: Sequence[Request]) -> list[list[Frame] | SegueError]:
        self.groups.append(len(requests))
        self.begun.set()
        assert self.go.wait(10)
        return super().append_all(requests)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Held]:
    log = Held(str(tmp_path))
    yield log
    log.close()


def together(held: Held, grouped: GroupedLog, works: list[Callable[[], object]]) -> list[object]:
    """What each of the works gives when the first one leads and all others come while it commits."""
    answers: list[object] = [None] * len(works)

    def run(at: int) -> None:
        try:
            answers[at] = works[at]()
        except SegueError as fault:
            answers[at] = fault

    threads = [threading.Thread(target=run, args=(at,)) for at in range(len(works))]
    threads[0].start()
    assert held.begun.wait(10)
    for thread in threads[1:]:
        thread.start()
    while len(grouped._queue) < len(works) - 1:
        pass
    held.go.set()
    for thread in threads:
        thread.join(10)
    return answers


def test_what_arrives_during_a_commit_goes_into_the_next_one(held: Held) -> None:
    grouped, streams = GroupedLog(held), [new_id() for _ in range(20)]
    works = [lambda s=s: grouped.append(s, [say("a")], expect=NEW) for s in streams]
    answers = together(held, grouped, works)
    assert held.groups == [1, 19]
    assert [list(held.read(stream)) for stream in streams] == answers


def test_each_writer_of_a_group_gets_its_own_answer(held: Held) -> None:
    heard: list[str] = []
    grouped, stream, other = GroupedLog(held, heard.extend), new_id(), new_id()
    answers = together(
        held,
        grouped,
        [
            lambda: grouped.append(stream, [say("first")], expect=NEW),
            lambda: grouped.append(stream, [say("late")], expect=NEW),
            lambda: grouped.append(other, [say("x"), say("y")], expect=NEW),
        ],
    )
    assert [type(answer) for answer in answers] == [list, Conflict, list]
    assert sorted(heard) == sorted([stream, other])


def test_a_commit_that_fails_is_told_to_everybody_who_waits(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    grouped = GroupedLog(held)

    def fail(_: object) -> None:
        raise Unavailable("The disk is full.", "Make room.", "full")

    monkeypatch.setattr(held._file, "exclusive", fail)
    works = [lambda: grouped.append(new_id(), [say("a")]) for _ in range(5)]
    answers = together(held, grouped, works)
    assert [getattr(answer, "code", None) for answer in answers] == ["full"] * 5
    assert len({id(answer) for answer in answers}) == 5
    monkeypatch.undo()
    assert grouped.append(new_id(), [say("b")])[0].seq == 0


def test_a_queue_longer_than_a_commit_may_be_is_served_by_several(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grouped_module, "MOST", 4)
    grouped = GroupedLog(held)
    answers = together(held, grouped, [lambda: grouped.append(new_id(), [say("a")]) for _ in range(11)])
    assert held.groups == [1, 4, 4, 2]
    assert all(isinstance(answer, list) for answer in answers)
    assert not grouped._led


def test_a_stream_that_was_found_is_not_looked_for_again(tmp_path: Path) -> None:
    log = SqliteLog(str(tmp_path))
    grouped, stream = GroupedLog(log), new_id()
    assert grouped.find(stream) == []
    grouped.append(stream, [say("a")])
    assert grouped.find(stream) == [stream]
    before = log.rows_read
    assert (grouped.find(stream), log.rows_read) == ([stream], before)
    assert grouped.find(stream[:20]) == [stream]
    log.close()


def test_many_threads_leave_streams_without_gaps_and_one_winner_for_each_head(tmp_path: Path) -> None:
    log = SqliteLog(str(tmp_path))
    sizes: list[int] = []
    grouped = GroupedLog(log, lambda streams: sizes.append(len(streams)))
    stream = new_id()
    grouped.append(stream, [say("0")], expect=NEW)
    won: list[int] = []

    def climb() -> None:
        for _ in range(25):
            head = grouped.head(stream)
            assert head is not None
            try:
                won.append(grouped.append(stream, [say("x")], expect=head.seq)[0].seq)
            except Conflict:
                grouped.append(new_id(), [say("y")], expect=NEW)

    threads = [threading.Thread(target=climb) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(won) == list(range(1, len(won) + 1))
    assert sum(sizes) == 1 + 16 * 25
    assert list(log.verify()) == []
    log.close()


def test_readers_do_not_wait_for_a_commit(tmp_path: Path) -> None:
    log = SqliteLog(str(tmp_path))
    stream = new_id()
    log.append(stream, [say("a")])
    committing, go = threading.Event(), threading.Event()

    def slow(_: object) -> None:
        committing.set()
        assert go.wait(10)

    writer = threading.Thread(target=lambda: log._file.exclusive(slow))
    writer.start()
    assert committing.wait(10)
    assert [frame.data["content"] for frame in log.read(stream)] == ["a"]
    go.set()
    writer.join(10)
    log.close()
