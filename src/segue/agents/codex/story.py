"""Codex records into entries, one record at a time.

Codex writes most things twice: as the item the model saw (`response_item`) and as the event the
screen showed (`event_msg`). The tables say which part of the story tells which; an event that
only says again what another record says is silent; what is in no table is carried as `other`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from segue.agents._record import inherited, json_record, record, word
from segue.agents._writer import EntryWriter
from segue.agents.codex.subagents import Subagents
from segue.agents.codex.tools import Tools
from segue.agents.codex.wire import Payload, Rare, Record
from segue.agents.codex.words import Words, is_prompt, texts
from segue.model.entry import Speaker, Usage

Handler = Callable[[Any], None]
"""Takes a Payload, or a Rare where its type is none of the common ones."""

SILENT_EVENTS = """
    account/rateLimits/updated agent_message_content_delta agent_message_delta agent_reasoning_delta
    agent_reasoning_raw_content agent_reasoning_section_break codex/event/raw_item
    collab_agent_interaction_begin collab_agent_interaction_end collab_agent_spawn_begin collab_close_begin
    collab_waiting_begin dynamic_tool_call_request dynamic_tool_call_response exec_command_begin
    exec_command_output_delta image_generation_begin image_generation_end item_started mcp_tool_call_begin
    mcp_tool_call_end patch_apply_begin plan_update sub_agent_activity thread_settings_applied turn_diff
    view_image_tool_call web_search_begin web_search_end
