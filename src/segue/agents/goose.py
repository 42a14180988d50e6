"""goose: its session database and the JSONL files it wrote before.

**Where**: `~/.local/share/goose/sessions/sessions.db` since 1.10, with all sessions of the person;
before that a file `<id>.jsonl` per session in the same folder. `$XDG_DATA_HOME` or
`$GOOSE_PATH_ROOT` moves them.

**Versions seen**: the database of schema 5 (1.1x, December 2025) without messages; everything about
messages is written after goose's own sources.

**Quirks**

- A record is a message; its place is its number within the session.
- A result counts as failed when goose says so: `status` is `error` or the tool set `isError`. A
  shell command that merely ended with another code than 0 was not flagged by older versions.
- Results often hold the same text for the person and for the model; the model's is read.
- A compaction hides the older messages from the model and adds two that only the model sees: a
  summary and a sentence that tells it to go on. Messages only the model sees are goose's own words.
- Unless asked for one, the newest session a person started is read, not one of a sub-agent or a
  schedule.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

import apsw

from segue.agents import _document, _jsonl, _sqlite
from segue.agents._record import At, by_file, code, flag, items, millis, record, records, stem, word, words
from segue.agents._tags import sections, without
from segue.agents._toolcall import call_fields, checklist, kinds
from segue.agents.contract import Home
from segue.errors import NotFound
from segue.model.entry import Entry, ToolKind

AGENT = "goose"

_TABLES = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?[`\"\[]?messages\b[^;\0]{0,600}?content_json", re.I)
_NAMES = b"""
    content_json created_timestamp metadata_json session_type working_dir accumulated_total_tokens recipe_json
"""
_COLUMNS = _NAMES.split()
_ENOUGH = 3
"""Columns by which a database is goose's though a version named others differently."""
_FIRST_LINE = re.compile(rb'^\s*\{[^\n]*"working_dir"\s*:[^\n]*\}\s*(?:\n|$)')
_MESSAGE = re.compile(rb'"type"\s*:\s*"tool(?:Request|Response)"')
_FACTS = ("working_dir", "description", "name", "created_at", "model_config_json")


def places(home: Home, cwd: str | None) -> Iterable[str]:
    root = home.env.get("GOOSE_PATH_ROOT")
    data = home.env.get("XDG_DATA_HOME") or os.path.join(home.home, ".local", "share")
    folder = glob.escape(os.path.join(root, "data") if root else os.path.join(data, "goose"))
    return [os.path.join(folder, "sessions", "sessions.db"), os.path.join(folder, "sessions", "*.jsonl")]


def sniff(path: str, head: bytes) -> int:
    if head.startswith(_sqlite.MAGIC):
        if _TABLES.search(head) and b"working_dir" in head:
            return 95
        return 85 if sum(name in head for name in _COLUMNS) >= _ENOUGH else 0
    if _FIRST_LINE.match(head) and (b'"message_count"' in head or b'"content"' in head):
        return 90
    return 85 if _MESSAGE.search(head) and head.lstrip()[:1] == b"{" and b'"role"' in head else 0


def sessions(path: str) -> Iterable[str]:
    if not _is_database(path):
        return [stem(path)]
    try:
        with _sqlite.opened(path) as connection:
            return [name for name, _ in _listed(connection)]
    except _sqlite.FAULTS:
        return []


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    if _is_database(path):
        return _sqlite.reported(path, _from_database(path, session))
    return _from_lines(path)


def _from_database(path: str, session: str | None) -> Iterator[Entry]:
    with _sqlite.opened(path) as connection:
        known = _listed(connection)
        started = [name for name, kind in known if kind == "user"] or [name for name, _ in known]
        chosen = session or (started[-1] if started else "")
        if session and session not in dict(known):
            raise NotFound(
                f"There is no goose session {session!r} in {path}.", "`segue sessions list` shows them."
            )
        facts = _facts(connection, chosen)
        yield _meta(At(path, 1, time_ms=millis(facts.pop("created_at", None))), {"id": chosen}, facts)
        names = _sqlite.columns(connection, "messages")
        native = "message_id" if "message_id" in names else "id"
        about = "CAST(metadata_json AS BLOB)" if "metadata_json" in names else "NULL"
        conversation = Conversation()
        sql = (
            f"SELECT {native}, role, CAST(content_json AS BLOB), created_timestamp, {about}"
            " FROM messages WHERE session_id = ? ORDER BY id"
        )
        for number, row in enumerate(connection.execute(sql, (chosen,)), 1):
            at = At(path, number, native_id=word(row[0]), time_ms=millis(row[3]))
            content = _document.parse(path, row[2] or b"")
            if content.flaw:
                yield at.entry("unreadable", by="harness", reason=content.flaw.reason)
            metadata = record(_document.parse(path, row[4] or b"{}").value)
            yield from conversation.message(at, word(row[1]), content.value, metadata)
        yield from conversation.close()


