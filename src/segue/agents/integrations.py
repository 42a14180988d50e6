"""What it takes to be inside each agent: which settings get entries, which files are ours. Values, not acts.

`service/install/integrations.py` performs them. Every path is given for a person's home and for a project.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from segue.agents.inside import HOSTS
from segue.model.value import NamedTuple

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")

CLAUDE_EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PostToolUse",
    "PreCompact",
    "PostCompact",
    "Stop",
    "SessionEnd",
)
GEMINI_EVENTS = ("SessionStart", "BeforeAgent", "AfterTool", "PreCompress", "AfterAgent", "SessionEnd")
COPILOT_EVENTS = (
    "sessionStart",
    "userPromptSubmitted",
    "postToolUse",
    "preCompact",
    "agentStop",
    "sessionEnd",
)
CLINE_EVENTS = ("PreToolUse", "PostToolUse", "TaskComplete", "SessionShutdown")

ANY = "any"
"""Stands for the agent in a file that several of them read."""


class Settings(NamedTuple):
    """A JSON file of the host's, whose `hooks` object gets one group for each event, and whose `mcpServers`
    object, with `server`, gets our MCP server."""

    path: str
    events: tuple[str, ...] = ()
    timeout: int = 0
    server: bool = False


class File(NamedTuple):
    """A file that is ours alone: a template, or a text made for each event."""

    path: str
    template: str
    executable: bool = False
    event: str = ""
    reader: str = ANY
    """The agent that reads it, where it is one alone."""

    @property
    def shared(self) -> bool:
        """True for a skill that several agents look for, in a home and in a project."""
        return self.template == "skill.md" and self.reader == ANY


class Integration(NamedTuple):
    settings: tuple[Settings, ...]
    files: tuple[File, ...]
    note: str = ""
    tables: tuple[str, ...] = ()
    """TOML files of the host's that get our MCP server."""


def integration(agent: str, base: str, project: bool, env: Mapping[str, str]) -> Integration | None:
    """What to change for an agent below a home or a project; None for one that takes no integration."""
    make = _MAKERS.get(agent)
    return make(base, project, env) if make else None


def agents() -> list[str]:
    return list(_MAKERS)


def _home(base: str, project: bool, env: Mapping[str, str], variable: str, name: str) -> str:
    return os.path.join(base, name) if project else env.get(variable) or os.path.join(base, name)


def _skill(base: str, folder: str) -> File:
    return File(os.path.join(base, folder, "skills", "handoff", "SKILL.md"), "skill.md")


def _claude(base: str, project: bool, env: Mapping[str, str]) -> Integration:
    root = _home(base, project, env, "CLAUDE_CONFIG_DIR", ".claude")
    skill = File(os.path.join(root, "skills", "handoff", "SKILL.md"), "skill.md", reader="claude-code")
    servers = os.path.join(base, ".mcp.json") if project else _claude_state(base, env)
    settings = Settings(os.path.join(root, "settings.json"), CLAUDE_EVENTS, 30)
    return Integration((settings, Settings(servers, server=True)), (skill,))


def _claude_state(base: str, env: Mapping[str, str]) -> str:
    """Where Claude Code keeps a person's MCP servers, among much else."""
    return os.path.join(env.get("CLAUDE_CONFIG_DIR") or base, ".claude.json")


def _codex(base: str, project: bool, env: Mapping[str, str]) -> Integration:
    root = _home(base, project, env, "CODEX_HOME", ".codex")
    return Integration(
        (Settings(os.path.join(root, "hooks.json"), CLAUDE_EVENTS, 30),),
        (_skill(base, ".agents"),),
        'Codex runs new hooks only after you accept them: start `codex` and answer "Hooks need review".',
        (os.path.join(root, "config.toml"),),
    )


def _gemini(base: str, project: bool, env: Mapping[str, str]) -> Integration:
    """The command has a name of its own: Gemini CLI renames two of one name, and a prompt of our server is `/handoff`."""
    root = os.path.join(base, ".gemini")
    command = File(
        os.path.join(root, "commands", "segue", "handoff.toml"), "command.toml", reader="gemini-cli"
    )
    settings = Settings(os.path.join(root, "settings.json"), GEMINI_EVENTS, 30_000, server=True)
    note = "Gemini CLI reads the settings of a project only once you trust its folder." if project else ""
    return Integration((settings,), (command,), note)


def _copilot(base: str, project: bool, env: Mapping[str, str]) -> Integration:
    root = os.path.join(base, ".github") if project else _home(base, project, env, "COPILOT_HOME", ".copilot")
    files = (File(os.path.join(root, "hooks", "segue.json"), "copilot"), _skill(base, ".agents"))
    if project:
        note = (
            "Copilot CLI runs the hooks of a project only once you trust its folder, and takes an MCP server for a "
            "person only: add --user for that."
        )
        return Integration((), files, note)
    return Integration((Settings(os.path.join(root, "mcp-config.json"), server=True),), files)


def _cline(base: str, project: bool, env: Mapping[str, str]) -> Integration:
    folder = os.path.join(base, ".cline", "hooks")
    files = tuple(
        File(os.path.join(folder, event), "script", executable=True, event=event) for event in CLINE_EVENTS
    )
    note = "Cline announces no compaction, so it is given an approved handoff at its first tool call, and nothing after one."
    return Integration((), files, note)


def _pi(base: str, project: bool, env: Mapping[str, str]) -> Integration:
    root = (
        os.path.join(base, ".pi")
        if project
        else env.get("PI_CODING_AGENT_DIR") or os.path.join(base, ".pi", "agent")
    )
    files = (File(os.path.join(root, "extensions", "segue.ts"), "pi.ts"),)
    note = "pi loads what a project brings along only once you trust the project." if project else ""
    return Integration((Settings(os.path.join(root, "mcp.json"), server=True),), files, note)


