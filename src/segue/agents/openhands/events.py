"""The events of the software agent SDK, told by their `kind`; and those before 1.0: actions with arguments, and the
observations they cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from segue.agents._record import At, code, flag, items, record, records, word, words
from segue.agents._toolcall import EDITOR, call_fields, kinds, todos
from segue.model.entry import Entry, ToolKind
from segue.model.value import NamedTuple

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
    yield at.entry("tool_call", **common, **({} if finished else _asked(common["tool_kind"], plain)))
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
    text = words(seen.get("content")) or word(seen.get("output"))
    ended = _ended(seen, flag(seen.get("is_error")))
    return at.entry("tool_result", text, **ended, **_call(event, known))


def _ended(seen: dict[str, Any], is_error: bool | None) -> dict[str, Any]:
    """How a command ended, by its exit code and what the record says of it; -1 stands for one that goes on."""
    exit_code = code(seen.get("exit_code"))
    exit_code = code(record(seen.get("metadata")).get("exit_code")) if exit_code is None else exit_code
    if exit_code == _RUNNING:
        return {"exit_code": None, "is_error": True if is_error else None, "background": True}
    if exit_code is not None:
        is_error = exit_code != 0 or is_error is True
    return {"exit_code": exit_code, "is_error": is_error, "background": False}


def _asked(kind: ToolKind, given: dict[str, Any]) -> dict[str, Any]:
    facts = call_fields(kind, given)
    if given.get("command") == "create" and facts.get("edits"):
        facts["edits"] = tuple(replace(edit, action="created") for edit in facts["edits"])
    return facts


def _call(event: dict[str, Any], known: dict[str, ToolKind]) -> dict[str, Any]:
    """What a call and its outcome share. Only the call tells whether an editor views or edits."""
    tool, name = word(event.get("tool_name")), word(event.get("tool_call_id"))
    kind = _TOOLS.get(tool, "web" if tool.startswith("browser") else "other")
    if kind == "edit":
        kind = EDITOR.get(word(record(event.get("action")).get("command")), "edit")
    return {"call_id": name, "tool": tool, "tool_kind": known.setdefault(name, kind)}


_ACTION_TOOLS = kinds(
    shell="run run_ipython",
    read="read",
    write="write",
    edit="edit",
    web="browse browse_interactive",
    task="delegate",
    todo="task_tracking",
)
_SILENT_ACTIONS = {"null", "change_agent_state", "recall", "condensation_request", "task_tracking", "think"}
"""Actions and observations that say nothing, or nothing that their counterpart does not."""
_STOPPED = {"stopped": "person", "error": "harness"}


class _Call(NamedTuple):
    id: str
    tool: str
    kind: ToolKind

    def facts(self) -> dict[str, Any]:
        return {"call_id": self.id, "tool": self.tool, "tool_kind": self.kind}


class Actions:
    """Turns the events of one trajectory into entries, in order."""

    def __init__(self) -> None:
        self._calls: dict[str, _Call] = {}
        self._state = ""

    def entries(self, at: At, event: dict[str, Any]) -> Iterator[Entry]:
        if "action" in event:
            yield from self._action(at, event, word(event.get("action")), record(event.get("args")))
        elif "observation" in event:
            yield from self._observation(at, event, word(event.get("observation")))
        else:
            yield at.other("event", words(event.get("message")))

    def _action(self, at: At, event: dict[str, Any], name: str, given: dict[str, Any]) -> Iterator[Entry]:
        if name == "message":
            text = word(given.get("content")) or word(event.get("message"))
            if event.get("source") == "user":
                yield at.entry("user", text, by="person", via="prompt")
            else:
                yield at.entry("agent", text)
        elif name == "system":
            yield at.other("system", word(given.get("content")))
        elif name == "think":
            yield at.entry("thought", word(given.get("thought")))
        elif name in ("finish", "reject"):
            yield from _reply(at, word(given.get("final_thought")) or word(given.get("thought")))
        elif name == "condensation":
            forgotten = items(given.get("forgotten_event_ids"))
            yield from at.compaction(word(given.get("summary")) or None, forgotten=len(forgotten))
        elif name == "task_tracking":
            yield at.entry("todo", todos=todos(given.get("task_list")))
        elif name not in _SILENT_ACTIONS:
            yield from self._call(at, event, name, given)

    def _call(self, at: At, event: dict[str, Any], name: str, given: dict[str, Any]) -> Iterator[Entry]:
        yield from _reply(at, word(given.get("thought")))
        meta = record(event.get("tool_call_metadata"))
        kind = _ACTION_TOOLS.get(name, "other")
        if name == "edit":
            kind = EDITOR.get(word(given.get("command")), "edit")
        tool = word(given.get("name")) or word(meta.get("function_name")) or name
        call = _Call(word(meta.get("tool_call_id")) or word(event.get("id")), tool, kind)
        self._calls[word(event.get("id"))] = call
        yield at.entry("tool_call", **call.facts(), **_asked(kind, _arguments(name, given)))
        if kind == "task":
            prompt = word(record(given.get("inputs")).get("task"))
            yield at.entry("subagent_start", prompt, call_id=call.id)

    def _observation(self, at: At, event: dict[str, Any], name: str) -> Iterator[Entry]:
        text, more = word(event.get("content")), record(event.get("extras"))
        call = self._calls.pop(word(event.get("cause")), None)
        if name == "agent_state_changed":
            yield from self._changed(at, word(more.get("agent_state")), word(more.get("reason")) or text)
        elif name == "user_rejected":
            refused = call.facts() if call else {}
            yield at.entry("tool_result", text, is_error=True, **refused)
            yield at.entry("rejection", "", by="person", via="rejection", **refused)
        elif name == "recall":
            yield from _recalled(at, text, more)
        elif call is not None:
            yield _result(at, text, more, call, failed=name == "error")
            if call.kind == "task":
                yield at.entry("subagent_end", text, by="subagent", call_id=call.id)
        elif name == "error":
            yield at.entry("interruption", text, by="harness", reason="error")
        elif name not in _SILENT_ACTIONS:
            yield at.other(name or "observation", text)

    def _changed(self, at: At, state: str, reason: str) -> Iterator[Entry]:
        before, self._state = self._state, state
        if state != before and state in _STOPPED:
            yield at.entry("interruption", reason, by=_STOPPED[state], reason=state)


def _arguments(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """What was asked for, without what the agent said with it."""
    plain = {
        key: value for key, value in given.items() if key not in ("thought", "security_risk", "blocking")
    }
    return {"command": given.get("code")} if name == "run_ipython" else plain


def _reply(at: At, text: str) -> Iterator[Entry]:
    if text.strip():
        yield at.entry("agent", text)


def _recalled(at: At, text: str, more: dict[str, Any]) -> Iterator[Entry]:
    """What OpenHands added to a prompt from the repository and its micro-agents."""
    known = (word(record(one).get("content")) for one in items(more.get("microagent_knowledge")))
    parts = [word(more.get("repo_instructions")), *known]
    added = "\n".join(filter(None, parts)) or text
    if added:
        yield at.entry("user", added, by="harness", via="instructions")


def _result(at: At, text: str, more: dict[str, Any], call: _Call, failed: bool) -> Entry:
    return at.entry("tool_result", text, **_ended(more, True if failed else None), **call.facts())
