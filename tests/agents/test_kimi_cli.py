"""Kimi's sessions are read from all the files they are kept in, and each thing once."""

from __future__ import annotations

import json
from pathlib import Path

from segue.agents import kimi_cli

COMPACTED = "<system>Previous context has been compacted.</system>The task so far."


def write(path: Path, *said: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [{"role": "_checkpoint", "id": 0}, *({"role": "user", "content": text} for text in said)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def heard(path: str, branch: str | None = None) -> list[str]:
    return [entry.text for entry in kimi_cli.read(path, branch=branch) if entry.by == "person"]


def test_what_was_said_before_a_compaction_is_read_from_the_file_put_aside(tmp_path: Path) -> None:
    write(tmp_path / "context_1.jsonl", "one", "two")
    path = write(tmp_path / "context.jsonl", COMPACTED, "three")
    told = list(kimi_cli.read(path))
    assert [entry.text for entry in told if entry.by == "person"] == ["one", "two", "three"]
    assert [entry.line for entry in told] == [1, 2, 3, 5, 5, 6]
    assert [Path(entry.file).name for entry in told[1:3]] == ["context_1.jsonl"] * 2


def test_what_was_taken_back_is_left_out_unless_everything_is_wanted(tmp_path: Path) -> None:
    write(tmp_path / "context_1.jsonl", "one", "taken back")
    write(tmp_path / "context_2.jsonl", "one", "two")
    path = write(tmp_path / "context.jsonl", COMPACTED, "three")
    assert heard(path) == ["one", "two", "three"]
    assert heard(path, "all") == ["one", "taken back", "one", "two", "three"]


def test_a_session_with_a_wire_file_is_listed_once(tmp_path: Path) -> None:
    context = write(tmp_path / "id-1" / "context.jsonl", "one")
    assert list(kimi_cli.sessions(context)) == ["id-1"]
    event = {"timestamp": 1.0, "message": {"type": "TurnBegin", "payload": {"user_input": "one"}}}
    wire = tmp_path / "id-1" / "wire.jsonl"
    wire.write_text(json.dumps(event) + "\n")
    assert (list(kimi_cli.sessions(context)), list(kimi_cli.sessions(str(wire)))) == ([], ["id-1"])
    assert heard(str(wire)) == ["one"]


def test_the_events_of_a_sub_agent_are_told_where_everything_is(tmp_path: Path) -> None:
    inner = {"type": "ContentPart", "payload": {"type": "text", "text": "looking"}}
    payload = {"parent_tool_call_id": "c1", "agent_id": "a7", "event": inner}
    path = tmp_path / "wire.jsonl"
    path.write_text(json.dumps({"timestamp": 1.0, "message": {"type": "SubagentEvent", "payload": payload}}))
    assert [entry.kind for entry in kimi_cli.read(str(path))] == ["meta"]
    (told,) = list(kimi_cli.read(str(path), branch="all"))[1:]
    assert (told.text, told.by, told.agent_id) == ("looking", "subagent", "a7")
