"""The MCP server stands in each agent's own settings, and goes again; what others put there stays."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from segue.service.install import integrations
from segue.service.workspace import Workspace

USER = {
    "claude-code": (".claude.json", {"type": "stdio", "command": "/bin/segue", "args": ["mcp"]}),
    "gemini-cli": (".gemini/settings.json", {"command": "/bin/segue", "args": ["mcp"]}),
    "copilot-cli": (
        ".copilot/mcp-config.json",
        {"type": "local", "command": "/bin/segue", "args": ["mcp"], "tools": ["*"]},
    ),
    "codex": (".codex/config.toml", {"command": "/bin/segue", "args": ["mcp"]}),
}
PROJECT = {
    "claude-code": ".mcp.json",
    "gemini-cli": ".gemini/settings.json",
    "codex": ".codex/config.toml",
    "pi": ".pi/mcp.json",
}


@pytest.fixture(autouse=True)
def program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integrations, "program", lambda: ["/bin/segue"])


def servers(path: Path) -> dict[str, Any]:
    text = path.read_text()
    found = tomllib.loads(text)["mcp_servers"] if path.suffix == ".toml" else json.loads(text)["mcpServers"]
    return dict(found)


@pytest.mark.parametrize("agent", sorted(USER))
def test_a_person_gets_a_server_for_whichever_workspace_the_agent_works_in(
    workspace: Workspace, home: Path, agent: str
) -> None:
    integrations.install(workspace, [agent], project=False)
    file, entry = USER[agent]
    assert servers(home / file) == {"segue": entry}


@pytest.mark.parametrize("agent", sorted(PROJECT))
def test_a_project_gets_a_server_for_its_own_workspace(workspace: Workspace, agent: str) -> None:
    integrations.install(workspace, [agent], project=True)
    entry = servers(Path(workspace.root) / PROJECT[agent])["segue"]
    assert entry["args"] == ["mcp", "--workspace", workspace.root]


def test_the_plugin_of_opencode_brings_the_server_along(workspace: Workspace, home: Path) -> None:
    integrations.install(workspace, ["opencode"], project=False)
    plugin = (home / ".config/opencode/plugins/segue.js").read_text()
    assert 'const SERVER = ["/bin/segue", "mcp"]' in plugin and "command: SERVER" in plugin


@pytest.mark.parametrize("agent", sorted(set(USER) - {"codex"}))
def test_after_an_edit_only_our_server_goes(workspace: Workspace, home: Path, agent: str) -> None:
    path = home / USER[agent][0]
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"mcpServers": {"other": {"command": "o"}}}))
    integrations.install(workspace, [agent], project=False)
    path.write_text(json.dumps({**json.loads(path.read_text()), "numStartups": 7}))
    integrations.uninstall(workspace, [agent], project=False)
    assert json.loads(path.read_text()) == {"mcpServers": {"other": {"command": "o"}}, "numStartups": 7}


@pytest.mark.parametrize("agent", sorted(USER))
def test_a_server_of_somebody_else_with_our_name_stays(workspace: Workspace, home: Path, agent: str) -> None:
    path = home / USER[agent][0]
    path.parent.mkdir(exist_ok=True)
    toml = path.suffix == ".toml"
    path.write_text(
        '[mcp_servers.segue]\ncommand = "x"\n' if toml else '{"mcpServers":{"segue":{"url":"u"}}}'
    )
    before = servers(path)
    integrations.install(workspace, [agent], project=False)
    assert servers(path) == before
    integrations.uninstall(workspace, [agent], project=False)
    assert servers(path) == before


TABLES = [
    b"",
    b'model = "m"',
    b'model = "m"\r\n\r\n[mcp_servers.other]\r\ncommand = "o"\r\n',
    b'# a comment\n[hooks.state."/p:stop:0:0"]\ntrusted_hash = "sha256:1"\n\n\n',
    b'[mcp_servers]\nother = { command = "o" }\n[tui]\nx = 1\n',
]


@pytest.mark.parametrize("before", TABLES)
def test_toml_is_restored_byte_for_byte_and_an_edit_after_us_survives(
    workspace: Workspace, home: Path, before: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / ".codex/config.toml"
    path.parent.mkdir()
    path.write_bytes(before)
    integrations.install(workspace, ["codex"], project=False)
    assert servers(path)["segue"]["command"] == "/bin/segue"
    integrations.uninstall(workspace, ["codex"], project=False)
    assert path.read_bytes() == before
    integrations.install(workspace, ["codex"], project=False)
    path.write_bytes(path.read_bytes() + b'\n[projects."/p"]\ntrust_level = "trusted"\n')
    monkeypatch.setattr(integrations, "program", lambda: ["/moved/segue"])
    integrations.install(workspace, ["codex"], project=False)
    assert servers(path)["segue"]["command"] == "/moved/segue"
    integrations.uninstall(workspace, ["codex"], project=False)
    projects = {"projects": {"/p": {"trust_level": "trusted"}}}
    assert tomllib.loads(path.read_text()) == {**tomllib.loads(before.decode()), **projects}


@pytest.mark.parametrize(
    ("agent", "data"),
    [
        ("claude-code", b"{"),
        ("claude-code", b'{"mcpServers": []}'),
        ("copilot-cli", b"// mine\n{}"),
        ("codex", b"= not toml"),
        ("codex", b"mcp_servers = {}\n"),
        ("codex", b"\xff\xfe"),
    ],
)
def test_settings_that_only_the_server_needs_do_not_hold_up_the_hooks(
    workspace: Workspace, home: Path, agent: str, data: bytes
) -> None:
    path = home / USER[agent][0]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    done = integrations.install(workspace, [agent], project=False)["agents"][agent]
    assert "The MCP server was left out" in done["note"] and "/bin/segue mcp" in done["note"]
    assert done["changes"] and path.read_bytes() == data
    integrations.uninstall(workspace, [agent], project=False)
    assert path.read_bytes() == data
