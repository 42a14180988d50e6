"""Our entries in a host's settings, a JSON file that belongs to others: put in, and taken out again.

Nothing but our own entries is touched; the file keeps its indentation and its last line end.
"""

from __future__ import annotations

import json
import shlex
from typing import Any

from segue.agents import integrations
from segue.agents.host import Settings
from segue.agents.registry import host_of
from segue.agents.settings_files import record
from segue.errors import BadInput, SegueError
from segue.model.marks import SERVER
from segue.service.install.table import with_server, without_server
from segue.service.refusals import refusal

SERVERS = "mcpServers"
"""The object that holds MCP servers in every host with JSON settings that segue edits."""


def with_us(
    agent: str, settings: Settings, path: str, before: bytes | None, command: list[str], server: list[str]
) -> bytes:
    """The settings with our groups at the end of each event's list, and our server among the servers."""
    if path.endswith(".toml"):
        return with_server(path, before, server)
    value = parsed(path, before)
    changed = _add_hooks(agent, settings, path, value, shlex.join(command)) if settings.hooks else False
    if settings.server:
        changed = _add_server(agent, path, value, server) or changed
    return _dumped(value, before) if changed or before is None else before


def _add_hooks(agent: str, settings: Settings, path: str, value: dict[str, Any], words: str) -> bool:
    hooks, events = value.setdefault("hooks", {}), host_of(agent).events
    if not isinstance(hooks, dict) or not all(isinstance(hooks.get(event, []), list) for event in events):
        raise _unknown("hooks", path)
    changed = False
    for event in events:
        groups = hooks.setdefault(event, [])
        ours = integrations.hook_entry(agent, event, words, settings.timeout)
        if [group for group in groups if integrations.is_ours(group, agent)] != [ours]:
            hooks[event] = [group for group in groups if not integrations.is_ours(group, agent)] + [ours]
            changed = True
    return changed


def _add_server(agent: str, path: str, value: dict[str, Any], server: list[str]) -> bool:
    """True when our server was added or brought up to date. One of that name that is not ours stays."""
    servers = value.setdefault(SERVERS, {})
    if not isinstance(servers, dict):
        raise _unknown("MCP servers", path)
    ours, found = integrations.server_entry(agent, server), servers.get(SERVER)
    if found == ours or (found is not None and not integrations.is_our_server(found)):
        return False
    servers[SERVER] = ours
    return True


def _unknown(what: str, path: str) -> SegueError:
    return refusal("strange-settings", what=what, path=path)


def without_us(path: str, now: bytes, original: bytes | None, agent: str) -> bytes | None:
    """Edited settings without our entries; None when nothing is left of a file that we made."""
    if path.endswith(".toml"):
        return without_server(now, original)
    value, before = record(now), record(original or b"")
    removed = [_remove_hooks(value, before, agent), _remove_server(value, before)]
    if not any(removed):
        return now
    return _dumped(value, now) if value or original is not None else None


def _remove_server(value: dict[str, Any], before: dict[str, Any]) -> bool:
    servers = value.get(SERVERS)
    if not isinstance(servers, dict) or not integrations.is_our_server(servers.get(SERVER)):
        return False
    del servers[SERVER]
    if not servers and before.get(SERVERS) != {}:
        del value[SERVERS]
    return True


def _remove_hooks(value: dict[str, Any], before: dict[str, Any], agent: str) -> bool:
    found = value.get("hooks")
    hooks: dict[str, Any] = found if isinstance(found, dict) else {}
    known = before.get("hooks")
    had: dict[str, Any] = known if isinstance(known, dict) else {}
    removed = False
    for event, groups in list(hooks.items()):
        if not isinstance(groups, list):
            continue
        kept = [group for group in groups if not integrations.is_ours(group, agent)]
        if len(kept) == len(groups):
            continue
        removed = True
        hooks[event] = kept
        if not kept and had.get(event) != []:
            del hooks[event]
    if removed and not hooks and known != {}:
        del value["hooks"]
    return removed


def parsed(path: str, data: bytes | None) -> dict[str, Any]:
    """The JSON object in a file; an empty one for a file that is not there."""
    if data is None or not data.strip():
        return {}
    try:
        value = json.loads(data)
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError) as fault:
        raise BadInput(f"{path} is not JSON: {fault}.", "Mend the file; nothing was changed.") from None
    if not isinstance(value, dict):
        raise BadInput(f"{path} does not hold a JSON object.", "Mend the file; nothing was changed.")
    return value


def _dumped(value: dict[str, Any], before: bytes | None) -> bytes:
    """JSON in the manner of what was there: its indentation and its last line end."""
    indent: int | str = 2
    for line in (before or b"").decode(errors="replace").splitlines():
        space = line[: len(line) - len(line.lstrip())]
        if space and line.strip().startswith('"'):
            indent = space if "\t" in space else len(space)
            break
    end = "" if before and not before.endswith(b"\n") else "\n"
    try:
        return (json.dumps(value, indent=indent, ensure_ascii=False) + end).encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which only an escape can write
        return (json.dumps(value, indent=indent) + end).encode()
