"""Copilot events into entries, one event at a time."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from segue.agents._record import records, word
from segue.agents._tags import sections
from segue.agents._toolcall import arguments_of, command, edits, kinds
from segue.agents._writer import Desk
from segue.agents.copilot_cli.wire import Data, Event, Fault
from segue.model.entry import Speaker, ToolKind, Usage

KINDS = kinds(
    shell="bash shell powershell read_bash write_bash stop_bash",
    read="view",
    write="create",
    edit="edit str_replace str_replace_editor insert apply_patch",
    search="rg grep glob",
    web="web_search web_fetch fetch",
    task="task read_agent",
    todo="update_todo",
)
_CREATE = ("create", "create_file")
_POLLS = ("read_bash", "write_bash", "stop_bash")
_EXITED = re.compile(r"<(?:shellId: (\S+) )?(?:completed|exited) with exit code (-?\d+)>")
_RUNNING = re.compile(r"<[^>]*?shellId: ([^\s>]+)[^>]*>")
_REMINDERS = ("system_reminder", "system-reminder")
_PERSON = (None, "", "user")
_REFUSED = "denied-interactively-by-user"
SILENT = """
    assistant.turn_start assistant.turn_end assistant.intent assistant.usage hook.start permission.requested
    session.compaction_start session.shutdown session.usage_checkpoint session.usage_info session.idle
    session.auto_mode_resolved session.plan_changed system.message tool.execution_progress
    tool.execution_partial_result
"""
"""Events that repeat others, and the system prompt."""
_SILENT = frozenset(SILENT.split())


Means = Callable[[str, dict[str, Any]], dict[str, Any]]
"""Gives a tool's arguments under the names that all tools share."""


