"""Which session is handed off when none is named: one order, that of the last entries, whatever files look like."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from segue.agents.registry import READERS
from segue.errors import NotFound
from segue.model.marks import SUMMARISER
from segue.service.sessions import lookup, rows
from segue.service.sessions.candidates import candidates


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return place


def id_of(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000001"


def claude(project: Path, number: int, minute: int, *prompts: str) -> Path:
    """A session of Claude Code whose last entry was made at a minute of one day."""
    home = Path(os.environ["HOME"])
    folder = home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(project))
    folder.mkdir(parents=True, exist_ok=True)
    head = {
        "cwd": str(project),
        "sessionId": id_of(number),
        "timestamp": f"2026-03-02T10:{minute:02}:00.000Z",
    }
    lines: list[dict[str, Any]] = [{"type": "permission-mode", "permissionMode": "default"}]
    lines += [
        {"type": "user", "uuid": f"u{n}", "parentUuid": None, "message": {"role": "user", "content": text}}
        | head
        for n, text in enumerate(prompts)
    ]
    lines.append({"type": "system", "subtype": "turn_duration", "uuid": "s", **head})
    path = folder / f"{id_of(number)}.jsonl"
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return path


def codex(project: Path, number: int, minute: int, prompt: str) -> Path:
    folder = Path(os.environ["HOME"]) / ".codex" / "sessions" / "2026" / "03" / "02"
    folder.mkdir(parents=True, exist_ok=True)
    at = f"2026-03-02T10:{minute:02}:00.000Z"
    told = [
        {"type": "session_meta", "payload": {"id": id_of(number), "cwd": str(project)}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": prompt}},
    ]
    path = folder / f"rollout-2026-03-02T10-00-00-{id_of(number)}.jsonl"
    path.write_text("".join(json.dumps({"timestamp": at, **one}) + "\n" for one in told))
    return path


def order(project: Path) -> list[str]:
    return [one.source.session or "" for one in candidates(str(project), list(READERS))]


def listed(project: Path) -> list[str]:
    return [row["id"] for row in lookup.list_sessions(str(project))["sessions"]]


def test_a_list_and_a_handoff_have_one_order_whenever_files_were_touched(project: Path) -> None:
    paths = [
        claude(project, 1, 10, "one"),
        codex(project, 2, 30, "two"),
        claude(project, 3, 20, "three"),
    ]
    expected = [id_of(2), id_of(3), id_of(1)]
    for step, touched in enumerate([paths[0], paths[2], paths[1], paths[0]]):
        os.utime(touched, ns=(10**18 * (step % 2 + 1), 10**18 * (step % 2 + 1)))
        assert order(project) == expected  # the first time from the ends of the files alone
        assert listed(project) == expected
        assert order(project) == expected  # and from what the list has kept
        assert lookup.latest(str(project)).session == id_of(2)


def test_no_session_is_read_whole_to_find_the_latest(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(1, 6):
        claude(project, number, number, "go on")
    monkeypatch.setattr(rows, "rows_of", lambda agent, path: pytest.fail(f"read {path}"))
    assert lookup.latest(str(project)).session == id_of(5)


def test_a_last_entry_of_any_size_tells_its_time(project: Path) -> None:
    claude(project, 1, 10, "one")
    claude(project, 2, 20, "x" * 300_000)
    assert order(project) == [id_of(2), id_of(1)] == listed(project)


@pytest.mark.parametrize("known", [False, True])
def test_sessions_that_nobody_works_in_are_passed_over(project: Path, known: bool) -> None:
    claude(project, 1, 10, "Fix the parser.")
    claude(project, 2, 20)
    claude(project, 3, 30, f"{SUMMARISER}\n\nWrite the handoff.")
    claude(project, 4, 40, "<command-name>/clear</command-name>\n<command-args></command-args>")
    claude(project, 5, 50).write_text('{"broken\n{"also')
    if known:
        assert len(listed(project)) == 5
    assert order(project) == [id_of(1)]
    passed = {row["id"]: row.get("passed_over") for row in lookup.list_sessions(str(project))["sessions"]}
    assert [bool(passed[id_of(number)]) for number in range(1, 6)] == [False, True, True, True, True]


def test_where_all_are_passed_over_that_is_said(project: Path) -> None:
    claude(project, 2, 20)
    with pytest.raises(NotFound) as caught:
        lookup.latest(str(project))
    assert "1 session, nothing was asked in it" in caught.value.message and "--from" in caught.value.hint