"""
SILENT_RECORDS = ("token_usage_record", "inter_agent_communication_metadata")


class Story:
    """What has to be remembered to tell the next record."""

    def __init__(self, path: str, named: str, everything: bool = False) -> None:
        self.writer = EntryWriter(path)
        self._named = named
        self._subagents = Subagents(self.writer)
        self._words = Words(self.writer, self._subagents)
        self._tools = Tools(self.writer, self._subagents)
        self._everything = everything
        self._id = self._parent = self._title = ""
        self._copied = False
        """Whether the present record belongs to the copy of the parent's history in a fork."""
        self._window = self._total = self._context = 0
        self._boundary_told = False
        self._records: dict[str, Handler] = {
            **dict.fromkeys(SILENT_RECORDS, _silent),
            "session_meta": self._session,
            "turn_context": self._turn,
            "world_state": self._surroundings,
            "compacted": self._compacted,
        }
        self._items: dict[str, Handler] = {
            "message": self._words.message,
            "reasoning": self._words.reasoning,
            "agent_message": self._from_agent,
            "function_call": self._tools.function_call,
            "function_call_output": self._tools.output,
            "custom_tool_call": self._tools.custom_call,
            "custom_tool_call_output": self._tools.output,
            "local_shell_call": self._tools.local_shell_call,
            "web_search_call": self._tools.web_search,
            "tool_search_call": self._tools.function_call,
            "tool_search_output": self._tools.output,
            "image_generation_call": self._tools.function_call,
        }
        self._events: dict[str, Handler] = {
            **dict.fromkeys(SILENT_EVENTS.split(), _silent),
            "user_message": self._words.prompted,
            "agent_message": lambda payload: self._words.add_reply(payload.message or "", payload.phase),
            "agent_reasoning": lambda payload: self._words.thought(payload.text or ""),
            "token_count": self._counted,
            "task_started": self._started,
            "task_complete": self._completed,
            "error": self._failed,
            "turn_aborted": self._aborted,
            "exec_command_end": self._tools.executed,
            "patch_apply_end": self._tools.patched,
            "context_compacted": self._context_compacted,
            "thread_name_updated": self._titled,
            "thread_goal_updated": self._goal,
            "entered_review_mode": self._review,
            "collab_agent_spawn_end": self._subagents.spawned,
            "collab_waiting_end": self._subagents.waited,
            "collab_close_end": self._subagents.closed,
            "item_completed": self._item,
        }
        self._tables = {"response_item": self._items, "event_msg": self._events}

    @property
    def inherits(self) -> bool:
        """Whether the parent's history is told too. A person who forks a thread goes on with it; a
        sub-agent is given it and does something else."""
        return self._everything or self._words.prompter == "person"

    def add_record(self, line: int, offset: int, row: Record) -> None:
        """Puts what a record tells on the writer."""
        payload = row.payload
        table = self._tables.get(row.type)
        handler = self._records.get(row.type) if table is None else table.get(payload.type)
        if handler is _silent:
            return
        if self._copied and self._begins_own(row.type, payload):
            self._copied = False
            self.writer.model, self._window = "", 0
        writer = self.writer
        if writer.held:
            self._words.release(row.type, payload)
        writer.start_record(line, offset, row.timestamp, payload.id or payload.call_id or "")
        if handler is None:
            writer.add("other", by="harness", data={"type": payload.type or row.type})
        elif row.metadata is None or not row.metadata.compaction_output:
            handler(payload)
        if self._copied and self.inherits:
            writer.entries[:] = inherited(writer.entries, self._parent)
            writer.held[:] = inherited(writer.held, self._parent)
        elif self._copied:
            writer.discard()

    def _session(self, payload: Rare) -> None:
        id = payload.id or self._id or self._named
        if self._id and id != self._id:
            self._copied = bool(self._parent)
            return
        parent = ""
        if not self._id:
            self._id = id
            self._parent = payload.forked_from_id or payload.parent_thread_id or ""
            source = bytes(payload.source)
            if source.startswith(b"{") and b"subagent" in source[:32]:
                self._words.prompter = "agent"
                self._parent = self._parent or _spawner(source)
            parent = self._parent
        self.writer.cwd = payload.cwd or self.writer.cwd
        branch = payload.git.branch if payload.git else None
        facts = {"cwd": payload.cwd, "branch": branch, "agent_version": payload.cli_version}
        self.writer.add_meta({"id": id, "parent": parent, **facts}, cwd=self.writer.cwd)

    def _begins_own(self, type: str, payload: Payload) -> bool:
        """Whether a fork's own first turn begins here, after the copy of its parent's history.

        Thread and turn ids are UUIDv7, so the ids of copied turns sort before the fork's own id."""
        if not isinstance(payload, Rare) or (type != "turn_context" and payload.type != "task_started"):
            return False
        turn = payload.turn_id or ""
        return len(turn) == len(self._id) == 36 and turn[14] == self._id[14] == "7" and turn >= self._id

    def _turn(self, payload: Rare) -> None:
        if payload.cwd and payload.cwd != self.writer.cwd:
            self.writer.cwd = payload.cwd
            self.writer.add_meta({"cwd": payload.cwd}, cwd=payload.cwd)
        self.writer.set_model(payload.model or "")

    def _surroundings(self, payload: Rare) -> None:
        text = word(record(json_record(payload.state).get("agents_md")).get("text"))
        self.writer.add("user", text, by="harness", via="instructions" if text else "environment")

    def _counted(self, payload: Payload) -> None:
        """Usage of one reply. The record comes again whenever a limit moves, with the same total."""
        info = payload.info
        if info is None or info.last_token_usage is None or info.total_token_usage is None:
            return
        last, total = info.last_token_usage, info.total_token_usage.total_tokens
        if total == self._total:
            return
        self._total = total
        fresh = max(0, last.input_tokens - last.cached_input_tokens - last.cache_write_input_tokens)
        window = info.model_context_window or 0
        usage = Usage(
            fresh, last.output_tokens, last.cached_input_tokens, last.cache_write_input_tokens, window
        )
        self._context = last.input_tokens
        data = {"window": window} if window and window != self._window else {}
        self._window = window or self._window
        self.writer.add_usage(usage, data)

    def _compacted(self, payload: Payload) -> None:
        """The boundary. Most versions keep no readable summary; the copied history is never told again."""
        self.writer.add_compaction(payload.message or None, **self._before())
        self._boundary_told = True

    def _context_compacted(self, payload: Payload) -> None:
        if not self._boundary_told:
            self.writer.add_compaction(**self._before())
        self._boundary_told = False

    def _before(self) -> dict[str, Any]:
        return {"tokens_before": self._context} if self._context else {}

    def _started(self, payload: Payload) -> None:
        self._boundary_told = False

    def _completed(self, payload: Rare) -> None:
        """The end of a turn, which is worth telling where the agent's last words do not tell it."""
        self._failed(payload)
        if self._words.midway:
            self._words.midway = False
            self.writer.add_meta({"turn_over": True})

    def _failed(self, payload: Rare) -> None:
        """An error that ended the turn."""
        error = payload.error
        if payload.type == "error" or error:
            told = error.get("message") if isinstance(error, dict) else error
            text = payload.message or (told if isinstance(told, str) else "")
            self.writer.add("interruption", text, by="harness", reason="error")

    def _aborted(self, payload: Rare) -> None:
        by: Speaker = "person" if payload.reason in (None, "interrupted", "replaced") else "harness"
        self.writer.add("interruption", by=by, reason=payload.reason or "")

    def _titled(self, payload: Rare) -> None:
        if payload.thread_name and payload.thread_name != self._title:
            self._title = payload.thread_name
            self.writer.add_meta({"title": self._title})

    def _goal(self, payload: Rare) -> None:
        """A goal the person set; updates that a turn makes of it say nothing new."""
        if payload.goal and payload.goal.objective and payload.turn is None:
            self.writer.add("user", payload.goal.objective, by="person", via="command")

    def _review(self, payload: Rare) -> None:
        text = payload.prompt or payload.user_facing_hint or ""
        self.writer.add("user", text, by="person", via="command")

    def _from_agent(self, payload: Payload) -> None:
        self.writer.add("user", "\n".join(texts(payload.content)), by="subagent", via="notification")

    def _item(self, payload: Rare) -> None:
        """The newer style of events: one type, the thing itself in `item`."""
        item = payload.item
        if item is None:
            return
        self.writer.at = self.writer.at._replace(native_id=item.id)
        if is_prompt(payload):
            self._words.prompted_item(item)
        elif item.type == "AgentMessage":
            self._words.add_reply("\n".join(texts(item.content)))
        elif item.type == "Reasoning":
            self._words.thought("\n\n".join(item.summary_text or ()))
        elif item.type == "Plan":
            self._words.propose((item.text or "").strip())
        elif item.type == "CommandExecution":
            self._tools.executed_item(item)
        elif item.type == "FileChange":
            self._tools.patched_item(item)
        elif item.type == "ContextCompaction":
            self._context_compacted(payload)


def _silent(payload: Payload) -> None:
    """Says what another record says."""


def _spawner(source: bytes) -> str:
    spawned = record(record(json_record(source).get("subagent")).get("thread_spawn"))
    return word(spawned.get("parent_thread_id"))
