"""Answers in Gemini's sessions are told as the person gave them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from segue.agents import gemini_cli


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        ('{"answers": {"0": "Lift at 10 %"}}', "Lift at 10 %"),
        ('{"answers": {"0": ["AUC", "Brier"]}}', "AUC\nBrier"),
        ('{"answers": broken', '{"answers": broken'),
        ("Brier, please", "Brier, please"),
    ],
)
def test_an_answer_is_told_with_its_question_and_without_its_wrapping(
    tmp_path: Path, output: str, answer: str
) -> None:
    call = {
        "id": "c1",
        "name": "ask_user",
        "args": {"questions": [{"question": "Which metric?"}]},
        "result": [{"functionResponse": {"id": "c1", "name": "ask_user", "response": {"output": output}}}],
        "status": "success",
    }
    session = {
        "sessionId": "s",
        "projectHash": "ab",
        "messages": [{"id": "m1", "type": "gemini", "content": "One question.", "toolCalls": [call]}],
    }
    path = tmp_path / "session-1.json"
    path.write_text(json.dumps(session))
    told = [entry.text for entry in gemini_cli.read(str(path)) if entry.kind == "answer"]
    assert told == [f"Which metric?\n{answer}"]
