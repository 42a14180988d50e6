"""Codex records into entries, one record at a time.

Codex writes most things twice: as the item the model saw (`response_item`) and as the event the
screen showed (`event_msg`), one right after the other. One of each pair is told: the event of a
prompt, the item of everything else. What only one of the two records is told from that one. Of
earlier records only open calls, running processes and names are remembered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from segue.agents._record import millis
from segue.agents.codex import voices
from segue.agents.codex.calls import Call, Question, command_line, of_function, of_text
from segue.agents.codex.output import Outcome, outcome
from segue.agents.codex.patch import done, unannounced
from segue.agents.codex.wire import Action, Block, Item, Parsed, Payload, Record, string
from segue.model.entry import TEXT_LIMIT, Edit, Entry, Kind, Speaker, Todo, Usage, clip

SILENT = frozenset(
    [
        "account/rateLimits/updated",
        "agent_message_content_delta",
        "agent_message_delta",
        "agent_reasoning_delta",
        "agent_reasoning_raw_content",
        "agent_reasoning_section_break",
        "codex/event/raw_item",
        "collab_agent_interaction_begin",
        "collab_agent_interaction_end",
        "collab_agent_spawn_begin",
        "collab_close_begin",
        "collab_waiting_begin",
        "dynamic_tool_call_request",
        "dynamic_tool_call_response",
        "exec_command_begin",
        "exec_command_output_delta",
        "image_generation_begin",
        "image_generation_end",
        "item_started",
        "mcp_tool_call_begin",
        "mcp_tool_call_end",
        "patch_apply_begin",
        "plan_update",
        "sub_agent_activity",
        "task_complete",
        "thread_settings_applied",
        "turn_diff",
        "view_image_tool_call",
        "web_search_begin",
        "web_search_end",
    ]
)
"""Events that say again what an item or another event says, or only move the screen."""

_APPROVAL = "Implement the plan."
"""What Codex sends in the person's name when a proposed plan is accepted."""
_PLAN = ("<proposed_plan>", "</proposed_plan>")


