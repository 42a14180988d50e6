"""Every answer has the type that is published for it, and nothing beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, is_typeddict

import msgspec
import pytest

from segue.service.operations import OPERATIONS, named
from segue.service.signatures import signature

from .conftest import WAYS, leave_session, prepared
from .test_walk import ELSEWHERE, walk

STREAM = "thread.events"
BYTES = "artifact.get"
REFUSED = {"change.close", "change.link", "change.promote", "change.retro", "draft.reject"}
"""What the walk asks for in vain: other suites see the answers to these."""


def test_every_answer_that_is_json_has_a_type_of_its_own() -> None:
    untyped = {row.name for row in OPERATIONS if not is_typeddict(signature(row).answer)}
    assert untyped == {STREAM, BYTES}


def test_answers_are_what_their_types_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = prepared(tmp_path, monkeypatch)
    seen: list[tuple[str, Any]] = []
    with WAYS["sdk-local"](root) as way:
        leave_session(way.root)

        def noted(name: str, values: dict[str, Any]) -> Any:
            answer = way.ask(name, values)
            seen.append((name, json.loads(json.dumps(answer))))
            return answer

        walk(noted)
    answered = {name for name, _ in seen}
    assert {row.name for row in OPERATIONS} - answered - set(ELSEWHERE) == REFUSED
    assert [name for name, answer in seen if _beside(name, answer)] == []


def _beside(name: str, answer: Any) -> bool:
    """Whether an answer has something else than its type: what a type does not know, reading by it drops."""
    return bool(msgspec.convert(answer, signature(named(name)).answer) != answer)
