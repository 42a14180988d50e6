"""Paths that are no files, and files no program would write, get a sentence or an entry."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from segue.agents import _jsonl
from segue.agents.locate import identify
from segue.agents.registry import READERS, reader
from segue.errors import BadInput, NotFound, SegueError
from segue.model.entry import Entry

LINES = (
    *("claude-code", "codex", "pi", "copilot-cli", "droid", "qwen-code", "cursor", "kimi-cli", "windsurf"),
    "generic",
)
"""Readers of JSONL, which all stand on the same ground."""


def outcome(name: str, path: Path) -> list[Entry] | SegueError:
    """The entries, or the sentence why there are none."""
    try:
        return list(reader(name).read(str(path)))
    except SegueError as refused:
        assert refused.message
        return refused


def kinds(told: list[Entry] | SegueError) -> set[str]:
    assert isinstance(told, list), told
    return {entry.kind for entry in told}


@pytest.mark.parametrize("name", READERS)
def test_nothing_there(name: str, tmp_path: Path) -> None:
    assert isinstance(outcome(name, tmp_path / "nowhere"), NotFound)


@pytest.mark.parametrize("name", READERS)
def test_a_pipe_is_not_waited_for(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert isinstance(outcome(name, tmp_path / "pipe"), SegueError)


@pytest.mark.parametrize("name", READERS)
def test_a_device_is_not_read(name: str) -> None:
    assert isinstance(outcome(name, Path("/dev/zero")), SegueError)


@pytest.mark.parametrize("name", READERS)
def test_a_link_to_itself(name: str, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert isinstance(outcome(name, tmp_path / "loop"), SegueError)


@pytest.mark.parametrize("name", READERS)
def test_an_empty_folder(name: str, tmp_path: Path) -> None:
    told = outcome(name, tmp_path)
    assert isinstance(told, SegueError) or kinds(told) <= {"meta", "unreadable"}


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, flags: int) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    (tmp_path / "secret.jsonl").write_text("{}")
    monkeypatch.setattr("segue.agents._jsonl.os.open", refuse)
    told = outcome("claude-code", tmp_path / "secret.jsonl")
    assert isinstance(told, BadInput) and "may not be read" in told.message


@pytest.mark.parametrize("name", READERS)
def test_an_empty_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "input.jsonl"
    path.write_bytes(b"")
    told = outcome(name, path)
    assert isinstance(told, SegueError) or "unreadable" in kinds(told) or name in ("aider", "specstory")


@pytest.mark.parametrize("name", READERS)
def test_binary_data(name: str, tmp_path: Path) -> None:
    path = tmp_path / "input.jsonl"
    path.write_bytes(bytes(range(256)) * 64)
    told = outcome(name, path)
    assert isinstance(told, SegueError) or told[0].kind in ("meta", "unreadable")


@pytest.mark.parametrize("name", LINES)
def test_deep_nesting_costs_only_its_own_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "input.jsonl"
    path.write_bytes(b'{"type":"x","a":' + b"[" * 100_000 + b'\n{"type":"never-seen-before"}\n')
    reasons = [entry.reason for entry in reader(name).read(str(path)) if entry.kind == "unreadable"]
    assert reasons[0] == "nested too deeply"


@pytest.mark.parametrize("name", LINES)
def test_a_line_of_two_megabytes_is_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / "input.jsonl"
    path.write_bytes(b'{"type":"never-seen-before","a":"' + b"x" * 2_000_000 + b'"}\n')
    assert "unreadable" not in kinds(outcome(name, path))


def test_a_line_over_the_limit_is_reported_and_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_jsonl, "MAX_LINE", 1 << 20)
    monkeypatch.setattr("segue.agents.claude_code.lines.MAX_LINE", 1 << 20)
    path = tmp_path / "input.jsonl"
    path.write_bytes(b'{"a":"' + b"x" * (3 << 20) + b'"}\n{"type":"never-seen-before"}\n')
    for name in ("claude-code", "pi"):
        told = outcome(name, path)
        assert isinstance(told, list)
        assert [entry.line for entry in told if entry.kind == "unreadable"] == [1]
        assert [entry.line for entry in told if entry.kind == "other"] == [2]


def test_a_file_that_grows_is_read_to_the_size_it_had(tmp_path: Path) -> None:
    path = tmp_path / "input.jsonl"
    path.write_bytes(b'{"a":1}\n' * 3)
    seen = []
    for line, _, _ in _jsonl.records(str(path)):
        seen.append(line)
        with path.open("ab") as file:
            file.write(b'{"a":1}\n')
    assert seen == [1, 2, 3]


def test_a_file_that_shrinks_ends_early(tmp_path: Path) -> None:
    path = tmp_path / "input.jsonl"
    path.write_bytes(b'{"type":"never-seen-before"}\n' * 40_000)
    told = reader("claude-code").read(str(path))
    first = next(told)
    path.write_bytes(b'{"type":"never-seen-before"}\n')
    assert first.kind == "meta"
    assert [entry.kind for entry in told] == ["other"]


def test_a_path_with_a_nul_byte_is_refused() -> None:
    with pytest.raises(BadInput):
        _jsonl.open_source("a\0b")


def test_a_file_nobody_knows_is_refused_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "shopping.txt"
    path.write_text("milk")
    with pytest.raises(BadInput) as refused:
        identify(str(path))
    assert f"none of the {len(READERS)} session formats" in refused.value.message
    assert "codex:FILE" in refused.value.hint


def test_no_reader_leaves_a_file_open(case: Any, tmp_path: Path) -> None:
    path = case.copied(tmp_path)
    before = len(os.listdir("/proc/self/fd"))
    told = reader(case.agent).read(str(path))
    next(told)
    del told
    case.read(path)
    assert len(os.listdir("/proc/self/fd")) == before
