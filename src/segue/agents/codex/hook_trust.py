"""Which of our hooks Codex will not run: it asks the person once for each, and again when one changes.

Its `config.toml` keeps, per hook, the hash of what was accepted: sha256 over the canonical JSON of the event and its
handlers. A state in another form is believed, since a newer Codex may count otherwise.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from segue.agents.integrations import is_ours
from segue.agents.settings_files import json_object, mapping, toml

NEW, CHANGED, OFF = "never accepted", "changed since you accepted it", "switched off"
_LONGEST = {"session_end": 3}
"""Seconds that Codex gives an event at most, whatever its entry says; the hash is made after that."""
_HASH = re.compile(r"sha256:[0-9a-f]{64}")


def untrusted(hooks_path: str, config_path: str) -> dict[str, str]:
    """Event and reason of each hook of ours in a `hooks.json` that Codex will pass over in silence."""
    state = mapping(mapping(toml(config_path).get("hooks")).get("state"))
    found: dict[str, str] = {}
    for event, groups in mapping(json_object(hooks_path).get("hooks")).items():
        for place, group in enumerate(groups if isinstance(groups, list) else []):
            if is_ours(group, "codex"):
                row = mapping(state.get(f"{hooks_path}:{_snake(event)}:{place}:0"))
                reason = _reason(row, trusted_hash(event, group["hooks"][0]))
                found |= {event: reason} if reason else {}
    return found


def trusted_hash(event: str, handler: Mapping[str, Any]) -> str:
    """What Codex writes down when a person accepts this handler."""
    name = _snake(event)
    timeout = min(handler.get("timeout", 600), _LONGEST.get(name, 1 << 30))
    counted = {"type": "command", "command": handler["command"], "timeout": timeout, "async": False}
    told = json.dumps(
        {"event_name": name, "hooks": [counted]}, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return f"sha256:{hashlib.sha256(told.encode()).hexdigest()}"


def _reason(row: Mapping[str, Any], wanted: str) -> str:
    accepted = str(row.get("trusted_hash") or "")
    if not accepted:
        return NEW
    if row.get("enabled") is False:
        return OFF
    return CHANGED if _HASH.fullmatch(accepted) and accepted != wanted else ""


def _snake(event: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in event).lstrip("_")
