"""A session in the log: once, in order, as far as it has got, and cut at its own ids."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from segue import samples
from segue.model.frame import MESSAGE, RUN_ENDED, RUN_SPAWNED, SIDE_EFFECTS
from segue.service import health, imports, sessions, threads
from segue.service.workspace import Workspace


@pytest.fixture
def source(tmp_path: Path) -> sessions.Source:
    return sessions.at(samples.unpack(str(tmp_path)))


def test_messages_runs_and_side_effects_arrive_in_order(
    workspace: Workspace, source: sessions.Source
) -> None:
    done = imports.import_session(workspace, source)
    kinds = [frame.type for frame in threads.events(workspace, done["thread_id"], after_seq=0)]
    assert kinds[:4] == [MESSAGE, RUN_SPAWNED, MESSAGE, SIDE_EFFECTS]
    assert kinds.count(RUN_SPAWNED) == kinds.count(RUN_ENDED) + 1
    failed = [
        frame.data["command"]
        for frame in threads.events(workspace, done["thread_id"])
        if frame.type == SIDE_EFFECTS and frame.data.get("exit_code")
    ]
    assert failed == ["python -m pytest tests/test_uploader.py -q"] * 2
    assert health.verify(workspace)["ok"]


def test_importing_twice_adds_nothing(workspace: Workspace, source: sessions.Source) -> None:
    first = imports.import_session(workspace, source)
    again = imports.import_session(workspace, source)
    assert (again["added"], again["head_seq"]) == (0, first["head_seq"])
    assert again["thread_id"] == first["thread_id"]


def test_importing_in_pieces_gives_what_importing_at_once_gives(
    workspace: Workspace, source: sessions.Source, tmp_path: Path
) -> None:
    lines = Path(source.path).read_text().splitlines(keepends=True)
    growing = tmp_path / "growing.jsonl"
    text = "".join(lines).replace("5e60e000-0000", "6e60e000-0000")
    for end in (3, 4, 11, 12, 26, len(lines)):
        growing.write_text("".join(text.splitlines(keepends=True)[:end]))
        piecewise = imports.import_session(workspace, sessions.at(str(growing)))
    whole = imports.import_session(workspace, source)

    def story(thread_id: str) -> list[tuple[str, object, object]]:
        return [
            (f.type, f.data.get("content"), f.data.get("tool_id"))
            for f in threads.events(workspace, thread_id, 0)
        ]

    assert story(piecewise["thread_id"]) == story(whole["thread_id"])


def test_a_branch_can_be_cut_at_a_message_by_the_programs_own_id(
    workspace: Workspace, source: sessions.Source
) -> None:
    done = imports.import_session(workspace, source)
    prompts = [
        f.data
        for f in threads.events(workspace, done["thread_id"])
        if f.type == MESSAGE and f.data["role"] == "user"
    ]
    made = threads.branch(workspace, done["thread_id"], from_message_id=prompts[0]["native_id"])
    ended = next(f for f in threads.events(workspace, done["thread_id"]) if f.type == RUN_ENDED)
    assert made["parent_seq"] == ended.seq


def test_no_secret_reaches_the_log(workspace: Workspace, source: sessions.Source) -> None:
    done = imports.import_session(workspace, source)
    assert done["redactions"] > 0
    written = b"".join(frame.body for frame in threads.events(workspace, done["thread_id"]))
    assert b"Zq81LmX02pPw7vRtY4" not in written


def test_what_is_completed_repeated_or_joined_later_is_told_once(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "growing.jsonl"
    session = {
        "type": "session",
        "version": 3,
        "id": "pi-1",
        "timestamp": "2026-01-01T00:00:00Z",
        "cwd": "/x",
    }

    def message(native_id: str, parent: str | None, **content: object) -> str:
        row = {"type": "message", "id": native_id, "parentId": parent, "timestamp": "2026-01-01T00:00:01Z"}
        return json.dumps({**row, "message": content})

    first = message("a", None, role="user", content="one")
    second = message("b", "a", role="user", content="two")
    path.write_text(json.dumps(session) + "\n" + first)
    imports.import_session(workspace, sessions.at(str(path)))
    path.write_text(json.dumps(session) + "\n" + first + second + "\n")
    done = imports.import_session(workspace, sessions.at(str(path)))
    said = [f.data["content"] for f in threads.events(workspace, done["thread_id"]) if f.type == MESSAGE]
    assert said == ["one", "two"]


def test_a_secret_in_the_name_of_a_file_is_no_path_to_keep(workspace: Workspace, tmp_path: Path) -> None:
    secret = "gh" + "p_" + "A1b2C3d4" * 5
    text = Path(samples.unpack(str(tmp_path))).read_text().replace("/uploader.py", f"/{secret}.py")
    path = tmp_path / "named.jsonl"
    path.write_text(text)
    done = imports.import_session(workspace, sessions.at(str(path)))
    written = b"".join(frame.body for frame in threads.events(workspace, done["thread_id"]))
    assert secret.encode() not in written
    assert secret not in str(sessions.show(sessions.at(str(path))))
