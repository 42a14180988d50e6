"""Qwen Code: one file per session, a chain of records with Gemini's parts.

**Where**: `~/.qwen/projects/<folder with dashes for slashes>/chats/<id>.jsonl`, older ones
`~/.qwen/tmp/<hash>/chats/<id>.jsonl`.

**Versions seen**: 0.21.13.

**Quirks**

- Every record names its parent. A rewind goes on from an earlier record and leaves the abandoned part in the file;
  the branch in use is told, `--branch` picks another by a record's id, or `all`.
- One reply may be written on two lines that share one id: its thought first, then its text and calls.
- What hooks add to a prompt is a part of the same message, and the harness's. Background notices come as user
  records. A message sent while the agent worked is the person's (`via` queued).
- `status` of a result tells success, error or cancelled; exit codes of commands stand in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from segue.agents import _jsonl
from segue.agents._record import (
    by_file,
    code,
    exit_status,
    first_id,
    items,
    record,
    records,
    whole,
    word,
    words,
)
from segue.agents._toolcall import kinds
from segue.agents._tree import EVERYTHING
from segue.agents._tree import branch as branch_of
from segue.agents._writer import EntryWriter
from segue.agents.contract import Home
from segue.model.entry import Entry, Usage

AGENT = "qwen-code"

KINDS = kinds(
    shell="run_shell_command",
    read="read_file read_many_files",
    write="write_file",
    edit="edit replace",
    search="grep_search search_file_content glob list_directory",
    web="web_search google_web_search web_fetch",
    task="task",
    todo="todo_write",
)
_SILENT = frozenset(("ui_telemetry", "rewind"))
_NEVER_A_TIP = frozenset(("session_artifact_snapshot",))
"""Records beside the conversation: nothing goes on from them."""
_FACTS = {"id": "sessionId", "cwd": "cwd", "branch": "gitBranch", "agent_version": "version"}
_HOOK = re.compile(r"<qwen:([\w-]{1,80})>")
_EXITED = re.compile(r"^Exit Code: (-?\d+)\s*$", re.M)


class _Link(msgspec.Struct, gc=False, rename="camel"):
    """A record's place in the tree: every record is looked at twice, and decoding little is fast."""

    uuid: str | None = None
    parent_uuid: str | None = None
    subtype: str | None = None


_link = msgspec.json.Decoder(_Link).decode
_PARTS = re.compile(rb'"parts"\s*:\s*\[')
_LINE = re.compile(rb'"(?:uuid|sessionId)"\s*:\s*"')
_OWN_TYPES = re.compile(rb'"subtype"\s*:\s*"(?:ui_telemetry|slash_command|rewind|chat_compression)"')


def places(home: Home, cwd: str | None) -> Iterable[str]:
    return (f"{home.home}/.qwen/projects/*/chats/*.jsonl", f"{home.home}/.qwen/tmp/*/chats/*.jsonl")


def sniff(path: str, head: bytes) -> int:
    if not head.lstrip().startswith(b"{") or not _LINE.search(head) or b'"parentUuid"' not in head:
        return 0
    if not _PARTS.search(head) and not _OWN_TYPES.search(head):
        return 0
    return 100 if "/.qwen/" in path else 90


def sessions(path: str) -> Iterable[str]:
    return first_id(read(path, branch="all"))


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    wanted = EVERYTHING if branch == "all" else branch_of(_links(path), branch)
    writer = EntryWriter(path)
    story = _Story(writer)
    for line, offset, value in _jsonl.records(path):
        if not story.opened and (isinstance(value, Entry) or not value.get("sessionId") or _is_aside(value)):
            story.open(by_file(path))
        if isinstance(value, Entry):
            writer.add_foreign(line, offset, value)
        elif wanted.has(word(value.get("uuid"))):
            writer.start_record(line, offset, value.get("timestamp"), word(value.get("uuid")))
            story.add_record(value)
        yield from writer.flush()


def _is_aside(value: dict[str, Any]) -> bool:
    return word(value.get("subtype")) in _NEVER_A_TIP


def _links(path: str) -> Iterator[tuple[str, str]]:
    for _, _, value in _jsonl.records(path, _link):
        if isinstance(value, _Link) and value.uuid and value.subtype not in _NEVER_A_TIP:
            yield value.uuid, value.parent_uuid or ""


