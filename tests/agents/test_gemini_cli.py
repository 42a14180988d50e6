"""Answers in Gemini's sessions are told as the person gave them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from segue.agents.gemini_cli import reader as gemini_cli


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


MESSAGES = [
    {"id": "m1", "timestamp": "2026-01-02T03:04:05Z", "type": "user", "content": "Mend the store."},
    {"id": "m2", "timestamp": "2026-01-02T03:04:06Z", "type": "gemini", "content": "It is mended." * 9000},
]
HEAD = {"sessionId": "s", "projectHash": "ab", "startTime": "2026-01-02T03:04:05Z"}
CHAT = {**HEAD, "messages": MESSAGES}
LOG = "\n".join(map(json.dumps, [HEAD, *MESSAGES]))


@pytest.mark.parametrize("name", ["stdin.jsonl", "s.json", "s", "s.txt"])
@pytest.mark.parametrize(
    "text",
    [
        json.dumps(CHAT, indent=2),
        json.dumps(CHAT),
        f"\n\ufeff {json.dumps(CHAT, indent=2)}"[1:],
        json.dumps(CHAT)[:-1],
        LOG,
        f"\n{LOG}\n",
        LOG.split("\n", 1)[1],
        f'{{"sessionId": "s", "projectHash"\n{LOG}',
    ],
    ids=[
        "chat",
        "chat in one line",
        "marked chat",
        "cut chat",
        "log",
        "padded log",
        "headless log",
        "hurt log",
    ],
)
def test_a_chat_and_a_log_are_told_apart_by_what_they_hold_and_not_by_their_name(
    tmp_path: Path, text: str, name: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    said = [e.text[:13] for e in gemini_cli.read(str(path)) if e.kind in ("user", "agent")]
    assert said == ["Mend the stor", "It is mended."]
