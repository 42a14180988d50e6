"""The contract of a log: several appends in one commit, each with an answer of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from segue.errors import BadInput, Conflict, SegueError
from segue.model.frame import MESSAGE, Draft, Frame
from segue.model.ids import new_id
from segue.stores.contract import NEW, Log, Request

Opener = Callable[[], Log]
Say = Callable[[str], Draft]


def made(answer: list[Frame] | SegueError) -> list[Frame]:
    assert isinstance(answer, list), answer
    return answer


def test_appends_that_go_together_are_what_every_later_reader_gets(reopen: Opener, say: Say) -> None:
    streams = [new_id() for _ in range(5)]
    answers = reopen().append_all([Request(stream, [say("a"), say("b")], NEW) for stream in streams])
    log = reopen()
    assert [list(log.read(stream)) for stream in streams] == answers
    assert [head.seq for head in log.heads()] == [1] * 5
    assert list(log.verify()) == []


def test_nothing_together_is_nothing(log: Log) -> None:
    assert log.append_all([]) == []


def test_each_append_is_refused_or_made_for_itself(log: Log, say: Say) -> None:
    there, fresh, stream = new_id(), new_id(), new_id()
    (first,) = log.append(there, [say("a")], key="k", request="r")
    answers = log.append_all(
        [
            Request(there, [say("b")], expect=7),
            Request(fresh, [say("c")], expect=NEW),
            Request("no id", [say("d")]),
            Request(stream, [Draft(MESSAGE, {"role": "user"})]),
            Request(there, [say("e")], stream_kind="session"),
            Request(stream, [say("f")], key="k", request="other"),
            Request(stream, [say("g")], key="k", request="r"),
            Request(stream, []),
            Request(stream, [say("h")._replace(id=first.id)]),
            Request(there, [say("i")], expect=0),
        ]
    )
    kinds = [type(answer) for answer in answers]
    assert kinds == [Conflict, list, BadInput, BadInput, BadInput, Conflict, list, BadInput, BadInput, list]
    assert answers[6] == [first]
    texts = {s: [f.data["content"] for f in log.read(s)] for s in (there, fresh, stream)}
    assert texts == {there: ["a", "i"], fresh: ["c"], stream: []}


def test_appends_to_one_stream_follow_each_other(log: Log, say: Say) -> None:
    stream = new_id()
    answers = log.append_all(
        [
            Request(stream, [say("a")], NEW),
            Request(stream, [say("b")], NEW),
            Request(stream, [say("c"), say("d")], 0),
            Request(stream, [say("e")]),
        ]
    )
    assert isinstance(answers[1], Conflict)
    assert [frame.seq for at in (0, 2, 3) for frame in made(answers[at])] == [0, 1, 2, 3]
    assert [frame.data["content"] for frame in log.read(stream)] == ["a", "c", "d", "e"]
    assert list(log.verify()) == []


def test_one_key_given_twice_together_counts_once(log: Log, say: Say) -> None:
    stream = new_id()
    first, again, other = log.append_all(
        [
            Request(stream, [say("a")], key="k", request="r"),
            Request(stream, [say("a")], key="k", request="r"),
            Request(stream, [say("b")], key="k", request="s"),
        ]
    )
    assert again == first == log.keyed("k")
    assert isinstance(other, SegueError)
    assert other.code == "idempotency_clash"
    assert len(list(log.read(stream))) == 1


@pytest.mark.parametrize("size", [2, 100])
def test_a_frame_id_given_twice_together_is_refused_the_second_time(log: Log, say: Say, size: int) -> None:
    chosen = new_id()
    drafts = [*[say("x")] * (size - 1), say("chosen")._replace(id=chosen)]
    first, second = log.append_all([Request(new_id(), drafts), Request(new_id(), drafts)])
    assert made(first)[-1].id == chosen
    assert isinstance(second, BadInput)
    assert len(log.heads()) == 1
