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

from segue.agents._jsonl import records
from segue.agents._record import by_file, exit_status, first_id, word, words
from segue.agents._toolcall import kinds
from segue.agents._tree import EVERYTHING
from segue.agents._tree import branch as branch_of
from segue.agents._writer import Desk
from segue.agents.contract import Home
from segue.model.entry import Entry, Kind, Usage

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
_HOOK = re.compile(r"<qwen:([\w-]{1,80})>")
_EXITED = re.compile(r"^Exit Code: (-?\d+)\s*$", re.M)


class _Call(msgspec.Struct, gc=False):
    id: str | None = None
    name: str | None = None
    args: dict[str, Any] | None = None


class _Response(msgspec.Struct, gc=False):
    id: str | None = None
    name: str | None = None
    response: Any = None


class _Part(msgspec.Struct, gc=False, rename="camel"):
    text: str | None = None
    thought: bool | None = None
    function_call: _Call | None = None
    function_response: _Response | None = None


class _Message(msgspec.Struct, gc=False):
    role: str | None = None
    parts: list[_Part] | None = None


class _Tokens(msgspec.Struct, gc=False, rename="camel"):
    prompt_token_count: int = 0
    candidates_token_count: int = 0
    cached_content_token_count: int = 0
    thoughts_token_count: int = 0


class _Result(msgspec.Struct, gc=False, rename="camel"):
    call_id: str | None = None
    status: str | None = None


class _Compression(msgspec.Struct, gc=False, rename="camel"):
    original_token_count: int | None = None
    new_token_count: int | None = None


class _Payload(msgspec.Struct, gc=False, rename="camel"):
    custom_title: str | None = None
    raw_command: str | None = None
    phase: str | None = None
    info: _Compression | None = None
    compressed_history: list[_Message] | None = None


class _Record(msgspec.Struct, gc=False, rename="camel"):
    type: str = ""
    subtype: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    session_id: str | None = None
    timestamp: str | float | None = None
    cwd: str | None = None
    version: str | None = None
    git_branch: str | None = None
    model: str | None = None
    message: _Message | None = None
    usage_metadata: _Tokens | None = None
    context_window_size: int | None = None
    tool_call_result: _Result | None = None
    system_payload: _Payload | None = None


class _Link(msgspec.Struct, gc=False, rename="camel"):
    uuid: str | None = None
    parent_uuid: str | None = None
    subtype: str | None = None


_decode = msgspec.json.Decoder(_Record).decode
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
    desk = Desk(path)
    story = _Story(desk)
    for line, offset, value in records(path, _decode):
        if not story.opened and not _names_session(value):
            story.open(by_file(path))
        if not isinstance(value, _Record):
            desk.carry(line, offset, value)
        elif wanted.has(value.uuid):
            desk.turn_to(line, offset, value.timestamp, value.uuid or "")
            story.add_record(value)
        yield from desk.take()


def _names_session(value: object) -> bool:
    return isinstance(value, _Record) and bool(value.session_id) and value.subtype not in _NEVER_A_TIP


def _links(path: str) -> Iterator[tuple[str, str]]:
    for _, _, value in records(path, _link):
        if isinstance(value, _Link) and value.uuid and value.subtype not in _NEVER_A_TIP:
            yield value.uuid, value.parent_uuid or ""


