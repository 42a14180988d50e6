"""The real agents, each in a scratch home against a stub model: the handoff crosses the boundary exactly once.

Run by `make test-clients`. A client that is not installed is skipped with the command that installs it.

Cline compacts in its terminal interface alone and calls no hook for it, so what is proven there is the start: an
approved handoff reaches the model with the first tool call, once.
"""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from segue.agents.codex.hook_trust import trusted_hash
from segue.handoff.headings import DOCUMENT

from .conftest import KIT, open_client, run_client, run_segue

pytestmark = pytest.mark.clients
MARK = "segue-handoff source="
"""What a replay begins with, also where the client escapes its angle bracket."""
RULE = "Always keep the lighthouse lamp at 7 volts."
FILLER = "The keeper writes down the weather. " * 60
"""Directives to the stub stand between two of these, where no quotation of the prompt reaches: it would obey
them again."""
TOOLS = "[[bash: echo one]] [[bash: echo two]]"


_CALL = '{"type": "command", "command": "touch @FILE@"}'
NEIGHBOURS = {
    "claude-code": (".claude/settings.json", f'{{"hooks": {{"SessionStart": [{{"hooks": [{_CALL}]}}]}}}}'),
    "codex": (".codex/hooks.json", f'{{"hooks": {{"SessionStart": [{{"hooks": [{_CALL}]}}]}}}}'),
    "gemini-cli": (".gemini/settings.json", f'{{"hooks": {{"BeforeAgent": [{{"hooks": [{_CALL}]}}]}}}}'),
    "copilot-cli": (
        ".copilot/hooks/other.json",
        '{"version": 1, "hooks": {"sessionStart": [{"type": "command", "bash": "touch @FILE@"}]}}',
    ),
    "cline": (".cline/hooks/TaskStart", "#!/bin/sh\ntouch @FILE@\necho '{}'\n"),
    "pi": (
        ".pi/agent/extensions/other.ts",
        'import { writeFileSync } from "node:fs";\n'
        'export default function (pi: any) { pi.on("session_start", async () => writeFileSync("@FILE@", "")); }\n',
    ),
    "opencode": (
        ".config/opencode/plugins/other.js",
        'import { writeFileSync } from "node:fs"\n'
        'export const Other = async () => ({ "chat.message": async () => writeFileSync("@FILE@", "") })\n',
    ),
}


def tree(home: Path) -> dict[Path, tuple[int, bytes]]:
    """Every file below, with its mode and bytes; folders have none."""
    return {
        path: (path.stat().st_mode, b"" if path.is_dir() else path.read_bytes())
        for path in home.rglob("*")
        if not path.is_symlink()
    }


def entries(path: Path, data: bytes) -> list[Any]:
    """The hooks and MCP servers in an agent's settings; a file of ours has none and must be gone."""
    assert path.suffix == ".toml" or path.name in ("settings.json", ".claude.json", "hooks.json")
    read = tomllib.loads if path.suffix == ".toml" else json.loads
    value = read(data.decode()) if data else {}
    names = ("mcp_servers",) if path.suffix == ".toml" else ("hooks", "mcpServers")
    return [value.get(name) or {} for name in names]