class _Story:
    def __init__(self, writer: EntryWriter) -> None:
        self.opened = False
        self._writer = writer
        self._facts: dict[str, Any] = {}
        self._given: list[Any] = []
        """The facts as the last record gives them."""
        self._types: dict[str, Callable[[dict[str, Any]], None]] = {
            "user": self._prompted,
            "assistant": self._replied,
            "tool_result": self._result,
            "system": self._system,
        }

    def open(self, named: dict[str, str]) -> None:
        self.opened = True
        self._writer.add("meta", by="harness", data=named)

    def add_record(self, row: dict[str, Any]) -> None:
        self._add_facts(row)
        handler = self._types.get(word(row.get("type")))
        if handler:
            handler(row)
        else:
            name = word(row.get("subtype")) or word(row.get("type"))
            self._writer.add("other", by="harness", data={"type": name})

    def _add_facts(self, row: dict[str, Any]) -> None:
        """The session's facts, told once and again when one changes."""
        if _is_aside(row):
            return
        given = [row.get(key) for key in _FACTS.values()]
        if given == self._given:  # as nearly always: looking closer at each record costs a sixth of reading
            return
        self._given = given
        facts = dict(zip(_FACTS, map(word, given), strict=True))
        told = {key: value for key, value in facts.items() if value and value != self._facts.get(key)}
        if told:
            self._facts.update(told)
            self._writer.cwd = facts["cwd"] or self._writer.cwd
            self._writer.add("meta", by="harness", cwd=self._writer.cwd, data=told)
            self.opened = True

    def _prompted(self, row: dict[str, Any]) -> None:
        for part in _parts(row.get("message")):
            text = word(part.get("text"))
            added = text.strip()
            hook = _HOOK.match(added)
            if hook and added.endswith(f"</qwen:{hook[1]}>"):
                words = added[hook.end() : -len(hook[1]) - 8].strip()
                self._writer.add("user", words, by="harness", via="hook")
            elif row.get("subtype") == "notification":
                self._writer.add("user", text, by="harness", via="notification")
            elif row.get("subtype") == "mid_turn_user_message":
                self._writer.add("user", text, by="person", via="queued")
            else:
                self._writer.add_user_text(text)

    def _replied(self, row: dict[str, Any]) -> None:
        known, self._writer.model = self._writer.model, word(row.get("model")) or self._writer.model
        if known and known != self._writer.model:
            self._writer.add("model_change", by="person", model=self._writer.model)
        usage = _usage(row)
        for part in _parts(row.get("message")):
            call, text = part.get("functionCall"), word(part.get("text"))
            told: dict[str, Any] = {"usage": usage, "model": self._writer.model}
            if isinstance(call, dict):
                tool, given = word(call.get("name")), record(call.get("args"))
                self._writer.add_call(KINDS.get(tool, "other"), word(call.get("id")), tool, given, **told)
            elif text:
                self._writer.add("thought" if part.get("thought") is True else "agent", text, **told)
            else:
                continue
            usage = None

    def _result(self, row: dict[str, Any]) -> None:
        told = record(row.get("toolCallResult"))
        status = word(told.get("status"))
        for part in _parts(row.get("message")):
            response = part.get("functionResponse")
            if not isinstance(response, dict):
                continue
            tool, id = word(response.get("name")), word(response.get("id")) or word(told.get("callId"))
            kind, given = KINDS.get(tool, "other"), record(response.get("response"))
            text = words(given.get("output")) or words(given.get("error"))
            ended = exit_status(text, _EXITED) if kind == "shell" else None
            is_error = {"success": False, "error": True}.get(status)
            if not is_error and ended is not None:
                is_error = ended != 0
            self._writer.add_result(text, id, tool, kind, ended, is_error)
            if status == "cancelled":
                self._writer.add_rejection(id, tool, kind)

    def _system(self, row: dict[str, Any]) -> None:
        payload, kind = record(row.get("systemPayload")), word(row.get("subtype"))
        if kind == "custom_title":
            self._writer.add("meta", by="harness", data={"title": word(payload.get("customTitle"))})
        elif kind == "slash_command":
            if payload.get("phase") != "result":
                self._writer.add("user", word(payload.get("rawCommand")), by="person", via="command")
        elif kind == "chat_compression":
            self._compressed(payload)
        elif kind not in _SILENT:
            self._writer.add("other", by="harness", data={"type": kind or "system"})

    def _compressed(self, payload: dict[str, Any]) -> None:
        """A compaction; the history it was replaced by begins with the summary."""
        counts = record(payload.get("info"))
        names = {"tokens_before": "originalTokenCount", "tokens_after": "newTokenCount"}
        told = {name: count for name, key in names.items() if (count := code(counts.get(key))) is not None}
        parts = _parts(next(iter(items(payload.get("compressedHistory"))), None))
        summary = "\n".join(filter(None, (word(part.get("text")) for part in parts)))
        self._writer.add_compaction(summary or None, **told)


def _parts(message: Any) -> list[dict[str, Any]]:
    return records(record(message).get("parts"))


def _usage(row: dict[str, Any]) -> Usage | None:
    tokens = record(row.get("usageMetadata"))
    names = ("promptTokenCount", "cachedContentTokenCount", "candidatesTokenCount", "thoughtsTokenCount")
    prompt, cached, output, thoughts = (whole(tokens.get(name)) for name in names)
    if not prompt:
        return None
    return Usage(
        max(0, prompt - cached), output + thoughts, cached, window=whole(row.get("contextWindowSize"))
    )
