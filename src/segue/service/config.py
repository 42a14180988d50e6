"""Settings, in layers: built in < the user's file < the workspace's file < the user's file for this workspace <
environment < flags.

Every value remembers where it came from, so that `segue doctor` can say so. Each setting is one row. What lets
something through that was held back otherwise is the user's to set: a workspace's file may make it stricter, never
looser, and so may the environment of a process that an agent started.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from segue.agents.registry import HOSTS
from segue.errors import BadInput
from segue.model.value import NamedTuple
from segue.service.refusals import refusal
from segue.stores import private_files
from segue.stores.accepted import user_folder

_COUNT, _PERCENT, _DAYS = (0, 10_000_000), (1, 100), (0, 36_500)
NUMBERS: dict[str, tuple[float, float, float]] = {
    "compile.budget": (32_000, 1, 10_000_000),
    "compaction.stride_messages": (200, 1, 10_000_000),
    "handoff.budget": (4_000, 1, 10_000_000),
    "store.lock_wait_s": (10, 0, 86_400),
    "retention.transcripts_days": (90, *_DAYS),
    "retention.indexes_days": (30, *_DAYS),
    "retention.drafts_days": (30, *_DAYS),
    "retention.spool_days": (30, *_DAYS),
    "boundary.checkpoint_warning_percent": (85, *_PERCENT),
    "boundary.compact_target_percent": (92, *_PERCENT),
    "boundary.rearm_percent": (80, *_PERCENT),
    "boundary.keep_recent_tokens": (20_000, *_COUNT),
    "boundary.tail_messages": (16, *_COUNT),
    "boundary.tail_chars": (500, *_COUNT),
    "boundary.ceiling_percent": (92, *_PERCENT),
    "boundary.floor_percent": (70, *_PERCENT),
    "boundary.min_recent_messages": (24, *_COUNT),
    "model_window": (90_000, 4_000, 100_000_000),
    "model_most_tokens": (1_000_000, 0, 1_000_000_000),
    "model_most_usd": (5.0, 0, 100_000),
}
"""The settings that are numbers: the default, and from and to, both included."""
DEFAULTS: dict[str, Any] = {
    **{name: default for name, (default, _, _) in NUMBERS.items()},
    "handoff.preset": "implement",
    "handoff.repo": True,
    "boundary.policy": "auto_compact",
    "boundary.emergency_auto_handoff": False,
    "boundary.approval": "ask",
    "boundary.maintenance": True,
    **{f"clearance.{agent}": "private" for agent in HOSTS},
    "clearance.generic": "private",
    "clearance.mcp": "team",
    "clearance.server": "team",
    "model": "",
}

_CLEARANCES = ("public", "team", "private")
STRICT_TO_LOOSE: dict[str, tuple[Any, ...]] = {
    "boundary.approval": ("ask", "auto"),
    "boundary.emergency_auto_handoff": (False, True),
    **{name: _CLEARANCES for name in DEFAULTS if name.startswith("clearance.")},
}
"""Settings that let something through, with their values from the strictest on."""
_CEILINGS = ("model_most_tokens", "model_most_usd")
"""Numbers that let more through the higher they are."""
_PER_WORKSPACE = "workspaces"
"""Where the user's file has settings for single workspaces, by path."""


class Setting(NamedTuple):
    value: Any
    source: str


class Config:
    """The effective settings."""

    def __init__(
        self,
        settings: dict[str, Setting],
        unknown: list[tuple[str, str]],
        loosening: list[tuple[str, str]],
    ) -> None:
        self.settings = settings
        self.unknown = unknown
        """(name, source) of settings nobody reads: usually a spelling mistake."""
        self.loosening = loosening
        """(name, source) of settings that do not count, for they would let more through and are not the user's."""

    def __getitem__(self, name: str) -> Any:
        return self.settings[name].value

    def model_meant(self, flag: str | None = None) -> str:
        """The name of the model: by the flag, also an empty one, else the environment or the user's own settings."""
        return str(self["model"]) if flag is None else flag


