"""The real agents start `segue mcp` themselves, list its tools to their model and call one: what it does is recorded
under the agent's own name.

Run by `make test-clients`. A client that is not installed is skipped with the command that installs it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from .conftest import open_client, run_client, run_segue

pytestmark = pytest.mark.clients
SAID = "The lamp burns at 7 volts."
GIVEN = json.dumps({"thread_id": "default", "content": SAID})


class Server(NamedTuple):
    """How an agent is told of the server."""

    home: Path
    project: Path

    @property
    def words(self) -> list[str]:
        return ["-m", "segue", "mcp", "--workspace", str(self.project)]

    @property
    def settings(self) -> dict[str, Any]:
        return {"mcpServers": {"segue": {"command": sys.executable, "args": self.words}}}


def claude(server: Server, prompt: str) -> list[str]:
    path = server.project / "mcp.json"
    path.write_text(json.dumps(server.settings))
    return ["-p", prompt, "--mcp-config", str(path), "--strict-mcp-config", "--allowedTools", "mcp__segue"]


def codex(server: Server, prompt: str) -> list[str]:
    given = {"command": sys.executable, "args": server.words}
    flags = [
        word
        for name, value in given.items()
        for word in ("-c", f"mcp_servers.segue.{name}={json.dumps(value)}")
    ]
    return ["exec", "--dangerously-bypass-hook-trust", *flags, prompt]


def gemini(server: Server, prompt: str) -> list[str]:
    path = server.home / ".gemini" / "settings.json"
    known = json.loads(path.read_text())
    path.chmod(0o644)
    path.write_text(json.dumps({**known, **server.settings}))
    return ["-p", prompt, "--approval-mode", "yolo"]


def opencode(server: Server, prompt: str) -> list[str]:
    given = {"type": "local", "command": [sys.executable, *server.words], "enabled": True}
    (server.project / "opencode.json").write_text(json.dumps({"mcp": {"segue": given}}))
    return ["run", "--title", "mcp", prompt]


def copilot(server: Server, prompt: str) -> list[str]:
    return ["-p", prompt, "--allow-all-tools", "-s", "--additional-mcp-config", json.dumps(server.settings)]


AGENTS: dict[str, tuple[Callable[[Server, str], list[str]], str, str]] = {
    "claude": (claude, "mcp__segue__segue_thread_post", "claude-code"),
    "codex": (codex, "segue_thread_post", "codex"),
    "gemini": (gemini, "mcp_segue_segue_thread_post", "gemini-cli"),
    "opencode": (opencode, "segue_segue_thread_post", "opencode"),
    "copilot": (copilot, "segue-segue_thread_post", "copilot-cli"),
}
"""How each is told, what it calls the tool, and its name."""


@contextmanager
def started(name: str) -> Iterator[Any]:
    """One agent in a home of its own, and a project with a workspace."""
    with open_client(name) as client:
        run_segue(client, "thread", "ensure")
        yield client


def check(client: Any, words: list[str], actor: str) -> None:
    """The agent posts, the log says who did, and the model hears what came of it."""
    run_client(client, words)
    posted = json.loads(run_segue(client, "thread", "events", "default").splitlines()[-1])
    assert (posted["content"], posted["origin"], posted["actor_id"]) == (SAID, "mcp", actor)
    assert posted["id"] in json.dumps(client.requests()[-1]["body"])


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_calls_a_tool_under_its_own_name(name: str) -> None:
    words, tool, actor = AGENTS[name]
    with started(name) as client:
        server = Server(Path(client.home), Path(client.project))
        check(client, words(server, f"Post it. [[tool: {tool} {GIVEN}]] [[say: done]]"), actor)


def test_claude_code_calls_a_tool_over_http() -> None:
    _, tool, actor = AGENTS["claude"]
    with started("claude") as client, listening(client) as told:
        headers = {"Authorization": f"Bearer {told['token']}"}
        path = Path(client.project) / "mcp.json"
        path.write_text(
            json.dumps({"mcpServers": {"segue": {"type": "http", "url": told["url"], "headers": headers}}})
        )
        prompt = f"Post it. [[tool: {tool} {GIVEN}]] [[say: done]]"
        words = [
            "-p",
            prompt,
            "--mcp-config",
            str(path),
            "--strict-mcp-config",
            "--allowedTools",
            "mcp__segue",
        ]
        check(client, words, actor)


@contextmanager
def listening(client: Any) -> Iterator[dict[str, str]]:
    """`segue mcp --http`, and what it says of itself."""
    command = [sys.executable, "-m", "segue", "mcp", "--http", "--port", "0", "--json"]
    env = {**os.environ, "HOME": client.home}
    with subprocess.Popen(
        command, cwd=client.project, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        assert server.stdout
        try:
            yield json.loads(server.stdout.readline())
        finally:
            server.terminate()
            assert server.wait(20) == 0
