"""Wire files of the Python version: what went to the screen, as events with times.

A record is `{"timestamp", "message": {"type", "payload"}}`. Unlike the message file beside it, a wire file
is never rotated: what was said before a compaction stays in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from segue.agents._document import object_in
from segue.agents._record import At, millis, record, usage, word, words
from segue.agents.kimi_cli.tools import TOOLS, Calls, content
from segue.model.entry import Entry

_SILENT_EVENTS = """
    TurnEnd StepBegin CompactionBegin HookTriggered HookResolved MCPLoadingBegin MCPLoadingEnd ToolCallRequest
    QuestionRequest
"""
_SILENT = frozenset(_SILENT_EVENTS.split())


def is_event(line: dict[str, Any]) -> bool:
    return isinstance(record(line.get("message")).get("payload"), dict)


class Events:
    """Turns the events of a wire file into entries, in order. A call may come in pieces, so it waits until
    something else comes."""

    def __init__(self, with_subagents: bool) -> None:
        self._with_subagents = with_subagents
        self._calls = Calls()
        self._open: tuple[At, dict[str, Any], str] | None = None
        self._asked: dict[str, tuple[str, str]] = {}
        self._handlers: dict[str, Callable[[At, dict[str, Any]], Iterator[Entry]]] = {
            "TurnBegin": lambda at, told: self._prompt(at, told, "prompt"),
            "SteerInput": lambda at, told: self._prompt(at, told, "queued"),
            "StepInterrupted": lambda at, told: iter((at.entry("interruption", by="person"),)),
            "CompactionEnd": lambda at, told: iter((at.entry("compaction", by="harness"),)),
            "ContentPart": content,
            "ToolResult": self._result,
            "ApprovalRequest": self._request,
            "ApprovalResponse": self._response,
            "ApprovalRequestResolved": self._response,
            "StatusUpdate": _status,
            "Notification": _notice,
            "PlanDisplay": lambda at, told: iter((at.entry("plan", word(told.get("content"))),)),
            "SubagentEvent": self._of_subagent,
        }

    def entries(self, at: At, line: dict[str, Any]) -> Iterator[Entry]:
        message = record(line.get("message"))
        yield from self._event(
            at._replace(time_ms=millis(line.get("timestamp"))),
            word(message.get("type")),
            record(message.get("payload")),
        )

    def rest(self) -> Iterator[Entry]:
        """The call that nothing came after."""
        if self._open is not None:
            at, call, given = self._open
            self._open = None
            name = word(record(call.get("function")).get("name"))
            yield from self._calls.call(at, word(call.get("id")), name, object_in(given))

    def _event(self, at: At, type: str, told: dict[str, Any]) -> Iterator[Entry]:
        if type == "ToolCallPart" and self._open is not None:
            started, call, given = self._open
            self._open = started, call, given + word(told.get("arguments_part"))
            return
        yield from self.rest()
        if type == "ToolCall":
            self._open = at, told, word(record(told.get("function")).get("arguments"))
        elif type in self._handlers:
            yield from self._handlers[type](at, told)
        elif type not in _SILENT:
            yield at.other(type or "event", words(told))

    def _prompt(self, at: At, told: dict[str, Any], via: str) -> Iterator[Entry]:
        yield at.entry("user", words(told.get("user_input")), by="person", via=via)

    def _result(self, at: At, told: dict[str, Any]) -> Iterator[Entry]:
        value = record(told.get("return_value")) or record(told.get("result"))
        text = "\n".join(filter(None, (words(value.get("output")), word(value.get("message")))))
        yield from self._calls.result(at, word(told.get("tool_call_id")), text, value.get("is_error") is True)

    def _request(self, at: At, told: dict[str, Any]) -> Iterator[Entry]:
        self._asked[word(told.get("id"))] = word(told.get("tool_call_id")), word(told.get("sender"))
        return iter(())

    def _response(self, at: At, told: dict[str, Any]) -> Iterator[Entry]:
        name, tool = self._asked.pop(word(told.get("request_id")), ("", ""))
        if told.get("response") == "reject":
            refused = {"call_id": name, "tool": tool, "tool_kind": TOOLS.get(tool, "other")}
            yield at.entry("rejection", word(told.get("feedback")), by="person", via="rejection", **refused)

    def _of_subagent(self, at: At, told: dict[str, Any]) -> Iterator[Entry]:
        """A sub-agent's event, with its own calls; told only where everything is."""
        from msgspec.structs import replace

        if not self._with_subagents:
            return
        name = word(told.get("agent_id")) or word(told.get("parent_tool_call_id"))
        name = name or word(told.get("task_tool_call_id"))
        event = record(told.get("event"))
        for entry in self._event(at, word(event.get("type")), record(event.get("payload"))):
            by = "subagent" if entry.by == "agent" else entry.by
            yield replace(entry, agent_id=entry.agent_id or name, by=by)


def _notice(at: At, told: dict[str, Any]) -> Iterator[Entry]:
    text = "\n".join(filter(None, (word(told.get("title")), word(told.get("body")))))
    yield at.entry("user", text, by="harness", via="notification")


def _status(at: At, told: dict[str, Any]) -> Iterator[Entry]:
    counts = record(told.get("token_usage"))
    if counts:
        spent = {**counts, "window": told.get("max_context_tokens")}
        names = ("input_other", "output", "input_cache_read", "input_cache_creation", "window")
        yield at.entry("meta", by="harness", usage=usage(spent, *names))