def _from_lines(path: str) -> Iterator[Entry]:
    conversation = Conversation()
    begun = False
    for line, offset, value in _jsonl.records(path):
        is_message = isinstance(value, dict) and "role" in value
        if not begun:
            facts = {} if is_message or isinstance(value, Entry) else value
            yield _meta(At(path, 1), by_file(path), facts)
            begun = True
            if facts:
                continue
        if isinstance(value, Entry):
            yield value
        elif is_message:
            at = At(path, line, offset, word(value.get("id")), millis(value.get("created")))
            metadata = record(value.get("metadata"))
            yield from conversation.message(at, word(value.get("role")), value.get("content"), metadata)
        else:
            yield At(path, line, offset).other(next(iter(value), "line"))
    if not begun:
        yield _meta(At(path, 1), by_file(path), {})
    yield from conversation.close()


def _listed(connection: apsw.Connection) -> list[tuple[str, str]]:
    """Every session and its type, the one touched last at the end."""
    names = _sqlite.columns(connection, "sessions")
    kind = "session_type" if "session_type" in names else "'user'"
    rows = connection.execute(f"SELECT id, {kind} FROM sessions ORDER BY updated_at, id")
    return [(word(row[0]), word(row[1])) for row in rows]


def _facts(connection: apsw.Connection, session: str) -> dict[str, Any]:
    known = [name for name in _sqlite.columns(connection, "sessions") if name in _FACTS]
    row = _sqlite.row_of(connection, f"SELECT {', '.join(known)} FROM sessions WHERE id = ?", (session,))
    return dict(zip(known, row, strict=True)) if row else {}


def _meta(at: At, named: dict[str, str], facts: dict[str, Any]) -> Entry:
    config = _document.object_in(word(facts.get("model_config_json")))
    title, model = word(facts.get("description")) or word(facts.get("name")), word(config.get("model_name"))
    return at.meta(**named, cwd=word(facts.get("working_dir")), title=title, model=model)


def _is_database(path: str) -> bool:
    return _jsonl.head(path, 16) == _sqlite.MAGIC


TOOLS = kinds(
    shell="shell",
    read="read read_file",
    write="write write_file",
    edit="edit edit_file text_editor",
    search="analyze tree search grep glob list_files",
    web="fetch web_scrape web_search",
    task="execute_task create_task delegate subagent",
    todo="todo_write todo_read",
)
_EDITOR: dict[str, ToolKind] = {"view": "read", "write": "write"}

_GOES_ON = "The previous message contains a summary"
_DECLINED = "The user has declined to run this tool"
_INFO = ("info-msg",)
_SILENT = {"redactedThinking", "toolConfirmationRequest", "conversationCompacted", "summarizationRequested"}


