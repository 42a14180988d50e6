"""Bad input is ordinary: a sentence, a hint, the right exit code, and nothing half-written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Segue = Callable[..., Any]
ABSENT = "01234567-89ab-7def-8123-456789abcdef"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["thread", "show", ABSENT], 1),
        (["thread", "branch", ABSENT], 1),
        (["thread", "events", ABSENT], 1),
        (["thread", "show", "short"], 2),
        (["thread", "post", "default", "--content", "x", "--role", "wizard"], 2),
        (["thread", "post", "default", "--content", "x", "--run-ended", "done"], 2),
        (["thread", "branch", "default", "--from-seq", "7"], 2),
        (["thread", "branch", "default", "--from-seq", "-1"], 2),
        (["thread", "branch", "default", "--from-seq", "x"], 2),
        (["thread", "branch", "default", "--from-message-id", ABSENT], 1),
        (["thread", "handoff", "default"], 2),
        (["thread", "handoff", "default", "--summary-markdown", "   "], 2),
        (["thread", "handoff", "default", "--summary-file", "absent.md"], 1),
        (["thread", "handoff", "default", "--summary-file", "."], 2),
        (["thread", "handoff", "default", "--summary-markdown", "s", "--ref-file", "../x"], 2),
        (["thread", "handoff", "default", "--summary-markdown", "s", "--ref-thread", "default@x"], 2),
        (["thread", "handoff", "default", "--summary-artifact-id", "f" * 64], 1),
        (["thread", "post", "default", "--content", "x", "--expect-seq", "5"], 3),
        (["thread", "compile", "default", "--budget", "3"], 2),
        (["thread", "compile", "default", "--at-seq", "99"], 2),
        (["thread", "tag", "default"], 2),
        (["thread", "rename", "default", "\x00"], 2),
        (["thread", "events", "default", "--max-events", "0"], 2),
        (["thread", "checkpoint", "default"], 2),
        (["artifact", "get", "f" * 64], 1),
        (["artifact", "get", "abc"], 2),
        (["artifact", "get", "../../etc/passwd"], 2),
        (["artifact", "put", "absent"], 1),
        (["thread", "list", "--workspace", "absent"], 1),
        (["thread", "post", "default", "--content", "x", "--effects", "bad.json"], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_each_refusal_has_a_sentence_and_its_exit_code(
    segue: Segue, tmp_path: Path, command: list[str], code: int
) -> None:
    (tmp_path / "bad.json").write_text("{not json")
    segue("thread", "ensure")
    before = segue("thread", "show", "default", "--json").json["head_hash"]
    ran = segue(*command)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("segue: ") and ran.err.count("Traceback") == 0
    as_json = segue(*command, "--json")
    assert as_json.code == code
    assert set(as_json.json["error"]) == {"code", "message", "hint"}
    assert segue("thread", "show", "default", "--json").json["head_hash"] == before


def test_a_message_of_fifty_megabytes_is_refused(segue: Segue, tmp_path: Path) -> None:
    segue("thread", "ensure")
    ran = segue("thread", "post", "default", "--content-file", "-", stdin=b"x" * 50_000_000)
    assert ran.code == 2
    assert "segue artifact put" in ran.err


def test_a_message_comes_from_standard_input_whatever_its_bytes(segue: Segue) -> None:
    segue("thread", "ensure")
    assert segue("thread", "post", "default", "--content-file", "-", stdin=b"\xff ok \x00").code == 0
    frame = segue("thread", "events", "default", "--after-seq", "0").json
    assert frame["content"] == "\ufffd ok \x00"


def test_a_torn_log_is_said_and_left_alone(segue: Segue, tmp_path: Path) -> None:
    segue("thread", "ensure")
    log = tmp_path / ".segue" / "log.db"
    torn = b"SQLite format 3\0" + os.urandom(4000)
    log.write_bytes(torn)
    ran = segue("thread", "list")
    assert ran.code == 5
    assert "hint:" in ran.err
    assert log.read_bytes() == torn


def test_a_log_of_a_newer_format_is_refused(segue: Segue, tmp_path: Path) -> None:
    import apsw

    segue("thread", "ensure")
    db = apsw.Connection(str(tmp_path / ".segue" / "log.db"))
    db.pragma("user_version", 99)
    db.close()
    ran = segue("thread", "list", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (5, "newer_format")


def test_a_locked_log_is_said_within_the_wait(
    segue: Segue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    segue("thread", "ensure")
    monkeypatch.setenv("SEGUE_STORE_LOCK_WAIT_S", "0")
    with open(tmp_path / ".segue" / "log.lock") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ran = segue("thread", "post", "default", "--content", "x")
    assert ran.code == 5
    assert "locked" in ran.err


def test_json_flags_may_stand_anywhere(segue: Segue) -> None:
    for command in (["--json", "thread", "list"], ["thread", "--json", "list"], ["thread", "list", "--json"]):
        assert segue(*command).json == {"threads": []}


def test_nothing_is_asked_of_modules_that_are_not_needed() -> None:
    """`segue thread list` starts within four bare interpreters because it imports none of these."""
    code = (
        "import sys; sys.argv = ['segue', 'thread', 'list']; from segue.__main__ import main; main();"
        "print(sorted(set(sys.modules) & set(sys.argv[1:] and 'msgspec dataclasses pathlib logging asyncio subprocess "
        "inspect zstandard splintr ahocorasick_rs'.split())))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
    assert ran.stdout.splitlines()[-1] == "[]"


def test_errors_are_one_json_document(segue: Segue) -> None:
    assert json.loads(segue("nonsense", "--json").out)["error"]["code"] == "bad_input"
