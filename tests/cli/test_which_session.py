"""`segue handoff` takes the latest session, says so, and lets a person in a terminal pick another."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..recorded import claude, codex, id_of

Segue = Callable[..., Any]


@pytest.fixture
def project(segue: Segue, tmp_path: Path) -> Path:
    """Two sessions of one hour, an older one, and an empty one that is the latest of all."""
    codex(tmp_path, 0x019DDEED, "2026-03-02T09:00:00Z", "Put the videos into the README.")
    claude(tmp_path, 0x0708A5FA, "2026-03-02T10:00:00Z", "Fix the build after the bump.", "Now commit.")
    claude(tmp_path, 3, "2026-02-01T10:00:00Z", "An old story.")
    claude(tmp_path, 4, "2026-03-02T11:00:00Z")
    return tmp_path


def test_it_says_in_one_line_what_it_took_and_what_else_there_was(segue: Segue, project: Path) -> None:
    ran = segue("handoff", "finish it", "--dry-run")
    assert ran.code == 0 and "Fix the build" in ran.out
    (line,) = [line for line in ran.err.splitlines() if "claude-code 0708a5fa" in line]
    assert '"Now commit."' in line and " d ago, 2 turns (2 others: --from codex:019ddeed, " in line


def test_the_names_it_gives_are_taken(segue: Segue, project: Path) -> None:
    ran = segue("handoff", "finish it", "--dry-run", "--from", "codex:019ddeed")
    assert "Put the videos" in ran.out and "other" not in ran.err


def test_one_agents_latest_is_said_as_well(segue: Segue, project: Path) -> None:
    assert "segue: codex 019ddeed" in segue("handoff", "--from", "codex", "--dry-run").err


def test_the_list_marks_what_is_not_handed_off(segue: Segue, project: Path) -> None:
    first = segue("sessions").out.splitlines()[0]
    assert id_of(4) in first and "not handed off: nothing was asked in it" in first


@pytest.mark.parametrize("content", ["", '{"broken\n{"also'])
def test_an_empty_session_is_an_error_with_a_hint(segue: Segue, project: Path, content: str) -> None:
    path = claude(project, 5, "2026-03-02T11:00:00Z")
    if content:
        path.write_text(content)
    ran = segue("handoff", "go", "--from", f"claude-code:{path}", "--dry-run")
    assert (ran.code, ran.out) == (1, "")
    assert "nothing to hand off" in ran.err and "hint: " in ran.err


def test_only_empty_sessions_are_an_error_with_a_hint(segue: Segue, tmp_path: Path) -> None:
    claude(tmp_path, 4, "2026-03-02T11:00:00Z")
    ran = segue("handoff", "go", "--dry-run", "--json")
    assert ran.code == 1 and ran.json["error"]["code"] == "not_found"


def in_terminal(project: Path, answers: str, *words: str) -> tuple[int, str]:
    """The exit code and all that a terminal shows."""
    master, slave = pty.openpty()
    env = {**os.environ, "TERM": "dumb"}
    command = [sys.executable, "-m", "segue", "handoff", "go", "--dry-run", *words]
    running = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=project, env=env)
    os.close(slave)
    os.write(master, answers.encode())
    shown = b""
    try:
        while data := os.read(master, 65536):
            shown += data
    except OSError:  # the other side was closed
        pass
    os.close(master)
    return running.wait(), shown.decode()


@pytest.mark.parametrize(
    ("answers", "code", "taken"),
    [
        ("\n", 0, "Fix the build"),
        ("2\n", 0, "Put the videos"),
        ("7\n2\n", 0, "Put the videos"),
        ("q\n", 4, ""),
    ],
)
def test_in_a_terminal_a_person_picks_among_recent_sessions(
    project: Path, answers: str, code: int, taken: str
) -> None:
    ended, shown = in_terminal(project, answers)
    assert ended == code
    offered = shown.partition("Hand off which?")[0]
    assert "1  claude-code 0708a5fa" in offered and "2  codex 019ddeed" in offered
    assert "old story" not in offered and "00000004" not in offered
    assert taken in shown.partition("This handoff was drawn from")[2]


@pytest.mark.parametrize("words", [("--yes",), ("--json",), ("--from", "codex")])
def test_nobody_is_asked_who_decided_already(project: Path, words: tuple[str, ...]) -> None:
    ended, shown = in_terminal(project, "", *words)
    assert ended == 0 and "Hand off which?" not in shown


@pytest.mark.parametrize(
    "words",
    [("handoff", "--to", "claude"), ("handoff", "--from", "claude"), ("sessions", "--agent", "claude")],
)
def test_a_short_name_of_an_agent_is_recognised(segue: Segue, words: tuple[str, ...]) -> None:
    ran = segue(*words)
    assert ran.code in (1, 2) and "Did you mean" in ran.err and "claude-code" in ran.err
