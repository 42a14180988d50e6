"""Compiled patterns are kept between processes, and no pattern is another one for it."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import stat
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import segue.extract
import segue.handoff
import segue.redaction
from segue.model import patterns
from segue.model.patterns import compiled
from segue.redaction.rules import RULES
from segue.service.handoffs import kept_patterns


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    next_process(monkeypatch)
    return tmp_path / "segue"


def next_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "known", {})
    monkeypatch.setattr(patterns, "new", [])
    monkeypatch.setattr(kept_patterns, "_rows", [])


def only_file(cache: Path) -> Path:
    (found,) = cache.iterdir()
    return found


def texts() -> list[object]:
    return [text for _, text, _ in patterns.known]


def test_a_later_process_compiles_only_what_is_new(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = compiled(rb"(?P<secret>[a-f]{3,9})", re.I)
    kept_patterns.keep()
    assert stat.S_IMODE(only_file(cache).stat().st_mode) == 0o600
    next_process(monkeypatch)
    kept_patterns.recall()
    again = compiled(rb"(?P<secret>[a-f]{3,9})", re.I)
    assert patterns.new == []
    assert again == first
    found = again.search(b"x ABCD")
    assert found is not None
    assert found["secret"] == b"ABCD"
    compiled("another")
    kept_patterns.keep()
    next_process(monkeypatch)
    kept_patterns.recall()
    assert texts() == [rb"(?P<secret>[a-f]{3,9})", "another"]


def test_every_pattern_of_the_code_is_rebuilt_as_python_compiles_it(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = [
        importlib.import_module(module.name)
        for room in (segue.extract, segue.handoff, segue.redaction)
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}.")
    ]
    found = [value for module in modules for value in vars(module).values() if isinstance(value, re.Pattern)]
    for pattern in found:
        compiled(pattern.pattern, pattern.flags)
    for rule in RULES:
        compiled(rule.pattern.encode())
    made = dict(patterns.known)
    assert len(made) > 300
    kept_patterns.keep()
    next_process(monkeypatch)
    kept_patterns.recall()
    assert patterns.known == made


@pytest.mark.parametrize(
    "damage", [lambda data: data[:9], lambda data: b"", lambda data: data[:-1] + b"\x00"]
)
def test_a_damaged_file_is_ignored(
    cache: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[bytes], bytes]
) -> None:
    compiled("a")
    kept_patterns.keep()
    file = only_file(cache)
    file.write_bytes(damage(file.read_bytes()))
    next_process(monkeypatch)
    kept_patterns.recall()
    assert patterns.known == {}


@pytest.mark.parametrize(
    ("program", "groups", "names"),
    [([], 0, {}), ([1, 2, 3], 0, {}), ([0] * 9, 3, {"a": 9}), ([2**40], 0, {}), ([1], -5, {})],
)
def test_a_program_that_python_refuses_is_ignored(
    cache: Path, program: list[int], groups: int, names: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled("a")
    kept_patterns.keep()
    data = msgspec.msgpack.encode([("a", 0, 32, program, groups, names)])
    only_file(cache).write_bytes(zlib.crc32(data).to_bytes(4, "big") + data)
    next_process(monkeypatch)
    kept_patterns.recall()
    assert compiled("a") == re.compile("a")
    assert len(patterns.new) == 1


def test_a_link_is_not_followed(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled("a")
    kept_patterns.keep()
    file = only_file(cache)
    file.rename(cache.parent / "elsewhere")
    file.symlink_to(cache.parent / "elsewhere")
    next_process(monkeypatch)
    kept_patterns.recall()
    assert patterns.known == {}


def test_a_file_that_grew_with_old_code_starts_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_patterns, "MOST", 3)
    for text in "abc":
        compiled(text)
    kept_patterns.keep()
    next_process(monkeypatch)
    kept_patterns.recall()
    compiled("d")
    kept_patterns.keep()
    next_process(monkeypatch)
    kept_patterns.recall()
    assert texts() == ["d"]


def test_where_python_compiles_otherwise_nothing_is_kept(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled("a")
    with monkeypatch.context() as without:
        without.delattr("re._compiler._code")
        kept_patterns.keep()
    assert list(cache.iterdir()) == []


def test_a_cache_that_cannot_be_written_troubles_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    compiled("a")
    kept_patterns.keep()
    kept_patterns.recall()
    assert texts() == ["a"]


def test_a_handoff_keeps_its_patterns_once_and_no_word_of_the_session(cache: Path) -> None:
    session = cache.parent / "session.jsonl"
    call = {"call_id": "c1", "tool": "sh", "tool_kind": "shell"}
    told: list[object] = [
        {"segue_session": 1, "id": "s", "agent": "mine", "cwd": str(cache.parent)},
        {"kind": "user", "text": "Never touch zyxwvut/. Run its tests; the password is zyxwvut-4711-x."},
        {"kind": "tool_call", **call, "command": "pytest zyxwvut/test_1.py; echo zyxwvut=$?"},
        {"kind": "tool_result", **call, "text": "zyxwvut=1\n" * 40, "exit_code": 0},
    ]
    session.write_text("\n".join(map(json.dumps, told)) + "\n")
    command = [sys.executable, "-m", "segue", "handoff", "go on", "--from", str(session), "--no-repo"]

    def handed_off() -> bytes:
        return subprocess.run(
            [*command, "--dry-run"], capture_output=True, check=True, cwd=cache.parent
        ).stdout

    first = handed_off()
    kept = only_file(cache)
    written = kept.stat().st_mtime_ns
    assert b"zyxwvut" in first
    assert b"zyxwvut" not in kept.read_bytes()
    assert b"traceback" in kept.read_bytes()
    assert handed_off() == first
    assert kept.stat().st_mtime_ns == written
