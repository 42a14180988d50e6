"""A transcript is another session's only where it says so itself; whatever is unclear counts as the session's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from segue.agents.live_transcript import another_session

OURS, THEIRS = "11111111-aaaa-4000-8000-000000000001", "22222222-bbbb-4000-8000-000000000002"


def codex(id: str, session_id: str) -> dict[str, Any]:
    return {"type": "session_meta", "payload": {"id": id, "session_id": session_id}}


def row(host: str, id: str) -> dict[str, Any]:
    return {
        "claude-code": {"type": "user", "sessionId": id},
        "codex": codex(id, id),
        "gemini-cli": {"sessionId": id, "kind": "main"},
        "copilot-cli": {"type": "session.start", "data": {"sessionId": id}},
        "pi": {"type": "session", "version": 3, "id": id},
    }[host]


def written(path: Path, *rows: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


HOSTS = ("claude-code", "codex", "gemini-cli", "copilot-cli", "pi")


@pytest.mark.parametrize("host", HOSTS)
def test_each_agents_transcript_says_whose_it_is(tmp_path: Path, host: str) -> None:
    path = written(tmp_path / "t.jsonl", row(host, THEIRS), {"type": "more", "id": OURS})
    assert another_session(host, OURS, path) == THEIRS
    assert another_session(host, THEIRS, path) == ""


NAMES = {
    "claude-code": f"{OURS}.jsonl",
    "codex": f"rollout-2026-11-15T19-17-48-{OURS}.jsonl",
    "gemini-cli": f"session-2026-11-15T19-18-{OURS[:8]}.jsonl",
    "copilot-cli": f"{OURS}/events.jsonl",
    "pi": f"2026-11-15T19-17-55-101Z_{OURS}.jsonl",
}


@pytest.mark.parametrize("host", HOSTS)
def test_a_file_named_after_the_session_is_its_own_whatever_it_begins_with(tmp_path: Path, host: str) -> None:
    assert another_session(host, OURS, written(tmp_path / NAMES[host], row(host, THEIRS))) == ""


@pytest.mark.parametrize("rows", [(), ([1],), ({"sessionId": 7},), ({"sessionId": ""},)])
def test_a_file_that_tells_nothing_contradicts_nobody(tmp_path: Path, rows: tuple[Any, ...]) -> None:
    assert another_session("claude-code", OURS, written(tmp_path / "t.jsonl", *rows)) == ""
    assert another_session("claude-code", OURS, str(tmp_path / "absent.jsonl")) == ""
    assert another_session("claude-code", OURS, str(tmp_path)) == ""
    assert another_session("claude-code", OURS, "") == ""
    assert another_session("cline", OURS, written(tmp_path / "t.json", row("claude-code", THEIRS))) == ""


def test_the_last_line_of_a_claude_code_copy_says_who_writes_now(tmp_path: Path) -> None:
    resumed = written(tmp_path / "t.jsonl", row("claude-code", THEIRS), row("claude-code", OURS))
    assert another_session("claude-code", OURS, resumed) == ""
    assert another_session("claude-code", THEIRS, resumed) == OURS


def test_a_codex_fork_is_not_the_thread_it_copied_from_and_a_subagent_not_its_session(tmp_path: Path) -> None:
    fork = written(tmp_path / "t.jsonl", row("codex", OURS), row("codex", THEIRS))
    assert another_session("codex", OURS, fork) == ""
    assert another_session("codex", THEIRS, fork) == OURS
    assert another_session("codex", OURS, written(tmp_path / "s.jsonl", codex(THEIRS, OURS))) == THEIRS
