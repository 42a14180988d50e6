"""Which checkpoints stand for the past, and which one the next builds on."""

from __future__ import annotations

from typing import Any

import pytest

from segue.errors import BadInput
from segue.model.frame import CREATED
from segue.threads import checkpoints, digest
from segue.threads.lineage import Segment


@pytest.fixture
def talk(memory: Any) -> Any:
    """A hundred messages on one thread."""
    memory.add("t", CREATED)
    for n in range(100):
        memory.say("t", f"message {n}")
    return memory


def reached(memory: Any, last: int = 10_000) -> list[int]:
    return [point.to_seq for point in chosen(memory, last, [])]


def chosen(memory: Any, last: int, resets: list[dict[str, Any]]) -> list[checkpoints.Checkpoint]:
    """The furthest that can be read, and those at half the distance."""
    found = checkpoints.readable(memory, memory, Segment("t", 0, last, True), resets)
    first = next(found)
    return [first, *checkpoints.halving(found, first)]


def test_the_furthest_comes_first_and_then_others_at_half_the_distance(talk: Any) -> None:
    for to_seq in (10, 20, 40, 45, 90, 80):
        talk.checkpoint("t", to_seq)
    assert reached(talk) == [90, 45, 20]


def test_of_two_that_reach_equally_far_the_newer_is_used(talk: Any) -> None:
    talk.checkpoint("t", 50, "older")
    talk.checkpoint("t", 50, "newer")
    found = chosen(talk, 200, [])
    assert [point.text for point in found] == ["newer"]


def test_one_made_after_the_cut_is_not_seen(talk: Any) -> None:
    talk.checkpoint("t", 20)
    talk.checkpoint("t", 90)
    assert reached(talk, last=101) == [20]


def test_one_that_cannot_be_read_gives_way_to_the_next_and_is_said(talk: Any) -> None:
    talk.checkpoint("t", 20)
    del talk.blobs[talk.checkpoint("t", 90, "lost")]
    talk.checkpoint("t", 95, schema="another.v1")
    resets: list[dict[str, Any]] = []
    found = chosen(talk, 200, resets)
    assert [point.to_seq for point in found] == [20]
    assert [(row["action"], row["ref"]) for row in resets] == [
        ("ignored", "point-103"),
        ("ignored", "point-102"),
    ]


def test_the_next_summary_builds_on_the_furthest_digest_before_it(talk: Any) -> None:
    near, far = ({**digest.empty(), "messages": n} for n in (20, 40))
    wanted = talk.checkpoint("t", 40, digest=far)
    talk.checkpoint("t", 20, digest=near)
    talk.checkpoint("t", 45, "written by hand")
    talk.checkpoint("t", 46, digest={"messages": "?"})
    talk.checkpoint("t", 60, digest=far)
    assert checkpoints.base_before(talk, talk, "t", 60) == (wanted, far, 40)


def test_without_anything_to_build_on_a_summary_begins_at_the_beginning(talk: Any) -> None:
    del talk.blobs[talk.checkpoint("t", 40, digest=digest.empty())]
    assert checkpoints.base_before(talk, talk, "t", 60) == (None, digest.empty(), -1)


def test_cut_points_go_on_counting_from_a_known_one(talk: Any) -> None:
    every = list(checkpoints.cut_points(talk, "t", 30))
    assert [(point.ordinal, point.seq) for point in every] == [(30, 30), (60, 60), (90, 90)]
    assert list(checkpoints.cut_points(talk, "t", 30, after=every[0])) == every[1:]


def test_a_stride_of_nothing_is_refused(talk: Any) -> None:
    with pytest.raises(BadInput):
        next(checkpoints.cut_points(talk, "t", 0))