def _opencode(base: str, project: bool, env: Mapping[str, str]) -> Integration:
    root = os.path.join(base, ".opencode") if project else os.path.join(base, ".config", "opencode")
    return Integration(
        (),
        (
            File(os.path.join(root, "plugins", "segue.js"), "opencode.js"),
            File(os.path.join(root, "commands", "handoff.md"), "command.md", reader="opencode"),
        ),
    )


_TOOL = "The tool `segue_draft_write` of the MCP server `segue` takes it, too"
WAYS = {
    "claude-code": f"{_TOOL}; your `handoff` skill says more.",
    "codex": f"{_TOOL}; your `handoff` skill says more.",
    "copilot-cli": f"{_TOOL}, where it is connected; your `handoff` skill says more.",
    "gemini-cli": f"{_TOOL}; the person can ask for it with `/segue:handoff`.",
    "opencode": f"{_TOOL}; the person can ask for it with `/handoff`.",
    "pi": f"{_TOOL}, where it is connected.",
}
"""How else a handoff is begun in an agent: what installing put there beside the hooks."""

_MAKERS = {
    "claude-code": _claude,
    "codex": _codex,
    "pi": _pi,
    "gemini-cli": _gemini,
    "opencode": _opencode,
    "copilot-cli": _copilot,
    "cline": _cline,
}


_TIMEOUTS = {("codex", "SessionEnd"): 3}
"""Seconds that a host gives an event at most; more makes it warn at every start."""
_MATCHERS = {("gemini-cli", "PreCompress"): {"matcher": "manual"}}
"""Gemini CLI calls PreCompress before every request, compression or not; its transcript tells of real ones."""


def hook_entry(agent: str, event: str, command: str, timeout: int) -> dict[str, Any]:
    """One entry of a host's settings."""
    entry: dict[str, Any] = {
        "type": "command",
        "command": f"{command} hook {agent} {event}",
        "timeout": _TIMEOUTS.get((agent, event), timeout),
    }
    if agent == "gemini-cli":
        entry["name"] = f"segue-{event}"
    return {**_MATCHERS.get((agent, event), {}), "hooks": [entry]}


def session_flags(reader: str) -> str:
    """How a command names the session it is run in, in the words of a file that this agent reads."""
    if reader == ANY:
        return "--agent AGENT --session ID"
    variable = _variable(reader)
    return f'--agent {reader} --session "${variable}"' if variable else f"--agent {reader}"


def source_flags(reader: str) -> str:
    """How `segue handoff` names the session it is run in; nothing where the agent does not tell, and hooks do."""
    if reader == ANY:
        return "--from AGENT:ID "
    variable = _variable(reader)
    return f'--from "{reader}:${variable}" ' if variable else ""


def _variable(agent: str) -> str:
    """The variable in which a shell that the agent runs finds the session's id, if it does."""
    return HOSTS[agent].session if agent in HOSTS else ""


def legend(reader: str) -> str:
    """What AGENT and ID stand for, in a file that several agents read."""
    known = ", ".join(f"`{agent}` and `${_variable(agent)}`" for agent in HOSTS if _variable(agent))
    told = f"AGENT and ID are you and this session: {known}. Where there is no id, leave both out."
    return f"\n{told}\n" if reader == ANY else ""


SERVER = "segue"
"""The name of our MCP server in every host."""


def served(found: Integration, agent: str) -> bool:
    """True for an integration that brings our MCP server along."""
    return agent == "opencode" or bool(found.tables) or any(settings.server for settings in found.settings)


def server_words(command: list[str], root: str | None) -> list[str]:
    """The command that serves a workspace over MCP: this one, or the one around where the agent works."""
    return [*command, "mcp", *(["--workspace", root] if root else [])]


def server_entry(agent: str, words: list[str]) -> dict[str, Any]:
    """Our MCP server in a host's JSON settings."""
    return {
        **_SERVER_TYPES.get(agent, {}),
        "command": words[0],
        "args": words[1:],
        **_SERVER_MORE.get(agent, {}),
    }


_SERVER_TYPES = {"claude-code": {"type": "stdio"}, "copilot-cli": {"type": "local"}}
_SERVER_MORE: dict[str, dict[str, Any]] = {"copilot-cli": {"tools": ["*"]}, "pi": {"exposure": "direct"}}


def is_our_server(entry: Any) -> bool:
    """True for an entry that `server_entry` made, whatever the place of the program was then."""
    args = entry.get("args") if isinstance(entry, dict) else None
    return isinstance(args, list) and "mcp" in args and SERVER in f"{entry.get('command')} {args}"


_SIGNATURES = {
    "skill.md": b" draft write FILE",
    "command.md": b" draft write FILE",
    "command.toml": b" draft write FILE",
    "copilot": b" hook copilot-cli ",
}


def template_signs() -> frozenset[str]:
    """What the text of every command and skill of ours holds, filled in or not."""
    return frozenset(sign.decode() for name, sign in _SIGNATURES.items() if name.endswith((".md", ".toml")))


def recognised(file: File, data: bytes) -> bool:
    """True for a file that an installation wrote, this one or an earlier one."""
    return _SIGNATURES.get(file.template, b"`segue install ") in data


def is_ours(group: Any, agent: str) -> bool:
    """True for a group of hooks that `hook_entry` made, whatever the place of the program was then."""
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return isinstance(hooks, list) and any(
        isinstance(hook, dict)
        and f" hook {agent} " in str(hook.get("command"))
        and "segue" in str(hook.get("command"))
        for hook in hooks
    )
