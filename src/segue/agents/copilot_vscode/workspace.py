"""Where VS Code keeps what belongs to a window, and which folders that window shows."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from itertools import product

from segue.agents._address import folder_of, path_of
from segue.agents._document import parse
from segue.agents._record import record, records
from segue.agents.contract import Home

STORAGE = "workspaceStorage"
CHATS = os.path.join("chatSessions", "*.json*")
TRANSCRIPTS = os.path.join("GitHub.copilot-chat", "transcripts", "*.jsonl")
_EMPTY = os.path.join("globalStorage", "emptyWindowChatSessions", "*.json*")
_EDITORS = ("Code", "Code - Insiders", "VSCodium")
_SETTINGS = (".config", os.path.join("Library", "Application Support"), os.path.join("AppData", "Roaming"))
_SERVERS = (".vscode-server", ".vscode-server-insiders", ".vscodium-server")
_LIMIT = 1 << 20
"""Bytes of a file that names folders."""


def chats(home: Home, cwd: str | None) -> Iterator[str]:
    """Patterns of the sessions of an editor that runs here; with `cwd` of its windows that show that folder."""
    root = glob.escape(home.home)
    for settings, editor in product(_SETTINGS, _EDITORS):
        user = os.path.join(root, settings, editor, "User")
        yield from _within(os.path.join(user, STORAGE), CHATS, cwd)
        if cwd is None:
            yield os.path.join(user, _EMPTY)
    for server in _SERVERS:
        # The editor keeps its chats where its window is; here are only the transcripts of the remote side.
        yield from _within(os.path.join(root, server, "data", "User", STORAGE), TRANSCRIPTS, cwd)


def folders(path: str) -> list[str]:
    """The folders of the window that a session file belongs to; none where nothing says so."""
    above = os.path.dirname(os.path.dirname(path))
    return list(_folders(above)) or list(_folders(os.path.dirname(above)))


def _within(storage: str, files: str, cwd: str | None) -> Iterator[str]:
    if cwd is None:
        yield os.path.join(storage, "*", files)
        return
    for known in glob.iglob(os.path.join(storage, "*", "workspace.json")):
        place = os.path.dirname(known)
        if cwd in _folders(place):
            yield os.path.join(glob.escape(place), files)


def _folders(place: str) -> Iterator[str]:
    """The folders of a window: one, or those of a workspace file, which may have been moved since."""
    window = _decoded(os.path.join(place, "workspace.json"))
    if only := folder_of(window.get("folder")):
        yield only
    workspace = path_of(window.get("workspace") or window.get("configuration"))
    if workspace:
        for listed in records(_decoded(workspace).get("folders")):
            named = path_of(listed.get("path")) or folder_of(listed.get("uri"))
            if named:
                yield os.path.normpath(os.path.join(os.path.dirname(workspace), named))


def _decoded(path: str) -> dict[str, object]:
    try:
        with open(path, "rb") as file:
            return record(parse(path, file.read(_LIMIT)).value)
    except (OSError, ValueError):
        return {}
