"""Does an agent run what a project brings along? Most ask the person once for each project, or one above it.

Until then a project's hooks are passed over in silence. Where an agent keeps the answer was seen with the real ones.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from segue.agents.triggers import codex_config, toml


def waits(agent: str, root: str, home: str, env: Mapping[str, str]) -> bool:
    """True when the agent will pass over the hooks of this project until the person trusts it."""
    trusted = _TRUSTED.get(agent)
    return trusted is not None and not trusted(os.path.realpath(root), home, env)


def _codex(root: str, home: str, env: Mapping[str, str]) -> bool:
    projects = _mapping(toml(codex_config(home, env)).get("projects"))
    levels = {place: _mapping(row).get("trust_level") for place, row in projects.items()}
    return bool(_nearest(levels, root) == "trusted")


def _pi(root: str, home: str, env: Mapping[str, str]) -> bool:
    folder = env.get("PI_CODING_AGENT_DIR") or os.path.join(home, ".pi", "agent")
    decided = _nearest(_read(os.path.join(folder, "trust.json")), root)
    otherwise = _read(os.path.join(folder, "settings.json")).get("defaultProjectTrust")
    return otherwise == "always" if decided is None else decided is True


def _gemini(root: str, home: str, env: Mapping[str, str]) -> bool:
    folder = os.path.join(home, ".gemini")
    security = _mapping(_read(os.path.join(folder, "settings.json")).get("security"))
    if _mapping(security.get("folderTrust")).get("enabled") is False:
        return True
    if env.get("GEMINI_CLI_TRUST_WORKSPACE", "").lower() == "true":
        return True
    levels = {
        os.path.dirname(place) if level == "TRUST_PARENT" else place: level
        for place, level in _read(os.path.join(folder, "trustedFolders.json")).items()
    }
    return _nearest(levels, root) in ("TRUST_FOLDER", "TRUST_PARENT")


def _copilot(root: str, home: str, env: Mapping[str, str]) -> bool:
    folder = env.get("COPILOT_HOME") or os.path.join(home, ".copilot")
    config = _read(os.path.join(folder, "config.json"))
    places = config.get("trustedFolders") or config.get("trusted_folders") or []
    return bool(_nearest({str(place): True for place in places if isinstance(places, list)}, root))


_TRUSTED = {"codex": _codex, "pi": _pi, "gemini-cli": _gemini, "copilot-cli": _copilot}


def _nearest(decided: Mapping[str, Any], root: str) -> Any:
    """What was decided for a directory or the nearest one above it; None where nothing was."""
    known = {os.path.realpath(place): what for place, what in decided.items() if what is not None}
    while root not in known and os.path.dirname(root) != root:
        root = os.path.dirname(root)
    return known.get(root)


def _read(path: str) -> Mapping[str, Any]:
    """A JSON object, with lines of comments as Copilot CLI writes them; nothing for anything else."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if not line.lstrip().startswith("//")]
        return _mapping(json.loads("".join(lines)))
    except (OSError, ValueError, RecursionError):
        return {}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
