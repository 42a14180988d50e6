"""A thread's state is a fold of its frames, and no frame can make it fail."""

from __future__ import annotations

import json
from typing import Any

import pytest

from segue.model import frame as f
from segue.model.frame import Frame
from segue.threads.state import ThreadState, advance, texts

ODD: list[Any] = [5, None, True, {"a": 1}, [5, None], ["fine", 5]]


def framed(kind: str, payload: dict[str, Any], seq: int = 1) -> Frame:
    return Frame("t", seq, "i", kind, json.dumps(payload).encode(), b"\0")


@pytest.mark.parametrize("value", ODD, ids=repr)
@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (f.CREATED, ("workspace", "title", "timestamp_ms", "default")),
        (f.RENAMED, ("title",)),
        (f.ARCHIVED, ("archived",)),
        (f.TAGGED, ("added", "removed")),
        (f.MESSAGE, ("content",)),
        (f.SIDE_EFFECTS, ("affected_paths", "command")),
        (f.BRANCHED, ("parent_thread_id", "parent_seq", "parent_message_id")),
    ],
)
def test_what_a_field_should_not_hold_is_passed_over(kind: str, names: tuple[str, ...], value: Any) -> None:
    odd = framed(kind, dict.fromkeys(names, value))
    state = advance(ThreadState("t"), odd)
    assert state.seq == 1
    assert isinstance(state.title, str | None) and isinstance(state.parent_id, str | None)
    assert {type(tag) for tag in state.tags} <= {str}
    assert {type(text) for _, text in texts(odd)} <= {str}


def test_search_knows_the_texts_among_other_things() -> None:
    effect = framed(f.SIDE_EFFECTS, {"affected_paths": ["a.py", 5, "b.py"], "command": 5})
    assert list(texts(effect)) == [(1, "a.py\nb.py")]
