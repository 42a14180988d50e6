"""The real agents' programs as text functions: asked for a text by segue, each gets the prompt and nothing else.

Every probe of the kit is on, so that a hook, an extension or a plugin that fires is seen, and the project has instructions
that would be seen in the request.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import KIT, open_client

SESSION = Path(__file__).parent.parent / "fixtures" / "agents" / "claude-code"
pytestmark = pytest.mark.clients
PLANTED = "The lighthouse rule stands in a file of this project."
ENDPOINT = "http://127.0.0.1:{port}"
SETTINGS: dict[str, dict[str, str]] = {
    "claude": {
        "ANTHROPIC_BASE_URL": ENDPOINT,
        "ANTHROPIC_API_KEY": "test",
        "ANTHROPIC_MODEL": "claude-sonnet-4-5",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    },
    "codex": {"CODEX_HOME": "{home}/.codex", "STUB_KEY": "test"},
    "pi": {"PI_OFFLINE": "1", "PI_TELEMETRY": "0", "PI_SKIP_VERSION_CHECK": "1"},
    "gemini": {
        "GEMINI_API_KEY": "test",
        "GOOGLE_GEMINI_BASE_URL": ENDPOINT,
        "GEMINI_TELEMETRY_ENABLED": "false",
    },
    "opencode": {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"},
    "copilot": {
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
        "COPILOT_PROVIDER_BASE_URL": ENDPOINT + "/v1",
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_PROVIDER_API_KEY": "test",
        "COPILOT_MODEL": "stub-model",
    },
}
SESSIONS = {
    "claude": ("home/.claude/projects/**/*.jsonl", "home/.claude/history.jsonl"),
    "codex": ("home/.codex/sessions/**/*", "home/.codex/history.jsonl"),
    "pi": ("home/.pi/agent/sessions/**/*.jsonl",),
    "gemini": ("home/.gemini/tmp/**/session-*",),
    "opencode": ("home/.local/share/opencode/*.db*", "home/.local/share/opencode/storage/**/*"),
    "copilot": ("home/.copilot/session-state/**/*",),
}
NEVER_CALLED = {"codex": {"request_user_input"}}
"""Tools that a program declares whatever it is told, and that nothing answers outside its terminal interface."""
BY_SCHEMA = {"claude": {"StructuredOutput"}}
"""Tools by which a program takes an answer that a schema asks for."""
SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}
TELLS_USAGE = {"claude", "codex", "gemini"}
ASKING = """
import json, sys
from segue.llm.registry import model
print(json.dumps(model(sys.argv[1]).write(sys.argv[2], schema=json.loads(sys.argv[3]))._asdict()))
"""


class Asked:
    """A client whose program segue finds in its PATH, in a project with instructions of its own."""

    def __init__(self, client: Any, place: Path) -> None:
        self.client = client
        for name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md"):
            Path(client.project, name).write_text(PLANTED)
        program = place / client.name
        found = f'. "{KIT}/env.sh"; exe=$(program {client.name}); case $exe in *.js) exec node "$exe" "$@" ;; esac'
        program.write_text(f'#!/bin/bash\n{found}; exec "$exe" "$@"\n')
        program.chmod(0o755)
        node = Path(client.env["CLIENTS_DIR"]) / "node" / "bin"
        given = SETTINGS[client.name].items()
        self.env = {
            "PATH": f"{place}:{node}:/usr/local/bin:/usr/bin:/bin",
            "HOME": client.home,
            "LANG": "C.UTF-8",
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            "CLIENTS_DIR": client.env["CLIENTS_DIR"],
            "HOOKLOG": os.path.join(client.dir, "hooks.jsonl"),
            **{name: value.format(port=client.port, home=client.home) for name, value in given},
        }

    def segue(self, *words: str) -> subprocess.CompletedProcess[str]:
        ran = subprocess.run(
            [sys.executable, "-m", "segue", *words],
            cwd=self.client.project,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
        )
        assert ran.returncode == 0, ran.stderr
        return ran

    def improve(self, model: str) -> None:
        """One handoff of which the model is to state what it came to; the stub's answer states nothing."""
        session = next(SESSION.glob("*/*.jsonl"))
        ran = self.segue("handoff", "--from", str(session), "--model", model, "--dry-run", "--no-repo")
        assert "The mechanical packet stands" in ran.stderr

    def write(self, prompt: str, schema: object = None) -> Any:
        """What the model answers to a prompt."""
        words = [sys.executable, "-c", ASKING, self.client.name, prompt, json.dumps(schema)]
        ran = subprocess.run(
            words, cwd=self.client.project, env=self.env, capture_output=True, text=True, timeout=180
        )
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    def sessions(self) -> set[str]:
        return {path for pattern in SESSIONS[self.client.name] for path in self.client.files(pattern)}


