"""The log names who acted: the agent that a command runs inside, and a person only where a person did. No agent approves."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from segue import samples
from segue.errors import Refused
from segue.sdk.client import Client

from ..conftest import Ran, Run
from .test_boundary import RICH

SESSION = "5e60e000-0000-4000-8000-00000000d3a0"


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)


def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAUDECODE")
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")


def frames(segue: Run, *kinds: str) -> list[dict[str, Any]]:
    """The frames of these kinds in the whole workspace."""
    rows = segue("thread", "list", "--json").json["threads"]
    told = [
        json.loads(line)
        for row in rows
        for line in segue("thread", "events", row["thread_id"]).out.splitlines()
    ]
    return [frame for frame in told if frame["type"] in kinds]


def actors(told: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(frame["actor_id"], frame["origin"]) for frame in told}


def written(segue: Run, *more: str) -> Ran:
    ran = segue("draft", "write", "-", *more, stdin=RICH.encode())
    assert ran.code == 0, ran.err
    return ran


def refused(ran: Ran) -> bool:
    return ran.code == 4 and "is for a person to do" in ran.err and "terminal of their own" in ran.err


@pytest.mark.usefixtures("inside")
def test_what_an_agent_writes_is_recorded_as_its_own(segue: Run) -> None:
    written(segue)
    assert actors(frames(segue, "handoff_drafted")) == {("claude-code", "cli")}


def test_whoever_speaks_for_a_session_is_its_agent(segue: Run) -> None:
    written(segue, "--agent", "codex", "--session", "t-1")
    assert actors(frames(segue, "handoff_drafted")) == {("codex", "cli")}


@pytest.mark.usefixtures("inside")
def test_an_agent_cannot_approve_and_a_person_can(segue: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = written(segue, "--json").json["artifact_id"]
    assert refused(segue("draft", "approve"))
    assert refused(segue("draft", "approve", draft))
    lied = segue("draft", "approve", draft, "--actor-id", "user")
    assert refused(lied) and "this comes from claude-code" in lied.err
    ran = segue("call", "draft.approve", stdin=json.dumps({"expect": draft, "actor_id": "user"}).encode())
    assert (ran.code, ran.json["error"]["code"]) == (4, "agent_approves")
    with pytest.raises(Refused), Client() as client:
        client.drafts.approve(draft)
    assert frames(segue, "handoff_approved") == []
    outside(monkeypatch)
    assert segue("draft", "approve", draft).code == 0
    assert actors(frames(segue, "handoff_approved")) == {("user", "cli")}


@pytest.mark.usefixtures("inside")
def test_where_the_settings_approve_an_agents_draft_counts_at_once(segue: Run, tmp_path: Path) -> None:
    home = tmp_path / "home" / ".config" / "segue"
    home.mkdir(parents=True)
    (home / "config.json").write_text('{"boundary": {"approval": "auto"}}')
    written(segue)
    assert actors(frames(segue, "handoff_approved")) == {("claude-code", "cli")}


@pytest.mark.usefixtures("inside")
def test_a_handoff_that_an_agent_commits_is_the_agents(segue: Run, tmp_path: Path) -> None:
    session = samples.unpack(str(tmp_path))
    assert segue("handoff", "go on", "--from", session, "--yes").code == 0
    assert segue("handoff", "and on", "--from", session, "--yes", "--actor-id", "user").code == 0
    assert actors(frames(segue, "continuity_handoff_created")) == {("claude-code", "cli")}


@pytest.fixture
def records(segue: Run, tmp_path: Path) -> Run:
    """Change records in a repository of somebody's."""
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "config", "user.name", "Ada  Lovelace"], cwd=tmp_path, check=True)
    assert segue("change", "init").code == 0
    return segue


def new(records: Run, *more: str) -> str:
    ran = records("change", "new", "Retry uploads", *more, "--json")
    assert ran.code == 0, ran.err
    tc_id: str = ran.json["tc_id"]
    return tc_id


def authors(records: Run, tc_id: str) -> list[str]:
    record = records("change", "show", tc_id, "--json").json
    return [record["created_by"], *(revision["author"] for revision in record["revision_history"])]


def test_a_record_names_the_person_whom_git_knows(records: Run) -> None:
    tc_id = new(records)
    assert records("change", "update", tc_id, "--next", "Write tests/test_up.py").code == 0
    assert authors(records, tc_id) == ["Ada Lovelace"] * 3


def test_a_record_names_the_agent_that_types(records: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_THREAD_ID", "t-1")
    tc_id = new(records)
    assert authors(records, tc_id) == ["codex"] * 2
    session = records("change", "show", tc_id, "--json").json["session_context"]["current_session"]
    assert (session["agent"], session["session_id"]) == ("codex", "t-1")


def test_whom_the_project_or_the_command_names_comes_first(records: Run) -> None:
    assert records("change", "init", "--author", "The uploads team", "--force").code == 0
    assert authors(records, new(records)) == ["The uploads team"] * 2
    assert authors(records, new(records, "--author", "Grace")) == ["Grace"] * 2


def test_no_agent_approves_a_change(records: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    tc_id = new(records)
    monkeypatch.setenv("CODEX_THREAD_ID", "t-1")
    given = json.dumps({"title": "Retry downloads", "more": {"approve": {"by": "Ada"}}})
    assert records("call", "change.new", stdin=given.encode()).code == 4
    assert refused(records("change", "update", tc_id, "--approve", "Ada"))
    assert refused(records("change", "update", tc_id, "--seal-anew", "--reason", "tidy"))
    assert refused(records("change", "close", tc_id, "--approve", "Ada"))
    monkeypatch.delenv("CODEX_THREAD_ID")
    assert records("change", "update", tc_id, "--approve", "Ada").code == 0