class Agent:
    """One client with segue installed for its user, and a project with a workspace."""

    def __init__(self, name: str, agent: str) -> None:
        self.client: Any = open_client(name)
        self.agent = agent
        self.home = Path(self.client.home)
        self.segue("thread", "ensure")
        self.neighbour = self.home / "neighbour-was-called"
        self._settle_neighbour()
        self.before = tree(self.home)
        self.segue("install", agent, "--user")
        self.segue("uninstall", agent, "--user")
        assert tree(self.home) == self.before
        done = json.loads(self.segue("install", agent, "--user", "--json"))
        self.paths = [Path(change["path"]) for change in done["agents"][agent]["changes"]]

    def _settle_neighbour(self) -> None:
        """Another tool, there before segue, that leaves a file behind when the agent calls it."""
        place, text = NEIGHBOURS[self.agent]
        path = self.home / place
        given = json.loads(path.read_text()) if path.exists() else {}
        written = text.replace("@FILE@", str(self.neighbour))
        if path.exists():
            path.chmod(0o644)
            written = json.dumps({**given, **json.loads(written)}, indent=1)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written)
        if written.startswith("#!"):
            path.chmod(0o755)

    def leave(self) -> None:
        """Takes segue out: its files are gone, settings are as they were (their hooks and servers at least, where
        the agent rewrote them meanwhile), and the other tool was called all along."""
        self.segue("uninstall", self.agent, "--user")
        for path in self.paths:
            before = self.before.get(path, (0, b""))[1]
            if path.exists() and path.read_bytes() != before:
                assert entries(path, path.read_bytes()) == entries(path, before)
            elif not path.exists():
                assert path not in self.before
        assert self.neighbour.exists()

    def segue(self, *words: str, stdin: str = "") -> str:
        return run_segue(self.client, *words, stdin=stdin)

    def run(self, *words: str) -> None:
        run_client(self.client, words)

    def bodies(self) -> list[str]:
        """What the model was sent, in order, summaries' requests left out."""
        kept = [r for r in self.client.requests() if isinstance(r.get("reply"), dict)]
        return [
            json.dumps(r["body"], ensure_ascii=False)
            for r in kept
            if r["reply"]["kind"] not in ("summary", "aux")
        ]

    def replays(self) -> list[dict[str, Any]]:
        rows = json.loads(self.segue("thread", "list", "--json"))["threads"]
        frames = [
            json.loads(line)
            for row in rows
            for line in self.segue("thread", "events", row["thread_id"]).splitlines()
        ]
        return [frame for frame in frames if frame["type"] == "handoff_replayed"]


@pytest.fixture
def started(request: pytest.FixtureRequest) -> Iterator[Agent]:
    name, agent = request.param
    made = Agent(name, agent)
    yield made
    try:
        made.leave()
    finally:
        made.client.close()


def check(agent: Agent) -> None:
    """The handoff with the fresh tail reached the model, and only one copy of it ever did. The tools of the MCP server
    are declared."""
    bodies = agent.bodies()
    holding = [body for body in bodies if MARK in body]
    assert holding, f"the handoff never reached the model in {len(bodies)} requests"
    assert all(body.count(MARK) == 1 for body in holding)
    assert "RECENT TAIL" in holding[0] and "lighthouse" in holding[0].split("RECENT TAIL")[1]
    assert len(agent.replays()) == 1
    declared = any(re.search(r"segue_draft_write(?!`)", body) for body in bodies)
    assert declared, "the MCP server's tools were not declared"


@pytest.mark.parametrize("started", [("claude", "claude-code")], indirect=True)
def test_claude_code(started: Agent) -> None:
    sid = str(uuid.uuid4())
    started.run(
        "-p",
        f"{RULE} {FILLER} {TOOLS} [[say: ok]] {FILLER}",
        "--session-id",
        sid,
        "--allowedTools",
        "Bash(echo:*)",
    )
    started.run("-p", "/compact", "--resume", sid)
    started.run("-p", "Go on [[say: ok2]]", "--resume", sid)
    check(started)
    started.run("-p", "And on [[say: ok3]]", "--resume", sid)
    check(started)


@pytest.mark.parametrize("started", [("codex", "codex")], indirect=True)
def test_codex(started: Agent) -> None:
    trust = "--dangerously-bypass-hook-trust"
    limit = ("-c", "model_auto_compact_token_limit=50000")
    started.run("exec", trust, *limit, f"{RULE} {FILLER} [[usage: 60000]] {TOOLS} [[say: ok]] {FILLER}")
    check(started)
    started.run("exec", "resume", "--last", trust, "Go on [[say: ok2]]")
    check(started)


