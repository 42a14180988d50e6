"""Copilot events into entries, one event at a time."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from segue.agents._record import code, flag, record, records, whole, word
from segue.agents._tags import sections
from segue.agents._toolcall import arguments_of, command, edits, kinds
from segue.agents._writer import EntryWriter
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
_PERSON = ("", "user")
_REFUSED = "denied-interactively-by-user"
SILENT = """
    assistant.turn_start assistant.turn_end assistant.intent assistant.usage hook.start permission.requested
    session.compaction_start session.shutdown session.usage_checkpoint session.usage_info session.idle
    session.auto_mode_resolved session.plan_changed system.message tool.execution_progress
    tool.execution_partial_result
"""
"""Events that repeat others, and the system prompt."""
_SILENT = frozenset(SILENT.split())


Data = dict[str, Any]
Means = Callable[[str, dict[str, Any]], dict[str, Any]]
"""Gives a tool's arguments under the names that all tools share."""


class Story:
    def __init__(
        self, writer: EntryWriter, kinds: dict[str, ToolKind] = KINDS, means: Means = lambda _, given: given
    ) -> None:
        self._writer = writer
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
            "session.model_change": lambda data: self._writer.set_model(word(data.get("newModel"))),
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

    def add_event(self, line: int, offset: int, event: dict[str, Any]) -> None:
        kind, data = word(event.get("type")), record(event.get("data"))
        self._writer.start_record(line, offset, event.get("timestamp"), word(event.get("id")))
        inner = (event.get("agentId"), data.get("agentId"), data.get("parentToolCallId"))
        self._inner = next(filter(None, map(word, inner)), "")
        handler = self._events.get(kind)
        if handler:
            handler(data)
        elif kind not in _SILENT and not kind.startswith("model."):
            self._writer.add("other", word(data.get("message")), by="harness", data={"type": kind})

    def _session(self, data: Data) -> None:
        context = record(data.get("context"))
        cwd = word(data.get("cwd")) or word(context.get("cwd"))
        facts = {
            "id": word(data.get("sessionId")),
            "cwd": cwd,
            "branch": word(data.get("branch")) or word(context.get("branch")),
            "agent_version": word(data.get("copilotVersion")),
            "model": word(data.get("selectedModel")),
        }
        self._writer.cwd = cwd or self._writer.cwd
        self._writer.model = word(data.get("selectedModel")) or self._writer.model
        self._writer.add_meta(facts, cwd=self._writer.cwd, model=word(data.get("selectedModel")))

    def _titled(self, data: Data) -> None:
        if word(data.get("title")):
            self._writer.add_meta({"title": word(data.get("title"))})

    def _prompted(self, data: Data) -> None:
        """A prompt is the person's unless the event belongs to a sub-agent or names another source.

        `parentAgentTaskId` does not tell: newer versions set it on the person's own prompts too."""
        task = word(data.get("parentAgentTaskId"))
        inner = self._inner or (task if task in self._agents else "")
        text = word(data.get("content"))
        if word(data.get("source")) not in _PERSON:
            text = text or word(data.get("transformedContent"))
            via = "instructions" if "instruction" in word(data.get("source")) else "reminder"
            self._writer.add("user", text, by="harness", via=via, agent_id=inner)
            return
        by: Speaker = "agent" if inner else "person"
        paths = tuple(path for file in records(data.get("attachments")) if (path := word(file.get("path"))))
        self._writer.add("user", text, by=by, via="prompt", agent_id=inner, paths=paths)
        for reminder in sections(word(data.get("transformedContent")), _REMINDERS):
            self._writer.add("user", reminder.inner.strip(), by="harness", via="reminder", agent_id=inner)

    def _replied(self, data: Data) -> None:
        fields = self._speaker()
        model = word(data.get("model")) or self._writer.model
        if word(data.get("reasoningText")):
            self._writer.add("thought", word(data.get("reasoningText")), model=model, **fields)
        usage = (
            Usage(output=spent) if (spent := whole(data.get("outputTokens"))) and not self._counted else None
        )
        self._counted = False
        if word(data.get("content")):
            self._writer.add("agent", word(data.get("content")), model=model, usage=usage, **fields)
            usage = None
        for request in records(data.get("toolRequests")):
            self._call(
                word(request.get("toolCallId")), word(request.get("name")), request.get("arguments"), usage
            )
            usage = None

    def _reasoned(self, data: Data) -> None:
        self._writer.add("thought", word(data.get("content")), model=self._writer.model, **self._speaker())

    def _used(self, data: Data) -> None:
        if not isinstance(data.get("usage"), dict):
            return
        spent = data["usage"]
        names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "maxPromptTokens")
        whole_input, *others = (whole(spent.get(name)) for name in names)
        usage = Usage(max(0, whole_input - others[1] - others[2]), *others)
        self._counted = True
        self._writer.add(
            "meta", by="harness", usage=usage, model=word(spent.get("model")) or self._writer.model
        )

    def _started(self, data: Data) -> None:
        self._call(word(data.get("toolCallId")), word(data.get("toolName")), data.get("arguments"))

    def _call(self, id: str, tool: str, given: Any, usage: Usage | None = None) -> None:
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
        self._writer.add_call(
            kind, origin, tool, arguments, tool in _CREATE, data=data, usage=usage, **fields
        )
        if id in self._questions:
            self._writer.add("question", _question(arguments), call_id=origin)
        for edit in edits(arguments) if kind in ("write", "edit") else ():
            if "/session-state/" in edit.path and edit.path.endswith("/plan.md"):
                self._writer.add("plan", edit.new, call_id=origin)

    def _completed(self, data: Data) -> None:
        id = word(data.get("toolCallId"))
        origin, tool, command = self._called.get(id, (id, "", ""))
        kind = self._kinds.get(tool, "other")
        text = word(record(data.get("result")).get("content")) or _message(data)
        ended_with = code(record(data.get("shellExecution")).get("exitCode"))
        success = flag(data.get("success"))
        background = False
        if kind == "shell" and (ended := _EXITED.search(text[-400:])):
            ended_with = int(ended[2]) if ended_with is None else ended_with
        elif kind == "shell" and success and ended_with is None and (shell := _RUNNING.search(text[-400:])):
            background = True
            self._shells[shell[1]] = origin, command
        is_error = None if success is None else not success
        if not is_error and ended_with is not None:
            is_error = ended_with != 0
        result: dict[str, Any] = {"exit_code": ended_with, "is_error": is_error, "background": background}
        called: dict[str, Any] = {"call_id": origin, "tool": tool, "tool_kind": kind}
        self._writer.add("tool_result", text, **called, **result, **self._speaker())
        if question := self._questions.pop(id, ""):
            given = text.removeprefix("User selected: ")
            self._writer.add("answer", f"{question}\n{given}", by="person", via="answer", call_id=origin)

    def _permitted(self, data: Data) -> None:
        result = record(data.get("result"))
        if word(result.get("kind")).startswith(_REFUSED):
            id = word(data.get("toolCallId"))
            origin, tool, _ = self._called.get(id, (id, "", ""))
            self._writer.add_rejection(
                origin, tool, self._kinds.get(tool, "other"), word(result.get("feedback"))
            )

    def _own_shell(self, data: Data) -> None:
        command = word(arguments_of(data.get("arguments")).get("command"))
        self._called[word(data.get("toolCallId")) or ""] = word(data.get("toolCallId")), "bash", command
        self._writer.add("user", command, by="person", via="shell", command=command, tool_kind="shell")

    def _hooked(self, data: Data) -> None:
        """What a hook added to the conversation; that it ran at all is not told."""
        if added := word(record(data.get("output")).get("additionalContext")):
            self._writer.add("user", added, by="harness", via="hook")

    def _added(self, data: Data, via: str) -> None:
        self._writer.add("user", word(data.get("content")), by="harness", via=via)

    def _agent_started(self, data: Data) -> None:
        agent = word(data.get("toolCallId"))
        self._agents.add(agent)
        text = (
            word(data.get("agentDescription"))
            or word(data.get("agentDisplayName"))
            or word(data.get("agentName"))
        )
        self._writer.add("subagent_start", text, agent_id=agent, call_id=agent)

    def _agent_ended(self, data: Data) -> None:
        agent = word(data.get("toolCallId"))
        text = _message(data)
        self._writer.add("subagent_end", text, by="subagent", agent_id=agent, is_error=bool(text) or None)

    def _compacted(self, data: Data) -> None:
        if data.get("success") is False:
            about = {"type": "session.compaction_complete"}
            self._writer.add("other", _message(data), by="harness", data=about)
            return
        self._writer.add_compaction(
            word(data.get("summaryContent")) or None,
            **_counts(data, word(data.get("trigger")), "CompactionTokens"),
        )

    def _truncated(self, data: Data) -> None:
        """Old messages were dropped without a summary."""
        self._writer.add_compaction(**_counts(data, "truncation", "TruncationTokensInMessages"))

    def _failed(self, data: Data) -> None:
        self._writer.add(
            "interruption", word(data.get("message")) or _message(data), by="harness", reason="error"
        )

    def _aborted(self, data: Data) -> None:
        self._writer.add("interruption", by="person", reason=word(data.get("reason")))

    def _speaker(self) -> dict[str, Any]:
        return {"by": "subagent", "agent_id": self._inner} if self._inner else {}


def begins_session(event: dict[str, Any]) -> bool:
    """Whether an event is the first of a session, with its id."""
    return event.get("type") == "session.start" and bool(word(record(event.get("data")).get("sessionId")))


def _counts(data: Data, trigger: str, name: str) -> dict[str, Any]:
    """What is known of a compaction."""
    tokens = {"tokens_before": code(data.get(f"pre{name}")), "tokens_after": code(data.get(f"post{name}"))}
    return {
        **({"trigger": trigger} if trigger else {}),
        **{key: n for key, n in tokens.items() if n is not None},
    }


def _message(data: Data) -> str:
    error = data.get("error")
    return word(record(error).get("message")) or word(error)


def _question(arguments: dict[str, Any]) -> str:
    choices = arguments.get("choices")
    options = [f"- {word(choice)}" for choice in choices] if isinstance(choices, list) else []
    return "\n".join([word(arguments.get("question")), *options])
