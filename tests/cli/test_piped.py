"""A session on standard input is handed off as the same session in a file, but for the way back to it."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path


def _segue(directory: Path, piped: Path, *arguments: str) -> str:
    with piped.open("rb") as stdin:
        command = [sys.executable, "-m", "segue", *arguments]
        return subprocess.run(
            command, stdin=stdin, capture_output=True, check=True, text=True, cwd=directory
        ).stdout


def _chat(directory: Path) -> Path:
    chat = {
        "sessionId": "1f0e7c7e-0000-4000-8000-000000000001",
        "projectHash": "0" * 64,
        "startTime": "2026-01-01T10:00:00.000Z",
        "lastUpdated": "2026-01-01T10:00:01.000Z",
        "messages": [
            {"id": "a", "timestamp": "2026-01-01T10:00:00.000Z", "type": "user", "content": "Never use tabs."}
        ],
    }
    file = directory / "a session of 2026-01-01.json"
    file.write_text(json.dumps(chat, indent=1))
    return file


def _packet(directory: Path, file: Path, source: str) -> str:
    return _segue(directory, file, "handoff", "go on", "--from", source, "--no-repo", "--dry-run")


def _transcript_line(packet: str) -> str:
    return next(line for line in packet.splitlines() if line.startswith("**Transcript**"))


def test_the_pointers_of_one_piped_document_are_records(tmp_path: Path) -> None:
    file = _chat(tmp_path)
    piped, named = _packet(tmp_path, file, "-"), _packet(tmp_path, file, str(file))
    for packet in (piped, named):
        assert "shows [#N], record N of the transcript" in packet
    assert piped.replace(_transcript_line(piped), "") == named.replace(_transcript_line(named), "")


def test_a_piped_session_names_no_file_that_goes_away(tmp_path: Path) -> None:
    file = _chat(tmp_path)
    packet = _packet(tmp_path, file, "-")
    assert packet == _packet(tmp_path, file, "-")
    assert "`segue sessions show - < FILE --line N`" in _transcript_line(packet)


def test_the_way_to_a_pointer_works_for_a_file_that_no_agent_keeps(tmp_path: Path) -> None:
    file = _chat(tmp_path)
    shown = _transcript_line(_packet(tmp_path, file, str(file))).split("`")[1]
    command = shlex.split(shown.replace("--line N", "--line 1"))
    assert command[0] == "segue"
    assert "Never use tabs." in _segue(tmp_path, file, *command[1:])
