"""A handoff reads a session once, however much of it is needed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue.agents import _jsonl, generic
from segue.agents.registry import reader

Segue = Callable[..., Any]
TURNS = 1500


def own(path: Path) -> None:
    lines: list[dict[str, Any]] = [{generic.HEADER: generic.VERSION, "id": "s-1", "cwd": str(path.parent)}]
    for turn in range(TURNS):
        lines += (
            {"kind": "user", "text": f"Mend part {turn}. {'word ' * 100}"},
            {"kind": "tool_call", "call_id": f"{turn}", "tool": "Bash", "tool_kind": "shell", "command": "make"},
            {"kind": "tool_result", "call_id": f"{turn}", "text": "done " * 100, "exit_code": 0},
            {"kind": "agent", "text": f"Part {turn} is mended. {'word ' * 100}"},
        )  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def claude_code(path: Path) -> None:
    lines: list[dict[str, Any]] = []

    def add(role: str, content: object) -> None:
        number = len(lines)
        lines.append(
            {
                "parentUuid": f"u{number - 1}" if number else None, "isSidechain": False, "cwd": str(path.parent),
                "sessionId": "5e551011-0000-4000-8000-000000000000", "type": role,
                "message": {"role": role, "content": content}, "uuid": f"u{number}",
                "timestamp": "2026-01-01T10:00:00.000Z",
            }
        )  # fmt: skip

    for turn in range(TURNS):
        add("user", f"Mend part {turn}. {'word ' * 100}")
        add(
            "assistant",
            [{"type": "tool_use", "id": f"c{turn}", "name": "Bash", "input": {"command": "make"}}],
        )
        add("user", [{"type": "tool_result", "tool_use_id": f"c{turn}", "content": "done " * 100}])
        add("assistant", [{"type": "text", "text": f"Part {turn} is mended. {'word ' * 100}"}])
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


@pytest.mark.parametrize("write", [own, claude_code], ids=["generic", "claude-code"])
@pytest.mark.parametrize("form", ["packet", "document", "bundle"])
def test_the_file_is_opened_once_to_be_read_from_start_to_end(
    segue: Segue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path], None], form: str
) -> None:
    path = tmp_path / "session.jsonl"
    write(path)
    read: Counter[_jsonl.Source] = Counter()
    given = _jsonl.Source.read

    def counted(source: _jsonl.Source, offset: int, count: int) -> bytes:
        data = given(source, offset, count)
        read[source] += len(data)
        return data

    monkeypatch.setattr(_jsonl.Source, "read", counted)
    made = segue(
        "handoff", "go on", "--from", str(path), "--yes", "--no-repo", "--json", "--format", form
    ).json
    assert len([source for source, count in read.items() if count >= path.stat().st_size]) == 1
    assert made["thread_id"]


def test_its_entries_are_told_to_the_end_once(
    segue: Segue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "session.jsonl"
    own(path)
    module: Any = reader("generic")
    given, ends = module.read, []

    def counted(*told: Any) -> Any:
        yield from given(*told)
        ends.append(told)

    monkeypatch.setattr(module, "read", counted)
    assert segue("handoff", "go on", "--from", str(path), "--yes", "--no-repo").code == 0
    assert len(ends) == 1
