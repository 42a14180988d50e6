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

import re
from collections.abc import Iterable, Iterator

from segue.agents._session_name import told_id
from segue.agents.contract import Home
from segue.agents.copilot_vscode.workspace import chats
from segue.model.entry import Entry

AGENT = "copilot-vscode"

LOG = re.compile(rb'\s*\{\s*"kind"\s*:\s*[0-3]\s*,\s*"[vk]"\s*:')
_STARTS = re.compile(rb'\s*\{\s*"type"\s*:\s*"session\.start"')
_SIGNS = (b'"responderUsername"', b'"requesterUsername"', b'"requestId"', b'"initialLocation"')


def places(home: Home, cwd: str | None) -> Iterable[str]:
    return chats(home, cwd)


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
    found = told_id(entries)
    return found if next(entries, None) else ()


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    from segue.agents.copilot_vscode.reading import entries  # 3 ms, and every list asks for the places

    return entries(path, branch)
