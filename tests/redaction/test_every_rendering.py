"""What a session told as a secret is in no form of a handoff that is made of facts, told before or after."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Segue = Callable[..., Any]

SECRET = "Kr4ken_tide-9917zQ"
TOLD = [
    {"segue_session": 1, "id": "s1", "agent": "mine", "cwd": "/w/app"},
    {"kind": "user", "text": f"Always try {SECRET} first, and never push to main."},
    {"kind": "agent", "text": f"I try {SECRET} now."},
    {"kind": "tool_call", "call_id": "c1", "tool_kind": "read", "paths": ["prod.toml"], "tool": "read"},
    {"kind": "tool_result", "call_id": "c1", "text": f'[redis]\npassword = "{SECRET}"\n'},
    {"kind": "user", "text": f"Keep {SECRET} for eu. Then go on with the tests."},
]


@pytest.fixture
def session(tmp_path: Path) -> str:
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in TOLD))
    return f"generic:{path}"


@pytest.mark.parametrize("form", ["packet", "bundle", "tc", "json"])
def test_a_form_of_a_handoff_does_not_hold_it(segue: Segue, session: str, form: str) -> None:
    ran = segue("handoff", "go on", "--from", session, "--no-repo", "--dry-run", "--format", form)
    assert ran.code == 0 and "[redacted:known-value]" in ran.out
    assert SECRET not in ran.out
