"""The real agents are asked for a handoff inside their own session, each in the ways it has: what the model gets as
the packet speaks of the work and not of the request.

Run by `make test-clients`. A client that is not installed is skipped with the command that installs it.
"""

from __future__ import annotations

import re
import sys
import uuid
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from segue.model.packet import OPENING

from .conftest import open_client, run_client, run_segue

pytestmark = pytest.mark.clients
WORK = "Keep the lighthouse lamp at 7 volts. [[bash: echo volts]] [[say: The lamp burns.]]"
GOAL = "oil the hinges"
BARE = f"{sys.executable} -m segue handoff '{GOAL}' --dry-run"
RUN = f"[[bash: {BARE}]] [[say: handed over]]"
CALL = f'[[tool: @TOOL@ {{"goal": "{GOAL}"}}]] [[say: handed over]]'
TRUST = "--dangerously-bypass-hook-trust"


class Way(NamedTuple):
    """How an agent is given a prompt, in a new session or in the one before, and how it can be asked for a handoff."""

    agent: str
    begin: Callable[[str, str], list[str]]
    go_on: Callable[[str, str], list[str]]
    command: Callable[[str, str], list[str]] | None
    """The skill or command that installing brings along."""
    tool: str = ""
    """What it calls the tool of the MCP server."""


WAYS = {
    "claude": Way(
        "claude-code",
        lambda sid, text: ["-p", text, "--session-id", sid, "--allowedTools", "Bash"],
        lambda sid, text: ["-p", text, "--resume", sid, "--allowedTools", "Bash,Skill,mcp__segue"],
        lambda sid, text: ["-p", f"/handoff {text}", "--resume", sid, "--allowedTools", "Bash,Skill"],
        "mcp__segue__segue_handoff_draft",
    ),
    "codex": Way(
        "codex",
        lambda sid, text: ["exec", TRUST, "--dangerously-bypass-approvals-and-sandbox", text],
        lambda sid, text: [
            "exec",
            "resume",
            "--last",
            TRUST,
            "--dangerously-bypass-approvals-and-sandbox",
            text,
        ],
        lambda sid, text: [
            *("exec", "resume", "--last", TRUST, "--dangerously-bypass-approvals-and-sandbox"),
            f"$handoff {text}",
        ],
        "segue_handoff_draft",
    ),
    "opencode": Way(
        "opencode",
        lambda sid, text: ["run", "--title", "lamp", text],
        lambda sid, text: ["run", "--continue", text],
        lambda sid, text: ["run", "--continue", "--command", "handoff", text],
        "segue_segue_handoff_draft",
    ),
    "pi": Way(
        "pi",
        lambda sid, text: ["-p", "--session-id", sid, text],
        lambda sid, text: ["-p", "--session-id", sid, text],
        None,
    ),
}


class Agent:
    """A client with segue installed for its user, after one turn of work."""

    def __init__(self, name: str) -> None:
        self.client: Any = open_client(name)
        self.way, self.sid = WAYS[name], str(uuid.uuid4())
        self.segue("thread", "ensure")
        self.segue("install", self.way.agent, "--user")
        self.segue("install", "pi")
        self.run(self.way.begin(self.sid, WORK))

    def segue(self, *words: str) -> str:
        return run_segue(self.client, *words)

    def run(self, words: list[str]) -> None:
        run_client(self.client, words)

    def packet(self) -> str:
        """The packet in what the model was sent last."""
        found = [text for text in texts(self.client.requests()[-1]["body"]) if OPENING in text]
        assert found, "no packet reached the model"
        return OPENING + found[-1].rpartition(OPENING)[2]


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts(item)


@pytest.fixture
def started(request: pytest.FixtureRequest) -> Iterator[Agent]:
    made = Agent(request.param)
    yield made
    made.client.close()


def check(packet: str) -> None:
    """It tells of one turn that is over, of the lamp and of nothing that segue did; where the transcript lies stands only
    in the line that says so."""
    about_work = re.sub(r"\*\*Transcript\*\*: .*? shows \[#N\]", "", packet.replace(GOAL, ""))
    assert "lighthouse lamp" in packet and "(1 turn, " in packet and "ended between turns" in packet
    for trace in (
        "handoff_draft",
        "-m segue",
        "--dry-run",
        "/handoff",
        "$handoff",
        "SKILL.md",
        ".jsonl",
        "segue.ts",
    ):
        assert trace not in about_work, f"{trace} in:\n{packet}"


def named(*names: str) -> Any:
    return pytest.mark.parametrize("started", names, indirect=True)


@named("claude", "codex", "opencode")
def test_a_packet_asked_for_by_command_is_not_about_the_command(started: Agent) -> None:
    assert started.way.command is not None
    started.run(started.way.command(started.sid, f"{GOAL} {RUN}"))
    check(started.packet())


@named("claude", "codex", "opencode", "pi")
def test_a_packet_asked_for_in_own_words_is_not_about_the_call(started: Agent) -> None:
    started.run(started.way.go_on(started.sid, f"Please write a handoff {RUN}"))
    check(started.packet())


@named("claude", "codex", "opencode")
def test_a_packet_asked_for_through_the_server_is_not_about_the_tool(started: Agent) -> None:
    prompt = f"Please write a handoff {CALL.replace('@TOOL@', started.way.tool)}"
    started.run(started.way.go_on(started.sid, prompt))
    check(started.packet())