class Story:
    """What has to be remembered to tell the next record; `tell` leaves entries in `told`."""

    def __init__(self, path: str, everything: bool = False) -> None:
        self.told: list[Entry] = []
        self.held: list[Entry] = []
        """Entries whose twin may be the very next record."""
        self.id = ""
        self._path = path
        self._everything = everything
        self._inherited = False
        self._prompter: Speaker = "person"
        self._cwd = self._model = self._title = self._plan = ""
        self._window = self._total = self._context = 0
        self._boundary_told = False
        self._calls: dict[str, tuple[str, Call]] = {}
        self._processes: dict[str, tuple[str, str]] = {}
        self._cells: dict[str, tuple[str, str]] = {}
        self._exits: dict[str, tuple[int | None, tuple[str, ...]]] = {}
        self._made: dict[str, tuple[bool | None, tuple[Edit, ...]]] = {}
        self._agents: dict[str, bool] = {}
        """Sub-agents, and whether they have come to an end."""
        self._unpaired: list[str] = []
        """Prompts told from an event whose item has not come yet."""
        self._line = self._offset = 0
        self._time: str | float | None = None
        self._native = ""
        self._records: dict[str, Callable[[Payload], None]] = {
            "session_meta": self._session,
            "turn_context": self._turn,
            "world_state": self._world,
            "compacted": self._compacted,
        }
        self._items: dict[str, Callable[[Payload], None]] = {
            "message": self._message,
            "reasoning": self._reasoning,
            "function_call": self._function_call,
            "custom_tool_call": self._custom_call,
            "local_shell_call": self._local_shell_call,
            "function_call_output": self._output,
            "custom_tool_call_output": self._output,
            "web_search_call": self._web_search,
            "tool_search_call": self._function_call,
            "tool_search_output": self._output,
            "image_generation_call": self._function_call,
            "agent_message": self._agent_to_agent,
        }
        self._events: dict[str, Callable[[Payload], None]] = {
            "user_message": self._prompted,
            "agent_message": self._said,
            "agent_reasoning": self._thought,
            "token_count": self._counted,
            "task_started": self._started,
            "exec_command_end": self._executed,
            "patch_apply_end": self._patched,
            "turn_aborted": self._aborted,
            "error": self._failed,
            "task_complete": self._failed,
            "context_compacted": self._context_compacted,
            "thread_name_updated": self._named,
            "thread_goal_updated": self._goal,
            "entered_review_mode": self._review,
            "collab_agent_spawn_end": self._spawned,
            "collab_waiting_end": self._waited,
            "collab_close_end": self._closed,
            "item_completed": self._item,
        }

    def tell(self, line: int, offset: int, record: Record) -> None:
        """Adds what a record tells to `told`."""
        payload = record.payload
        if payload is None:
            return
        if self._inherited:
            self._inherited = not self._begins_own(record.type, payload)
        name = payload.type
        if self.held:
            self._release(record.type, payload)
        self._line, self._offset, self._time = line, offset, record.timestamp
        self._native = payload.id or payload.call_id or ""
        if record.type == "response_item":
            if record.metadata is not None and record.metadata.compaction_output:
                return
            handler = self._items.get(name)
        elif record.type == "event_msg":
            handler = self._events.get(name)
            if handler is None and name in SILENT:
                return
        else:
            handler = self._records.get(record.type)
            if handler is None and record.type in (
                "token_usage_record",
                "inter_agent_communication_metadata",
            ):
                return
            name = record.type
        if handler is not None:
            handler(payload)
        else:
            self._emit("other", by="harness", data={"type": name or record.type})
        if self._inherited and not self._everything:
            self.told.clear()
            self.held.clear()

    def strange(self, line: int, offset: int, value: dict[str, Any]) -> None:
        """A record that is sound JSON but not of Codex's shape."""
        self.close()
        self._line, self._offset, self._time, self._native = line, offset, value.get("timestamp"), ""
        self._emit("other", by="harness", data={"type": str(value.get("type", ""))})

    def close(self) -> None:
        """Nothing more comes: what waited for a twin stands alone."""
        self.told += self.held
        self.held = []

    # The session itself

    def _session(self, payload: Payload) -> None:
        id = payload.id or ""
        if self.id and id != self.id:
            if self._parent:
                self._inherited = True
            return
        first, self.id = not self.id, id
        data: dict[str, Any] = {"id": id}
        if first:
            self._parent = payload.forked_from_id or payload.parent_thread_id or ""
            source = bytes(payload.source)
            if source.startswith(b"{") and b"subagent" in source[:32]:
                self._prompter = "agent"
                self._parent = self._parent or _spawner(source)
            if self._parent:
                data["parent"] = self._parent
        self._cwd = payload.cwd or self._cwd
        branch = payload.git.branch if payload.git else None
        for key, value in (("cwd", payload.cwd), ("branch", branch), ("agent_version", payload.cli_version)):
            if value:
                data[key] = value
        self._emit("meta", by="harness", cwd=self._cwd, data=data)

    _parent = ""

    def _begins_own(self, type: str, payload: Payload) -> bool:
        """Whether a fork's own first turn begins here, after the copy of its parent's history.

        Thread and turn ids are UUIDv7, so the ids of copied turns sort before the fork's own id."""
        if type != "turn_context" and payload.type != "task_started":
            return False
        turn = payload.turn_id or ""
        if len(turn) == len(self.id) == 36 and turn[14] == self.id[14] == "7":
            return turn >= self.id
        return False

    def _turn(self, payload: Payload) -> None:
        if payload.cwd and payload.cwd != self._cwd:
            self._cwd = payload.cwd
            self._emit("meta", by="harness", cwd=self._cwd, data={"cwd": self._cwd})
        if payload.model and payload.model != self._model:
            known, self._model = self._model, payload.model
            if known:
                self._emit("model_change", by="person", model=self._model)
            else:
                self._emit("meta", by="harness", model=self._model, data={"model": self._model})

    def _world(self, payload: Payload) -> None:
        try:
            state = _world(payload.state)
        except (ValueError, RecursionError):
            state = None
        text = state.agents_md.text if state and state.agents_md else ""
        self._emit("user", text, by="harness", via="environment")

    def _started(self, payload: Payload) -> None:
        self._boundary_told = False

    def _named(self, payload: Payload) -> None:
        if payload.thread_name and payload.thread_name != self._title:
            self._title = payload.thread_name
            self._emit("meta", by="harness", data={"title": self._title})

    def _counted(self, payload: Payload) -> None:
        """Usage of one reply. The record comes again whenever a limit moves, with the same total."""
        info = payload.info
        if info is None or info.last_token_usage is None or info.total_token_usage is None:
            return
        last, window = info.last_token_usage, info.model_context_window or 0
        if info.total_token_usage.total_tokens == self._total:
            return
        self._total = info.total_token_usage.total_tokens
        fresh = max(0, last.input_tokens - last.cached_input_tokens - last.cache_write_input_tokens)
        usage = Usage(
            fresh, last.output_tokens, last.cached_input_tokens, last.cache_write_input_tokens, window
        )
        self._context = usage.context
        data = {"window": window} if window and window != self._window else {}
        self._window = window or self._window
        self._emit("meta", by="harness", usage=usage, model=self._model, data=data)

    def _compacted(self, payload: Payload) -> None:
        """The boundary. Most versions keep no readable summary; the copied history is never told again."""
        data: dict[str, Any] = {"tokens_before": self._context} if self._context else {}
        self._emit("compaction", by="harness", data=data)
        if payload.message:
            self._emit("summary", payload.message, by="harness", via="summary")
        self._boundary_told = True

    def _context_compacted(self, payload: Payload) -> None:
        if not self._boundary_told:
            self._emit("compaction", by="harness")
        self._boundary_told = False

    # Words

    def _message(self, payload: Payload) -> None:
        content = payload.content
        blocks = [Block("input_text", content)] if isinstance(content, str) else content or []
        if payload.role == "assistant":
            self._reply("\n".join(block.text for block in blocks if block.text))
            return
        labels = (payload.passthrough and payload.passthrough.content_item_kinds) or []
        words: list[str] = []
        for number, block in enumerate(blocks):
            text = block.text or ""
            label = labels[number] if number < len(labels) else ""
            channel = voices.via(text, label, payload.role or "")
            if channel != voices.PERSON:
                self._injected(text, channel)
            elif text and not voices.is_picture(text):
                words.append(text)
        if not words and not (len(blocks) and all(block.type == "input_image" for block in blocks)):
            return
        prompt = "\n".join(words)
        if prompt.strip() in self._unpaired:
            self._unpaired.remove(prompt.strip())
            return
        told, self.told = self.told, []
        self._prompt(prompt, 0)
        self.held, self.told = self.told, told

    def _injected(self, text: str, channel: str) -> None:
        self._emit("user", text, by="harness", via=channel)
        if text.startswith("<subagent_notification>"):
            try:
                note = _notification(text[text.find("{") : text.rfind("}") + 1])
                self._end_agent(note.agent_id or note.agent_path, note.status)
            except (ValueError, RecursionError):
                pass

    def _prompted(self, payload: Payload) -> None:
        text = payload.message or ""
        if payload.kind in ("user_instructions", "environment_context"):
            self._emit("user", text, by="harness", via=voices.via(text, "", "developer"))
            return
        if not self._paired:
            self._unpaired = [*self._unpaired[-3:], text.strip()]
        self._prompt(text, len(payload.images or ()) + len(payload.local_images or ()))

    def _prompt(self, text: str, images: int) -> None:
        before, words = voices.request(text)
        if before:
            self._emit("user", before, by="harness", via="environment")
        data = {"images": images} if images else {}
        approved = self._plan and words.strip() == _APPROVAL
        self._emit("user", words, by=self._prompter, via="plan" if approved else "prompt", data=data)
        if approved:
            self._emit("plan", self._plan, by="person", via="plan", data={"outcome": "approved"})
        self._plan = ""

    def _reply(self, text: str) -> None:
        if _PLAN[0] in text:
            before, _, rest = text.partition(_PLAN[0])
            plan, _, after = rest.partition(_PLAN[1])
            if plan.strip() != self._plan.strip():
                self._propose(plan.strip())
            text = f"{before.strip()}\n{after.strip()}".strip()
        if text:
            self._emit("agent", text, model=self._model)

    def _propose(self, plan: str) -> None:
        self._plan = plan
        self._emit("plan", plan)

    def _reasoning(self, payload: Payload) -> None:
        parts = [*_texts(payload.summary), *_texts(payload.content)]
        if parts:
            self._emit("thought", "\n\n".join(parts), model=self._model)

    def _agent_to_agent(self, payload: Payload) -> None:
        self._emit("user", "\n".join(_texts(payload.content)), by="subagent", via="notification")

    def _said(self, payload: Payload) -> None:
        self._hold("agent", payload.message or "")

    def _thought(self, payload: Payload) -> None:
        self._hold("thought", payload.text or "")

    def _hold(self, kind: Kind, text: str) -> None:
        """An event whose item follows at once; it is told only if none does."""
        if text:
            told, self.told = self.told, []
            self._emit(kind, text, model=self._model)
            self.held, self.told = self.held + self.told, told

    def _release(self, type: str, payload: Payload) -> None:
        """Lets go of what waited for its twin: dropped if the twin is here, else told."""
        kind = self.held[-1].kind
        self._paired = False
        if kind == "user":
            self._paired = payload.type == "user_message" or _is_prompt(payload.item)
            twin = self._paired
        elif kind == "agent":
            twin = type == "response_item" and payload.role == "assistant"
        else:
            twin = type == "response_item" and payload.type == "reasoning" and bool(payload.summary)
            if payload.type == "agent_reasoning":
                return
        if not twin:
            self.told += self.held
        self.held = []

    _paired = False

    # Tools

    def _function_call(self, payload: Payload) -> None:
        name = payload.name or payload.type.removesuffix("_call")
        tool = f"{payload.namespace}.{name}" if payload.namespace else name
        self._call(payload, of_function(tool, string(payload.arguments)))

    def _custom_call(self, payload: Payload) -> None:
        self._call(payload, of_text(payload.name or "", string(payload.input)))

    def _local_shell_call(self, payload: Payload) -> None:
        command = command_line(payload.action.command if payload.action else None)
        self._call(payload, Call("local_shell", "shell", command=command))

    def _web_search(self, payload: Payload) -> None:
        self._call(payload, Call("web_search", "web", text=_asked(payload.action)))

    def _call(self, payload: Payload, call: Call) -> None:
        id = payload.call_id or ""
        waiting = self._processes.get(call.process) if call.process else self._cells.get(call.cell)
        origin, data = id, {}
        if waiting:
            origin, command = waiting
            call = call._replace(command=command)
            data = {"resumes": origin}
        if id:
            self._calls[id] = origin, call
        self._emit(
            "tool_call",
            call.text,
            call_id=origin,
            tool=call.tool,
            tool_kind=call.kind,
            command=call.command,
            edits=call.edits,
            paths=call.paths,
            cwd=call.workdir,
            data=data,
        )
        if call.todos:
            self._todo(origin, call.todos)
        for question in call.questions:
            self._emit("question", _spelled_out(question), call_id=origin)

    def _todo(self, call_id: str, todos: tuple[Todo, ...]) -> None:
        self._emit("todo", call_id=call_id, todos=todos)

    def _output(self, payload: Payload) -> None:
        id = payload.call_id or ""
        origin, call = self._calls.pop(id, (id, None))
        result = outcome(payload.output)
        code, paths = self._exits.pop(id, (None, ()))
        success, made = self._made_by(id, call)
        background = bool(result.running or result.cell)
        if call and background:
            for process in result.running:
                self._processes[process] = origin, call.command
            if result.cell:
                self._cells[result.cell] = origin, call.command
        if result.exit_code is not None or background:
            code = result.exit_code
        is_error = result.is_error
        if is_error is None and code is not None:
            is_error = code != 0
        if is_error is None and success is not None:
            is_error = not success
        self._emit(
            "tool_result",
            result.text,
            call_id=origin,
            tool=call.tool if call else "",
            tool_kind=call.kind if call else "other",
            exit_code=code,
            is_error=is_error,
            background=background,
            edits=unannounced(made, call.edits if call else (), self._cwd),
            paths=paths,
        )
        self._afterwards(origin, call, result)

    def _made_by(self, id: str, call: Call | None) -> tuple[bool | None, tuple[Edit, ...]]:
        """What was patched by a call. In code mode the report bears an id of its own."""
        if id in self._made:
            return self._made.pop(id)
        if call is None or call.tool != "exec" or not self._made:
            return None, ()
        reports = list(self._made.values())
        self._made.clear()
        flags = [success for success, _ in reports]
        return (None if None in flags else all(flags)), tuple(edit for _, made in reports for edit in made)

    def _afterwards(self, origin: str, call: Call | None, result: Outcome) -> None:
        """What else an output says: a refusal, an answer, the name of a sub-agent."""
        if result.rejected:
            self._emit("rejection", by="person", via="rejection", call_id=origin)
        if call and call.questions:
            self._emit(
                "answer", _answers(call.questions, result.text), by="person", via="answer", call_id=origin
            )
        if call and call.tool == "spawn_agent" and result.text.startswith("{"):
            try:
                spawned = _spawned_agent(result.text)
            except (ValueError, RecursionError):
                return
            self._start_agent(spawned.agent_id, call.text, origin)

    def _executed(self, payload: Payload) -> None:
        self._ran(payload.call_id or "", payload.exit_code, payload.parsed_cmd)
        if string(payload.source) == "user_shell":
            self._own_shell(payload.command, payload.exit_code, "")

    def _ran(self, id: str, code: int | None, parsed: list[Parsed] | None) -> None:
        """How a command ended; told with its output, unless that came first."""
        if id in self._calls:
            reads = [step.path for step in parsed or () if step.type == "read" and step.path]
            self._exits[id] = code, tuple(dict.fromkeys(reads))

    def _own_shell(self, command: str | list[str] | None, code: int | None, output: str) -> None:
        """A command the person ran in the session with `!`."""
        line = command_line(command)
        ended: dict[str, Any] = {"exit_code": code, "is_error": None if code is None else code != 0}
        self._emit("user", line, by="person", via="shell", command=line, tool_kind="shell", **ended)

    def _patched(self, payload: Payload) -> None:
        if payload.changes is not None:
            self._made[payload.call_id or ""] = payload.success, done(payload.changes)

    # Other events

    def _aborted(self, payload: Payload) -> None:
        by: Speaker = "person" if payload.reason in (None, "interrupted", "replaced") else "harness"
        self._emit("interruption", by=by, reason=payload.reason or "")

    def _failed(self, payload: Payload) -> None:
        """An error that ended the turn."""
        error = string(payload.error)
        if payload.type == "error" or error:
            self._emit("interruption", payload.message or error, by="harness", reason="error")

    def _goal(self, payload: Payload) -> None:
        """A goal the person set; updates that a turn makes of it say nothing new."""
        if payload.goal and payload.goal.objective and payload.turn is None:
            self._emit("user", payload.goal.objective, by="person", via="command")

    def _review(self, payload: Payload) -> None:
        self._emit("user", payload.prompt or payload.user_facing_hint or "", by="person", via="command")

    def _spawned(self, payload: Payload) -> None:
        self._start_agent(payload.new_thread_id or "", payload.prompt or "", payload.call_id or "")

    def _waited(self, payload: Payload) -> None:
        for agent, status in (payload.statuses or {}).items():
            self._end_agent(agent, status)

    def _closed(self, payload: Payload) -> None:
        self._end_agent(payload.receiver_thread_id or "", payload.status)

    def _start_agent(self, agent: str, prompt: str, call_id: str) -> None:
        if agent and agent not in self._agents:
            self._agents[agent] = False
            self._emit("subagent_start", prompt, agent_id=agent, call_id=call_id)

    def _end_agent(self, agent: str, status: msgspec.Raw) -> None:
        """The end of a sub-agent, once, with its last words."""
        ended = _status(status)
        if ended and agent and not self._agents.get(agent, False):
            self._agents[agent] = True
            is_error, text = ended
            self._emit("subagent_end", text, by="subagent", agent_id=agent, is_error=is_error)

    def _item(self, payload: Payload) -> None:
        """The newer style of events: one type, the thing itself in `item`."""
        item = payload.item
        if item is None:
            return
        self._native = item.id
        if _is_prompt(item):
            if not self._paired:
                self._unpaired = [*self._unpaired[-3:], "\n".join(_texts(item.content)).strip()]
            self._prompt("\n".join(_texts(item.content)), 0)
        elif item.type == "AgentMessage":
            self._hold("agent", "\n".join(_texts(item.content)))
        elif item.type == "Reasoning":
            self._hold("thought", "\n\n".join(item.summary_text or ()))
        elif item.type == "Plan":
            self._propose((item.text or "").strip())
        elif item.type == "CommandExecution":
            self._ran(item.id, item.exit_code, item.parsed_cmd)
            if item.source == "user_shell":
                self._own_shell(item.command, item.exit_code, item.aggregated_output or "")
        elif item.type == "FileChange" and item.changes is not None:
            self._made[item.id] = item.status == "completed", done(item.changes)
        elif item.type == "ContextCompaction":
            self._context_compacted(payload)

    def _emit(self, kind: Kind, text: str = "", **fields: Any) -> None:
        size = 0
        if len(text) > TEXT_LIMIT:
            text, size = clip(text)
        self.told.append(
            Entry(
                kind=kind,
                file=self._path,
                line=self._line,
                offset=self._offset,
                native_id=self._native,
                time_ms=millis(self._time),
                text=text,
                size=size,
                **fields,
            )
        )


