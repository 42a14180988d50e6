"""Gemini CLI: the JSON chats of its first years and the mutation logs written since 0.40.

**Where**: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.json` or `.jsonl`; `<project>` is the
sha256 of the project's path or, newer, a name made of its folder's, and then a file `.project_root`
in it holds the path. Sub-agents of a session lie in a folder of the session's id beside it.

**Versions seen**: 0.23 (JSON), 0.40 and 0.61 (log).

**Quirks**

- A log line is the session's head, a message, a `$set` of some fields, or a `$rewindTo`.
- A message is written again under its id when its tool calls finish. The last writing counts, and
  it stands where the first one stood.
- `$rewindTo` takes back a message and all after it; they are left out unless `--branch` is `all` or
  the id of a message taken back.
- `$set.messages` repeats the conversation, often under new ids. Only what is new in it is read: the
  project's context at the start, and after a compression the summary, which makes the boundary.
- What the person typed is `displayContent` where there is one; files pulled in by `@`, hook output
  and the project's context are marked as the harness's.
- A command's exit code stands in its output text. Its status is `success` even when it failed.
"""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from segue.agents import _document, _jsonl
from segue.agents._record import At, by_file, items, millis, record, word
from segue.agents.contract import Home
from segue.agents.gemini_cli.entries import Conversation
from segue.agents.gemini_cli.log import replay
from segue.model.entry import Entry

AGENT = "gemini-cli"

_GEMINI_MESSAGE = re.compile(rb'"type"\s*:\s*"gemini"')
_FIRST_IS_MESSAGE = re.compile(rb'^\s*\{\s*"id"\s*:\s*"[^"]+"\s*,\s*"timestamp"')
_NAME = re.compile(r"[^a-z0-9]+")


def places(home: Home, cwd: str | None) -> Iterable[str]:
    folder = os.path.join(glob.escape(home.env.get("GEMINI_CLI_HOME") or home.home), ".gemini", "tmp")
    projects = [os.path.join(folder, "*")] if cwd is None else list(_projects(folder, cwd))
    return [os.path.join(project, "chats", "**", "*.json*") for project in projects]


def _projects(folder: str, cwd: str) -> Iterator[str]:
    """The folders of a project: by its hash, and those of its name that are not noted as another's."""
    yield os.path.join(folder, hashlib.sha256(cwd.encode("utf-8", "replace")).hexdigest())
    name = _NAME.sub("-", os.path.basename(cwd).lower()).strip("-")
    if not name:
        return
    yield from (
        glob.escape(named) for named in glob.glob(os.path.join(folder, name)) if _root(named) in ("", cwd)
    )
    yield from (
        glob.escape(named) for named in glob.glob(os.path.join(folder, f"{name}-*")) if _root(named) == cwd
    )


def sniff(path: str, head: bytes) -> int:
    if b'"sessionId"' in head and b'"projectHash"' in head:
        return 95
    return 80 if _FIRST_IS_MESSAGE.match(head) and _GEMINI_MESSAGE.search(head) else 0


def sessions(path: str) -> Iterable[str]:
    return [_named(path)["id"]]


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    yield At(path, 1).entry("meta", by="harness", data={**_named(path), **_project(path)})
    conversation = Conversation()
    if _is_log(path):
        steps: Iterable[tuple[At, Any]] = replay(path, branch)
    else:
        steps = _messages(path)
    for at, value in steps:
        if isinstance(value, Entry):
            yield value
        else:
            yield from conversation.step(at, record(value))


def _named(path: str) -> dict[str, str]:
    found = re.search(rb'"sessionId"\s*:\s*"([^"]{1,200})"', _jsonl.head(path))
    return {"id": found[1].decode("utf-8", "replace")} if found else by_file(path)


def _messages(path: str) -> Iterator[tuple[At, Any]]:
    document = _document.load(path)
    chat = record(document.value)
    yield At(path, 1, time_ms=millis(chat.get("startTime"))), {"$set": {**chat, "messages": None}}
    for number, message in enumerate(items(chat.get("messages")), 1):
        yield At(path, number, native_id=word(record(message).get("id"))), message
    if document.flaw:
        yield At(path, 1), document.flaw


def _is_log(path: str) -> bool:
    """By what the file holds, as a copy may have any name. Each line of a log is a record, none of them the whole
    chat; the first line may be damaged, and then the second tells."""
    first, _, rest = _jsonl.opening(path).strip().partition(b"\n")
    try:
        return "messages" not in record(_jsonl.any_json(first))
    except (ValueError, RecursionError):
        return rest.lstrip().startswith(b"{") if rest else b'"messages"' not in first


def _project(path: str) -> dict[str, str]:
    """The project's folder, as Gemini CLI notes it two folders above the chat."""
    cwd = _root(os.path.dirname(os.path.dirname(path)))
    return {"cwd": cwd} if cwd else {}


def _root(folder: str) -> str:
    """The project that a folder of chats is noted to be of; empty where nothing is noted."""
    try:
        with open(os.path.join(folder, ".project_root"), encoding="utf-8", errors="replace") as file:
            return file.read(4096).strip()
    except OSError:
        return ""