@pytest.mark.parametrize("started", [("pi", "pi")], indirect=True)
def test_pi(started: Agent) -> None:
    sid, long = (
        str(uuid.uuid4()),
        4 * FILLER,
    )  # so that the handoff quotes no order to the stub, which would obey again
    started.run("-p", "--session-id", sid, f"{RULE} {long} [[usage: 190000]] {TOOLS} [[say: ok]] {long}")
    check(started)
    started.run("-p", "--session-id", sid, "Go on [[say: ok2]]")
    check(started)


@pytest.mark.parametrize("started", [("gemini", "gemini-cli")], indirect=True)
def test_gemini_cli(started: Agent) -> None:
    sid, yolo = str(uuid.uuid4()), ("--approval-mode", "yolo")
    started.run("-p", f"{RULE} {FILLER} [[say: z]] {FILLER}", "--session-id", sid, *yolo)
    started.run("-p", "Mid [[say: m]]", "--resume", sid, *yolo)
    started.run("-p", f"One {FILLER} [[usage: 100000]] {TOOLS} [[say: ok]] {FILLER}", "--resume", sid, *yolo)
    started.run("-p", "Go on [[say: ok2]]", "--resume", sid, *yolo)
    check(started)
    started.run("-p", "And on [[say: ok3]]", "--resume", sid, *yolo)
    check(started)


@pytest.mark.parametrize("started", [("opencode", "opencode")], indirect=True)
def test_opencode(started: Agent) -> None:
    started.run(
        "run", "--title", "boundary", f"{RULE} {FILLER} [[usage: 199000]] {TOOLS} [[say: ok]] {FILLER}"
    )
    started.run("run", "--continue", "Go on [[say: ok2]]")
    check(started)
    started.run("run", "--continue", "And on [[say: ok3]]")
    check(started)


@pytest.mark.parametrize("started", [("copilot", "copilot-cli")], indirect=True)
def test_copilot_cli(started: Agent) -> None:
    sid, flags = str(uuid.uuid4()), ("--allow-all-tools", "-s")
    started.run("-p", f"{RULE} {FILLER} {TOOLS} [[say: ok]] {FILLER}", *flags, "--session-id", sid)
    started.run("-p", "/compact keep the rule", *flags, f"--resume={sid}")
    started.run("-p", "Go on [[say: ok2]]", *flags, f"--resume={sid}")
    check(started)
    started.run("-p", "And on [[say: ok3]]", *flags, f"--resume={sid}")
    check(started)


def approve(agent: Agent) -> None:
    said = "Ported the lamp's timer in lamp.py; `pytest -q` printed 4 passed [#19]."
    text = "\n".join(f"## {name}\n\n- {said}\n" for name in DOCUMENT)
    taken = json.loads(agent.segue("draft", "write", "-", "--json", stdin=text))
    agent.segue("draft", "approve", taken["artifact_id"])


@pytest.mark.parametrize("started", [("cline", "cline")], indirect=True)
def test_cline(started: Agent) -> None:
    approve(started)
    started.run(f"Go on {TOOLS} [[say: ok]]")
    holding = [body for body in started.bodies() if MARK in body]
    assert holding and all(body.count(MARK) == 1 and "lamp.py" in body for body in holding)
    assert len(started.replays()) == 1


