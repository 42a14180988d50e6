"""When an agent compacts by itself, where its own settings tell."""

from __future__ import annotations

import json
import os

from segue.model.value import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


_STRETCH = 512 * 1024


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


CLAUDE_WINDOW, CLAUDE_LONG_WINDOW = 200_000, 1_000_000
_CLAUDE_RESERVE = 33_000
"""Tokens below an explicit window at which Claude Code compacts: `--autocompact 100k` does at 67,000."""
_OFF = ("", "0", "false", "no")


def claude_window(home: str, root: str, env: Mapping[str, str]) -> int:
    """The context window of the model that Claude Code is set to: a name with `[1m]` means a million tokens."""
    named = _claude_setting("ANTHROPIC_MODEL", "model", home, root, env)
    return CLAUDE_LONG_WINDOW if named and "[1m]" in str(named[0]).lower() else CLAUDE_WINDOW


def _claude(home: str, root: str, env: Mapping[str, str]) -> Trigger | None:
    def setting(variable: str, key: str = "") -> tuple[Any, str] | None:
        return _claude_setting(variable, key, home, root, env)

    for off in (setting("DISABLE_COMPACT"), setting("DISABLE_AUTO_COMPACT")):
        if off and str(off[0]).lower() not in _OFF:
            return None
    enabled = setting("", "autoCompactEnabled")
    if enabled and enabled[0] is False:
        return None
    whole = claude_window(home, root, env)
    share, limit = (
        setting("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"),
        setting("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "autoCompactWindow"),
    )
    percent = _tokens(share[0]) if share else 0
    window = min(_tokens(limit[0]), whole) if limit else 0
    if share and 0 < percent <= 100:
        return Trigger(percent * (window or whole) // whole, share[1])
    if limit and window > _CLAUDE_RESERVE:
        return Trigger((window - _CLAUDE_RESERVE) * 100 // whole, limit[1])
    return None


def _claude_setting(
    variable: str, key: str, home: str, root: str, env: Mapping[str, str]
) -> tuple[Any, str] | None:
    """A setting and where it stands: a variable, else the nearest of the settings files, which may set variables, too."""
    if env.get(variable):
        return env[variable], variable
    user = env.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")
    project = os.path.join(root, ".claude")
    for path in (
        os.path.join(project, "settings.local.json"),
        os.path.join(project, "settings.json"),
        os.path.join(user, "settings.json"),
    ):
        settings = _json(path)
        variables = settings.get("env")
        for given, name in ((variables, variable), (settings, key)):
            if isinstance(given, dict) and given.get(name) is not None:
                return given[name], path
    return None


def _tokens(value: Any) -> int:
    """A number of tokens as people write it: 100000, 100k, 1M; 0 for what is none."""
    text = str(value).strip().lower()
    unit = {"k": 1_000, "m": 1_000_000}.get(text[-1:], 1)
    number = text.rstrip("km")
    return int(number) * unit if number.isdigit() else 0


def _codex(home: str, root: str, env: Mapping[str, str]) -> Trigger | None:
    path = codex_config(home, env)
    config = toml(path)
    limit, window = config.get("model_auto_compact_token_limit"), config.get("model_context_window")
    # Codex reports 95 % of the configured window, and that is what its usage is measured against.
    whole = window * 95 // 100 if isinstance(window, int) else _codex_window(os.path.dirname(path))
    if not isinstance(limit, int) or not 0 < limit <= whole:
        return None
    return Trigger(limit * 100 // whole, path)


def _codex_window(folder: str) -> int:
    """The window Codex told of in its newest session; 0 where it told of none."""
    place = os.path.join(folder, "sessions")
    for _ in range(4):  # year, month, day, file
        names = sorted(os.listdir(place)) if os.path.isdir(place) else []
        if not names:
            break
        place = os.path.join(place, names[-1])
    try:
        with open(place, "rb") as file:
            file.seek(max(0, os.path.getsize(place) - _STRETCH))
            told = file.read().rpartition(b'"model_context_window":')[2]
    except OSError:
        return 0
    digits = told[:20].strip().split(b",")[0].rstrip(b"}")
    return int(digits) if digits.isdigit() else 0


_PI_RESERVE, _PI_WINDOW = 16_384, 200_000


def _pi(home: str, root: str, env: Mapping[str, str]) -> Trigger | None:
    """pi compacts when fewer tokens than its reserve are left of the model's window."""
    folder = env.get("PI_CODING_AGENT_DIR") or os.path.join(home, ".pi", "agent")
    files = [os.path.join(root, ".pi", "settings.json"), os.path.join(folder, "settings.json")]
    given = {path: _mapping(_json(path).get("compaction")) for path in files}
    if any(told.get("enabled") is False for told in given.values()):
        return None
    named = [(told["reserveTokens"], path) for path, told in given.items() if "reserveTokens" in told]
    reserve, where = named[0] if named else (_PI_RESERVE, files[1])
    window = _pi_window(folder, [_json(path) for path in files])
    if not isinstance(reserve, int) or not 0 <= reserve < window:
        return None
    return Trigger((window - reserve) * 100 // window, where)


def _pi_window(folder: str, settings: list[dict[str, Any]]) -> int:
    """The window of the model that pi is set to, where its own list of models tells."""
    model = next((told["defaultModel"] for told in settings if told.get("defaultModel")), "")
    providers = _mapping(_json(os.path.join(folder, "models.json")).get("providers"))
    for provider in providers.values():
        rows = _mapping(provider).get("models")
        for row in rows if isinstance(rows, list) else []:
            window = _mapping(row).get("contextWindow")
            if _mapping(row).get("id") == model and isinstance(window, int) and window > 0:
                return window
    return _PI_WINDOW


def _gemini(home: str, root: str, env: Mapping[str, str]) -> Trigger:
    """Its usage is measured against the share it compresses at, so that is the whole."""
    return Trigger(100, "model.compressionThreshold in .gemini/settings.json")


def codex_config(home: str, env: Mapping[str, str]) -> str:
    """Where Codex keeps its settings."""
    return os.path.join(env.get("CODEX_HOME") or os.path.join(home, ".codex"), "config.toml")


_FINDERS = {"claude-code": _claude, "codex": _codex, "pi": _pi, "gemini-cli": _gemini}


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


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
