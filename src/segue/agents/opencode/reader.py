"""OpenCode: its database, its older storage folder, and the documents of `opencode export`.

**Where**: `~/.local/share/opencode/opencode.db` (all sessions of the person; `$XDG_DATA_HOME` moves it),
before that `~/.local/share/opencode/storage/` with a file per session, message and part, and any
file written by `opencode export`. All three hold the same objects and give the same entries. Newer databases
have one row per message in `session_message`.

**Versions seen**: 1.3 (storage), 1.16 to 1.18.33 (database, export); `session_message` after its published schema.

**Quirks**

- A record is a message or one of its parts; they are counted together, in order.
- Text parts marked `synthetic` or `ignored` are OpenCode's or a plugin's words, not the person's.
- A shell command that failed is `completed` with `metadata.exit` other than 0.
- A tool still `running` or `pending` was interrupted: it has a call and no result.
- A compaction is a user message with a `compaction` part and an assistant message that holds the
  summary. An attempt that failed leaves both without text; it is carried as `other`.
- A session may have rows in the tables of both generations; what is in the older one is not told again.
- A sub-agent is a session of its own that names its parent. It is listed and can be read by its
  id; unless asked for one, the newest session that is nobody's child is read.
- After an undo the undone messages are still there; they are left out unless `--branch all` asks for them.
- The database is read without writing: see the reason in the `unreadable` entry when it is locked.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from segue.agents import _sqlite
from segue.agents._jsonl import unreadable
from segue.agents._record import At, millis, record, word
from segue.agents.contract import Home
from segue.agents.opencode import stores
from segue.agents.opencode.entries import Conversation
from segue.errors import NotFound
from segue.model.entry import Entry

AGENT = "opencode"

_EXPORT = re.compile(rb'^\s*\{\s*"info"\s*:\s*\{[^\0]{0,4096}?"(?:projectID|directory)"\s*:')
_PART_TABLE = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?[`\"\[]?part[`\"\]]?\s*\(\s*[`\"\[]?id\b", re.I)
_SESSION_KEYS = (b'"projectID"', b'"directory"', b'"time"')


def places(home: Home, cwd: str | None) -> Iterable[str]:
    data = home.env.get("XDG_DATA_HOME") or os.path.join(home.home, ".local", "share")
    folder = os.path.join(glob.escape(data), "opencode")
    return [os.path.join(folder, "opencode*.db"), os.path.join(folder, "storage")]


def sniff(path: str, head: bytes) -> int:
    if not head:
        return 95 if stores.is_storage(path) else 0
    if head.startswith(_sqlite.MAGIC):
        if os.path.basename(path).startswith("opencode"):
            return 95 if b"part" in head or b"session_message" in head else 85
        return 90 if _PART_TABLE.search(head) else 0
    if _EXPORT.match(head):
        return 95
    in_storage = os.path.basename(os.path.dirname(os.path.dirname(path))) == "session"
    return 90 if in_storage and all(key in head for key in _SESSION_KEYS) else 0


def sessions(path: str) -> Iterable[str]:
    try:
        with stores.opened(path) as store:
            return [session.id for session in store.listed()]
    except _sqlite.FAULTS:
        return []


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    return _sqlite.reported(path, _read(path, session, branch))


def _read(path: str, session: str | None, branch: str | None) -> Iterator[Entry]:
    with stores.opened(path) as store:
        listed = [] if session else store.listed()
        chosen = session or stores.newest(listed)
        try:
            stored = store.info(chosen)
        except NotFound:
            if not listed:
                raise
            # A damaged index lists what it does not find.
            yield At(path, 1).meta(id=chosen)
            yield unreadable(path, 1, 0, "the record of the newest session is damaged")
            return
        info = record(stored.value)
        meta = _meta(stored.file, info)
        yield meta
        undone_from = "" if branch == "all" else word(record(info.get("revert")).get("messageID"))
        conversation = Conversation("parent" in meta.data, meta.data.get("model", ""))
        yield from conversation.entries(store.messages(chosen), undone_from)


def _meta(file: str, info: dict[str, Any]) -> Entry:
    facts = {
        "id": info.get("id"),
        "named_by": info.get("named_by"),
        "cwd": info.get("directory"),
        "title": info.get("title"),
        "model": record(info.get("model")).get("id"),
        "agent_version": info.get("version"),
        "parent": info.get("parentID"),
    }
    at = At(file, 1, native_id=word(info.get("id")), time_ms=millis(record(info.get("time")).get("created")))
    return at.meta(**{key: word(value) for key, value in facts.items()})
