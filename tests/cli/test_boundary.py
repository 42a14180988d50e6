"""The boundary by hand: what waits and what was changed is told, in text and in JSON."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue.handoff.headings import DOCUMENT

from ..conftest import at_a_terminal

Run = Callable[..., Any]
RICH = "\n".join(
    f"## {name}\n\n- Ported the retry loop in uploader.py; `pytest -q` printed 4 passed [#19].\n"
    for name in DOCUMENT
)


def approve(segue: Run) -> Any:
    return segue("draft", "approve", segue("draft", "show", "--json").json["pending"]["artifact_id"])


def test_status_tells_of_a_draft_that_waits_and_of_none_once_it_is_approved(
    segue: Run, tmp_path: Path
) -> None:
    segue("draft", "write", "-", stdin=RICH.encode())
    found = segue("status", "--json").json["draft"]
    assert found["path"] == str(tmp_path / ".segue" / "transcripts" / ".draft.json")
    assert (found["bytes"], found["sha256"]) == (len(RICH), hashlib.sha256(RICH.encode()).hexdigest())
    assert found["tokens"] > 100 and 0 <= found["age_ms"] < 60_000 and "text" not in found
    (line,) = [line for line in segue("status").out.splitlines() if "waiting" in line]
    assert line == (
        f"draft waiting for approval: {found['path']} (private, {found['tokens']} tokens, {len(RICH)} bytes, "
        f"sha256 {found['sha256'][:16]}, 0 minutes old)"
    )
    approve(segue)
    assert "draft" not in segue("status", "--json").json and "waiting" not in segue("status").out


def test_draft_show_tells_of_an_edit_since_approval(segue: Run, tmp_path: Path) -> None:
    segue("draft", "write", "-", stdin=RICH.encode())
    approve(segue)
    assert "(rich, private, " in segue("draft", "show").out
    path = tmp_path / ".segue" / "transcripts" / ".handoff.md"
    path.write_text(path.read_text().replace("Ported", "Moved", 1))
    assert "(rich, edited since approval: the approved text is given, private, " in segue("draft", "show").out


def test_a_draft_waiting_since_an_older_version_has_no_age(segue: Run, tmp_path: Path) -> None:
    segue("draft", "write", "-", stdin=RICH.encode())
    path = tmp_path / ".segue" / "transcripts" / ".draft.json"
    waiting = json.loads(path.read_text())
    del waiting["written_ms"], waiting["place"]
    path.write_text(json.dumps(waiting))
    assert segue("status", "--json").json["draft"]["age_ms"] is None
    assert approve(segue).code == 0


def test_a_second_draft_says_and_records_which_waiting_one_it_replaces(segue: Run) -> None:
    first = segue("draft", "write", "-", "--json", stdin=RICH.encode()).json
    assert "replaces" not in first
    other = RICH.replace("Ported", "Moved").encode()
    second = segue("draft", "write", "-", "--json", stdin=other).json
    assert second["replaces"] == first["artifact_id"] != second["artifact_id"]
    told = segue("draft", "write", "-", stdin=RICH.encode()).out
    assert f"It replaces {second['artifact_id']}, which waited" in told
    thread = segue("thread", "list", "--json").json["threads"][0]["thread_id"]
    drafted = [json.loads(line) for line in segue("thread", "events", thread).out.splitlines()]
    assert [frame.get("replaces") for frame in drafted if frame["type"] == "handoff_drafted"] == [
        None,
        first["artifact_id"],
        second["artifact_id"],
    ]


def test_a_damaged_note_of_a_waiting_draft_stops_neither_status_nor_the_next_draft(
    segue: Run, tmp_path: Path
) -> None:
    segue("draft", "write", "-", stdin=RICH.encode())
    for damage in ("{", "[]", '{"artifact_id": 7}'):
        (tmp_path / ".segue" / "transcripts" / ".draft.json").write_text(damage)
        assert segue("status").code == 0
        assert segue("draft", "approve").code == 1
    assert segue("draft", "write", "-", stdin=RICH.encode()).code == 0
    assert approve(segue).code == 0


def test_an_approval_names_the_draft_that_was_reviewed(segue: Run) -> None:
    first = segue("draft", "write", "-", "--json", stdin=RICH.encode()).json["artifact_id"]
    blind = segue("draft", "approve")
    assert blind.code == 2 and "names the draft that was reviewed" in blind.err
    assert segue("draft", "approve", first[:7]).code == 2
    other = RICH.replace("Ported", "Moved").encode()
    second = segue("draft", "write", "-", "--json", stdin=other).json["artifact_id"]
    for reviewed in (first, first[:12]):
        late = segue("draft", "approve", reviewed, "--json")
        assert late.code == 3 and late.json["error"]["code"] == "conflict"
    assert not segue("draft", "show", "--json").json["current"]["exists"]
    assert segue("draft", "approve", second[:12], "--json").json["artifact_id"] == second


@pytest.mark.parametrize(
    ("answer", "meanwhile", "code"), [("y", False, 0), ("", False, 4), ("n", False, 4), ("y", True, 3)]
)
def test_in_a_terminal_the_draft_is_shown_and_that_one_is_approved(
    segue: Run, tmp_path: Path, answer: str, meanwhile: bool, code: int
) -> None:
    segue("draft", "write", "-", stdin=RICH.encode())
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "segue", "draft", "approve"]
    asking = at_a_terminal(command, theirs, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = b""
    while b"[y/N]" not in shown:
        shown += os.read(ours, 4096)
    assert b"Ported the retry loop" in shown
    if meanwhile:
        segue("draft", "write", "-", stdin=RICH.replace("Ported", "Dropped").encode())
    os.write(ours, f"{answer}\n".encode())
    assert asking.wait() == code
    os.close(ours)
    assert segue("draft", "show", "--json").json["current"]["exists"] is (code == 0)
