"""When an agent compacts by itself, where its own settings tell."""

from __future__ import annotations

import json
import os

from segue.model.value import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Trigger(NamedTuple):
    percent: int
    where: str


def trigger(agent: str, home: str, root: str, env: Mapping[str, str]) -> Trigger | None:
    """The share of its context at which an agent compacts; None where it does not say."""
    find = _FINDERS.get(agent)
    return find(home, root, env) if find else None


def compression_share(home: str, root: str) -> float:
    """The share of a model's window at which Gemini CLI compresses: so low that its usage is measured against it."""
    for base in (root, home):
        model = _json(os.path.join(base, ".gemini", "settings.json")).get("model")
        share = model.get("compressionThreshold") if isinstance(model, dict) else None
        if isinstance(share, (int, float)) and 0 < share <= 1:
            return share
    return 0.5


def _claude(home: str, root: str, env: Mapping[str, str]) -> Trigger | None:
    name = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
    user = os.path.join(env.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude"), "settings.json")
    project = os.path.join(root, ".claude", "settings.json")
    for source, given in (
        (name, dict(env)),
        (project, _json(project).get("env")),
        (user, _json(user).get("env")),
    ):
        value = str(given.get(name, "")) if isinstance(given, dict) else ""
        if value.isdigit() and 0 < int(value) <= 100:
            return Trigger(int(value), source)
    return None


def _codex(home: str, root: str, env: Mapping[str, str]) -> Trigger | None:
    path = codex_config(home, env)
    config = toml(path)
    limit, window = config.get("model_auto_compact_token_limit"), config.get("model_context_window")
    if not isinstance(limit, int) or not isinstance(window, int) or not 0 < limit <= window:
        return None
    return Trigger(limit * 100 // window, path)


def codex_config(home: str, env: Mapping[str, str]) -> str:
    """Where Codex keeps its settings."""
    return os.path.join(env.get("CODEX_HOME") or os.path.join(home, ".codex"), "config.toml")


_FINDERS = {"claude-code": _claude, "codex": _codex}


def _json(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def toml(path: str) -> dict[str, Any]:
    """The settings in a TOML file; none where it cannot be read."""
    import tomllib

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
