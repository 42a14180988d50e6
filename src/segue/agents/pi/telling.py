"""pi records into entries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from segue.agents._record import millis
from segue.agents._toolcall import asked, excerpt, todos
from segue.agents.pi.wire import Arguments, Block, Message, Record, Tokens, arguments
from segue.model.entry import TEXT_LIMIT, Edit, Entry, Kind, ToolKind, Usage, clip

KINDS: dict[str, ToolKind] = {
    "bash": "shell",
    "read": "read",
    "write": "write",
    "edit": "edit",
    "grep": "search",
    "find": "search",
    "ls": "search",
    "web_search": "web",
    "web_fetch": "web",
    "fetch": "web",
    "todo": "todo",
    "todo_write": "todo",
    "subagent": "task",
    "task": "task",
    "spawn_pi": "task",
}
_EXITED = re.compile(r"Command exited with code (-?\d+)\s*$")
_INLINED = re.compile(r"\s*<(skill|file)\b([^>]*)>.*?</\1>\s*", re.S)
_NAMED = re.compile(r'name="([^"]*)"')
_CHANNELS = {"skill": "skill", "file": "environment"}
_SILENT = frozenset(("thinking_level_change",))


class Telling:
    """Entries of one record after the other; only the model in use is remembered between them."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._model = ""
        self._place: dict[str, Any] = {}
        self._roles: dict[str, Callable[[Message], Iterator[Entry]]] = {
            "user": self._prompt,
            "assistant": self._reply,
            "toolResult": self._result,
            "bashExecution": self._own_shell,
            "custom": self._injected,
            "hookMessage": self._injected,
            "branchSummary": self._summarised,
            "compactionSummary": self._summarised,
        }
        self._types: dict[str, Callable[[Record], Iterator[Entry]]] = {
            "message": self._message,
            "compaction": self._compaction,
            "branch_summary": self._branch_summary,
            "custom_message": self._custom_message,
            "custom": self._custom,
            "model_change": self._model_change,
            "session_info": self._info,
            "label": self._label,
        }

    def header(self, line: int, offset: int, record: Record, first_ms: int | None) -> Entry:
        """The session's own facts. An export bears the time of the export, which is after everything."""
        at = millis(record.timestamp)
        if at is not None and first_ms is not None:
            at = min(at, first_ms)
        self._model = record.model_id or ""
        origin = record.parent_session or record.branched_from
        data = {
            "id": record.id or _stem(self._path),
            "cwd": record.cwd,
            "model": record.model_id,
            "parent": _stem(origin) if origin else None,
        }
        return Entry(
            kind="meta",
            file=self._path,
            line=line,
            offset=offset,
            native_id=record.id or "",
            time_ms=at,
            by="harness",
            model=self._model,
            cwd=record.cwd or "",
            data={key: value for key, value in data.items() if value},
        )

    def tell(self, line: int, offset: int, record: Record) -> Iterator[Entry]:
        stamp = record.timestamp or (record.message.timestamp if record.message else None)
        self._place = {
            "file": self._path,
            "line": line,
            "offset": offset,
            "native_id": record.id or "",
            "time_ms": millis(stamp),
        }
        teller = self._types.get(record.type)
        if teller:
            return teller(record)
        if record.type in _SILENT:
            return iter(())
        return iter((self._entry("other", by="harness", data={"type": record.type}),))

    def _message(self, record: Record) -> Iterator[Entry]:
        message = record.message
        if message is None:
            return
        teller = self._roles.get(message.role)
        if teller:
            yield from teller(message)
        elif message.role != "system":
            text = _text(message.content)
            yield self._entry("other", text, by="harness", data={"type": f"message:{message.role}"})

    def _prompt(self, message: Message) -> Iterator[Entry]:
        text = _text(message.content)
        while inlined := _INLINED.match(text):
            name = _NAMED.search(inlined[2])
            paths = (name[1],) if name and inlined[1] == "file" else ()
            yield self._entry(
                "user", inlined[0].strip(), by="harness", via=_CHANNELS[inlined[1]], paths=paths
            )
            text = text[inlined.end() :]
        pictures = sum(block.type == "image" for block in _blocks(message.content))
        if text or pictures:
            data = {"images": pictures} if pictures else {}
            yield self._entry("user", text, by="person", via="prompt", data=data)

    def _reply(self, message: Message) -> Iterator[Entry]:
        """A reply's pieces in order; the first of them carries what the reply cost."""
        model = message.model or self._model
        fields: dict[str, Any] = {"model": model}
        if message.usage:
            fields["usage"] = _usage(message.usage)
        for block in _blocks(message.content):
            if block.type == "toolCall":
                yield from self._call(block, fields)
            elif block.thinking or block.text:
                kind: Kind = "thought" if block.thinking else "agent"
                yield self._entry(kind, block.thinking or block.text or "", **fields)
            else:
                continue
            fields = {"model": model}
        if message.stop_reason == "aborted":
            yield self._entry("interruption", by="person", reason="aborted", **fields)
        elif message.stop_reason == "error":
            text = message.error_message or ""
            yield self._entry("interruption", text, by="harness", reason="error", **fields)

    def _call(self, block: Block, fields: dict[str, Any]) -> Iterator[Entry]:
        tool, call_id = block.name or "", block.id or ""
        kind = KINDS.get(tool, "other")
        given, asks = _asked(kind, block)
        yield self._entry("tool_call", call_id=call_id, tool=tool, tool_kind=kind, **asks, **fields)
        if kind == "todo":
            yield self._entry("todo", call_id=call_id, todos=todos(given.get("todos")))

    def _result(self, message: Message) -> Iterator[Entry]:
        text = _text(message.content)
        tool = message.tool_name or ""
        kind = KINDS.get(tool, "other")
        exited = _EXITED.search(text[-80:]) if kind == "shell" and message.is_error else None
        yield self._entry(
            "tool_result",
            text,
            call_id=message.tool_call_id or "",
            tool=tool,
            tool_kind=kind,
            exit_code=int(exited[1]) if exited else None,
            is_error=message.is_error,
        )

    def _own_shell(self, message: Message) -> Iterator[Entry]:
        """A command the person ran in the session with `!`, and what it printed."""
        command, code = message.command or "", message.exit_code
        ended: dict[str, Any] = {
            "command": command,
            "tool": "bash",
            "tool_kind": "shell",
            "exit_code": code,
            "is_error": None if code is None else code != 0,
        }
        yield self._entry("user", command, by="person", via="shell", **ended)
        yield self._entry("user", message.output or "", by="harness", via="output", **ended)

    def _injected(self, message: Message) -> Iterator[Entry]:
        data = {"custom_type": message.custom_type} if message.custom_type else {}
        yield self._entry("user", _text(message.content), by="harness", via="hook", data=data)

    def _summarised(self, message: Message) -> Iterator[Entry]:
        yield self._entry("summary", message.summary or _text(message.content), by="harness", via="summary")

    def _compaction(self, record: Record) -> Iterator[Entry]:
        data: dict[str, Any] = {}
        if record.tokens_before is not None:
            data["tokens_before"] = record.tokens_before
        if record.from_hook:
            data["trigger"] = "extension"
        yield self._entry("compaction", by="harness", data=data)
        if record.summary:
            yield self._entry("summary", record.summary, by="harness", via="summary")

    def _branch_summary(self, record: Record) -> Iterator[Entry]:
        data = {"from": record.from_id} if record.from_id else {}
        yield self._entry("summary", record.summary or "", by="harness", via="summary", data=data)

    def _custom_message(self, record: Record) -> Iterator[Entry]:
        data = {"custom_type": record.custom_type} if record.custom_type else {}
        yield self._entry("user", _text(record.content), by="harness", via="hook", data=data)

    def _custom(self, record: Record) -> Iterator[Entry]:
        yield self._entry(
            "other", by="harness", data={"type": "custom", "custom_type": record.custom_type or ""}
        )

    def _model_change(self, record: Record) -> Iterator[Entry]:
        model = record.model_id or ""
        if model and model != self._model:
            known, self._model = self._model, model
            if known:
                yield self._entry("model_change", by="person", model=model)
            else:
                yield self._entry("meta", by="harness", model=model, data={"model": model})

    def _info(self, record: Record) -> Iterator[Entry]:
        if record.name:
            yield self._entry("meta", by="harness", data={"title": record.name})

    def _label(self, record: Record) -> Iterator[Entry]:
        yield self._entry("other", record.label or "", by="person", data={"type": "label"})

    def _entry(self, kind: Kind, text: str = "", **fields: Any) -> Entry:
        if len(text) > TEXT_LIMIT:
            text, fields["size"] = clip(text)
        return Entry(kind=kind, text=text, **self._place, **fields)


