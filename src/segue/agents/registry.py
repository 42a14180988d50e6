"""Names to modules, as strings: listing agents imports none of them.

A hook asks here for its host, so nothing dear is imported before it is needed.
"""

from __future__ import annotations

from segue.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from segue.agents.contract import Reader
    from segue.agents.host import Host

READERS: dict[str, str] = {
    "claude-code": "segue.agents.claude_code",
    "codex": "segue.agents.codex",
    "pi": "segue.agents.pi",
    "opencode": "segue.agents.opencode",
    "gemini-cli": "segue.agents.gemini_cli",
    "copilot-cli": "segue.agents.copilot_cli",
    "cline": "segue.agents.cline",
    "aider": "segue.agents.aider",
    "amp": "segue.agents.amp",
    "cursor": "segue.agents.cursor",
    "kimi-cli": "segue.agents.kimi_cli",
    "droid": "segue.agents.droid",
    "goose": "segue.agents.goose",
    "qwen-code": "segue.agents.qwen_code",
    "openhands": "segue.agents.openhands",
    "swe-agent": "segue.agents.swe_agent",
    "specstory": "segue.agents.specstory",
    "copilot-vscode": "segue.agents.copilot_vscode",
    "continue": "segue.agents.continue_dev",
    "windsurf": "segue.agents.windsurf",
    "generic": "segue.agents.generic",
}

HOSTS: dict[str, str] = {
    agent: f"{READERS[agent]}.host"
    for agent in ("claude-code", "codex", "pi", "gemini-cli", "opencode", "copilot-cli", "cline")
}
"""Agents that segue can be installed in. Their folder holds `reader.py` and `host.py`, and either loads without the other."""

RECOGNISED: dict[str, dict[str, Any]] = {
    "amp": {
        "program": "amp",
        "marks": ("AMP_CURRENT_THREAD_ID",),
        "session_variable": "AMP_CURRENT_THREAD_ID",
    },
    "cursor": {"program": "cursor-agent", "marks": ("CURSOR_AGENT",)},
    "goose": {"program": "goose", "marks": ("GOOSE_TERMINAL",)},
    "qwen-code": {"program": "qwen", "marks": ("QWEN_CODE",)},
}
"""Agents of which segue only knows how to tell that a program runs inside them: what their `Host` says."""


def reader(agent: str) -> Reader:
    """The reader of that name. Raises BadInput for a name nobody has."""
    from importlib import import_module

    if agent not in READERS:
        raise unknown(agent)
    found = import_module(READERS[agent])
    made: Reader = found if hasattr(found, "read") else import_module(f"{READERS[agent]}.reader")
    return made


def host_of(agent: str) -> Host:
    """What segue knows of an agent beside its sessions; nothing at all for one without a host."""
    from segue.agents.host import NOBODY, Host

    if agent not in HOSTS:
        return Host(**RECOGNISED[agent]) if agent in RECOGNISED else NOBODY
    from importlib import import_module

    found: Host = import_module(HOSTS[agent]).HOST
    return found


def unknown(agent: str) -> BadInput:
    """What is said of a name that no agent has."""
    close = " or ".join(close_names(agent))
    hint = f"Did you mean {close}?" if close else f"Known: {', '.join(READERS)}."
    return BadInput(f"There is no agent called {agent!r}.", hint)


def close_names(name: str) -> list[str]:
    """The agents whose names begin like this one, or are written nearly so."""
    from difflib import get_close_matches  # 4 ms

    return [agent for agent in READERS if name and agent.startswith(name)] or get_close_matches(
        name, READERS, 1
    )
