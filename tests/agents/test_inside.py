"""Which agent a process runs inside is what its environment tells, and the nearest of several."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from segue.agents.inside import SOME_AGENT, Inside, caller, here
from segue.agents.registry import HOSTS, READERS, RECOGNISED, host_of

SHELLS = {
    "claude-code": ({"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "c1", "AI_AGENT": "claude-code_2-1"}, "c1"),
    "codex": ({"CODEX_CI": "1", "CODEX_THREAD_ID": "t1", "CODEX_HOME": "/h/.codex"}, "t1"),
    "pi": ({"PI_CODING_AGENT": "true", "PI_SESSION_ID": "p1", "AI_AGENT": "pi"}, "p1"),
    "opencode": ({"OPENCODE": "1", "AGENT": "1", "SEGUE_OPENCODE_SESSION": "ses_1"}, "ses_1"),
    "gemini-cli": ({"GEMINI_CLI": "1", "GEMINI_CLI_TRUST_WORKSPACE": "true"}, ""),
    "copilot-cli": ({"COPILOT_CLI": "1", "COPILOT_AGENT_SESSION_ID": "g1"}, "g1"),
    "cline": ({"CLINE_CONNECTOR_CLI_LAUNCH": "{}", "CLINE_TELEMETRY_DISABLED": "1"}, ""),
}
"""What the shell of each agent finds in its environment, of what could tell."""


@pytest.mark.parametrize("agent", SHELLS)
def test_the_shell_of_an_agent_tells_the_agent_and_mostly_the_session(agent: str) -> None:
    env, session_id = SHELLS[agent]
    assert here(env) == Inside(agent, session_id)


@pytest.mark.parametrize(
    "env",
    [
        {},
        {"CODEX_HOME": "/h/.codex", "CLAUDE_CONFIG_DIR": "/h", "COPILOT_HOME": "/h", "GEMINI_API_KEY": "k"},
        {"OPENCODE_DISABLE_AUTOUPDATE": "1", "PI_OFFLINE": "1", "CLINE_NO_AUTO_UPDATE": "1", "AGENT": "ssh"},
    ],
)
def test_settings_that_a_person_has_for_agents_put_nobody_inside_one(env: dict[str, str]) -> None:
    assert here(env) is None


@pytest.mark.parametrize(
    ("announced", "agent"),
    [("amp", "amp"), ("goose@1.2.3", "goose"), ("some-agent_2-1_cli", "some-agent"), ("1", SOME_AGENT)],
)
def test_an_agent_without_a_row_is_known_by_the_name_it_announces(announced: str, agent: str) -> None:
    assert here({"AI_AGENT": announced}) == Inside(agent)


def test_every_host_is_an_agent_that_segue_reads_and_marks_what_it_starts() -> None:
    assert {*HOSTS, *RECOGNISED} <= set(READERS)
    unmarked = [
        agent
        for agent in (*HOSTS, *RECOGNISED)
        if not host_of(agent).marks
        or not all(agent.partition("-")[0].upper() in mark for mark in host_of(agent).marks)
    ]
    assert unmarked == []


@pytest.fixture
def agents(tmp_path: Path) -> dict[str, str]:
    """Programs with the names of agents, which give their children what the real ones give."""
    made = {}
    for agent in ("claude-code", "codex", "gemini-cli"):
        path = tmp_path / host_of(agent).program
        given = "\n".join(f"export {name}='{value}'" for name, value in SHELLS[agent][0].items())
        path.write_text(f'#!/bin/sh\n{given}\n"$@"\nexit $?\n')
        path.chmod(0o755)
        made[agent] = str(path)
    return made


@pytest.mark.parametrize(
    ("outer", "inner"), [("claude-code", "codex"), ("codex", "claude-code"), ("claude-code", "gemini-cli")]
)
def test_of_agents_that_start_each_other_the_inner_one_is_meant(
    agents: dict[str, str], outer: str, inner: str
) -> None:
    ask = [sys.executable, "-c", "from segue.agents.inside import here; print(*here()[:2], sep=':')"]
    ran = subprocess.run(
        [agents[outer], "sh", "-c", '"$0" "$@"; exit $?', agents[inner], *ask],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == f"{inner}:{SHELLS[inner][1]}"


def test_where_no_process_decides_between_agents_neither_is_guessed() -> None:
    code = "from segue.agents.inside import here; print(here().agent, here().label, sep=':')"
    env = {**os.environ, "GOOSE_TERMINAL": "1", "QWEN_CODE": "1"}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == f"{SOME_AGENT}:goose or qwen-code"


@pytest.mark.parametrize(
    ("client", "agent"),
    [
        ("claude-code", "claude-code"),
        ("codex-mcp-client", "codex"),
        ("gemini-cli-mcp-client", "gemini-cli"),
        ("Copilot CLI", "copilot-cli"),
        ("opencode", "opencode"),
        ("pi", "pi"),
    ],
)
def test_a_client_of_a_server_is_known_by_the_name_it_gives_itself(client: str, agent: str) -> None:
    assert caller(client, {}) == Inside(agent)


def test_a_client_may_tell_its_session_with_each_call() -> None:
    assert caller("codex-mcp-client", {"threadId": "t1"}) == Inside("codex", "t1")
    assert caller("codex-mcp-client", {"threadId": 7}) == Inside("codex")
    assert caller("pixie", {}) is None