class _Story:
    def __init__(self, desk: Desk) -> None:
        self.opened = False
        self._desk = desk
        self._facts: dict[str, Any] = {}
        self._types: dict[str, Callable[[_Record], None]] = {
            "user": self._prompted,
            "assistant": self._replied,
            "tool_result": self._result,
            "system": self._system,
        }

    def open(self, named: dict[str, str]) -> None:
        self.opened = True
        self._desk.add("meta", by="harness", data=named)

    def add_record(self, record: _Record) -> None:
        self._noted(record)
        teller = self._types.get(record.type)
        if teller:
            teller(record)
        else:
            self._desk.add("other", by="harness", data={"type": record.subtype or record.type})

    def _noted(self, record: _Record) -> None:
        """The session's facts, told once and again when one changes."""
        if record.subtype in _NEVER_A_TIP:
            return
        facts = {
            "id": record.session_id,
            "cwd": record.cwd,
            "branch": record.git_branch,
            "agent_version": record.version,
        }
        told = {key: value for key, value in facts.items() if value and value != self._facts.get(key)}
        if told:
            self._facts.update(told)
            self._desk.cwd = record.cwd or self._desk.cwd
            self._desk.add("meta", by="harness", cwd=self._desk.cwd, data=told)
            self.opened = True

    def _prompted(self, record: _Record) -> None:
        for part in _parts(record):
            text = part.text or ""
            added = text.strip()
            hook = _HOOK.match(added)
            if hook and added.endswith(f"</qwen:{hook[1]}>"):
                words = added[hook.end() : -len(hook[1]) - 8].strip()
                self._desk.add("user", words, by="harness", via="hook")
            elif record.subtype == "notification":
                self._desk.add("user", text, by="harness", via="notification")
            elif record.subtype == "mid_turn_user_message":
                self._desk.add("user", text, by="person", via="queued")
            else:
                self._desk.words(text)

    def _replied(self, record: _Record) -> None:
        if record.model and record.model != self._desk.model:
            known, self._desk.model = self._desk.model, record.model
            if known:
                self._desk.add("model_change", by="person", model=record.model)
        usage = _usage(record)
        for part in _parts(record):
            call = part.function_call
            if call:
                tool = call.name or ""
                told: dict[str, Any] = {"usage": usage, "model": self._desk.model}
                self._desk.call(KINDS.get(tool, "other"), call.id or "", tool, call.args or {}, **told)
            elif part.text:
                kept: Kind = "thought" if part.thought else "agent"
                self._desk.add(kept, part.text, usage=usage, model=self._desk.model)
            else:
                continue
            usage = None

    def _result(self, record: _Record) -> None:
        told = record.tool_call_result or _Result()
        for part in _parts(record):
            response = part.function_response
            if response is None:
                continue
            tool, id = response.name or "", response.id or told.call_id or ""
            kind = KINDS.get(tool, "other")
            given = response.response if isinstance(response.response, dict) else {}
            text = words(given.get("output")) or words(given.get("error"))
            code = exit_status(text, _EXITED) if kind == "shell" else None
            is_error = {"success": False, "error": True}.get(told.status or "")
            if not is_error and code is not None:
                is_error = code != 0
            self._desk.answer(text, id, tool, kind, code, is_error)
            if told.status == "cancelled":
                self._desk.refuse(id, tool, kind)

    def _system(self, record: _Record) -> None:
        payload = record.system_payload or _Payload()
        if record.subtype == "custom_title":
            self._desk.add("meta", by="harness", data={"title": payload.custom_title or ""})
        elif record.subtype == "slash_command":
            if payload.phase != "result":
                self._desk.add("user", payload.raw_command or "", by="person", via="command")
        elif record.subtype == "chat_compression":
            self._compressed(payload)
        elif record.subtype not in _SILENT:
            self._desk.add("other", by="harness", data={"type": word(record.subtype) or record.type})

    def _compressed(self, payload: _Payload) -> None:
        """A compaction; the history it was replaced by begins with the summary."""
        counts = payload.info or _Compression()
        facts = {"tokens_before": counts.original_token_count, "tokens_after": counts.new_token_count}
        told = {key: value for key, value in facts.items() if value is not None}
        first = payload.compressed_history[0].parts if payload.compressed_history else None
        self._desk.compaction("\n".join(part.text for part in first or () if part.text) or None, **told)


def _parts(record: _Record) -> list[_Part]:
    return (record.message.parts if record.message else None) or []


def _usage(record: _Record) -> Usage | None:
    tokens = record.usage_metadata
    if tokens is None or not tokens.prompt_token_count:
        return None
    cached = tokens.cached_content_token_count
    output = tokens.candidates_token_count + tokens.thoughts_token_count
    fresh = max(0, tokens.prompt_token_count - cached)
    return Usage(fresh, output, cached, window=record.context_window_size or 0)
