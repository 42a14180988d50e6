"""What `segue verify` tells a person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Segue = Callable[..., Any]


def test_a_handoff_with_nothing_to_check_is_called_so(segue: Segue, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("Go on, please.\n")
    ran = segue("verify", "handoff", "note.md")
    assert (ran.code, ran.out) == (
        0,
        "Nothing in this handoff can be checked: it names no file, commit, command or line that is known here.\n",
    )


def test_a_transcript_that_is_not_there_is_said_and_nothing_is_checked(segue: Segue, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("Go on, please.\n")
    ran = segue("verify", "handoff", "note.md", "--transcript", "gone.jsonl")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("segue: There is no file gone.jsonl.")
