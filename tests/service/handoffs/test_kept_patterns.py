"""What Python made of the patterns is kept between runs, and changes none of them."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from segue.model import patterns
from segue.model.patterns import compiled
from segue.service.handoffs import kept_patterns, told_apart


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    forget(monkeypatch)
    return tmp_path / "segue"


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_kept", {})
    monkeypatch.setattr(patterns, "_new", {})


def only_file(cache: Path) -> Path:
    (found,) = cache.iterdir()
    return found


def test_a_later_run_makes_only_what_is_new(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = compiled(rb"(?P<secret>[a-f]{3,9})")
    kept_patterns.keep()
    assert stat.S_IMODE(only_file(cache).stat().st_mode) == 0o600
    forget(monkeypatch)
    kept_patterns.recall()
    assert compiled(rb"(?P<secret>[a-f]{3,9})") == first
    assert patterns.new() == {}
    compiled("another")
    kept_patterns.keep()
    forget(monkeypatch)
    kept_patterns.recall()
    assert len(patterns.known()) == 2


@pytest.mark.parametrize(
    "damage", [lambda data: data[:50], lambda data: b"", lambda data: data[:-1] + b"\x00"]
)
def test_a_damaged_file_is_not_believed(
    cache: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[bytes], bytes]
) -> None:
    compiled("a")
    kept_patterns.keep()
    file = only_file(cache)
    file.write_bytes(damage(file.read_bytes()))
    forget(monkeypatch)
    kept_patterns.recall()
    assert patterns.known() == {}


def test_a_file_that_grew_with_old_code_starts_anew(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_patterns, "MOST", 3)
    for text in "abc":
        compiled(text)
    kept_patterns.keep()
    forget(monkeypatch)
    kept_patterns.recall()
    compiled("d")
    kept_patterns.keep()
    forget(monkeypatch)
    kept_patterns.recall()
    assert [written.text for written in patterns.known()] == ["d"]


def test_a_cache_that_cannot_be_written_troubles_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    compiled("a")
    kept_patterns.keep()
    kept_patterns.recall()
    assert [written.text for written in patterns.known()] == ["a"]


def test_a_handoff_keeps_what_both_its_processes_made_once_and_no_word_of_the_session(cache: Path) -> None:
    session = cache.parent / "session.jsonl"
    told: list[object] = [{"segue_session": 1, "id": "s", "agent": "mine", "cwd": str(cache.parent)}]
    told.append({"kind": "user", "text": "Never touch zyxwvut/. Run its tests."})
    for number in range(4000):
        call = {"call_id": f"c{number}", "tool": "sh", "tool_kind": "shell"}
        command = f"pytest zyxwvut/test_{number % 9}.py; echo zyxwvut=$?"
        told.append({"kind": "tool_call", **call, "command": command})
        told.append({"kind": "tool_result", **call, "text": "zyxwvut=1\n" * 40, "exit_code": 0})
    session.write_text("\n".join(map(json.dumps, told)) + "\n")
    assert session.stat().st_size > told_apart.WORTH

    def handed_off() -> bytes:
        command = [
            sys.executable,
            "-m",
            "segue",
            "handoff",
            "go on",
            "--from",
            str(session),
            "--no-repo",
            "--dry-run",
        ]
        return subprocess.run(command, capture_output=True, check=True, cwd=cache.parent).stdout

    first = handed_off()
    kept = only_file(cache).read_bytes()
    assert b"zyxwvut" in first
    assert b"zyxwvut" not in kept
    assert b"never" in kept  # of the person's words, which a copy understands
    written = only_file(cache).stat().st_mtime_ns
    assert handed_off() == first
    assert only_file(cache).stat().st_mtime_ns == written
