"""Sessions are found where their programs keep them, and known by what they hold."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from segue.agents.contract import Home
from segue.agents.locate import Found, find, identify, measured
from segue.agents.registry import READERS, reader
from segue.errors import BadInput, NotFound

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


def test_what_lies_in_a_place_of_the_directory_is_here(tmp_path: Path) -> None:
    mine = kept(tmp_path, "-home-dev-shop", "a.jsonl", 0)
    other = kept(tmp_path, "-home-dev-other", "b.jsonl", 0)
    found = find(Home(str(tmp_path), {}), ["claude-code"], "/home/dev/shop", everywhere=True)
    assert {f.path: f.here for f in found} == {str(mine): True, str(other): False}


def test_what_lies_inside_the_project_is_here_but_not_all_of_a_home(tmp_path: Path) -> None:
    project = tmp_path / "home" / "shop"
    session = project / "runs" / "a.traj"
    session.parent.mkdir(parents=True)
    session.write_text("{}")
    home = Home(str(tmp_path / "home"), {"SWE_AGENT_TRAJECTORY_DIR": str(session.parent)})
    for cwd, here in ((project, True), (tmp_path / "home", False), (tmp_path, False)):
        assert [f.here for f in find(home, ["swe-agent"], str(cwd))] == [here]


def test_a_database_changes_with_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    path.write_bytes(b"x" * 10)
    os.utime(path, (1, 1))
    (tmp_path / "sessions.db-wal").write_bytes(b"y" * 5)
    os.utime(tmp_path / "sessions.db-wal", (2, 2))
    assert measured("goose", str(path)) == Found("goose", str(path), 2_000_000_000, 15)


def test_a_folder_changes_with_what_lies_two_levels_below(tmp_path: Path) -> None:
    deep = tmp_path / "storage" / "message" / "ses_1" / "msg_1.json"
    deep.parent.mkdir(parents=True)
    deep.write_bytes(b"12345")
    future = 9_000_000_000
    os.utime(deep, (future, future))
    assert measured("opencode", str(tmp_path / "storage")) == Found(
        "opencode", str(tmp_path / "storage"), future * 1_000_000_000, 5
    )


def test_only_so_much_of_a_vast_folder_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.agents.locate._LOOKED_AT", 3)
    for number in range(9):
        (tmp_path / f"{number}").write_bytes(b"x")
    seen = measured("opencode", str(tmp_path))
    assert seen is not None and seen.size == 3


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda path: None, NotFound, "There is no file"),
        (lambda path: path.symlink_to("gone"), NotFound, "is a broken link"),
        (lambda path: path.write_bytes(b""), BadInput, "is empty"),
        (lambda path: path.symlink_to(path), BadInput, "leads back to itself"),
    ],
    ids=["absent", "broken link", "empty", "loop"],
)
def test_a_file_without_a_session_is_called_what_it_is(
    tmp_path: Path, make: Any, error: type[Exception], says: str
) -> None:
    make(tmp_path / "x.jsonl")
    with pytest.raises(error, match=says):
        identify(str(tmp_path / "x.jsonl"))


def test_the_sessions_of_a_projects_root_are_found_from_a_folder_inside(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    inside = project / "src" / "cart"
    inside.mkdir(parents=True)
    (project / ".git").mkdir()
    folder = re.sub(r"[^A-Za-z0-9]", "-", str(project))
    path = kept(tmp_path, folder, "a.jsonl", 1)
    (found,) = find(Home(str(tmp_path), {}), ["claude-code"], str(inside))
    assert (found.path, found.here) == (str(path), True)
    (project / ".git").rmdir()
    assert list(find(Home(str(tmp_path), {}), ["claude-code"], str(inside))) == []


@pytest.mark.parametrize(
    ("agent", "place", "inside", "beside"),
    [
        ("claude-code", ".claude/projects", "-home-dev-shop-src-cart", "-home-dev-shopping"),
        ("pi", ".pi/agent/sessions", "--home-dev-shop-src-cart--", "--home-dev-shopping--"),
    ],
)
def test_sessions_of_folders_inside_are_found_from_the_directory_around(
    tmp_path: Path, agent: str, place: str, inside: str, beside: str
) -> None:
    paths = [tmp_path / place / folder / "a.jsonl" for folder in (inside, beside)]
    for path in paths:
        path.parent.mkdir(parents=True)
        path.write_text(LINE)
    (found,) = find(Home(str(tmp_path), {}), [agent], "/home/dev/shop")
    assert (found.path, found.here) == (str(paths[0]), False)


@pytest.mark.parametrize(
    ("noted", "is_found"), [("/home/dev/shop", True), ("/home/dev/shop-api", False), (None, False)]
)
def test_a_gemini_folder_of_a_longer_name_is_the_projects_only_if_it_is_noted_so(
    tmp_path: Path, noted: str | None, is_found: bool
) -> None:
    chats = tmp_path / ".gemini/tmp/shop-api/chats"
    chats.mkdir(parents=True)
    (chats / "session-1.json").write_text("{}")
    if noted is not None:
        (tmp_path / ".gemini/tmp/shop-api/.project_root").write_text(noted)
    assert bool(list(find(Home(str(tmp_path), {}), ["gemini-cli"], "/home/dev/shop"))) == is_found


def test_a_file_of_a_program_built_on_another_is_refused_with_the_reader_that_can(tmp_path: Path) -> None:
    path = tmp_path / "claw.jsonl"
    header = '{"type":"session","version":3,"id":"s1","timestamp":"2026-01-05T10:00:00Z","cwd":"/work"}'
    custom = '{"type":"custom","customType":"openclaw.state","id":"e1","parentId":null,"data":{}}'
    path.write_text(f"{header}\n{custom}\n")
    with pytest.raises(BadInput, match="program built on pi") as refused:
        identify(str(path))
    assert refused.value.hint == "Name it pi:FILE to have it read as one of pi's."
    assert next(entry.kind for entry in reader("pi").read(str(path))) == "meta"