@pytest.mark.parametrize("started", [("codex", "codex")], indirect=True)
def test_codex_counts_what_a_person_accepted_as_segue_does(started: Agent) -> None:
    ran = subprocess.run(
        [KIT / "codex_appserver.py", "hooks"],
        env=started.client.env,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    listed = [hook for place in json.loads(ran.stdout)["data"] for hook in place["hooks"]]
    ours = [hook for hook in listed if " hook codex " in hook["command"]]
    counted = {
        hook["key"]: trusted_hash(hook["command"].split()[-1], {"command": hook["command"], "timeout": 30})
        for hook in ours
    }
    assert len(ours) == 7 and counted == {hook["key"]: hook["currentHash"] for hook in ours}
    started.neighbour.touch()


def _turns(agent: str, first: str) -> list[tuple[str, ...]]:
    """Two turns of one session, each in a process of its own."""
    sid, trust, yolo = str(uuid.uuid4()), "--dangerously-bypass-hook-trust", ("--approval-mode", "yolo")
    return {
        "claude-code": [
            ("-p", first, "--session-id", sid, "--allowedTools", "Bash(echo:*)"),
            ("-p", "Go on [[say: ok2]]", "--resume", sid),
        ],
        "codex": [
            ("exec", trust, first),
            ("exec", "resume", "--last", trust, "Go on [[say: ok2]]"),
        ],
        "pi": [
            ("-p", "--session-id", sid, first),
            ("-p", "--session-id", sid, "Go on [[say: ok2]]"),
        ],
        "gemini-cli": [
            ("-p", first, "--session-id", sid, *yolo),
            ("-p", "Go on [[say: ok2]]", "--resume", sid, *yolo),
        ],
        "opencode": [
            ("run", "--title", "full", first),
            ("run", "--continue", "Go on [[say: ok2]]"),
        ],
        "copilot-cli": [
            ("-p", first, "--allow-all-tools", "-s", "--session-id", sid),
            ("-p", "Go on [[say: ok2]]", "--allow-all-tools", "-s", f"--resume={sid}"),
        ],
    }[agent]


FULL = {
    ("claude", "claude-code"): 175_000,
    ("codex", "codex"): 166_000,
    ("pi", "pi"): 175_000,
    ("gemini", "gemini-cli"): 43_500,
    ("opencode", "opencode"): 168_000,
    ("copilot", "copilot-cli"): 74_000,
}
"""Clients, and tokens that make 87 % of what the kit's settings give each; of Copilot CLI, which compacts early, 74 %."""


@pytest.mark.parametrize("started", FULL, indirect=True, ids=[agent for _, agent in FULL])
def test_an_approved_handoff_is_given_at_a_start_once_and_is_still_known_after_a_resume(
    started: Agent,
) -> None:
    approve(started)
    for words in _turns(started.agent, f"Begin {TOOLS} [[say: ok]]"):
        started.run(*words)
    assert {body.count(MARK) for body in started.bodies()} == {1}
    assert [row["source"] for row in started.replays()] == ["startup"]


@pytest.mark.parametrize(
    ("started", "tokens"), FULL.items(), indirect=["started"], ids=[agent for _, agent in FULL]
)
def test_an_agent_is_asked_once_for_a_handoff_when_its_context_fills_up(started: Agent, tokens: int) -> None:
    for words in _turns(started.agent, f"{RULE} [[usage: {tokens}]] {TOOLS} [[say: ok]]"):
        started.run(*words)
    share = "74 % full" if started.agent == "copilot-cli" else "87 % full"
    asked = [body for body in started.bodies() if share in body]
    assert asked and all(body.count("segue draft write") == 1 for body in asked)


COMMANDS = {
    ("claude", "claude-code"): ("-p", "/handoff finish the lamp [[say: ok]]"),
    ("gemini", "gemini-cli"): ("-p", "/segue:handoff finish the lamp [[say: ok]]", "--approval-mode", "yolo"),
    ("opencode", "opencode"): ("run", "--command", "handoff", "finish the lamp [[say: ok]]"),
}


@pytest.mark.parametrize(
    ("started", "words"), COMMANDS.items(), indirect=["started"], ids=[agent for _, agent in COMMANDS]
)
def test_the_handoff_command_tells_the_model_what_to_do_with_the_goal(
    started: Agent, words: tuple[str, ...]
) -> None:
    started.run(*words)
    told = [body for body in started.bodies() if "segue draft write FILE" in body]
    assert told and all("finish the lamp" in body for body in told)


@pytest.mark.parametrize("started", [("pi", "pi")], indirect=True)
def test_the_handoff_command_of_pi_begins_a_session_with_the_packet(started: Agent) -> None:
    sid = str(uuid.uuid4())
    started.run("-p", "--session-id", sid, f"{RULE} [[say: ok]]")
    started.run("-p", "--session-id", sid, "/handoff finish the lamp [[say: ok]]")
    last = started.bodies()[-1]
    assert "This handoff was drawn from pi session" in last and "finish the lamp" in last and RULE in last
