"""The contract of a log, reading half: ranges, types, heads, following, and what reading costs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from segue.model.frame import CREATED, MESSAGE, Draft
from segue.model.ids import new_id
from segue.stores.contract import Log

Opener = Callable[[], Log]
Say = Callable[[str], Draft]

LENGTH = 2345


@pytest.fixture
def stream(log: Log, say: Say) -> str:
    """A stream of `LENGTH` frames: messages, but for every tenth one, which is a note."""
    stream_id = new_id()
    drafts = [Draft("note", {"n": n}) if n % 10 == 3 else say(f"{n}") for n in range(LENGTH)]
    log.append(stream_id, drafts)
    log.append(new_id(), [say("a neighbour")] * 3)
    return stream_id


def test_reading_what_was_never_written_finds_nothing(log: Log) -> None:
    stream = new_id()
    assert list(log.read(stream)) == []
    assert (log.head(stream), log.heads(), log.frame(stream), log.keyed("k")) == (None, [], None, None)
    assert (log.find("0"), log.count(stream, [MESSAGE]), list(log.verify()), log.rebuild()) == ([], 0, [], 0)


SPANS = [(0, None), (0, 0), (5, 5), (1, 1500), (2000, 9999), (9999, None), (7, 3), (-5, 2), (0, -1)]
TYPES = [(), ("note",), (MESSAGE,), ("note", MESSAGE), ("note", "note"), ("other",)]


@pytest.mark.parametrize("types", TYPES)
def test_a_range_holds_what_a_list_would_hold(log: Log, stream: str, types: tuple[str, ...]) -> None:
    for (first, last), reverse, limit in product(SPANS, (False, True), (None, 0, 1, 7, 1500)):
        expected = [
            n
            for n in range(LENGTH)
            if n >= first and (last is None or n <= last)
            if not types or ("note" if n % 10 == 3 else MESSAGE) in types
        ]
        expected = (expected[::-1] if reverse else expected)[:limit]
        found = log.read(stream, first, last, types=types, reverse=reverse, limit=limit)
        assert [frame.seq for frame in found] == expected, (first, last, reverse, limit)


def test_the_last_of_some_types_before_a_place_costs_one_row_whatever_the_length(
    log: Log, stream: str
) -> None:
    for types, expected in ((("note",), 2003), ((MESSAGE,), 2010), (("note", MESSAGE), 2010)):
        before = log.rows_read
        (frame,) = log.read(stream, last=2010, types=types, reverse=True, limit=1)
        assert frame.seq == expected
        assert log.rows_read - before <= 2


def test_a_reader_that_stops_early_has_read_little(log: Log, stream: str) -> None:
    before = log.rows_read
    assert next(log.read(stream)).seq == 0
    assert log.rows_read - before < 100


def test_large_frames_come_in_small_pages(log: Log, say: Say) -> None:
    stream, megabyte = new_id(), "x" * 1_000_000
    log.append(stream, [say(megabyte)] * 40)
    before = log.rows_read
    ahead = [log.rows_read - before - frame.seq for frame in log.read(stream)]
    assert max(ahead) < 10
    assert len(ahead) == 40


def test_a_reader_sees_what_is_appended_while_it_reads(reopen: Opener, stream: str, say: Say) -> None:
    reader, writer = reopen(), reopen()
    frames = reader.read(stream)
    next(frames)
    writer.append(stream, [say("late")])
    assert [frame.seq for frame in frames] == list(range(1, LENGTH + 1))


def test_counts_are_of_types_up_to_a_place(log: Log, stream: str) -> None:
    assert log.count(stream, ["note"]) == 235
    assert log.count(stream, ["note"], 13) == 2
    assert log.count(stream, ["note"], 12) == 1
    assert log.count(stream, [MESSAGE, "note", "note"]) == LENGTH
    assert log.count(stream, [MESSAGE], -1) == 0
    assert log.count(stream, []) == 0
    assert log.count(new_id(), ["note"]) == 0


def test_a_frame_is_found_by_its_id_in_whatever_stream(log: Log, stream: str) -> None:
    for frame in (next(log.read(stream, 1234)), next(log.read(log.heads()[-1].stream_id))):
        assert log.frame(frame.id) == frame
    assert log.frame(new_id()) is None


def test_heads_come_in_the_order_of_their_last_commit(log: Log, say: Say) -> None:
    a, b, c = new_id(), new_id(), new_id()
    for stream in (a, b, c, a):
        log.append(stream, [say("x")])
    heads = log.heads()
    assert [(head.stream_id, head.seq) for head in heads] == [(b, 0), (c, 0), (a, 1)]
    assert log.heads(heads[1].touched) == [heads[2]]
    assert log.heads(heads[2].touched) == []
    log.append(b, [say("x")])
    assert [head.stream_id for head in log.heads(heads[2].touched)] == [b]


def test_a_prefix_finds_the_streams_that_begin_with_it(log: Log, say: Say) -> None:
    streams = [f"{start}0000000-0000-7000-8000-00000000000{n}" for start in "af" for n in range(3)]
    for stream in streams:
        log.append(stream, [say("x")])
    assert log.find("a", limit=10) == streams[:3]
    assert log.find("f") == streams[3:5]
    assert log.find(streams[4]) == [streams[4]]
    assert log.find("", limit=10) == streams
    assert (log.find("b"), log.find("a_"), log.find("%"), log.find("g")) == ([], [], [], [])


def test_following_gives_the_past_then_what_others_and_oneself_add(reopen: Opener, say: Say) -> None:
    follower, other, stream = reopen(), reopen(), new_id()
    other.append(stream, [Draft(CREATED, {"workspace": "w"}), say("past")])
    writers = [other, follower, other, follower]
    seen: list[int] = []

    def stop() -> bool:
        if writers and len(seen) == 6 - len(writers):
            writers.pop().append(stream, [say("live")])
        return len(seen) == 6

    for frame in follower.follow(stream, 0, stop):
        seen.append(frame.seq)
    assert seen == [0, 1, 2, 3, 4, 5]


def test_following_a_stream_that_does_not_exist_yet_waits_for_it(reopen: Opener, say: Say) -> None:
    follower, other, stream = reopen(), reopen(), new_id()
    asked: list[int] = []
    seen: list[int] = []

    def stop() -> bool:
        asked.append(1)
        if len(asked) == 3:
            other.append(stream, [say("first")])
        return bool(seen)

    for frame in follower.follow(stream, 0, stop):
        seen.append(frame.seq)
    assert seen == [0]


def test_following_begins_where_it_is_told(log: Log, stream: str) -> None:
    seen: list[int] = []
    for frame in log.follow(stream, LENGTH - 3, lambda: len(seen) == 3):
        seen.append(frame.seq)
    assert seen == [LENGTH - 3, LENGTH - 2, LENGTH - 1]


def test_a_sound_log_has_no_findings_and_rebuilding_changes_no_answer(
    reopen: Opener, stream: str, say: Say
) -> None:
    log = reopen()
    log.append(new_id(), [say("x")], stream_kind="session", key="k", request="r")
    before = (list(log.read(stream)), log.heads(), log.find(""), log.count(stream, ["note"]), log.keyed("k"))
    assert list(log.verify()) == []
    assert log.rebuild() == 3
    for again in (log, reopen()):
        assert before == (
            list(again.read(stream)),
            again.heads(),
            again.find(""),
            again.count(stream, ["note"]),
            again.keyed("k"),
        )
        assert list(again.verify()) == []
    head = log.head(stream)
    assert head is not None
    assert log.append(stream, [say("next")], expect=head.seq)[0].seq == LENGTH
