"""Names to modules, as strings: listing agents imports none of them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

from segue.errors import BadInput

if TYPE_CHECKING:
    from segue.agents.contract import Reader

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


def reader(agent: str) -> Reader:
    """The reader of that name. Raises BadInput for a name nobody has."""
    module = READERS.get(agent)
    if module is None:
        raise unknown(agent)
    return cast("Reader", importlib.import_module(module))


def unknown(agent: str) -> BadInput:
    """What is said of a name that no agent has."""
    hint = f"Did you mean {' or '.join(meant(agent))}?" if meant(agent) else f"Known: {', '.join(READERS)}."
    return BadInput(f"There is no agent called {agent!r}.", hint)


def meant(name: str) -> list[str]:
    """The agents whose names begin like this one, or are written nearly so."""
    from difflib import get_close_matches  # 4 ms

    return [agent for agent in READERS if name and agent.startswith(name)] or get_close_matches(
        name, READERS, 1
    )
