"""The real agents hand off from inside: two sessions of one project at once, each its own, the branch a person is on,
and nobody approves their own draft.

Run by `make test-clients`. A client that is not installed is skipped with the command that installs it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from segue.handoff.headings import DOCUMENT

from .conftest import KIT, open_client, run_client, run_segue

pytestmark = pytest.mark.clients
SEGUE = f"{sys.executable} -m segue"
TRUST = "--dangerously-bypass-hook-trust"
TASKS = ("uploads", "billing")
RICH = "\n".join(
    f"## {name}\n\n- Ported the loop in up.py; `pytest -q` printed 4 passed [#19].\n" for name in DOCUMENT
)


class Way(NamedTuple):
    """How an agent begins a session, goes on with it, and what of its output names it."""

    agent: str
    begin: Callable[[str, str], list[str]]
    go_on: Callable[[str, str], list[str]]
    named: Callable[[str, str], str] = lambda sid, said: sid


def _codex_thread(sid: str, said: str) -> str:
    return str(json.loads(said.splitlines()[0])["thread_id"])


def _opencode_session(sid: str, said: str) -> str:
    return str(json.loads(said.splitlines()[0])["sessionID"])


WAYS = {
    "claude": Way(
        "claude-code",
        lambda sid, text: ["-p", text, "--session-id", sid, "--allowedTools", "Bash"],
        lambda sid, text: ["-p", text, "--resume", sid, "--allowedTools", "Bash"],
    ),
    "codex": Way(
        "codex",
        lambda sid, text: ["exec", "--json", TRUST, text],
        lambda sid, text: ["exec", "resume", sid, TRUST, text],
        _codex_thread,
    ),
    "pi": Way(
        "pi",
        lambda sid, text: ["-p", "--session-id", sid, text],
        lambda sid, text: ["-p", "--session-id", sid, text],
    ),
    "opencode": Way(
        "opencode",
        lambda sid, text: ["run", "--title", "work", "--format", "json", text],
        lambda sid, text: ["run", "--session", sid, text],
        _opencode_session,
    ),
}


class Agent:
    """A client with segue installed for its user, in a project with a workspace."""

    def __init__(self, name: str) -> None:
        self.client: Any = open_client(name)
        self.way = WAYS[name]
        self.project = Path(self.client.project)
        self.segue("thread", "ensure")
        self.segue("install", self.way.agent, "--user")

    def segue(self, *words: str) -> str:
        return run_segue(self.client, *words)

    def run(self, words: list[str]) -> str:
        return run_client(self.client, words)

    def begin(self, text: str) -> str:
        """The id of a new session with this prompt."""
        sid = str(uuid.uuid4())
        return self.way.named(sid, self.run(self.way.begin(sid, text)))


@pytest.fixture
def started(request: pytest.FixtureRequest) -> Iterator[Agent]:
    made = Agent(request.param)
    yield made
    made.client.close()


def named(*names: str) -> Any:
    return pytest.mark.parametrize("started", names, indirect=True)


@named("claude", "codex", "pi", "opencode")
def test_sessions_that_hand_off_at_once_each_get_their_own(started: Agent) -> None:
    sessions = [started.begin(f"Work on {task} in {task}.py. [[say: begun]]") for task in TASKS]
    for task in TASKS:
        os.mkfifo(started.project / f"{task}.here")

    def hand_off(place: int) -> Any:
        own, other = TASKS[place], TASKS[1 - place]
        meet = f"(echo > {other}.here) & read met < {own}.here"
        make = f"{SEGUE} handoff 'go on' --dry-run --json > {own}.json"
        prompt = f"Hand over. [[bash: {meet}; {make}]] [[say: done]]"
        started.run(started.way.go_on(sessions[place], prompt))
        return json.loads((started.project / f"{own}.json").read_text())

    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(hand_off, range(2)))
    assert [packet["session_id"] for packet in made] == sessions
    for task, packet in zip(TASKS, made, strict=True):
        assert [known for known in TASKS if f"Work on {known}" in packet["packet"]] == [task]


@named("claude", "codex", "pi", "opencode")
def test_an_agent_is_recorded_as_itself_and_approves_nothing(started: Agent) -> None:
    (started.project / "rich.md").write_text(RICH)
    approve = f"{SEGUE} draft approve $({SEGUE} draft show --json | grep -o '[0-9a-f]\\{{64\\}}' | head -1)"
    commands = f"{SEGUE} draft write rich.md; {approve}; echo $? > approved"
    sid = started.begin(f"Write it down. [[bash: {commands}]] [[say: done]]")
    assert (started.project / "approved").read_text().strip() == "4"
    waiting = json.loads(started.segue("draft", "show", "--json"))["pending"]
    assert (waiting["host"], waiting["session_id"]) == (started.way.agent, sid)
    frames = [
        json.loads(line) for line in started.segue("thread", "events", waiting["thread_id"]).splitlines()
    ]
    drafted = [frame for frame in frames if frame["type"] == "handoff_drafted"]
    assert [(frame["actor_id"], frame["origin"]) for frame in drafted] == [(started.way.agent, "cli")]


BACK = """
export default function (pi: any) {
  pi.registerCommand("back", {
    description: "goes back to before the second prompt",
    handler: async (_: string, ctx: any) => {
      const prompts = ctx.sessionManager.getBranch().filter((e: any) => e.type === "message" && e.message.role === "user");
      await ctx.navigateTree(prompts[1].id, { summarize: false });
    },
  });
}
"""
"""What `/tree` does, for a test without a terminal."""


@named("pi")
def test_after_going_back_in_the_tree_the_packet_is_of_the_branch_one_is_on(started: Agent) -> None:
    place = Path(started.client.home) / ".pi" / "agent" / "extensions" / "back.ts"
    place.write_text(BACK)
    prompts = [
        "Work on uploads in uploads.py. [[say: begun]]",
        "Use pandas for it. [[say: pandas is too slow]]",
        "/back",
        "/handoff --help me go on",
    ]
    env = {**started.client.env, "CLIENT_TIMEOUT": "100"}
    words = [str(KIT / "run_pi.sh"), "--mode", "rpc", "--session-id", "s1"]
    with subprocess.Popen(words, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as pi:
        assert pi.stdin is not None and pi.stdout is not None
        for text in prompts:
            pi.stdin.write(json.dumps({"type": "prompt", "message": text}) + "\n")
            pi.stdin.flush()
            awaited = "response" if text == "/back" else "agent_settled"
            assert any(f'"type":"{awaited}"' in line for line in pi.stdout), f"pi ended at {text}"
        pi.stdin.close()
    packets = [body for body in map(json.dumps, started.client.requests()) if "--help me go on" in body]
    assert packets, "no packet reached the model"
    assert "Work on uploads" in packets[0] and "pandas" not in packets[0]
