"""Files that hold several sessions, and sessions that are spread over several files."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from segue.agents import aider, generic, goose
from segue.agents.cline import reader as cline
from segue.agents.gemini_cli import reader as gemini_cli
from segue.errors import NotFound

FIXTURES = Path(__file__).parent.parent / "fixtures" / "agents"
DOCS = Path(__file__).parent.parent.parent / "docs" / "reference"


def prompts(entries: object) -> list[str]:
    return [entry.text for entry in entries if entry.kind == "user" and entry.by == "person"]  # type: ignore[attr-defined]


def test_an_aider_history_lists_its_chats_and_tells_those_of_one_second_apart() -> None:
    path = str(FIXTURES / "aider" / "history" / "input.md")
    assert list(aider.sessions(path)) == [
        "2024-08-05 19:33:02",
        "2024-08-05 19:40:00",
        "2024-08-05 19:40:00 #2",
    ]


def test_the_newest_aider_chat_with_a_prompt_is_read_and_any_other_by_its_id() -> None:
    path = str(FIXTURES / "aider" / "history" / "input.md")
    assert next(aider.read(path)).data["id"] == "2024-08-05 19:40:00"
    *_, committed = aider.read(path, "2024-08-05 19:33:02")
    assert committed.text.startswith("[HEAD d0ffbf1]")
    with pytest.raises(NotFound):
        list(aider.read(path, "2024-08-06 00:00:00"))


def test_offsets_of_an_aider_chat_lead_to_its_lines() -> None:
    path = FIXTURES / "aider" / "history" / "input.md"
    raw = path.read_bytes()
    for entry in aider.read(str(path)):
        assert raw.count(b"\n", 0, entry.offset) == entry.line - 1


def test_what_gemini_took_back_can_be_read_as_a_branch() -> None:
    path = str(FIXTURES / "gemini-cli" / "log" / "input.jsonl")
    assert "Try something wild." not in prompts(gemini_cli.read(path))
    assert "Try something wild." in prompts(gemini_cli.read(path, branch="all"))
    taken_back = prompts(gemini_cli.read(path, branch="g2"))
    assert "Try something wild." in taken_back


def test_either_file_of_a_cline_task_and_its_folder_name_the_same_task() -> None:
    folder = FIXTURES / "cline" / "task" / "input"
    whole = [(entry.kind, entry.text) for entry in cline.read(str(folder))]
    for name in ("api_conversation_history.json", "ui_messages.json"):
        assert [(entry.kind, entry.text) for entry in cline.read(str(folder / name))] == whole


def test_goose_reads_the_newest_session_a_person_started(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    connection = apsw.Connection(str(path))
    connection.execute((FIXTURES / "goose" / "database" / "input.sql").read_text("utf-8")).fetchall()
    connection.close()
    assert list(goose.sessions(str(path))) == ["20251201_1", "20251202_1", "20251202_2"]
    assert next(iter(goose.read(str(path)))).data["id"] == "20251202_1"
    assert next(iter(goose.read(str(path), "20251202_2"))).data["title"] == "Sub-agent"


def test_goose_tells_the_same_of_its_database_and_its_older_files(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    connection = apsw.Connection(str(path))
    connection.execute((FIXTURES / "goose" / "database" / "input.sql").read_text("utf-8")).fetchall()
    connection.close()
    kept = [
        (entry.kind, entry.text)
        for entry in goose.read(str(path))
        if entry.kind not in ("meta", "unreadable")
    ]
    lines = goose.read(str(FIXTURES / "goose" / "lines" / "input.jsonl"))
    assert [(entry.kind, entry.text) for entry in lines if entry.kind != "meta"] == kept


def test_a_generic_file_may_hold_several_sessions() -> None:
    path = str(FIXTURES / "generic" / "several" / "input.jsonl")
    assert list(generic.sessions(path)) == ["first", "second"]
    assert prompts(generic.read(path, "first")) == ["In the first session."]


def test_the_documented_example_of_a_generic_session_is_the_one_that_is_tested() -> None:
    example = (DOCS / "generic-sessions.md").read_text("utf-8").partition("## Example")[2]
    lines = [line for line in example.splitlines() if line.startswith("{")]
    fixture = FIXTURES / "generic" / "example" / "input.jsonl"
    assert fixture.read_text("utf-8").splitlines() == lines
    assert generic.sniff("any.jsonl", fixture.read_bytes()) == 100
