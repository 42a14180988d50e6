"""The events of OpenHands before 1.0: actions with arguments, and the observations they cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from segue.agents._record import At, code, items, record, word, words
from segue.agents._toolcall import EDITOR, asked, kinds, todos
from segue.model.entry import Entry, ToolKind
from segue.model.value import NamedTuple

_TOOLS = kinds(
    shell="run run_ipython",
    read="read",
    write="write",
    edit="edit",
    web="browse browse_interactive",
    task="delegate",
    todo="task_tracking",
)
_SILENT = {"null", "change_agent_state", "recall", "condensation_request", "task_tracking", "think"}
"""Actions and observations that say nothing, or nothing that their counterpart does not."""
_STOPPED = {"stopped": "person", "error": "harness"}
_RUNNING = -1


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
        elif name not in _SILENT:
            yield from self._call(at, event, name, given)

    def _call(self, at: At, event: dict[str, Any], name: str, given: dict[str, Any]) -> Iterator[Entry]:
        yield from _reply(at, word(given.get("thought")))
        meta = record(event.get("tool_call_metadata"))
        kind = _TOOLS.get(name, "other")
        if name == "edit":
            kind = EDITOR.get(word(given.get("command")), "edit")
        tool = word(given.get("name")) or word(meta.get("function_name")) or name
        call = _Call(word(meta.get("tool_call_id")) or word(event.get("id")), tool, kind)
        self._calls[word(event.get("id"))] = call
        facts = asked(kind, _arguments(name, given))
        if given.get("command") == "create" and facts.get("edits"):
            facts["edits"] = tuple(replace(edit, action="created") for edit in facts["edits"])
        yield at.entry("tool_call", **call.facts(), **facts)
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
        elif name not in _SILENT:
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
    exit_code = code(record(more.get("metadata")).get("exit_code"))
    if exit_code is None:
        exit_code = code(more.get("exit_code"))
    running = exit_code == _RUNNING
    is_error: bool | None = True if failed else None
    if running:
        exit_code = None
    elif exit_code is not None:
        is_error = failed or exit_code != 0
    facts = call.facts()
    return at.entry("tool_result", text, exit_code=exit_code, is_error=is_error, background=running, **facts)
