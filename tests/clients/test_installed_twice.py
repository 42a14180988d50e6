"""The real agents with segue installed for the person and for the project: `/handoff` is there, once.

Run by `make test-clients`. A client that is not installed is skipped with the command that installs it.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .conftest import open_client, run_client, run_segue

pytestmark = pytest.mark.clients
GOAL = "keep the lamp at 7 volts"
ASKED = "Light the lamp [[say: ok]]"


def claude(session: str) -> list[list[str]]:
    return [["-p", ASKED, "--session-id", session], ["-p", f"/handoff {GOAL}", "--resume", session]]


def codex(session: str) -> list[list[str]]:
    trust = "--dangerously-bypass-hook-trust"
    return [["exec", trust, ASKED], ["exec", "resume", "--last", trust, f"$handoff {GOAL}"]]


def pi(session: str) -> list[list[str]]:
    flags = ["-p", "--approve", "--session-id", session]
    return [[*flags, ASKED], [*flags, f"/handoff {GOAL}"]]


def opencode(session: str) -> list[list[str]]:
    return [["run", "--title", "lamp", ASKED], ["run", "--continue", "--command", "handoff", GOAL]]


AGENTS: dict[str, tuple[str, Callable[[str], list[list[str]]], str]] = {
    "claude": ("claude-code", claude, "# Handoff\\n"),
    "codex": ("codex", codex, "# Handoff\\n"),
    "pi": ("pi", pi, "## Task"),
    "opencode": ("opencode", opencode, "GOAL, to be quoted"),
}
"""The agent, what is typed, and what the model is given for `/handoff`: a skill, a command, or the packet itself."""


@pytest.fixture(params=sorted(AGENTS))
def client(request: pytest.FixtureRequest) -> Iterator[Any]:
    with open_client(request.param) as opened:
        yield opened


def given(client: Any) -> list[str]:
    """What the model was sent, in order."""
    kept = [r for r in client.requests() if isinstance(r.get("reply"), dict) and r["reply"]["kind"] != "aux"]
    return [json.dumps(r["body"], ensure_ascii=False) for r in kept]


@pytest.mark.parametrize("scopes", [("--user", "--project"), ("--project", "--user")])
def test_handoff_works_once(client: Any, scopes: tuple[str, str]) -> None:
    agent, typed, mark = AGENTS[client.name]
    run_segue(client, "thread", "ensure")
    for scope in scopes:
        told = run_segue(client, "install", agent, scope)
    assert "It is installed" in told and "too" in told
    before, after = [], []
    for words, bodies in zip(typed(str(uuid.uuid4())), (before, after), strict=True):
        run_client(client, words)
        bodies += given(client)
    assert after[-1].count(mark) - before[-1].count(mark) == 1
    assert f"/handoff {GOAL}" not in after[-1]
    assert "segue hook" not in run_segue(client, "status")
