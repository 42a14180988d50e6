"""How an installed hook is called: its command lines as they stand in the agent's files, and payloads like those
the agents send, recorded from the real ones.

`segue doctor` runs them, so what it proves is what the agent will do.
"""

from __future__ import annotations

import json
import os
import shlex
from typing import Any, NamedTuple

from segue.agents.integrations import TEMPLATES

IN_PROCESS = {
    "pi": ("session_start", "before_agent_start", "session_before_compact", "session_shutdown"),
    "opencode": ("chat.message", "session.compacting"),
}


class Call(NamedTuple):
    event: str
    command: str


def installed_calls(agent: str, path: str) -> list[Call]:
    """The hook commands of ours that this file holds; none for a skill or a command."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return []
    if agent in IN_PROCESS:
        start = text.find("= [", text.find("const SEGUE")) + 2
        words = _words(text[start : text.find("\n", start)].rstrip(";")) if "const SEGUE" in text else []
        return [
            Call(event, shlex.join([*words, "hook", agent, event])) for event in IN_PROCESS[agent] if words
        ]
    if agent == "cline":
        return [Call(os.path.basename(path), shlex.quote(path))]
    return [
        Call(command.rsplit(" ", 1)[1], command)
        for command in _strings(_decoded(text))
        if f" hook {agent} " in command and "segue" in command
    ]


def payload(agent: str, event: str, session_id: str, place: str) -> str | None:
    """A payload as that agent sends it for that event; None when none was recorded."""
    with open(os.path.join(TEMPLATES, "payloads.json"), encoding="utf-8") as file:
        recorded: dict[str, dict[str, Any]] = json.load(file)
    host = recorded.get(agent, {})
    if event not in host:
        return None
    text = json.dumps({**host.get("*", {}), **host[event]})
    return text.replace("@SESSION@", session_id).replace("@PLACE@", json.dumps(place)[1:-1])


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _words(text: str) -> list[str]:
    value = _decoded(text)
    return [str(word) for word in value] if isinstance(value, list) else []


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in inner for text in _strings(part)]
