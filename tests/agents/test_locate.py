"""Sessions are found where their programs keep them, and known by what they hold."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from segue.agents.contract import Home
from segue.agents.locate import find, identify, peek
from segue.agents.registry import READERS, reader
from segue.errors import NotFound

LINE = '{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"hello"},"uuid":"u1","cwd":"/work","sessionId":"s1"}\n'


def kept(home: Path, folder: str, name: str, age: int) -> Path:
    path = home / ".claude" / "projects" / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(LINE)
    os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return path


def test_sessions_come_newest_first(tmp_path: Path) -> None:
    old, new = kept(tmp_path, "-work", "a.jsonl", 60), kept(tmp_path, "-other", "b.jsonl", 5)
    found = list(find(Home(str(tmp_path), {}), ["claude-code"], None))
    assert [(f.agent, f.path) for f in found] == [("claude-code", str(new)), ("claude-code", str(old))]
    assert found[0].size == len(LINE)


def test_a_working_directory_narrows_the_search(tmp_path: Path) -> None:
    mine = kept(tmp_path, "-home-dev-my-shop", "a.jsonl", 0)
    kept(tmp_path, "-home-dev-other", "b.jsonl", 0)
    found = find(Home(str(tmp_path), {}), ["claude-code"], "/home/dev/my.shop")
    assert [f.path for f in found] == [str(mine)]


def test_a_home_that_looks_like_a_pattern_is_a_name(tmp_path: Path) -> None:
    session = kept(tmp_path / "ho[me]*", "-work", "a.jsonl", 0)
    assert [f.path for f in find(Home(str(tmp_path / "ho[me]*"), {}), ["claude-code"], None)] == [
        str(session)
    ]


def test_pipes_loops_and_empty_files_are_passed_over(tmp_path: Path) -> None:
    session = kept(tmp_path, "-work", "a.jsonl", 0)
    os.mkfifo(session.parent / "pipe.jsonl")
    (session.parent / "loop.jsonl").symlink_to(session.parent / "loop.jsonl")
    (session.parent / "empty.jsonl").write_bytes(b"")
    assert [f.path for f in find(Home(str(tmp_path), {}), list(READERS), None)] == [str(session)]


def test_a_moved_configuration_is_followed(tmp_path: Path) -> None:
    session = kept(tmp_path, "-work", "a.jsonl", 0)
    home = Home("/nowhere", {"CLAUDE_CONFIG_DIR": str(tmp_path / ".claude")})
    assert [f.path for f in find(home, ["claude-code"], None)] == [str(session)]


def test_a_file_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        identify(str(tmp_path / "nowhere.jsonl"))


def test_a_peek_tells_what_the_first_lines_tell(tmp_path: Path) -> None:
    path = kept(tmp_path, "-work", "a.jsonl", 0)
    assert peek(str(path), reader("claude-code")) == {"id": "s1", "cwd": "/work"}


def test_a_peek_names_the_session_as_reading_does(case: Any, tmp_path: Path) -> None:
    path = case.copied(tmp_path)
    assert peek(str(path), reader(case.agent))["id"] == case.read(path)[0].data["id"]
