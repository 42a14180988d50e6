"""A draft that an agent wrote is held against its session: the findings go back, and with an error it waits for a person."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from segue.agents import generic
from segue.errors import SegueError
from segue.handoff.headings import DOCUMENT
from segue.model.thread import AGENT, LIBRARY, Provenance
from segue.service import workspace as workspaces
from segue.service.boundary import drafts
from segue.service.workspace import Workspace

WORK = [
    {"kind": "user", "text": "Mend the retry loop in uploader.py."},
    {"kind": "tool_call", "call_id": "1", "tool": "Bash", "tool_kind": "shell", "command": "pytest -q"},
    {"kind": "tool_result", "call_id": "1", "text": "4 passed", "exit_code": 0, "is_error": False},
]
WRITER = Provenance("own", "cli", AGENT)


def written(row: str) -> str:
    return "\n".join(f"## {name}\n\n- {row} [#2] [#3] [#4]\n" for name in DOCUMENT)


TRUE = written("Ported the retry loop in uploader.py; `pytest -q` printed 4 passed")
FALSE = TRUE.replace("4 passed", "9 passed")


@pytest.fixture
def approving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setenv("SEGUE_BOUNDARY_APPROVAL", "auto")
    opened = workspaces.find(str(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def project(approving: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("SEGUE_SESSIONS", str(tmp_path / "sessions"))
    place = tmp_path / "sessions" / "s-1.jsonl"
    place.parent.mkdir()
    head = {generic.HEADER: generic.VERSION, "agent": "own", "id": "s-1", "cwd": approving.root}
    place.write_text("".join(json.dumps(line) + "\n" for line in (head, *WORK)))
    return approving


def test_what_the_session_shows_counts_at_once(project: Workspace) -> None:
    taken = drafts.write(project, TRUE, "generic", "s-1", by=WRITER)
    assert (taken["approval"], taken["findings"]) == ("approved", [])


def test_what_it_does_not_show_goes_back_and_waits_until_it_is_mended(project: Workspace) -> None:
    taken = drafts.write(project, FALSE, "generic", "s-1", by=WRITER)
    assert taken["approval"] == "pending"
    assert {(row["severity"], row["atom"]) for row in taken["findings"]} == {("error", "9")}
    with pytest.raises(SegueError):
        drafts.approve(project, WRITER)
    mended = drafts.write(project, TRUE, "generic", "s-1", by=WRITER)
    assert (mended["approval"], mended["replaces"]) == ("approved", taken["artifact_id"])


def test_a_person_may_write_and_approve_what_no_session_shows(project: Workspace) -> None:
    assert drafts.write(project, FALSE, "generic", "s-1", by=WRITER)["approval"] == "pending"
    assert drafts.approve(project, LIBRARY)["approval"] == "approved"
    assert "findings" not in drafts.write(project, FALSE, "generic", "s-1")


def test_without_its_session_a_draft_is_taken_as_before(project: Workspace) -> None:
    taken = drafts.write(project, FALSE, "generic", "gone", by=WRITER)
    assert (taken["approval"], taken["findings"]) == ("approved", [])
