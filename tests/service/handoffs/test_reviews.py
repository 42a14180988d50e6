"""Reviews: the answers that every surface gives about a handoff."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from segue.errors import BadInput, NotFound
from segue.model.bundle import FACTS_KEY
from segue.model.facts import Facts, FileFact, SourceFacts
from segue.service.handoffs import reviews
from segue.service.threads import streams
from segue.service.workspace import Workspace

PACKET = """\
This handoff was drawn from pi session s1.

## Context
**State of the work**
- tested: `make test` passed [#4]

## Operational Context
Nothing known.

## Files
./
- a.py (modified)

## Task
**Goal**: "ship"
1. Run `make`

## Notes
Nothing known.

<modified-files>
a.py
</modified-files>
"""


def session(path: Path) -> Path:
    """A pi session of which line 4 shows a passing test; then a.py is edited."""
    call = {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "make test"}}
    change = {"path": "a.py", "oldText": "zero", "newText": "one"}
    edit = {"type": "toolCall", "id": "e", "name": "edit", "arguments": change}
    result = {"role": "toolResult", "toolCallId": "c", "toolName": "bash", "isError": False}
    rows: list[dict[str, Any]] = [
        {
            "type": "session",
            "version": 3,
            "id": "s1",
            "timestamp": "2026-04-05T14:32:00Z",
            "cwd": str(path.parent),
        },
        {"type": "message", "id": "1", "parentId": None, "message": {"role": "user", "content": "test it"}},
        {"type": "message", "id": "2", "parentId": "1", "message": {"role": "assistant", "content": [call]}},
        {
            "type": "message",
            "id": "3",
            "parentId": "2",
            "message": {**result, "content": [{"type": "text", "text": "3 passed in 0.1s"}]},
        },
        {"type": "message", "id": "4", "parentId": "3", "message": {"role": "assistant", "content": [edit]}},
        {
            "type": "message",
            "id": "5",
            "parentId": "4",
            "message": {
                **result,
                "toolCallId": "e",
                "toolName": "edit",
                "content": [{"type": "text", "text": "done"}],
            },
        },
    ]
    path.write_text("".join(json.dumps({**row, "timestamp": "2026-04-05T14:32:00Z"}) + "\n" for row in rows))
    return path


def committed(workspace: Workspace, facts: Facts | None) -> None:
    workspace.establish()
    thread = streams.ensure(workspace)["thread_id"]
    refs: dict[str, list[dict[str, Any]]] = {"files": [{"path": "a.py"}]}
    extra = {}
    if facts:
        extra[FACTS_KEY], _ = workspace.artifacts.put(msgspec.json.encode(facts))
    streams.handoff(workspace, thread, summary_markdown=PACKET, refs=refs, bundle_extra=extra)


def drifted(found: dict[str, Any]) -> list[str]:
    return [f["message"] for f in found["findings"] if f["state"] == "drifted" and f["kind"] != "tool"]


def test_lint_answers_with_pass_score_and_findings() -> None:
    answer = reviews.lint_text(b"\xef\xbb\xbf" + PACKET.encode(), budget=10)
    assert (answer["pass"], answer["score"]) == (False, 75)
    assert [set(f) for f in answer["findings"]] == [{"rule", "severity", "where", "message", "hint"}]
    assert answer["findings"][0]["rule"] == "over-budget"


@pytest.mark.parametrize(("text", "budget"), [(b"\xff\xfe", None), (b"a", 0)])
def test_lint_refuses_what_it_cannot_judge(text: bytes, budget: int | None) -> None:
    with pytest.raises(BadInput):
        reviews.lint_text(text, budget=budget)


def test_verify_finds_the_last_handoff_and_compares_it_with_the_world(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("one")
    transcript = session(tmp_path / "session.jsonl")
    source = SourceFacts(agent="pi", path=str(transcript), cwd=str(tmp_path), lines=6)
    committed(workspace, Facts(source=source, files=(FileFact(path="a.py", action="modified"),)))
    found = reviews.verify_handoff(workspace)
    assert {(f["kind"], f["state"]) for f in found["findings"] if f["kind"] != "tool"} == {
        ("session", "holds"),
        ("file", "holds"),
        ("statement", "holds"),
    }

    (tmp_path / "a.py").write_text("two")
    failed = transcript.read_text().replace("3 passed", "1 failed").replace("false", "true", 1)
    transcript.write_text(failed)
    found = reviews.verify_handoff(workspace)
    assert found["ok"] is False
    assert drifted(found) == [
        "'`make test` passed': The record at #4 says that it failed.",
        "a.py has changed since.",
    ]


def test_verify_takes_the_current_document_when_it_is_the_younger_one(
    workspace: Workspace, tmp_path: Path
) -> None:
    workspace.establish()
    place = Path(workspace.folder) / reviews.CURRENT
    place.parent.mkdir()
    place.write_text("## Projects and files touched recently\n- `gone.py` (modified)\n")
    assert drifted(reviews.verify_handoff(workspace)) == ["gone.py is not there any more."]


def test_verify_without_a_handoff_says_so(workspace: Workspace) -> None:
    with pytest.raises(NotFound, match="no handoff here"):
        reviews.verify_handoff(workspace)


def test_a_bundle_without_facts_is_verified_by_its_words(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one")
    committed(workspace, None)
    found = reviews.verify_handoff(workspace)
    assert drifted(found) == []
    assert {f["kind"] for f in found["findings"] if f["state"] == "unknown"} == {"session"}


def test_a_forged_claim_is_refuted_by_the_transcript_that_is_named(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("one")
    transcript = str(session(tmp_path / "session.jsonl"))
    told = PACKET.replace("passed [#4]", "passed — 3 passed in 0.1s [#4]")
    assert drifted(reviews.verify_handoff(workspace, told, transcript=transcript)) == []
    forged = told.replace("3 passed", "300 passed")
    assert drifted(reviews.verify_handoff(workspace, forged, transcript=transcript)) == [
        "'`make test` passed — 300 passed in 0.1s': #4 has 3, not 300."
    ]


def test_a_transcript_that_is_not_there_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no file"):
        reviews.verify_handoff(workspace, PACKET, transcript=str(tmp_path / "gone.jsonl"))
    (tmp_path / "a.py").write_text("no session")
    with pytest.raises(BadInput):
        reviews.verify_handoff(workspace, PACKET, transcript=str(tmp_path / "a.py"))
