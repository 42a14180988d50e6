"""GitHub Copilot in VS Code: the chats that the editor keeps for each of its windows.

**Where**: `<VS Code's data>/User/workspaceStorage/<window>/chatSessions/<id>.jsonl`, before 1.109 `.json`, and
`globalStorage/emptyWindowChatSessions/` of windows without a folder; VS Code's data is `~/.config/Code`,
`~/Library/Application Support/Code` or `AppData\\Roaming\\Code`, the same of Insiders and VSCodium. A chat with a remote
machine lies on the side of the window; on the remote side only what the extension itself writes,
`~/.vscode-server/data/User/workspaceStorage/<window>/GitHub.copilot-chat/transcripts/<id>.jsonl`, is found. Beside the
chats of an editor that runs here the same transcripts lie, too: they are read when named, and not listed twice.
What *Chat: Export Chat* writes is read as well.

**Versions seen**: extension 0.31.5 (document), 0.37.1 (log), 0.47.0 (transcript); the rest after VS Code's published types.

**Quirks**

- A `.jsonl` of the editor's is no list of records but a log of changes to one document; an entry's `line` is the number
  of its request, from 1. A transcript is one event per line, as of Copilot CLI, and is told the same way.
- The folder is that of the window (`workspace.json`); where that is not beside the file, the one an answer shows, and of
  a transcript the one its first event names, which older ones do not. A window of several folders says none: its chats
  belong to each of them.
- A request and its answer are one object. What the model said, called and was shown is recorded when the answer is
  over; one that was cut short is told by what was on the screen, where calls of many tools show no arguments.
- Calls have one id for the model and mostly another for the editor; they are paired by tool and order.
- Only requests and newer rounds bear times; the rest has that of its request.
- A call that the person denied or skipped is refused, and so is an edit that was undone before the next request. An edit
  undone after the last one is told as made: what was kept since is not in this file.
- A document that was stored while an answer was under way calls it cancelled, as it calls one that the person stopped.
- Requests taken back by restoring a checkpoint are left out unless `--branch all`.
- Tokens are those of the last call of the model in each answer.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from itertools import product

from segue.agents._address import folder_of, path_of
from segue.agents._document import parse
from segue.agents._record import first_id, record, records
from segue.agents.contract import Home
from segue.model.entry import Entry

AGENT = "copilot-vscode"

LOG = re.compile(rb'\s*\{\s*"kind"\s*:\s*[0-3]\s*,\s*"[vk]"\s*:')
_STARTS = re.compile(rb'\s*\{\s*"type"\s*:\s*"session\.start"')
_STORAGE = "workspaceStorage"
_CHATS = os.path.join("chatSessions", "*.json*")
_TRANSCRIPTS = os.path.join("GitHub.copilot-chat", "transcripts", "*.jsonl")
_EMPTY = os.path.join("globalStorage", "emptyWindowChatSessions", "*.json*")
_EDITORS = ("Code", "Code - Insiders", "VSCodium")
_SETTINGS = (".config", os.path.join("Library", "Application Support"), os.path.join("AppData", "Roaming"))
_SERVERS = (".vscode-server", ".vscode-server-insiders", ".vscodium-server")
_LIMIT = 1 << 20
"""Bytes of a file that names folders."""
_SIGNS = (b'"responderUsername"', b'"requesterUsername"', b'"requestId"', b'"initialLocation"')


def places(home: Home, cwd: str | None) -> Iterable[str]:
    """Patterns of the sessions of an editor that runs here; with `cwd` of its windows that show that folder."""
    root = glob.escape(home.home)
    for settings, editor in product(_SETTINGS, _EDITORS):
        user = os.path.join(root, settings, editor, "User")
        yield from _within(os.path.join(user, _STORAGE), _CHATS, cwd)
        if cwd is None:
            yield os.path.join(user, _EMPTY)
    for server in _SERVERS:
        # The editor keeps its chats where its window is; here are only the transcripts of the remote side.
        yield from _within(os.path.join(root, server, "data", "User", _STORAGE), _TRANSCRIPTS, cwd)


def sniff(path: str, head: bytes) -> int:
    if _STARTS.match(head):
        return 100 if b'"vscodeVersion"' in head.split(b"\n", 1)[0] else 0
    signs = sum(sign in head for sign in _SIGNS)
    if LOG.match(head):
        return 100 if signs > 1 else 90 if "/chatSessions/" in path else 0
    return 100 if signs > 1 and head.lstrip().startswith(b"{") and b'"requests"' in head else 0


def sessions(path: str) -> Iterable[str]:
    """One, unless nothing was said in it yet: the editor keeps a draft like a chat."""
    entries = read(path)
    found = first_id(entries)
    return found if next(entries, None) else ()


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    from segue.agents.copilot_vscode.story import entries  # 3 ms, and every list asks for the places

    return entries(path, branch)


def folders_of(path: str) -> list[str]:
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
