"""Sessions in segue's own format: what the page on it says is so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from segue.agents import generic


@pytest.mark.parametrize(
    ("call", "first", "told"),
    [
        ({"background": True}, {}, [True, False]),
        ({}, {"background": True}, [True, False]),
        ({"background": True}, {"background": False}, [False, False]),
        ({}, {}, [False, False]),
    ],
)
def test_a_call_that_goes_on_may_say_so_itself_or_its_result_may(
    tmp_path: Path, call: dict[str, Any], first: dict[str, Any], told: list[bool]
) -> None:
    lines = [
        {"segue_session": 1, "id": "s"},
        {"kind": "tool_call", "call_id": "c", "tool_kind": "shell", "command": "npm run dev", **call},
        {"kind": "tool_result", "call_id": "c", "text": "started", **first},
        {"kind": "tool_result", "call_id": "c", "text": "stopped", "exit_code": 0},
    ]
    file = tmp_path / "s.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert [e.background for e in generic.read(str(file)) if e.kind == "tool_result"] == told