class _AgentsFile(msgspec.Struct, gc=False):
    text: str = ""


class _World(msgspec.Struct, gc=False):
    agents_md: _AgentsFile | None = None


class _Notification(msgspec.Struct, gc=False):
    agent_id: str = ""
    agent_path: str = ""
    status: msgspec.Raw = msgspec.Raw(b"")


class _Spawned(msgspec.Struct, gc=False):
    agent_id: str = ""


class _Answer(msgspec.Struct, gc=False):
    answers: list[str] = []


class _Answers(msgspec.Struct, gc=False):
    answers: dict[str, _Answer] = {}


_world = msgspec.json.Decoder(_World).decode
_notification = msgspec.json.Decoder(_Notification).decode
_spawned_agent = msgspec.json.Decoder(_Spawned).decode
_answered = msgspec.json.Decoder(_Answers).decode


def _is_prompt(item: Item | None) -> bool:
    return item is not None and item.type == "UserMessage"


def _texts(content: str | list[Block] | None) -> list[str]:
    if isinstance(content, str):
        return [content] if content else []
    return [block.text for block in content or () if block.text]


def _spawner(source: bytes) -> str:
    try:
        spawn = msgspec.json.decode(source)["subagent"]["thread_spawn"]
        return str(spawn["parent_thread_id"] or "")
    except (ValueError, KeyError, TypeError):
        return ""


def _asked(action: Action | None) -> str:
    if action is None:
        return ""
    return action.query or action.url or "\n".join(action.queries or ())


def _spelled_out(question: Question) -> str:
    options = [f"- {option.label}" for option in question.options or ()]
    return "\n".join([question.question, *options])


def _answers(questions: tuple[Question, ...], text: str) -> str:
    """Questions and answers in words; the record keeps only the answers, by the question's id."""
    try:
        given = _answered(text).answers
    except (ValueError, RecursionError):
        return text
    asked = {question.id: question.question for question in questions}
    return "\n".join(f"{asked.get(id, id)}\n{', '.join(answer.answers)}" for id, answer in given.items())


def _status(raw: msgspec.Raw) -> tuple[bool, str] | None:
    """Whether a finished sub-agent failed, and what it said last; None while it runs."""
    try:
        status = msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        return None
    if isinstance(status, dict):
        for name in ("completed", "errored"):
            if name in status:
                return name == "errored", str(status[name] or "")
    return (False, "") if status == "shutdown" else None
