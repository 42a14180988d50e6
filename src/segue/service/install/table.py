"""Our MCP server in a host's TOML settings: one table at the end of the file, and nothing else touched.

TOML is edited as text, since writing it anew would lose comments and order; what comes out is read again before it is
believed.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from segue.agents.integrations import is_our_server
from segue.errors import BadInput
from segue.model.marks import SERVER

_TABLE = re.compile(rf"(?m)^\[mcp_servers\.{SERVER}\][ \t]*\r?\n(?:(?!\s*\[).*(?:\n|\Z))*")


def with_server(path: str, before: bytes | None, words: list[str]) -> bytes:
    """The settings with our table. One of that name that is not ours stays."""
    entry = {"command": words[0], "args": words[1:]}
    found = _servers(_parsed(path, before)).get(SERVER)
    if before is not None and (found == entry or (found is not None and not is_our_server(found))):
        return before
    text = _TABLE.sub("", (before or b"").decode())
    end = "" if not text or text.endswith("\n") else "\n"
    gap = "\n" if text.strip() else ""
    lines = "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in entry.items())
    after = f"{text}{end}{gap}[mcp_servers.{SERVER}]\n{lines}".encode()
    if _servers(_parsed(path, after)).get(SERVER) != entry:
        raise _unknown(path)
    return after


def without_server(now: bytes, original: bytes | None) -> bytes | None:
    """Edited settings without our table; None when nothing is left of a file that we made."""
    try:
        if not is_our_server(_servers(tomllib.loads(now.decode())).get(SERVER)):
            return now
        text = _TABLE.sub("", now.decode())
        if SERVER in _servers(tomllib.loads(text)):
            return now
    except ValueError:
        return now
    return text.encode() if text.strip() or original is not None else None


def _servers(value: dict[str, Any]) -> dict[str, Any]:
    found = value.get("mcp_servers")
    return found if isinstance(found, dict) else {}


def _parsed(path: str, data: bytes | None) -> dict[str, Any]:
    try:
        return tomllib.loads((data or b"").decode())
    except ValueError:
        raise _unknown(path) from None


def _unknown(path: str) -> BadInput:
    return BadInput(f"{path} is not in a form segue can add to.", "Mend the file; nothing was changed.")
