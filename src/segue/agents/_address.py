"""Files named by address (`file:///home/me/a%20b.py`), as editors name them."""

from __future__ import annotations

import re
from typing import Any

from segue.agents._record import word
from segue.model.patterns import compiled

_ADDRESS = compiled(r"(?:file|vscode-remote)://[^/]*(/.*)", re.S)
_OTHER = compiled(r"[a-zA-Z][\w.+-]+:(?://|[^/\\])")
"""An address that names no file: a page, an unsaved text, a cell."""
_DRIVE = compiled(r"/[a-zA-Z]:(?:/|\Z)")


def path_of(value: Any) -> str:
    """The path that an address names; a path stays as it is. An address may be a record of its parts, and a
    place inside a file a record with the file's address. Empty for what is no file."""
    if isinstance(value, dict):
        value = value.get("uri") or value
    if isinstance(value, dict):
        is_file = word(value.get("scheme")) in ("file", "vscode-remote")
        return _plain(word(value.get("path"))) if is_file else ""
    address = word(value)
    if named := _ADDRESS.fullmatch(address):
        return _plain(_unescaped(named[1]))
    return "" if _OTHER.match(address) else address


def paths_in(values: Any) -> tuple[str, ...]:
    """The paths that several addresses name, each once."""
    found = (path_of(value) for value in values)
    return tuple(dict.fromkeys(path for path in found if path))


def folder_of(value: Any) -> str:
    """The same for a folder, without the slash at its end."""
    path = path_of(value)
    return path.rstrip("/") or path


def _unescaped(path: str) -> str:
    if "%" not in path:
        return path
    from urllib.parse import unquote  # 2 ms, and most paths are plain

    return unquote(path, errors="replace")


def _plain(path: str) -> str:
    """A path of Windows without the slash that an address puts before its drive."""
    return path[1:] if _DRIVE.match(path) else path
