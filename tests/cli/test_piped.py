"""A session on standard input is told as the same session in a file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def test_the_pointers_of_one_piped_document_are_records(tmp_path: Path) -> None:
    chat = {
        "sessionId": "1f0e7c7e-0000-4000-8000-000000000001",
        "projectHash": "0" * 64,
        "startTime": "2026-01-01T10:00:00.000Z",
        "lastUpdated": "2026-01-01T10:00:01.000Z",
        "messages": [
            {"id": "a", "timestamp": "2026-01-01T10:00:00.000Z", "type": "user", "content": "Never use tabs."}
        ],
    }
    file = tmp_path / "session-2026-01-01T10-00-1f0e7c7e.json"
    file.write_text(json.dumps(chat, indent=1))

    def packet(source: str) -> str:
        command = [
            sys.executable,
            "-m",
            "segue",
            "handoff",
            "go on",
            "--from",
            source,
            "--no-repo",
            "--dry-run",
        ]
        with file.open("rb") as piped:
            return subprocess.run(
                command, stdin=piped, capture_output=True, check=True, text=True, cwd=tmp_path
            ).stdout

    assert "[#n] is record n" in packet(str(file))
    assert packet("-") == packet(str(file))
