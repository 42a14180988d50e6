"""Through a server, too, the name of an agent is enough to be refused what only a person may approve."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..cli.test_boundary import RICH
from ..conftest import Run
from .conftest import Serve


def test_an_agent_with_the_token_of_an_admin_does_not_approve(
    serve: Serve, segue: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    call = serve().call
    monkeypatch.setenv("SEGUE_TOKEN", call.token or "")
    monkeypatch.setenv("SEGUE_SERVER", f"http://127.0.0.1:{call.port}")
    monkeypatch.setenv("CODEX_THREAD_ID", "t-1")
    draft = segue("draft", "write", "-", "--json", stdin=RICH.encode()).json["artifact_id"]
    ran = segue("draft", "approve", draft)
    assert (ran.code, "is for a person to do" in ran.err) == (4, True), ran.err
    monkeypatch.delenv("CODEX_THREAD_ID")
    assert segue("draft", "approve", draft).code == 0


def test_whoever_calls_a_server_that_an_agent_runs_is_that_agent(
    serve: Serve, segue: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_THREAD_ID", "t-1")
    call = serve().call
    taken = call("POST", "/boundary/draft", {"text": RICH, "actor_id": "ada"})
    approval = {"expect": taken.json["artifact_id"], "actor_id": "user"}
    answer = call("POST", "/boundary/draft/approve", approval)
    assert (answer.status, answer.json["code"]) == (403, "agent_approves")
    made = call("POST", "/threads", {"title": "t", "actor_id": "ada"})
    told = segue("thread", "events", made.json["thread_id"], "--workspace", str(call.root)).out
    assert '"codex"' in told and '"ada"' not in told


def test_an_agent_makes_no_token_of_an_admin(segue: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_THREAD_ID", "t-1")
    assert segue("serve", "token", "create", "mine", "--scope", "admin").code == 4
    assert segue("serve", "token", "create", "mine").code == 0
