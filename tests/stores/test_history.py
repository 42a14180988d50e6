"""The checker of histories finds every fault it is there for."""

from __future__ import annotations

import pytest

from .history import APPENDED, READ, REFUSED, UNKNOWN, Operation, recorded, violations

SOUND = [
    Operation("p", "s", APPENDED, ("a", "b"), 0.0, 1.0, 0, -1),
    Operation("q", "s", REFUSED, ("x",), 0.0, 1.5, None, -1),
    Operation("q", "s", READ, ("a", "b"), 1.2, 1.4),
    Operation("q", "s", APPENDED, ("c",), 2.0, 3.0, 2, 1),
    Operation("p", "s", UNKNOWN, ("d",), 2.0, 4.0),
    Operation("p", "s", READ, ("a", "b", "c"), 3.5, 4.0),
]


def test_a_sound_history_has_no_violations() -> None:
    for final in (["a", "b", "c"], ["a", "b", "c", "d"]):
        assert violations(SOUND, {"s": final}) == []


@pytest.mark.parametrize(
    ("final", "more", "said"),
    [
        (["a", "b"], [], "was acknowledged at 2 and is not there"),
        (["a", "b", "c", "c"], [], "c is there 2 times"),
        (["a", "b", "c", "x"], [], "x was refused and is there"),
        (["a", "b", "c", "z"], [], "nobody sent z"),
        (["a", "b", "c", "e"], [Operation("r", "s", UNKNOWN, ("e", "f"), 5, 6)], "only 1 of"),
        (["a", "b", "c", "e"], [Operation("r", "s", APPENDED, ("e",), 5, 6, 3, 1)], "2 writers won head 1"),
        (["a", "b", "c", "e"], [Operation("r", "s", APPENDED, ("e",), 5, 6, 3, 7)], "expected 7 was given 3"),
        (["a", "b", "c", "e"], [Operation("r", "s", APPENDED, ("e",), 0, 0.5, 3)], "stands before it"),
        (["a", "b", "c"], [Operation("r", "s", READ, ("a", "c"), 1.2, 1.3)], "where something else stands"),
        (["a", "b", "c"], [Operation("r", "s", READ, ("a", "b"), 5, 6)], "saw 2 frames after 3 were known"),
        (["a", "b", "c"], [Operation("r", "t", APPENDED, ("e",), 5, 6, 0)], "t: the whole stream is lost"),
    ],
)
def test_every_kind_of_fault_is_found(final: list[str], more: list[Operation], said: str) -> None:
    assert any(said in wrong for wrong in violations([*SOUND, *more], {"s": final}))


def test_an_append_that_was_begun_and_never_ended_is_unknown() -> None:
    begun = Operation("p", "s", UNKNOWN, ("a",), 1.0)
    ended = Operation("p", "s", APPENDED, ("b",), 1.0, 2.0, 0)
    lines = [begun.line(), ended._replace(outcome=UNKNOWN, ended=None, first=None).line(), ended.line()]
    assert recorded(lines) == [ended, begun]
