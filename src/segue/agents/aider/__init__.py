"""Aider: the chat history it keeps in a project.

**Where**: `.aider.chat.history.md` in the root of the repository, or where the command was started; the
option `--chat-history-file` moves it.

**Versions seen**: 0.47 to 0.50 of 2024, and the transcripts of 2023 on its website.

**Quirks**

- One file holds all chats of a project, one after the other; a chat's id is the local time it was
  started at. There are no other times, ids or exit codes. Unless asked for one, the newest chat in
  which the person said something is read: starts that only lint or commit leave an empty one.
- Lines that begin with `#### ` are the person's, also when a prompt has many lines; lines that begin
  with `> ` are Aider's own console; the rest is the model. A line counts as the model's while one
  of its SEARCH/REPLACE blocks is open.
- Lint and test output that Aider sends on its own looks like a prompt; it is marked as output.
- Edits are SEARCH/REPLACE blocks, named by the path above them. `Applied edit to` or `SEARCH block
  failed to exactly match lines in` tells how they went. Edits in other formats are known only from
  `Applied edit to`.
- `/run`, `/test`, `/git` and `!` are the person's own commands; the console lines below are the output.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator

from segue.agents._jsonl import damaged
from segue.agents._record import At, by_file, millis, stem
from segue.agents.aider.entries import Chat
from segue.agents.aider.segments import chats, segments
from segue.agents.contract import Home
from segue.errors import NotFound
from segue.model.entry import Entry

AGENT = "aider"

NAME = ".aider.chat.history.md"


def places(home: Home, cwd: str | None) -> Iterable[str]:
    moved = home.env.get("AIDER_CHAT_HISTORY_FILE")
    if moved:
        yield glob.escape(moved)
    folder = cwd or home.home
    yield os.path.join(glob.escape(folder), NAME)
    while cwd and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        yield os.path.join(glob.escape(folder), NAME)


def sniff(path: str, head: bytes) -> int:
    if os.path.basename(path) == NAME or b"\n# aider chat started at " in b"\n" + head:
        return 98 if head else 0
    return 85 if b'class="chat-transcript"' in head and b"\n#### " in head else 0


def sessions(path: str) -> Iterable[str]:
    return [chat.id for chat in chats(path)]


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    known = chats(path)
    talked = [chat for chat in known if chat.prompts] or known
    wanted = next((chat for chat in known if chat.id == session), None) if session else talked[-1]
    if wanted is None:
        raise NotFound(
            f"There is no chat {session!r} in {path}.", "List them: segue sessions list --agent aider"
        )
    data = by_file(path) if wanted.id == stem(path) else {"id": wanted.id, "named_by": "time"}
    if os.path.basename(path) == NAME:
        data["cwd"] = os.path.dirname(os.path.abspath(path))
    at = At(path, wanted.line, wanted.offset, time_ms=millis(wanted.id))
    yield at.meta(**data)
    yield from Chat(path).entries(segments(path, wanted))
    yield from damaged(path, wanted.offset, wanted.end)
