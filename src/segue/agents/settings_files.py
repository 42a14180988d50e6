"""What other programs write, read as far as it can be: what is missing or broken says nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def json_object(*parts: str) -> dict[str, Any]:
    """The JSON object in a file, with lines of comments as Copilot CLI writes them; nothing for anything else."""
    import json  # 3 ms, which a hook has paid already

    try:
        with open(os.path.join(*parts), encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if not line.lstrip().startswith("//")]
        return mapping(json.loads("".join(lines)))
    except (OSError, ValueError, RecursionError):
        return {}


def toml(path: str) -> dict[str, Any]:
    """The settings in a TOML file; none where it cannot be read."""
    import tomllib  # 3 ms, and few ask

    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except (OSError, ValueError, RecursionError):
        return {}


def mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def nearest(decided: Mapping[str, Any], root: str) -> Any:
    """What was decided for a directory or the nearest one above it; None where nothing was."""
    known = {os.path.realpath(place): what for place, what in decided.items() if what is not None}
    while root not in known and os.path.dirname(root) != root:
        root = os.path.dirname(root)
    return known.get(root)


def folder(base: str, project: bool, env: Mapping[str, str], variable: str, name: str) -> str:
    """The folder of an agent's settings: in a project by its name, in a home where a variable moves it."""
    return os.path.join(base, name) if project else env.get(variable) or os.path.join(base, name)


def total(usage: Any, *names: str) -> int:
    """The sum of some numbers of a record; 0 for what is none."""
    return sum(value for name in names if isinstance(value := mapping(usage).get(name), int))


def record(line: bytes | str) -> dict[str, Any]:
    """The JSON object in some bytes, such as a line of a transcript; nothing for anything else."""
    import json

    try:
        return mapping(json.loads(line))
    except (ValueError, RecursionError):
        return {}
