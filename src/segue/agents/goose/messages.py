"""goose's messages as entries.

A summary is only known as one by the sentence that follows it, so a message that only the model
sees is held until the next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from segue.agents._record import At, code, flag, items, record, records, word, words
from segue.agents._tags import sections, without
from segue.agents._toolcall import asked, checklist, kinds
from segue.model.entry import Entry, ToolKind

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
        yield at.entry("tool_call", call_id=name, tool=tool, tool_kind=kind, **asked(kind, given))
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
    for_model = [part for part in parts if "assistant" in _audience(part)]
    return words(for_model or parts)


def _audience(part: dict[str, Any]) -> list[Any]:
    return items(record(part.get("annotations")).get("audience")) or ["assistant"]


def _failed(result: dict[str, Any], kind: ToolKind, exit_code: int | None) -> bool | None:
    if result.get("status") == "error":
        return True
    told = flag(record(result.get("value")).get("isError"))
    if exit_code is not None:
        return exit_code != 0 or told is True
    if told is not None:
        return told
    return False if result.get("status") == "success" and kind != "shell" else None
