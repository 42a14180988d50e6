"""`segue forget` as a person uses it: says what would go, asks, and removes."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Segue = Callable[..., Any]
SAID = "the staging database answers to ferret-saddle-41"


@pytest.fixture
def thread(segue: Segue) -> str:
    made: str = segue("thread", "create", "--json").json["thread_id"]
    assert segue("thread", "post", made, "--content", SAID).code == 0
    return made


def test_without_a_word_nothing_is_forgotten(segue: Segue, thread: str) -> None:
    refused = segue("forget", f"{thread}@1")
    assert (refused.code, "--yes" in refused.err) == (4, True)
    refused = segue("forget", f"{thread}@1", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (4, "refused")
    assert SAID in segue("thread", "events", thread).out


def test_what_would_go_is_said_before_it_goes(segue: Segue, thread: str) -> None:
    told = segue("forget", f"{thread}@1", "--dry-run")
    assert (told.code, "To be forgotten: 1 frame" in told.out, f"{thread}@1" in told.out) == (0, True, True)
    assert SAID in segue("thread", "events", thread).out
    done = segue("forget", f"{thread}@1", "--yes", "--reason", "a password", "--json").json
    assert (done["forgotten"], done["frames"]) == (True, [{"thread_id": thread, "seqs": [1]}])
    shown = segue("thread", "events", thread).out
    assert SAID not in shown
    assert "content_forgotten" in shown
    assert segue("verify").code == 0
    assert "forgotten" in segue("thread", "compile", thread, "--json").out


@pytest.mark.parametrize("answer, code", [("y", 0), ("n", 4)])
def test_in_a_terminal_a_person_is_asked(
    segue: Segue, thread: str, tmp_path: Path, answer: str, code: int
) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, f"{answer}\n".encode())
    command = [sys.executable, "-m", "segue", "forget", f"{thread}@1"]
    ran = subprocess.run(
        command, stdin=theirs, stderr=theirs, stdout=subprocess.DEVNULL, cwd=tmp_path, check=False
    )
    said = ""
    while "Forget this for good?" not in said:
        said += os.read(ours, 65536).decode()  # as much as the terminal hands over at once
    os.close(theirs)
    os.close(ours)
    assert ran.returncode == code
    assert (SAID in segue("thread", "events", thread).out) == (code != 0)


def test_inside_an_agent_it_is_refused(segue: Segue, thread: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    refused = segue("forget", thread, "--yes")
    assert (refused.code, "person" in refused.err) == (4, True)
    assert segue("rebuild", "--accept-loss").code == 4
    assert segue("forget", thread, "--yes", "--actor-id", "user").code == 4
    assert segue("rebuild").code == 0
    assert (segue("gc").code, segue("gc", "--dry-run").code) == (4, 0)


def test_what_another_session_says_stays_and_is_said_to(segue: Segue, tmp_path: Path) -> None:
    for name in ("5e55", "07e4"):
        row = {"type": "user", "uuid": f"{name}-0", "sessionId": name, "cwd": "/w"}
        row |= {"timestamp": "2026-03-02T10:00:00.000Z", "message": {"role": "user", "content": SAID}}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
        assert segue("sessions", "import", f"claude-code:{tmp_path / name}.jsonl").code == 0
    told = segue("forget", "--session", "claude-code:5e55", "--everywhere", "--dry-run").out
    assert (
        "(name it to forget it, too):" in told and "What another session says in the same words stays" in told
    )
    assert segue("forget", "--session", "claude-code:5e55", "--everywhere", "--yes").code == 0
    assert len(segue("thread", "search", "ferret", "--json").json["hits"]) == 1
