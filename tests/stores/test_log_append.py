"""The contract of a log, writing half: order, heads, atomicity, idempotency, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from segue.errors import BadInput, Conflict
from segue.model.frame import CREATED, MESSAGE, Draft
from segue.model.ids import is_id, new_id
from segue.model.wire import GENESIS, canonical, chain
from segue.stores.contract import NEW, Log

Opener = Callable[[], Log]
Say = Callable[[str], Draft]


def texts(log: Log, stream_id: str) -> list[Any]:
    return [frame.data.get("content") for frame in log.read(stream_id)]


def test_sequences_begin_at_0_and_have_no_gaps(log: Log, say: Say) -> None:
    stream = new_id()
    made = [frame.seq for size in (1, 3, 1, 70, 2) for frame in log.append(stream, [say("x")] * size)]
    assert made == list(range(77))
    assert [frame.seq for frame in log.read(stream)] == made


def test_what_append_returns_is_what_every_later_reader_gets(reopen: Opener, say: Say) -> None:
    stream = new_id()
    returned = reopen().append(stream, [Draft(CREATED, {"workspace": "w"}), say("a"), say("b")])
    assert list(reopen().read(stream)) == returned


def test_a_frame_carries_its_envelope_and_payload_in_canonical_bytes(log: Log, say: Say) -> None:
    stream = new_id()
    (frame,) = log.append(stream, [say("hello")])
    data = frame.data
    assert frame.body == canonical(data)
    assert is_id(frame.id)
    assert isinstance(data.pop("timestamp_ms"), int)
    assert data == {
        "id": frame.id,
        "stream_kind": "continuity",
        "stream_id": stream,
        "seq": 0,
        "type": MESSAGE,
        **say("hello").payload,
    }


def test_every_frame_is_chained_to_the_one_before_it(log: Log, say: Say) -> None:
    stream = new_id()
    frames = [*log.append(stream, [say("a"), say("b")]), *log.append(stream, [say("c")])]
    assert [frame.hash for frame in frames] == chain(GENESIS, [frame.body for frame in frames])
    head = log.head(stream)
    assert head is not None
    assert (head.seq, head.hash) == (2, frames[-1].hash)


def test_ids_increase_within_a_stream(log: Log, say: Say) -> None:
    stream = new_id()
    made = [frame.id for _ in range(5) for frame in log.append(stream, [say("x")] * 3)]
    assert made == sorted(set(made))


def test_of_two_writers_that_saw_the_same_head_the_second_gets_conflict(reopen: Opener, say: Say) -> None:
    first, second, stream = reopen(), reopen(), new_id()
    first.append(stream, [say("a")], expect=NEW)
    first.append(stream, [say("b")], expect=0)
    with pytest.raises(Conflict, match="stands at frame 1"):
        second.append(stream, [say("c")], expect=0)
    assert texts(second, stream) == ["a", "b"]


@pytest.mark.parametrize("expect", [NEW, 0, 2, 99])
def test_an_expectation_that_is_not_the_head_is_a_conflict(log: Log, say: Say, expect: int) -> None:
    stream = new_id()
    log.append(stream, [say("a"), say("b")])
    with pytest.raises(Conflict) as caught:
        log.append(stream, [say("c")], expect=expect)
    assert caught.value.hint
    assert texts(log, stream) == ["a", "b"]


def test_a_stream_that_must_exist_but_does_not_is_a_conflict(log: Log, say: Say) -> None:
    with pytest.raises(Conflict, match="does not exist"):
        log.append(new_id(), [say("a")], expect=0)
    assert log.heads() == []


def test_without_expectation_an_append_takes_the_head_as_it_is(log: Log, say: Say) -> None:
    stream = new_id()
    for text in "abc":
        log.append(stream, [say(text)])
    assert texts(log, stream) == ["a", "b", "c"]


def test_one_bad_draft_keeps_out_the_whole_call(log: Log, say: Say) -> None:
    stream = new_id()
    log.append(stream, [say("a")])
    with pytest.raises(BadInput):
        log.append(stream, [say("b"), say("c"), Draft(MESSAGE, {"role": "user"})])
    assert texts(log, stream) == ["a"]


def test_a_draft_given_an_id_becomes_the_frame_of_that_id(log: Log, say: Say) -> None:
    chosen = new_id()
    frames = log.append(new_id(), [say("a")._replace(id=chosen), say("b")])
    assert frames[0].id == frames[0].data["id"] == chosen
    assert log.frame(chosen) == frames[0]


@pytest.mark.parametrize("ids", [["not an id"], ["same", "same"]])
def test_ids_given_twice_or_malformed_are_refused(log: Log, say: Say, ids: list[str]) -> None:
    chosen = new_id()
    drafts = [say("x")._replace(id=chosen if each == "same" else each) for each in ids]
    with pytest.raises(BadInput, match="must be different UUIDs"):
        log.append(new_id(), drafts)


def test_an_id_that_a_frame_already_has_is_refused(log: Log, say: Say) -> None:
    (frame,) = log.append(new_id(), [say("a")])
    with pytest.raises(BadInput, match="already a frame"):
        log.append(new_id(), [say("b"), say("c")._replace(id=frame.id)])
    assert len(log.heads()) == 1


@pytest.mark.parametrize("name", ["id", "stream_kind", "stream_id", "seq", "timestamp_ms", "type"])
def test_a_payload_may_not_write_the_envelope(log: Log, say: Say, name: str) -> None:
    draft = say("x")
    with pytest.raises(BadInput, match="may not carry"):
        log.append(new_id(), [draft._replace(payload={**draft.payload, name: "mine"})])
    assert log.heads() == []


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, b"bytes", {1, 2}, object(), {"deep": [math.nan]}],
    ids=lambda value: type(value).__name__,
)
def test_a_payload_that_is_not_json_is_refused_alone_and_in_a_batch(log: Log, say: Say, value: Any) -> None:
    odd = Draft("anything", {"value": value})
    for drafts in ([odd], [say("x")] * 100 + [odd]):
        with pytest.raises(BadInput, match="cannot be written as JSON"):
            log.append(new_id(), drafts)
    assert log.heads() == []


def test_a_payload_that_contains_itself_is_refused(log: Log) -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(BadInput, match="cannot be written as JSON"):
        log.append(new_id(), [Draft("anything", {"value": endless})])


def test_a_message_of_50_megabytes_is_refused_with_advice(log: Log, say: Say) -> None:
    stream = new_id()
    with pytest.raises(BadInput, match="too large") as caught:
        log.append(stream, [say("small"), say("x" * 50_000_000)])
    assert "artifact" in caught.value.hint
    assert log.head(stream) is None


def test_a_message_of_15_megabytes_is_kept(log: Log, say: Say) -> None:
    stream, text = new_id(), "0123456789abcde" * 1_000_000
    log.append(stream, [say(text)])
    assert texts(log, stream) == [text]


@pytest.mark.parametrize(
    "stream_id",
    ["", "thread", "../../etc", new_id().upper(), new_id() + "0"],
    ids=["empty", "word", "path", "upper case", "too long"],
)
def test_what_is_not_an_id_cannot_become_a_stream(log: Log, say: Say, stream_id: str) -> None:
    with pytest.raises(BadInput, match="not a stream id"):
        log.append(stream_id, [say("x")])


def test_unknown_stream_kinds_and_empty_calls_are_refused(log: Log, say: Say) -> None:
    with pytest.raises(BadInput, match="no stream kind 'rumour'"):
        log.append(new_id(), [say("x")], stream_kind="rumour")
    with pytest.raises(BadInput, match="nothing to append"):
        log.append(new_id(), [])


def test_a_stream_keeps_its_kind(log: Log, say: Say) -> None:
    stream = new_id()
    log.append(stream, [say("a")], stream_kind="session")
    with pytest.raises(BadInput, match="of kind session, not continuity"):
        log.append(stream, [say("b")])
    head = log.head(stream)
    assert head is not None
    assert head.stream_kind == "session"


def test_types_that_nobody_knows_are_kept_as_they_came(log: Log) -> None:
    stream = new_id()
    log.append(stream, [Draft("from_the_future", {"deep": {"list": [1, None, True, "é"]}})])
    (frame,) = log.read(stream)
    assert frame.type == "from_the_future"
    assert frame.data["deep"] == {"list": [1, None, True, "é"]}


def test_control_characters_and_rare_letters_come_back_unchanged(log: Log, say: Say) -> None:
    text = "".join(map(chr, range(0x20))) + '\x7f\x80"\\/\u2028\u2029\ufeff\uffff\U0001f600é' + "\x00" * 3
    for size in (1, 100):
        stream = new_id()
        log.append(stream, [say(text)] * size)
        assert texts(log, stream) == [text] * size


def test_lone_surrogates_are_replaced_and_the_frame_is_kept(log: Log, say: Say) -> None:
    for size in (1, 100):
        stream = new_id()
        log.append(stream, [say("a\ud800b")] * size)
        assert texts(log, stream) == ["a\ufffdb"] * size


def test_a_repeated_call_with_the_same_key_returns_the_frames_of_the_first(reopen: Opener, say: Say) -> None:
    stream = new_id()
    first = reopen().append(stream, [say("a"), say("b")], expect=NEW, key="k", request="r")
    reopen().append(stream, [say("c")])
    log = reopen()
    assert log.append(stream, [say("a"), say("b")], expect=NEW, key="k", request="r") == first
    assert log.append(new_id(), [say("a"), say("b")], expect=NEW, key="k", request="r") == first
    assert log.keyed("k") == first
    assert texts(log, stream) == ["a", "b", "c"]
    assert len(log.heads()) == 1


def test_a_key_used_for_another_request_is_a_clash(log: Log, say: Say) -> None:
    stream = new_id()
    log.append(stream, [say("a")], key="k", request="one")
    with pytest.raises(Conflict) as caught:
        log.append(stream, [say("b")], key="k", request="two")
    assert caught.value.code == "idempotency_clash"
    assert texts(log, stream) == ["a"]


def test_a_refused_append_does_not_use_up_its_key(log: Log, say: Say) -> None:
    stream = new_id()
    log.append(stream, [say("a")])
    with pytest.raises(Conflict):
        log.append(stream, [say("b")], expect=NEW, key="k", request="r")
    assert log.keyed("k") is None
    log.append(stream, [say("b")], expect=0, key="k", request="r")
    assert texts(log, stream) == ["a", "b"]