def opened(name: str) -> Any:
    client = open_client(name, bare=False)
    client.run("--version")  # the kit writes the stub's address into the client's settings
    return client


@pytest.fixture(params=SETTINGS)
def asked(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Asked]:
    with opened(request.param) as client:
        yield Asked(client, tmp_path)


def declared(body: dict[str, Any]) -> set[str]:
    """The names of the tools in a request, of whatever service."""
    tools = body.get("tools") or []
    return {
        str(tool.get("name") or tool.get("function", {}).get("name") or tool)
        for entry in tools
        for tool in entry.get("functionDeclarations", [entry])
    }


def test_a_model_has_no_tools_fires_no_hooks_and_leaves_no_session(asked: Asked) -> None:
    before, hooks = asked.sessions(), len(asked.client.hooks())
    asked.improve(asked.client.name)
    name = asked.client.name
    for request in asked.client.requests():
        told = json.dumps(request["body"])
        assert "--- the session ---" in told and PLANTED not in told
        assert declared(request["body"]) <= NEVER_CALLED.get(name, set()) | BY_SCHEMA.get(name, set())
    assert len(asked.client.hooks()) == hooks
    assert asked.sessions() <= before


def test_an_answer_by_a_schema_is_as_pure_and_tells_what_it_took(asked: Asked) -> None:
    name, before, hooks = asked.client.name, asked.sessions(), len(asked.client.hooks())
    by_tool = '[[tool: StructuredOutput {"n": 1}]] [[say: done]]'
    told = asked.write(by_tool if name in BY_SCHEMA else '[[say: {"n": 1}]]', SCHEMA)
    assert json.loads(told["text"]) == {"n": 1}
    assert (told["input_tokens"] is not None) is (name in TELLS_USAGE)
    assert (told["cost_usd"] is not None) is (name == "claude")
    for request in asked.client.requests():
        sent = json.dumps(request["body"])
        assert PLANTED not in sent and '"n"' in sent.replace("\\", "")
        assert declared(request["body"]) <= NEVER_CALLED.get(name, set()) | BY_SCHEMA.get(name, set())
    assert len(asked.client.hooks()) == hooks
    assert asked.sessions() <= before


def test_a_real_program_is_listed_as_one_that_can_be_kept_pure(asked: Asked) -> None:
    listed = json.loads(asked.segue("models", asked.client.name, "--check", "--json").stdout)["models"]
    assert [(row["name"], row["usable"], bool(row["version"]), bool(row["said"])) for row in listed] == [
        (asked.client.name, True, True, True)
    ]


def test_a_session_that_a_plain_command_leaves_is_nobodys_work(tmp_path: Path) -> None:
    with opened("claude") as client:
        asked = Asked(client, tmp_path)
        asked.improve("command:claude -p")
        assert asked.sessions(), "a plain command keeps a session, elsewhere"
        listed = json.loads(asked.segue("sessions", "list", "--json").stdout)["sessions"]
        assert listed == []
