"""The rows of `session_message`, OpenCode's newer table, as the messages and parts of the older ones.

A row is a whole message; its type says what kind. Everything it tells has a counterpart in the older
objects, so it is put into their shape and told like them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from segue.agents._record import items, record, records, word, words

Value = dict[str, Any]
Message = tuple[Value, list[Value]]
"""The `info` of a message and its parts."""

_ABORTED = "aborted"


def messages(type: str, data: Value) -> list[Message]:
    """The messages a row stands for: one, or for a compaction the request and the summary."""
    told = _TYPES.get(type)
    if told is None:
        return [({**data, "role": "user"}, [{"type": type, "text": data.get("text")}])]
    return told(data)


def _user(data: Value) -> list[Message]:
    files = [
        {"type": "file", "filename": file.get("name") or file.get("uri"), "mime": file.get("mime")}
        for file in records(data.get("files"))
    ]
    return [({**data, "role": "user"}, [{"type": "text", "text": data.get("text")}, *files])]


def _injected(data: Value) -> list[Message]:
    return [({**data, "role": "user"}, [{"type": "text", "text": data.get("text"), "synthetic": True}])]


def _shell(data: Value) -> list[Message]:
    state = {"input": {"command": data.get("command")}, "output": data.get("output"), "metadata": data}
    return [({**data, "role": "user"}, [{"type": "shell", "state": state}])]


def _switched(data: Value) -> list[Message]:
    return [({**data, "role": "assistant", "modelID": record(data.get("model")).get("id")}, [])]


def _assistant(data: Value) -> list[Message]:
    info = {**data, "role": "assistant", "modelID": record(data.get("model")).get("id")}
    error = record(data.get("error"))
    if error:
        name = "MessageAbortedError" if error.get("type") == _ABORTED else word(error.get("type"))
        info["error"] = {"name": name, "data": {"message": error.get("message")}}
    parts = [_tool(part) if part.get("type") == "tool" else part for part in records(data.get("content"))]
    changed = items(record(data.get("snapshot")).get("files"))
    return [(info, [*parts, {"type": "patch", "files": changed}] if changed else parts)]


def _tool(part: Value) -> Value:
    state, time = record(part.get("state")), record(part.get("time"))
    told = {
        "status": state.get("status"),
        "input": state.get("input"),
        "output": words(state.get("content")),
        "error": words(state.get("content")) or word(record(state.get("error")).get("message")),
        "metadata": record(state.get("structured")),
        "time": {"start": time.get("created"), "end": time.get("completed")},
    }
    return {
        "type": "tool",
        "id": part.get("id"),
        "tool": part.get("name"),
        "callID": part.get("id"),
        "state": told,
    }


def _compaction(data: Value) -> list[Message]:
    asked = ({**data, "role": "user"}, [{"type": "compaction", "auto": data.get("reason") == "auto"}])
    answer = {"role": "assistant", "id": data.get("id"), "time": data.get("time"), "summary": True}
    return [asked, (answer, [{"type": "text", "text": data.get("summary")}])]


_TYPES: dict[str, Callable[[Value], list[Message]]] = {
    "user": _user,
    "synthetic": _injected,
    "system": _injected,
    "shell": _shell,
    "assistant": _assistant,
    "compaction": _compaction,
    "model-switched": _switched,
}
