"""`segue brief`: the session for a model's eyes, from a file, a pipe or the latest one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SESSION = Path(__file__).parent.parent / "fixtures" / "agents" / "claude-code" / "session" / "input.jsonl"


def run(directory: Path, *words: str, piped: Path | None = None) -> subprocess.CompletedProcess[str]:
    with open(piped or os.devnull, "rb") as stdin:
        command = [sys.executable, "-m", "segue", "brief", *words]
        return subprocess.run(
            command, stdin=stdin, capture_output=True, text=True, cwd=directory, check=False
        )


def body(text: str) -> str:
    return text.partition("## Session\n")[2]


def test_a_session_is_printed_and_nothing_is_written(tmp_path: Path) -> None:
    done = run(tmp_path, "finish it", "--from", str(SESSION))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Brief of claude-code session ")
    assert 'Goal: "finish it"' in done.stdout
    assert os.listdir(tmp_path) == []


def test_a_piped_session_is_the_same_as_its_file(tmp_path: Path) -> None:
    piped, named = run(tmp_path, "--from", "-", piped=SESSION), run(tmp_path, "--from", str(SESSION))
    assert body(piped.stdout) == body(named.stdout) != ""
    assert "`segue sessions show - < FILE --line N`" in piped.stdout


def test_json_has_the_shape_that_is_promised(tmp_path: Path) -> None:
    made = json.loads(run(tmp_path, "--from", str(SESSION), "--budget", "2000", "--json").stdout)
    assert made.keys() == {"brief", "tokens", "budget", "agent", "session_id", "lines", "folded"}
    assert made["tokens"] <= made["budget"] == 2000
    first, last = made["lines"]
    assert 1 <= first <= last <= len(SESSION.read_text().splitlines())


def test_without_a_compaction_the_answer_is_no(tmp_path: Path) -> None:
    done = run(tmp_path, "--from", str(SESSION), "--since-compaction")
    assert done.returncode == 1
    assert "was not compacted" in done.stderr and "hint: " in done.stderr


def test_a_budget_too_small_is_wrong_usage(tmp_path: Path) -> None:
    done = run(tmp_path, "--from", str(SESSION), "--budget", "10")
    assert done.returncode == 2
    assert "holds no session" in done.stderr


def test_an_empty_pipe_is_said_to_be_empty(tmp_path: Path) -> None:
    done = run(tmp_path, "--from", "-")
    assert done.returncode == 2
    assert "empty" in done.stderr
