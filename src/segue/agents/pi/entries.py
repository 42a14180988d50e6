"""pi records into entries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from segue.agents import _recovery
from segue.agents._jsonl import not_utf8
from segue.agents._record import by_name, exit_status, failed, millis
from segue.agents._tags import sections
from segue.agents._toolcall import excerpt, kinds
from segue.agents._writer import EntryWriter
from segue.agents.pi.wire import Arguments, Block, Message, Record, Tokens, arguments
from segue.model.entry import Edit, ToolKind, Usage

KINDS = kinds(
    shell="bash",
    read="read",
    write="write",
    edit="edit",
    search="grep find ls",
    web="web_search web_fetch fetch",
    task="subagent task spawn_pi",
    todo="todo todo_write",
)
_EXITED = re.compile(r"Command exited with code (-?\d+)\s*$")
_NAMED = re.compile(r'name="([^"]*)"')
_CHANNELS = {"skill": "skill", "file": "environment"}
"""What is put before a prompt, and on which channel it comes."""


class EntryMaker:
    """Entries of one record after the other; nothing but the model in use is remembered between them."""

    def __init__(self, path: str) -> None:
        self.writer = EntryWriter(path)
        self._path = path
        self._roles: dict[str, Callable[[Message], None]] = {
            "user": self._prompt,
            "assistant": self._reply,
            "toolResult": self._result,
            "bashExecution": self._own_shell,
            "custom": self._injected,
            "hookMessage": self._injected,
            "branchSummary": self._summarised,
            "compactionSummary": self._summarised,
            "system": _silent,
        }
        self._types: dict[str, Callable[[Record], None]] = {
            "message": self._message,
            "compaction": self._compaction,
            "branch_summary": self._branch_summary,
            "custom_message": self._custom_message,
            "custom": self._custom,
            "model_change": lambda record: self.writer.set_model(record.model_id or ""),
            "session_info": self._info,
            "label": self._label,
            "thinking_level_change": _silent,
        }

    def header(self, line: int, offset: int, record: Record, first_ms: int | None) -> None:
        """The session's own facts. An export bears the time of the export, which is after everything."""
        at = millis(record.timestamp)
        if at is not None and first_ms is not None:
            at = min(at, first_ms)
        origin = record.parent_session or record.branched_from
        facts = {
            **({"id": record.id} if record.id else by_name(named(self._path))),
            "cwd": record.cwd,
            "model": record.model_id,
            "parent": named(origin) if origin else None,
        }
        self.writer.model = record.model_id or ""
        self.writer.start_record(line, offset, at, record.id or "")
        self.writer.add_meta(facts, model=self.writer.model, cwd=record.cwd or "")

    def add_record(self, line: int, offset: int, record: Record) -> None:
        stamp = record.timestamp or (record.message.timestamp if record.message else None)
        self.writer.start_record(line, offset, stamp, record.id or "")
        handler = self._types.get(record.type)
        if handler:
            handler(record)
        else:
            self.writer.add("other", by="harness", data={"type": record.type})

    def _message(self, record: Record) -> None:
        message = record.message or Message()
        handler = self._roles.get(message.role)
        if handler:
            handler(message)
        else:
            text = _text(message.content)
            self.writer.add("other", text, by="harness", data={"type": f"message:{message.role}"})

    def _prompt(self, message: Message) -> None:
        text = _text(message.content)
        end = 0
        for section in sections(text, tuple(_CHANNELS)):
            if text[end : section.start].strip():
                break
            named = _NAMED.search(section.attributes)
            paths = (named[1],) if named and section.tag == "file" else ()
            words, end = text[section.start : section.end], section.end
            self.writer.add("user", words, by="harness", via=_CHANNELS[section.tag], paths=paths)
        text = text[end:].lstrip() if end else text
        pictures = sum(block.type == "image" for block in _blocks(message.content))
        if text or pictures:
            data = {"images": pictures} if pictures else {}
            self.writer.add("user", text, by="person", via="prompt", data=data)

    def _reply(self, message: Message) -> None:
        """A reply's pieces in order; the first of them carries what the reply cost."""
        writer = self.writer
        used, writer.model = writer.model, message.model or writer.model
        usage = _usage(message.usage)
        for block in _blocks(message.content):
            if block.type == "toolCall":
                self._call(block, usage)
            elif block.thinking or block.text:
                writer.add_message(
                    "thought" if block.thinking else "agent", block.thinking or block.text or "", usage
                )
            else:
                continue
            usage = None
        if message.stop_reason == "aborted":
            writer.add("interruption", by="person", reason="aborted", model=writer.model, usage=usage)
        elif message.stop_reason == "error":
            text = message.error_message or ""
            writer.add("interruption", text, by="harness", reason="error", model=writer.model, usage=usage)
        writer.model = used

    def _call(self, block: Block, usage: Usage | None) -> None:
        tool, id = block.name or "", block.id or ""
        kind = KINDS.get(tool, "other")
        try:
            if kind in ("shell", "read", "write", "edit"):
                self._built_in(kind, id, tool, arguments(block.arguments), usage)
                return
            given = msgspec.json.decode(block.arguments)
        except (ValueError, RecursionError):
            given = self._mended(bytes(block.arguments))
        fields: dict[str, Any] = {"usage": usage, "model": self.writer.model}
        self.writer.add_call(kind, id, tool, given if isinstance(given, dict) else {}, **fields)

    def _mended(self, raw: bytes) -> object:
        """Arguments that the decoder refused: the parser that skipped them has not looked at their bytes."""
        given, reason = _recovery.whole(raw)
        if not_utf8(self._path, raw):
            self.writer.add("unreadable", by="harness", reason=_recovery.NOT_UTF8)
        return {"arguments": raw.decode("utf-8", "replace")} if reason else given

    def _built_in(self, kind: ToolKind, id: str, tool: str, given: Arguments, usage: Usage | None) -> None:
        path = given.path or given.file_path or ""
        edits = tuple(_edits(path, given)) if path and kind in ("write", "edit") else ()
        called: dict[str, Any] = {
            "call_id": id,
            "tool": tool,
            "tool_kind": kind,
            "command": given.command or "",
        }
        touched: dict[str, Any] = {"edits": edits, "paths": (path,) if path else ()}
        self.writer.add("tool_call", **called, **touched, usage=usage, model=self.writer.model)

    def _result(self, message: Message) -> None:
        text = _text(message.content)
        tool = message.tool_name or ""
        kind = KINDS.get(tool, "other")
        code = exit_status(text[-80:], _EXITED) if kind == "shell" and message.is_error else None
        self.writer.add_result(text, message.tool_call_id or "", tool, kind, code, message.is_error)

    def _own_shell(self, message: Message) -> None:
        """A command the person ran in the session with `!`, and what it printed."""
        command, code = message.command or "", message.exit_code
        ended: dict[str, Any] = {"command": command, "exit_code": code, "is_error": failed(code)}
        ended |= {"tool": "bash", "tool_kind": "shell"}
        self.writer.add("user", command, by="person", via="shell", **ended)
        self.writer.add("user", message.output or "", by="harness", via="output", **ended)

    def _injected(self, message: Message) -> None:
        data = {"custom_type": message.custom_type} if message.custom_type else {}
        self.writer.add("user", _text(message.content), by="harness", via="hook", data=data)

    def _summarised(self, message: Message) -> None:
        text = message.summary or _text(message.content)
        self.writer.add("summary", text, by="harness", via="summary")

    def _compaction(self, record: Record) -> None:
        data: dict[str, Any] = {}
        if record.tokens_before is not None:
            data["tokens_before"] = record.tokens_before
        if record.from_hook:
            data["trigger"] = "extension"
        if record.first_kept_entry_id:
            data["kept_from"] = record.first_kept_entry_id
        self.writer.add_compaction(record.summary or None, **data)

    def _branch_summary(self, record: Record) -> None:
        data = {"from": record.from_id} if record.from_id else {}
        self.writer.add("summary", record.summary or "", by="harness", via="summary", data=data)

    def _custom_message(self, record: Record) -> None:
        data = {"custom_type": record.custom_type} if record.custom_type else {}
        self.writer.add("user", _text(record.content), by="harness", via="hook", data=data)

    def _custom(self, record: Record) -> None:
        data = {"type": "custom", "custom_type": record.custom_type or ""}
        self.writer.add("other", by="harness", data=data)

    def _info(self, record: Record) -> None:
        if record.name:
            self.writer.add_meta({"title": record.name})

    def _label(self, record: Record) -> None:
        self.writer.add("other", record.label or "", by="person", data={"type": "label"})


def _silent(record: object) -> None:
    """Changes nothing that is told."""


def _blocks(content: str | list[Block] | None) -> list[Block]:
    return [Block("text", content)] if isinstance(content, str) else content or []


def _text(content: str | list[Block] | None) -> str:
    if isinstance(content, str):
        return content
    return "\n".join([block.text for block in content or () if block.text])


def _usage(tokens: Tokens | None) -> Usage | None:
    """What a reply cost; a request that failed cost nothing and is not counted."""
    if tokens is None or tokens == Tokens():
        return None
    return Usage(tokens.input, tokens.output, tokens.cache_read, tokens.cache_write)


def _edits(path: str, given: Arguments) -> Iterator[Edit]:
    if given.content is not None:
        yield Edit(path, new=excerpt(given.content))
    elif given.edits:
        for step in given.edits:
            yield Edit(path, new=excerpt(step.new_text or ""), old=excerpt(step.old_text or ""))
    else:
        yield Edit(path, new=excerpt(given.new_text or ""), old=excerpt(given.old_text or ""))


def named(path: str) -> str:
    """The session id in a file name: `<time>_<id>.jsonl`."""
    return path.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".jsonl").rsplit("_", 1)[-1]
