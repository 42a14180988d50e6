"""Our entries in an agent's settings, and the words of our files: how they are made, and known again.

What an agent takes is told by its host; `service/install/integrations.py` performs it.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from segue.agents.host import ANY, File, Integration
from segue.agents.registry import HOSTS, RECOGNISED, host_of
from segue.model.marks import SERVER


def integration(agent: str, base: str, project: bool, env: Mapping[str, str]) -> Integration | None:
    """What to change for an agent below a home or a project; None for one that takes no integration."""
    make = host_of(agent).integration
    return make(base, project, env) if make else None


def agents() -> list[str]:
    return list(HOSTS)


def beside(agent: str, name: str) -> str:
    """A file that comes with an agent's host, or with all of them."""
    own = os.path.join(os.path.dirname(import_module(HOSTS[agent]).__file__ or ""), name)
    return own if os.path.exists(own) else os.path.join(os.path.dirname(__file__), name)


def text(agent: str, file: File, command: list[str], server: list[str]) -> str:
    """What installing writes into a file that is ours alone."""
    if file.text:
        return file.text(shlex.join(command))
    with open(beside(agent, file.template), encoding="utf-8") as template:
        made = template.read()
    source, session, legend = _asking_session(file.reader)
    given = {
        "@COMMAND@": json.dumps(command),
        "@SERVER@": json.dumps(server),
        "@SEGUE@": shlex.join(command),
        "@FROM@ ": source,
        "@SESSION@": session,
        "@LEGEND@\n": legend,
    }
    for name, value in given.items():
        made = made.replace(name, value)
    return made


def _asking_session(reader: str) -> tuple[str, str, str]:
    """How `segue handoff` and other commands name the session they are run in, in the words of a file that this agent
    reads, and what those words stand for where several do. An agent that does not tell its session leaves it to hooks."""
    if reader == ANY:
        told = {agent: host_of(agent).session_variable for agent in (*sorted(HOSTS), *RECOGNISED)}
        known = ", ".join(f"`{agent}` and `${variable}`" for agent, variable in told.items() if variable)
        legend = f"AGENT and ID are you and this session: {known}. Where there is no id, leave both out."
        return "--from AGENT:ID ", "--agent AGENT --session ID", f"\n{legend}\n"
    if variable := host_of(reader).session_variable:
        return f'--from "{reader}:${variable}" ', f'--agent {reader} --session "${variable}"', ""
    return "", f"--agent {reader}", ""


def hook_entry(agent: str, event: str, command: str, timeout: int) -> dict[str, Any]:
    """One entry of a host's settings."""
    entry = {"type": "command", "command": f"{command} hook {agent} {event}", "timeout": timeout}
    return host_of(agent).hook_entry(event, entry)


def is_ours(group: Any, agent: str) -> bool:
    """True for a group of hooks that `hook_entry` made, whatever the place of the program was then."""
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return isinstance(hooks, list) and any(
        isinstance(hook, dict)
        and f" hook {agent} " in str(hook.get("command"))
        and "segue" in str(hook.get("command"))
        for hook in hooks
    )


def server_words(command: list[str], root: str | None) -> list[str]:
    """The command that serves a workspace over MCP: this one, or the one around where the agent works."""
    return [*command, "mcp", *(["--workspace", root] if root else [])]


def server_entry(agent: str, words: list[str]) -> dict[str, Any]:
    """Our MCP server in a host's JSON settings."""
    return {**host_of(agent).server, "command": words[0], "args": words[1:]}


def is_our_server(entry: Any) -> bool:
    """True for an entry that `server_entry` made, whatever the place of the program was then."""
    args = entry.get("args") if isinstance(entry, dict) else None
    return isinstance(args, list) and "mcp" in args and SERVER in f"{entry.get('command')} {args}"