class Conversation:
    """Turns the messages of one session into entries, in order."""

    def __init__(self) -> None:
        self.open: dict[str, tuple[str, ToolKind]] = {}
        self.questions: dict[str, str] = {}
        self.held: tuple[At, str] | None = None

    def message(self, at: At, role: str, content: Any, metadata: dict[str, Any]) -> Iterator[Entry]:
        text = "\n".join(word(block.get("text")) for block in records(content) if block.get("type") == "text")
        for_model_only = metadata.get("userVisible") is False and metadata.get("agentVisible") is not False
        if self.held and text.lstrip().startswith(_GOES_ON):
            place, summary = self.held
            self.held = None
            yield from place.compaction(summary)
            yield at.entry("user", text, by="harness", via="notification")
            return
        yield from self.close()
        if for_model_only and text:
            self.held = at, text
            return
        for block in records(content):
            yield from self._block(at, role, block)

    def close(self) -> Iterator[Entry]:
        """What is still held."""
        if self.held:
            at, text = self.held
            self.held = None
            yield at.entry("user", text, by="harness", via="meta")

    def _block(self, at: At, role: str, block: dict[str, Any]) -> Iterator[Entry]:
        kind = word(block.get("type"))
        if kind == "text":
            yield from _text(at, role, word(block.get("text")))
        elif kind in ("thinking", "reasoning"):
            yield at.entry("thought", word(block.get("thinking")) or words(block))
        elif kind in ("toolRequest", "frontendToolRequest"):
            yield from self._request(at, word(block.get("id")), record(block.get("toolCall")))
        elif kind == "toolResponse":
            yield from self._response(at, word(block.get("id")), record(block.get("toolResult")))
        elif kind == "actionRequired":
            yield from self._required(at, record(block.get("data")))
        elif kind == "systemNotification":
            yield at.other("systemNotification", word(block.get("msg")))
        elif kind not in _SILENT:
            yield at.other(kind or "block", by="person" if role == "user" else "agent")

    def _request(self, at: At, name: str, call: dict[str, Any]) -> Iterator[Entry]:
        value = record(call.get("value"))
        tool, given = word(value.get("name")), record(value.get("arguments"))
        kind = TOOLS.get(tool.rpartition("__")[2], "other")
        if tool.endswith("text_editor"):
            kind = _EDITOR.get(word(given.get("command")), "edit")
        self.open[name] = tool, kind
        yield at.entry("tool_call", call_id=name, tool=tool, tool_kind=kind, **call_fields(kind, given))
        todos = checklist(word(given.get("content"))) if kind == "todo" else ()
        if todos:
            yield at.entry("todo", call_id=name, todos=todos)
        if kind == "task":
            prompt = word(given.get("instructions")) or word(given.get("prompt"))
            yield at.entry("subagent_start", prompt, call_id=name)
        if call.get("status") == "error":
            yield from self._response(at, name, call)

    def _response(self, at: At, name: str, result: dict[str, Any]) -> Iterator[Entry]:
        tool, kind = self.open.pop(name, ("", "other"))
        common: dict[str, Any] = {"call_id": name, "tool": tool, "tool_kind": kind}
        value = result.get("value")
        text = word(result.get("error")) or _model_text(value)
        exit_code = code(record(record(value).get("structuredContent")).get("exit_code"))
        is_error = _failed(result, kind, exit_code)
        yield at.entry("tool_result", text, exit_code=exit_code, is_error=is_error, **common)
        if _DECLINED in text[:300]:
            yield at.entry("rejection", by="person", via="rejection", **common)
        if kind == "task":
            yield at.entry("subagent_end", text, by="subagent", call_id=name, is_error=is_error)

    def _required(self, at: At, data: dict[str, Any]) -> Iterator[Entry]:
        name = word(data.get("id"))
        if data.get("actionType") == "elicitation":
            self.questions[name] = word(data.get("message"))
            yield at.entry("question", self.questions[name], call_id=name)
        elif data.get("actionType") == "elicitationResponse":
            given = data.get("user_data", data.get("userData"))
            answer = "\n".join(f"{key}: {value}" for key, value in record(given).items()) or word(given)
            text = f"{self.questions.pop(name, '')}\n{answer}".strip()
            yield at.entry("answer", text, by="person", via="answer", call_id=name)


def _text(at: At, role: str, text: str) -> Iterator[Entry]:
    if role != "user":
        if text.strip():
            yield at.entry("agent", text)
        return
    added = list(sections(text, _INFO))
    for section in added:
        yield at.entry("user", section.inner.strip(), by="harness", via="environment")
    own = without(text, added).strip()
    if own:
        yield at.entry("user", own, by="person", via="prompt")


def _model_text(value: Any) -> str:
    """The text of a result as the model got it."""
    parts = records(value) or records(record(value).get("content"))
    told = ((part, items(record(part.get("annotations")).get("audience"))) for part in parts)
    for_model = [part for part, audience in told if not audience or "assistant" in audience]
    return words(for_model or parts)


def _failed(result: dict[str, Any], kind: ToolKind, exit_code: int | None) -> bool | None:
    if result.get("status") == "error":
        return True
    told = flag(record(result.get("value")).get("isError"))
    if exit_code is not None:
        return exit_code != 0 or told is True
    if told is not None:
        return told
    return False if result.get("status") == "success" and kind != "shell" else None
