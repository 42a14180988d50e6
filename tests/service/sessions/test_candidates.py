"""Which session is handed off when none is named: one order, that of the last entries, whatever files look like."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from segue.agents.registry import READERS
from segue.errors import NotFound
from segue.model.marks import SUMMARISER
from segue.service.sessions import lookup, rows
from segue.service.sessions.candidates import candidates

from ...recorded import claude, codex, id_of


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return place


def at(minute: int) -> str:
    return f"2026-03-02T10:{minute:02}:00.000Z"


def order(project: Path) -> list[str]:
    return [one.source.session or "" for one in candidates(str(project), list(READERS))]


def listed(project: Path) -> list[str]:
    return [row["id"] for row in lookup.list_sessions(str(project))["sessions"]]


def test_a_list_and_a_handoff_have_one_order_whenever_files_were_touched(project: Path) -> None:
    paths = [
        claude(project, 1, at(10), "one"),
        codex(project, 2, at(30), "two"),
        claude(project, 3, at(20), "three"),
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
        claude(project, number, at(number), "go on")
    monkeypatch.setattr(rows, "rows_of", lambda agent, path: pytest.fail(f"read {path}"))
    assert lookup.latest(str(project)).session == id_of(5)


def test_a_last_entry_of_any_size_tells_its_time(project: Path) -> None:
    claude(project, 1, at(10), "one")
    claude(project, 2, at(20), "x" * 300_000)
    assert order(project) == [id_of(2), id_of(1)] == listed(project)


@pytest.mark.parametrize("known", [False, True])
def test_sessions_that_nobody_works_in_are_passed_over(project: Path, known: bool) -> None:
    claude(project, 1, at(10), "Fix the parser.")
    claude(project, 2, at(20))
    claude(project, 3, at(30), f"{SUMMARISER}\n\nWrite the handoff.")
    claude(project, 4, at(40), "<command-name>/clear</command-name>\n<command-args></command-args>")
    claude(project, 5, at(50)).write_text('{"broken\n{"also')
    if known:
        assert len(listed(project)) == 5
    assert order(project) == [id_of(1)]
    passed = {row["id"]: row.get("passed_over") for row in lookup.list_sessions(str(project))["sessions"]}
    assert [bool(passed[id_of(number)]) for number in range(1, 6)] == [False, True, True, True, True]


def test_where_all_are_passed_over_that_is_said(project: Path) -> None:
    claude(project, 2, at(20))
    with pytest.raises(NotFound) as caught:
        lookup.latest(str(project))
    assert "1 session, nothing was asked in it" in caught.value.message and "--from" in caught.value.hint