class Story:
    def __init__(
        self, desk: Desk, kinds: dict[str, ToolKind] = KINDS, means: Means = lambda _, given: given
    ) -> None:
        self._desk = desk
        self._kinds = kinds
        self._means = means
        self._called: dict[str, tuple[str, str, str]] = {}
        """Calls told: the id they are told under, the tool and the command."""
        self._questions: dict[str, str] = {}
        self._shells: dict[str, tuple[str, str]] = {}
        self._agents: set[str] = set()
        self._counted = False
        """Whether a usage record stands for the reply that comes next."""
        self._inner = ""
        """The sub-agent the present event belongs to."""
        self._events: dict[str, Callable[[Data], None]] = {
            "session.start": self._session,
            "session.resume": self._session,
            "session.context_changed": self._session,
            "session.title_changed": self._titled,
            "session.model_change": lambda data: self._desk.use(data.new_model or ""),
            "session.error": self._failed,
            "session.usage_record": self._used,
            "session.truncation": self._truncated,
            "session.compaction_complete": self._compacted,
            "user.message": self._prompted,
            "assistant.message": self._replied,
            "assistant.reasoning": self._reasoned,
            "tool.execution_start": self._started,
            "tool.execution_complete": self._completed,
            "tool.user_requested": self._own_shell,
            "permission.completed": self._permitted,
            "hook.end": self._hooked,
            "skill.invoked": lambda data: self._added(data, "skill"),
            "subagent.started": self._agent_started,
            "subagent.completed": self._agent_ended,
            "subagent.failed": self._agent_ended,
            "system.notification": lambda data: self._added(data, "notification"),
            "abort": self._aborted,
        }

    def add_event(self, line: int, offset: int, event: Event) -> None:
        data = event.data
        self._desk.turn_to(line, offset, event.timestamp, event.id or "")
        self._inner = event.agent_id or data.agent_id or data.parent_tool_call_id or ""
        handler = self._events.get(event.type)
        if handler:
            handler(data)
        elif event.type not in _SILENT and not event.type.startswith("model."):
            self._desk.add("other", data.message or "", by="harness", data={"type": event.type})

    def _session(self, data: Data) -> None:
        context = data.context
        cwd = data.cwd or (context.cwd if context else None)
        facts = {
            "id": data.session_id,
            "cwd": cwd,
            "branch": data.branch or (context.branch if context else None),
            "agent_version": data.copilot_version,
            "model": data.selected_model,
        }
        self._desk.cwd = cwd or self._desk.cwd
        self._desk.model = data.selected_model or self._desk.model
        self._desk.meta(facts, cwd=self._desk.cwd, model=data.selected_model or "")

    def _titled(self, data: Data) -> None:
        if data.title:
            self._desk.meta({"title": data.title})

    def _prompted(self, data: Data) -> None:
        """A prompt is the person's unless the event belongs to a sub-agent or names another source.

        `parentAgentTaskId` does not tell: newer versions set it on the person's own prompts too."""
        task = data.parent_agent_task_id or ""
        inner = self._inner or (task if task in self._agents else "")
        text = data.content or ""
        if data.source not in _PERSON:
            text = text or data.transformed_content or ""
            via = "instructions" if "instruction" in (data.source or "") else "reminder"
            self._desk.add("user", text, by="harness", via=via, agent_id=inner)
            return
        by: Speaker = "agent" if inner else "person"
        paths = tuple(path for file in records(data.attachments) if (path := word(file.get("path"))))
        self._desk.add("user", text, by=by, via="prompt", agent_id=inner, paths=paths)
        for reminder in sections(data.transformed_content or "", _REMINDERS):
            self._desk.add("user", reminder.inner.strip(), by="harness", via="reminder", agent_id=inner)

    def _replied(self, data: Data) -> None:
        fields = self._speaker()
        model = data.model or self._desk.model
        if data.reasoning_text:
            self._desk.add("thought", data.reasoning_text, model=model, **fields)
        usage = Usage(output=data.output_tokens) if data.output_tokens and not self._counted else None
        self._counted = False
        if data.content:
            self._desk.add("agent", data.content, model=model, usage=usage, **fields)
            usage = None
        for request in data.tool_requests or ():
            self._call(request.tool_call_id, request.name, request.arguments, usage)
            usage = None

    def _reasoned(self, data: Data) -> None:
        self._desk.add("thought", data.content or "", model=self._desk.model, **self._speaker())

    def _used(self, data: Data) -> None:
        spent = data.usage
        if spent is None:
            return
        read, written = spent.cache_read_tokens, spent.cache_write_tokens
        fresh = max(0, spent.input_tokens - read - written)
        usage = Usage(fresh, spent.output_tokens, read, written, spent.max_prompt_tokens or 0)
        self._counted = True
        self._desk.add("meta", by="harness", usage=usage, model=spent.model or self._desk.model)

    def _started(self, data: Data) -> None:
        self._call(data.tool_call_id or "", data.tool_name or "", data.arguments)

    def _call(
        self, id: str, tool: str, given: str | dict[str, Any] | None, usage: Usage | None = None
    ) -> None:
        """Tells a call once, when it is asked for or when it starts, whichever is recorded first."""
        if id in self._called:
            return
        kind = self._kinds.get(tool, "other")
        arguments = self._means(tool, arguments_of(given))
        if isinstance(arguments.get("paths"), str):
            arguments = {**arguments, "path": arguments["paths"]}
        fields: dict[str, Any] = self._speaker()
        origin, data = id, {}
        shell = word(arguments.get("shellId"))
        if tool in _POLLS and shell in self._shells:
            origin, fields["command"] = self._shells[shell]
            data = {"resumes": origin}
        self._called[id] = origin, tool, fields.get("command") or command(arguments)
        if tool == "ask_user":
            fields["text"], self._questions[id] = "", word(arguments.get("question"))
        self._desk.call(kind, origin, tool, arguments, tool in _CREATE, data=data, usage=usage, **fields)
        if id in self._questions:
            self._desk.add("question", _question(arguments), call_id=origin)
        for edit in edits(arguments) if kind in ("write", "edit") else ():
            if "/session-state/" in edit.path and edit.path.endswith("/plan.md"):
                self._desk.add("plan", edit.new, call_id=origin)

    def _completed(self, data: Data) -> None:
        id = data.tool_call_id or ""
        origin, tool, command = self._called.get(id, (id, "", ""))
        kind = self._kinds.get(tool, "other")
        content = data.result.content if data.result else None
        text = content or _message(data.error)
        code = data.shell_execution.exit_code if data.shell_execution else None
        background = False
        if kind == "shell" and (ended := _EXITED.search(text[-400:])):
            code = int(ended[2]) if code is None else code
        elif kind == "shell" and data.success and code is None and (shell := _RUNNING.search(text[-400:])):
            background = True
            self._shells[shell[1]] = origin, command
        is_error = None if data.success is None else not data.success
        if not is_error and code is not None:
            is_error = code != 0
        result: dict[str, Any] = {"exit_code": code, "is_error": is_error, "background": background}
        called: dict[str, Any] = {"call_id": origin, "tool": tool, "tool_kind": kind}
        self._desk.add("tool_result", text, **called, **result, **self._speaker())
        if question := self._questions.pop(id, ""):
            given = text.removeprefix("User selected: ")
            self._desk.add("answer", f"{question}\n{given}", by="person", via="answer", call_id=origin)

    def _permitted(self, data: Data) -> None:
        if data.result and (data.result.kind or "").startswith(_REFUSED):
            id = data.tool_call_id or ""
            origin, tool, _ = self._called.get(id, (id, "", ""))
            self._desk.refuse(origin, tool, self._kinds.get(tool, "other"), data.result.feedback or "")

    def _own_shell(self, data: Data) -> None:
        command = word(arguments_of(data.arguments).get("command"))
        self._called[data.tool_call_id or ""] = data.tool_call_id or "", "bash", command
        self._desk.add("user", command, by="person", via="shell", command=command, tool_kind="shell")

    def _hooked(self, data: Data) -> None:
        """What a hook added to the conversation; that it ran at all is not told."""
        if data.output and data.output.additional_context:
            self._desk.add("user", data.output.additional_context, by="harness", via="hook")

    def _added(self, data: Data, via: str) -> None:
        self._desk.add("user", data.content or "", by="harness", via=via)

    def _agent_started(self, data: Data) -> None:
        agent = data.tool_call_id or ""
        self._agents.add(agent)
        text = data.agent_description or data.agent_display_name or data.agent_name or ""
        self._desk.add("subagent_start", text, agent_id=agent, call_id=agent)

    def _agent_ended(self, data: Data) -> None:
        agent = data.tool_call_id or ""
        text = _message(data.error)
        self._desk.add("subagent_end", text, by="subagent", agent_id=agent, is_error=bool(text) or None)

    def _compacted(self, data: Data) -> None:
        if data.success is False:
            about = {"type": "session.compaction_complete"}
            self._desk.add("other", _message(data.error), by="harness", data=about)
            return
        before, after = data.pre_compaction_tokens, data.post_compaction_tokens
        self._desk.compaction(data.summary_content or None, **_counts(data.trigger, before, after))

    def _truncated(self, data: Data) -> None:
        """Old messages were dropped without a summary."""
        before, after = data.pre_truncation_tokens_in_messages, data.post_truncation_tokens_in_messages
        self._desk.compaction(**_counts("truncation", before, after))

    def _failed(self, data: Data) -> None:
        self._desk.add("interruption", data.message or _message(data.error), by="harness", reason="error")

    def _aborted(self, data: Data) -> None:
        self._desk.add("interruption", by="person", reason=data.reason or "")

    def _speaker(self) -> dict[str, Any]:
        return {"by": "subagent", "agent_id": self._inner} if self._inner else {}


def _counts(trigger: str | None, before: int | None, after: int | None) -> dict[str, Any]:
    """What is known of a compaction."""
    facts = {"trigger": trigger, "tokens_before": before, "tokens_after": after}
    return {name: fact for name, fact in facts.items() if fact is not None}


def _message(error: Fault | str | None) -> str:
    return error if isinstance(error, str) else (error.message or "") if error else ""


def _question(arguments: dict[str, Any]) -> str:
    choices = arguments.get("choices")
    options = [f"- {word(choice)}" for choice in choices] if isinstance(choices, list) else []
    return "\n".join([word(arguments.get("question")), *options])
