"""The contract of a log: frames and keys of another log come in as they are, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from segue.errors import BadInput, Conflict
from segue.model.frame import Draft, Frame
from segue.model.ids import new_id
from segue.model.wire import GENESIS, chain
from segue.stores.contract import Key, Log
from segue.stores.registry import open_log

Say = Callable[[str], Draft]


@pytest.fixture
def source(tmp_path: Path, say: Say) -> Iterator[Log]:
    """A log elsewhere: a stream of three commits, one of them with a key."""
    log = open_log("sqlite", str(tmp_path / "source"))
    stream = new_id()
    log.append(stream, [say("a"), say("b\x00é")], stream_kind="session")
    log.append(stream, [say("c"), say("d")], stream_kind="session", key="k", request="r")
    log.append(stream, [say("e")], stream_kind="session")
    yield log
    log.close()


@pytest.fixture
def frames(source: Log) -> list[Frame]:
    return list(source.read(source.heads()[0].stream_id))


def test_adopted_frames_keep_ids_order_bytes_and_hashes(log: Log, frames: list[Frame]) -> None:
    log.adopt(frames[:2])
    log.adopt(frames[2:])
    assert list(log.read(frames[0].stream_id)) == frames
    (head,) = log.heads()
    assert (head.stream_kind, head.seq, head.hash) == ("session", 4, frames[-1].hash)
    assert log.frame(frames[3].id) == frames[3]
    assert list(log.verify()) == []


def test_an_adopted_stream_goes_on_as_if_it_had_been_written_here(
    log: Log, frames: list[Frame], say: Say
) -> None:
    log.adopt(frames)
    (made,) = log.append(frames[0].stream_id, [say("f")], expect=4, stream_kind="session")
    assert made.hash == chain(frames[-1].hash, [made.body])[0]


def test_adopting_touches_the_head_like_any_commit(log: Log, frames: list[Frame], say: Say) -> None:
    log.append(new_id(), [say("x")])
    (before,) = log.heads()
    log.adopt(frames[:1])
    assert [head.stream_id for head in log.heads(before.touched)] == [frames[0].stream_id]


@pytest.mark.parametrize("cut", [slice(0, 2), slice(1, 3), slice(3, 5)])
def test_frames_that_do_not_follow_the_head_are_a_conflict(log: Log, frames: list[Frame], cut: slice) -> None:
    log.adopt(frames[:2])
    with pytest.raises(Conflict, match="goes on with frame 2 here"):
        log.adopt(frames[cut])
    assert list(log.read(frames[0].stream_id)) == frames[:2]


def test_frames_whose_chain_does_not_fit_are_refused_whole(log: Log, frames: list[Frame]) -> None:
    altered = frames[2]._replace(body=frames[2].body.replace(b'"c"', b'"C"'))
    gap = [frames[0], *frames[2:]]
    for wrong in ([*frames[:2], altered, *frames[3:]], gap, [frames[0]._replace(hash=GENESIS)]):
        with pytest.raises(Conflict) as caught:
            log.adopt(wrong)
        assert caught.value.code == "diverged"
    assert log.heads() == []


def test_frames_filed_under_something_else_than_they_say_are_refused(log: Log, frames: list[Frame]) -> None:
    for wrong in (frames[0]._replace(id=new_id()), frames[0]._replace(type="note")):
        with pytest.raises(Conflict, match="filed under another"):
            log.adopt([wrong])
    assert log.heads() == []


def test_a_stream_that_went_its_own_way_is_not_continued(log: Log, frames: list[Frame], say: Say) -> None:
    log.append(frames[0].stream_id, [say("other")], stream_kind="session")
    with pytest.raises(Conflict) as caught:
        log.adopt(frames[1:])
    assert caught.value.code == "diverged"


def test_no_frames_or_frames_of_two_streams_are_bad_input(log: Log, frames: list[Frame], say: Say) -> None:
    (other,) = log.append(new_id(), [say("x")])
    for wrong in ([], [frames[0], other]):
        with pytest.raises(BadInput, match="one stream"):
            log.adopt(wrong)


def test_keys_come_sorted_and_more_than_a_page_of_them(log: Log, say: Say) -> None:
    stream = new_id()
    for n in (3, 1, 2):
        log.append(stream, [say("x"), say("y")], key=f"key {n}", request=f"r{n}")
    assert list(log.keys()) == [
        Key("key 1", "r1", stream, 2, 3),
        Key("key 2", "r2", stream, 4, 5),
        Key("key 3", "r3", stream, 0, 1),
    ]


def test_an_adopted_key_stands_for_the_same_frames(
    log: Log, source: Log, frames: list[Frame], say: Say
) -> None:
    log.adopt(frames)
    for _ in range(2):
        log.adopt_keys(list(source.keys()))
    assert log.keyed("k") == frames[2:4]
    assert log.append(new_id(), [say("again")], key="k", request="r") == frames[2:4]
    assert list(log.keys()) == list(source.keys())


def test_a_key_of_other_frames_or_of_missing_ones_is_a_conflict(
    log: Log, source: Log, frames: list[Frame], say: Say
) -> None:
    keys = list(source.keys())
    log.adopt(frames[:3])
    with pytest.raises(Conflict, match="or for frames that are missing"):
        log.adopt_keys(keys)
    assert log.keyed("k") is None
    log.append(new_id(), [say("mine")], key="k", request="r")
    log.adopt(frames[3:])
    with pytest.raises(Conflict, match="stands for other frames"):
        log.adopt_keys(keys)
