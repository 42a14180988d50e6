"""Review and commit have the same rules for a caller elsewhere as for a person at a terminal."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from segue.agents import generic
from segue.errors import BadInput, NotFound
from segue.model.thread import LIBRARY
from segue.service.handoffs.commit import commit, review
from segue.service.handoffs.draft import Wanted, propose
from segue.service.remote import handoffs
from segue.service.sessions import lookup
from segue.service.threads import streams
from segue.service.workspace import Workspace

LONGER = "one more thing to keep in mind. " * 900
WORK: list[dict[str, Any]] = [
    {"kind": "user", "text": "Mend the retry in src/app.py; never change its interface."},
    {"kind": "tool_call", "call_id": "1", "tool": "Bash", "tool_kind": "shell", "command": "pytest -q"},
    {"kind": "tool_result", "call_id": "1", "text": "1 failed", "exit_code": 1, "is_error": True},
    {"kind": "agent", "text": "The retry still fails."},
]


@pytest.fixture
def project(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("SEGUE_SESSIONS", str(tmp_path / "sessions"))
    session(workspace, WORK)
    return workspace


def session(workspace: Workspace, told: list[dict[str, Any]]) -> str:
    path = Path(workspace.root) / "sessions" / "s-1.jsonl"
    path.parent.mkdir(exist_ok=True)
    head = {generic.HEADER: generic.VERSION, "agent": "own", "id": "s-1", "cwd": workspace.root}
    path.write_text("".join(json.dumps(line) + "\n" for line in (head, *told)))
    return str(path)


def threads(workspace: Workspace) -> list[Any]:
    return list(streams.list_threads(workspace)["threads"]) if workspace.exists else []


def test_a_text_that_a_caller_made_longer_than_the_budget_is_refused_and_nothing_is_stored(
    project: Workspace,
) -> None:
    packet = handoffs.propose(project, "go on", budget=1000)["packet"]
    with pytest.raises(BadInput, match=r"has \d+ tokens; the budget is 1000"):
        handoffs.commit(project, "go on", budget=1000, text=packet + LONGER)
    assert threads(project) == []


def test_the_budget_that_counts_is_the_one_that_is_asked_for(project: Workspace) -> None:
    packet = handoffs.propose(project, "go on", budget=1000)["packet"]
    assert handoffs.commit(project, "go on", budget=20_000, text=packet + LONGER)["tokens"] > 1000


@pytest.mark.parametrize("kept", [True, False])
def test_a_draft_is_the_same_whether_its_entries_are_kept_or_not(project: Workspace, kept: bool) -> None:
    source = lookup.at(session(project, WORK))
    proposal = propose(project, source, Wanted("go on", 1000, repo=False, kept=kept))
    assert (proposal.source.read is not None) is kept
    made, again = proposal.made, propose(project, source, Wanted("go on", 1000, repo=False)).made
    assert (made.text, made.facts, made.index) == (again.text, again.facts, again.index)


def test_what_is_refused_is_given_to_who_keeps_it(project: Workspace) -> None:
    proposal = propose(project, lookup.at(session(project, WORK)), Wanted("go on", 1000, repo=False))
    kept: list[str] = []

    def keep(text: str) -> Any:
        kept.append(text)
        return nullcontext()

    with pytest.raises(BadInput):
        review(project, proposal, "packet", lambda text: (text + LONGER, True), keep)
    assert "one more thing to keep in mind." in kept[0]


def test_what_a_caller_made_worse_is_among_the_notes(project: Workspace) -> None:
    packet = handoffs.propose(project, "go on")["packet"]
    made = handoffs.commit(project, "go on", text="hello")
    assert made["notes"] and all(note.startswith(("error: ", "warning: ")) for note in made["notes"])
    assert "notes" not in handoffs.commit(project, "go on", text=packet)


def test_a_caller_hears_which_files_have_no_room(project: Workspace) -> None:
    root = Path(project.root)
    names = [f"{'deep' * 40}{n}/{'name' * 40}.md" for n in range(30)]
    for name in names:
        (root / name).parent.mkdir()
        (root / name).write_text("x")
    notes = handoffs.propose(project, "go on", budget=600, include_files=names)["notes"]
    assert "600 tokens have no room to name " in notes[0]


def test_a_caller_hears_why_a_session_is_empty(project: Workspace) -> None:
    session(project, [{"kind": "agent", "by": "subagent", "text": "Three callers."}])
    assert "only what a sub-agent did" in handoffs.propose(project, "go on", session="s-1")["notes"][0]


def test_an_empty_text_is_refused(project: Workspace) -> None:
    with pytest.raises(BadInput, match="empty packet"):
        handoffs.commit(project, "go on", text=" \n")


def test_a_session_without_work_is_refused(project: Workspace) -> None:
    session(project, [])
    with pytest.raises(NotFound):
        handoffs.commit(project, "go on")


def test_the_thread_ends_where_the_draft_did_though_the_session_went_on(project: Workspace) -> None:
    path = session(project, WORK)
    proposal = propose(project, lookup.at(path), Wanted("go on", repo=False))
    session(project, [*WORK, {"kind": "user", "text": "And now for something else."}])
    made = commit(project, proposal.source, proposal.made, LIBRARY)
    told = "".join(str(frame.data) for frame in streams.events(project, made["from_thread_id"], after_seq=0))
    assert "The retry still fails." in told
    assert "something else" not in told
