"""The events of the software agent SDK, told by their `kind`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from segue.agents._record import At, code, flag, items, record, records, word, words
from segue.agents._toolcall import EDITOR, asked, kinds, todos
from segue.model.entry import Entry, ToolKind

_SILENT_KINDS = """
    CondensationRequest CondensationSummaryEvent ConversationStateUpdateEvent LLMCompletionLogEvent TokenEvent
"""
_SILENT = frozenset(_SILENT_KINDS.split())
_TOOLS = kinds(
    shell="terminal execute_bash bash",
    edit="file_editor str_replace_editor planning_file_editor",
    search="glob grep",
    web="browser fetch",
    task="delegate",
    todo="task_tracker",
)
_RUNNING = -1


def entries(at: At, event: dict[str, Any], known: dict[str, ToolKind]) -> Iterator[Entry]:
    """The entries of an event. `known` remembers what sort of tool each call was."""
    kind = word(event.get("kind"))
    if kind == "MessageEvent":
        yield from _message(at, event)
    elif kind == "ActionEvent":
        yield from _action(at, event, known)
    elif kind == "ObservationEvent":
        yield _observation(at, event, known)
    elif kind == "AgentErrorEvent":
        yield at.entry("tool_result", word(event.get("error")), is_error=True, **_call(event, known))
    elif kind == "UserRejectObservation":
        words_given = word(event.get("rejection_reason"))
        yield at.entry("tool_result", words_given, is_error=True, **_call(event, known))
        yield at.entry("rejection", words_given, by="person", via="rejection", **_call(event, known))
    elif kind == "Condensation":
        forgotten = len(items(event.get("forgotten_event_ids")))
        yield from at.compaction(word(event.get("summary")) or None, forgotten=forgotten)
    elif kind in ("PauseEvent", "InterruptEvent"):
        yield at.entry("interruption", by="person")
    elif kind == "ConversationErrorEvent":
        text = word(event.get("detail"))
        reason = f"{word(event.get('code'))}: {text}".strip(": ")
        yield at.entry("interruption", text, by="harness", reason=reason)
    elif kind == "SystemPromptEvent":
        yield at.other(kind, words(event.get("system_prompt")))
    elif kind not in _SILENT:
        yield at.other(kind or "event", words(event.get("llm_message")))


def _message(at: At, event: dict[str, Any]) -> Iterator[Entry]:
    message = record(event.get("llm_message"))
    text = words(message.get("content"))
    if event.get("source") == "user":
        yield at.entry("user", text, by="person", via="prompt")
        added = words(event.get("extended_content"))
        if added:
            yield at.entry("user", added, by="harness", via="skill")
    elif event.get("source") == "agent":
        yield from _thoughts(at, message)
        yield at.entry("agent", text)
    else:
        yield at.entry("user", text, by="harness", via="notification")


def _action(at: At, event: dict[str, Any], known: dict[str, ToolKind]) -> Iterator[Entry]:
    yield from _thoughts(at, event)
    said = words(event.get("thought"))
    if said.strip():
        yield at.entry("agent", said)
    common, given = _call(event, known), record(event.get("action"))
    plain = {key: value for key, value in given.items() if key not in ("kind", "security_risk")}
    if given.get("kind") == "ThinkAction":
        yield at.entry("thought", word(given.get("thought")))
        yield at.entry("tool_call", **common)
        return
    finished = given.get("kind") == "FinishAction"
    facts = {} if finished else asked(common["tool_kind"], plain)
    if given.get("command") == "create" and facts.get("edits"):
        facts["edits"] = tuple(replace(edit, action="created") for edit in facts["edits"])
    yield at.entry("tool_call", **common, **facts)
    if finished:
        yield at.entry("agent", word(given.get("message")))
    if common["tool_kind"] == "todo" and "task_list" in given:
        yield at.entry("todo", call_id=common["call_id"], todos=todos(given.get("task_list")))


def _thoughts(at: At, event: dict[str, Any]) -> Iterator[Entry]:
    text = word(event.get("reasoning_content"))
    blocks = [word(block.get("thinking")) for block in records(event.get("thinking_blocks"))]
    for thought in [text] if text else blocks:
        if thought.strip():
            yield at.entry("thought", thought)


def _observation(at: At, event: dict[str, Any], known: dict[str, ToolKind]) -> Entry:
    seen = record(event.get("observation"))
    exit_code = code(seen.get("exit_code"))
    if exit_code is None:
        exit_code = code(record(seen.get("metadata")).get("exit_code"))
    running = exit_code == _RUNNING
    is_error = flag(seen.get("is_error"))
    if running:
        exit_code = is_error = None
    elif exit_code is not None:
        is_error = exit_code != 0 or is_error is True
    text = words(seen.get("content")) or word(seen.get("output"))
    return at.entry(
        "tool_result", text, exit_code=exit_code, is_error=is_error, background=running, **_call(event, known)
    )


def _call(event: dict[str, Any], known: dict[str, ToolKind]) -> dict[str, Any]:
    """What a call and its outcome share. Only the call tells whether an editor views or edits."""
    tool, name = word(event.get("tool_name")), word(event.get("tool_call_id"))
    kind = _TOOLS.get(tool, "web" if tool.startswith("browser") else "other")
    if kind == "edit":
        kind = EDITOR.get(word(record(event.get("action")).get("command")), "edit")
    return {"call_id": name, "tool": tool, "tool_kind": known.setdefault(name, kind)}