def _blocks(content: str | list[Block] | None) -> list[Block]:
    return [Block("text", content)] if isinstance(content, str) else content or []


def _text(content: str | list[Block] | None) -> str:
    if isinstance(content, str):
        return content
    return "\n".join([block.text for block in content or () if block.text])


def _asked(kind: ToolKind, block: Block) -> tuple[dict[str, Any], dict[str, Any]]:
    """A call's arguments, where they are more than a built-in tool's, and what follows from them."""
    try:
        if kind in ("shell", "read", "write", "edit"):
            return {}, _built_in(kind, arguments(block.arguments))
        given = msgspec.json.decode(block.arguments)
    except (ValueError, RecursionError):
        return {}, {"text": bytes(block.arguments).decode("utf-8", "replace")}
    return (given, asked(kind, given)) if isinstance(given, dict) else ({}, {})


def _built_in(kind: ToolKind, given: Arguments) -> dict[str, Any]:
    if kind == "shell":
        return {"command": given.command or ""}
    path = given.path or given.file_path or ""
    if kind == "read" or not path:
        return {"paths": (path,) if path else ()}
    return {"paths": (path,), "edits": tuple(_edits(path, given))}


def _usage(tokens: Tokens) -> Usage:
    return Usage(tokens.input, tokens.output, tokens.cache_read, tokens.cache_write)


def _edits(path: str, given: Arguments) -> Iterator[Edit]:
    if given.content is not None:
        yield Edit(path, new=excerpt(given.content))
    elif given.edits:
        for step in given.edits:
            yield Edit(path, new=excerpt(step.new_text or ""), old=excerpt(step.old_text or ""))
    else:
        yield Edit(path, new=excerpt(given.new_text or ""), old=excerpt(given.old_text or ""))


def _stem(path: str) -> str:
    """The session id in a file name: `<time>_<id>.jsonl`."""
    return path.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".jsonl").rsplit("_", 1)[-1]