def load(folder: str, env: Mapping[str, str] | None = None, for_agent: bool = False) -> Config:
    """The settings that hold for a workspace folder; `for_agent` in a process that an agent's program starts for itself,
    which its environment need not tell."""
    env = os.environ if env is None else env
    settings = {name: Setting(value, "default") for name, value in DEFAULTS.items()}
    unknown: list[tuple[str, str]] = []
    loosening: list[tuple[str, str]] = []
    own, theirs = os.path.join(user_folder(env), "config.json"), os.path.join(folder, "config.json")
    user = _read(own, _read_file)
    here = _for_workspace(user.pop(_PER_WORKSPACE, {}), os.path.dirname(folder), own)
    for given, path in ((user, own), (_read(theirs, private_files.read), theirs), (here, own)):
        for name, value in _flat(given):
            if name not in DEFAULTS:
                unknown.append((name, path))
            elif _loosens(name, value, settings[name].value) and (path == theirs or not is_users(env)):
                loosening.append((name, path))
            else:
                settings[name] = Setting(_checked_value(name, value, path), path)
    for name in DEFAULTS:
        variable = "SEGUE_" + name.replace(".", "_").replace("-", "_").upper()
        if variable not in env:
            continue
        from segue.agents import inside  # 1 ms, and few settings are in the environment

        value = _parsed(name, env[variable], variable)
        if _loosens(name, value, settings[name].value) and (for_agent or inside.around(env)):
            loosening.append((name, variable))
        else:
            settings[name] = Setting(value, variable)
    return Config(settings, unknown, loosening)


def is_users(env: Mapping[str, str]) -> bool:
    """Whether the user's folder is the user's: below an agent only the one which the agent was started with."""
    from segue.agents import inside

    given = inside.given_by_agent()
    return given is None or user_folder(given) == user_folder(env)


def _loosens(name: str, value: Any, held: Any) -> bool:
    """True for a value that lets more through than the one held. Words that nobody knows count as the strictest; to name
    a model, or another one, is to let a session go there."""
    if name == "model":
        return value not in ("", held)
    if name in _CEILINGS:
        return type(value) in (int, float) and value > held
    order = STRICT_TO_LOOSE.get(name, ())
    return value in order and order.index(value) > (order.index(held) if held in order else 0)


def _for_workspace(sections: Any, root: str, path: str) -> dict[str, Any]:
    """What the user's file sets for one workspace."""
    if not isinstance(sections, dict):
        raise refusal("settings-no-object", name=_PER_WORKSPACE, path=path)
    real = os.path.realpath(root)
    found = [given for place, given in sections.items() if os.path.realpath(place) == real]
    return found[0] if found and isinstance(found[0], dict) else {}


def _read_file(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(private_files.LARGEST)


def _read(path: str, contents: Callable[[str], bytes]) -> dict[str, Any]:
    try:
        data = contents(path)
        import json  # 1 ms, and hardly anybody has such a file

        value = json.loads(data)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as fault:
        raise refusal("settings-unreadable", path=path, why=fault) from None
    if not isinstance(value, dict):
        raise BadInput(f"The settings in {path} are not a JSON object.", "Mend or delete the file.")
    return value


def _flat(value: dict[str, Any]) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for section, inner in value.items():
        if isinstance(inner, dict):
            rows += [(f"{section}.{name}", setting) for name, setting in inner.items()]
        else:
            rows.append((section, inner))
    return rows


def _checked_value(name: str, value: Any, source: str) -> Any:
    wanted = type(DEFAULTS[name])
    if wanted is float and type(value) is int:
        value = float(value)
    if type(value) is not wanted:
        raise BadInput(f"{name} in {source} must be {_WORD[wanted]}, not {value!r}.", _otherwise(name))
    return _within(name, value, f"{name} in {source}")


def _parsed(name: str, text: str, source: str) -> Any:
    wanted = type(DEFAULTS[name])
    if wanted is str:
        return text
    if wanted is bool and text.lower() in ("1", "true", "yes", "0", "false", "no"):
        return text.lower() in ("1", "true", "yes")
    if wanted is int and text.removeprefix("-").isdecimal() and len(text) <= _DIGITS:
        return _within(name, int(text), source)
    with suppress(ValueError):
        if wanted is float and len(text) <= _DIGITS:
            return _within(name, float(text), source)
    raise BadInput(f"{source} must be {_WORD[wanted]}, not {text[:80]!r}.", _otherwise(name))


def _within(name: str, value: Any, called: str) -> Any:
    _, low, high = NUMBERS.get(name, (value, value, value))
    if not low <= value <= high:  # a NaN neither
        raise BadInput(f"{called} must lie between {low:,} and {high:,}.", _otherwise(name))
    return value


def _otherwise(name: str) -> str:
    return f"Without it, {name} is {DEFAULTS[name]!r}."


_DIGITS = 20
_WORD = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
