"""What else happens in a session: words on many channels, notices, lists, plans, sub-agents.

Of earlier lines only queued prompts, tasks, plans and names are remembered.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import Raw
from msgspec.structs import force_setattr

from segue.agents._record import record, whole, word, words
from segue.agents._text import Said, split_message
from segue.agents._toolcall import todos
from segue.agents.claude_code import calls, harness, results, voices
from segue.agents.claude_code.lines import Batch
from segue.agents.claude_code.page import Page
from segue.agents.claude_code.tasks import TOOLS, Tasks
from segue.agents.claude_code.wire import Block, Line, Tag, Whole, WholeInput, WholeResult
from segue.model.entry import Entry, Speaker, clip
from segue.model.value import NamedTuple

_COMMAND = r"/[A-Za-z][\w:.-]*(?:\s|$)"
"""A slash command; a path goes on with another slash."""


class Waiting(NamedTuple):
    """Words of a person in the queue, and where they stand."""

    text: str
    line: int
    offset: int
    time_ms: int | None


class Asides:
    """Everything beside the agent's plain work."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._emit = page.emit
        self._commanded = False
        self._queued: list[str] = []
        """What was told when it was queued and may come again."""
        self._waiting: list[Waiting] = []
        self._due = False
        """The program took the oldest of what waits as the next prompt."""
        self.tasks = Tasks()
        self._plans: dict[str, str] = {}
        self._subjects: dict[str, str] = {}
        self._agents: dict[str, str] = {}
        """Sub-agents that go on in the background, and the call that started each."""
        self._links: set[str] = set()
        self._tellers: dict[str, Callable[[Whole], None]] = {
            "system": self._system,
            "attachment": self._attachment,
            "queue-operation": self._queue,
            "ai-title": lambda line: page.titled(word(line.ai_title), False),
            "custom-title": lambda line: page.titled(word(line.custom_title), True),
            "summary": self._summary,
            "pr-link": self._pull_request,
            "relocated": lambda line: page.relocated(word(line.relocated_cwd)),
        }

    def add_line(self, line: Whole) -> None:
        """Tells a line that is neither of a reply nor the result of a tool."""
        teller = self._tellers.get(line.type)
        if teller is not None:
            teller(line)
        else:
            self._emit("other", by="harness", data={"type": line.type})

    # Calls and results that are more than that

    def called(self, call: Entry, given: WholeInput, raw: Raw) -> None:
        """Tells what a call is besides: a question, a plan, a to-do list, a sub-agent's start."""
        id, tool, speaker = call.call_id, call.tool, self._page.speaker
        if call.tool_kind == "task":
            data = {"type": word(given.subagent_type)} if given.subagent_type else {}
            self._emit("subagent_start", word(given.prompt), by=speaker, call_id=id, data=data)
        elif tool == calls.TODO:
            self._emit("todo", by=speaker, call_id=id, todos=todos(given.todos))
        elif tool == calls.QUESTION:
            self._emit("question", calls.question(given), by=speaker, call_id=id)
        elif tool == calls.PLAN and given.plan:
            self._plans[id] = word(given.plan)
            self._emit("plan", word(given.plan), by=speaker, call_id=id)
        elif tool in TOOLS:
            self._subjects[id] = word(given.subject)
        elif tool not in calls.TOOLS:
            text, size = clip(bytes(raw).decode("utf-8", "replace"))
            force_setattr(call, "text", text)
            force_setattr(call, "size", size)

    def ended(self, told: Entry, result: object, more: dict[str, Any]) -> None:
        """Completes the entry of a result with `more` fields, and tells what it is besides: a refusal, an
        answer, a verdict on a plan, a change of the to-do list, a sub-agent's end, a reminder."""
        self.speak(more.pop("reminders", []))
        for field, value in more.items():
            force_setattr(told, field, value)
        id, tool = told.call_id, told.tool
        kept = result if isinstance(result, WholeResult) else None
        if told.is_error:
            refused = results.rejection(told.text, result == results.DECLINED)
            if refused is not None:
                fields: dict[str, Any] = {"call_id": id, "tool": tool, "tool_kind": told.tool_kind}
                self._emit("rejection", refused, by="person", via="rejection", **fields)
        if told.tool_kind == "task":
            self._agent_ended(told, kept)
        elif tool == calls.QUESTION and not told.is_error:
            self._emit("answer", results.answers(kept, told.text), by="person", via="answer", call_id=id)
        elif tool == calls.PLAN:
            outcome = {"outcome": "rejected" if told.is_error else "approved"}
            plan = results.plan(kept, self._plans.pop(id, ""))
            self._emit("plan", plan, by="person", via="plan", call_id=id, data=outcome)
        elif tool in TOOLS and kept is not None:
            todo = self.tasks.changed(kept, self._subjects.pop(id, ""))
            self._emit("todo", by=self._page.speaker, call_id=id, todos=todo)

    def _agent_ended(self, told: Entry, result: WholeResult | None) -> None:
        agent = word(result.agent_id) if result is not None else ""
        if told.background:
            self._agents[agent] = told.call_id
            return
        counts = {"tokens": result.total_tokens, "calls": result.total_tool_use_count} if result else {}
        self._emit(
            "subagent_end",
            by="subagent",
            call_id=told.call_id,
            agent_id=agent,
            is_error=told.is_error,
            data={name: whole(count) for name, count in counts.items() if count},
        )

    # Words

    def user(self, line: Line, batch: Batch) -> None:
        """Tells a line of the user's side that holds no results of tools."""
        content = line.message.content if line.message else None
        if isinstance(content, str):
            if self._was_queued(content):
                self._due = False
                return
            content = [Block("text", content)]
        self._dequeue("\n".join(block.text for block in content or () if block.text))
        self.beside(line, content or [], batch)

    def beside(self, line: Line, blocks: list[Block], batch: Batch) -> None:
        """Tells the words of a line, which may stand beside results."""
        heard = voices.split_line(
            line, [block for block in blocks if block.type != "tool_result"], self._commanded
        )
        if heard.interrupted:
            self._emit("interruption", by="person", reason=heard.interrupted)
        pictures = any(block.type == "image" for block in blocks)
        images = {"images": batch.whole(self._page.offset).pictures()} if pictures else {}
        self.speak(heard.pieces or ([Said("", "person", "prompt")] if images else []), images)

    def speak(self, pieces: list[Said], data: dict[str, Any] | None = None) -> None:
        """Tells words that reached the agent as the user's."""
        for text, by, via in pieces:
            self._commanded = via == "command"
            if self._commanded:
                self._dequeue(text)
            if via == "summary":
                self._emit("summary", harness.summary(text), by="harness", via=via)
            elif via == "notification":
                self._notice(text)
            elif by == "person":
                command = text if via == "shell" else ""
                asking: Speaker = "agent" if self._page.agent_id else "person"
                self._emit("user", text, by=asking, via=via, command=command, data=data or {})
            else:
                self._emit("user", text, by=by, via=via)

    def _notice(self, text: str) -> None:
        """Something in the background ended: a command, or a sub-agent."""
        notice = harness.notice(text)
        call_id = notice.call_id or self._agents.get(notice.task, "")
        data = {"task": notice.task, "status": notice.status} if notice.task else {}
        code = notice.exit_code
        self._emit("user", text, by="harness", via="notification", call_id=call_id, exit_code=code, data=data)
        if notice.task in self._agents:
            failed = notice.status not in ("", "completed")
            ended: dict[str, Any] = {
                "call_id": self._agents.pop(notice.task),
                "agent_id": notice.task,
                "is_error": failed,
            }
            self._emit("subagent_end", notice.text, by="subagent", **ended)

    def _queue(self, line: Whole) -> None:
        """A prompt that waits until the agent gets to read it: as the next prompt, which every prompt of a headless
        session is, or between two calls. It is told where it is read. A notice is told at once."""
        content = word(line.content).strip()
        if line.operation == "dequeue":
            self._due = True
        elif line.operation == "enqueue" and content:
            pieces = _queued(content)
            if any(piece.by == "person" for piece in pieces):
                page = self._page
                self._waiting.append(Waiting(content, page.number, page.offset, page.time))
            else:
                self.speak(pieces)
                self._queued.append(content)

    def _dequeue(self, prompt: str) -> None:
        """What waited is read now. What the program took from the queue may differ from what was typed: a paste is
        written out."""
        due, self._due = self._due, False
        known = next((one for one in self._waiting if one.text == prompt.strip()), None)
        if known is None and due and self._waiting:
            known = self._waiting[0]
        if known is not None:
            self._waiting.remove(known)

    def end(self) -> None:
        """Tells what still waits in the queue, where it stands."""
        page = self._page
        for text, page.number, page.offset, page.time in self._waiting:
            page.uuid = ""
            self.speak(_queued(text))

    def _was_queued(self, prompt: str) -> bool:
        if not self._queued or prompt.strip() not in self._queued:
            return False
        self._queued.remove(prompt.strip())
        return True

    # The harness

    def _attachment(self, line: Whole) -> None:
        value = record(line.attachment)
        kind = word(value.get("type"))
        if kind == "queued_command":
            prompt = words(value.get("prompt"))
            if not self._was_queued(prompt):
                self._dequeue(prompt)
                self.speak(_queued(prompt))
        elif kind in harness.REMINDERS:
            todo = self.tasks.reminded(value.get("content"))
            if todo:
                self._emit("todo", by="harness", via="reminder", todos=todo)
        else:
            injected = harness.attachment(value)
            if injected is None:
                self._emit("other", by="harness", data={"type": f"attachment/{kind}"})
            elif injected.text or injected.paths:
                via, text, paths = injected
                self._emit("user", text, by="harness", via=via, paths=paths)

    def edited(self, attachment: Tag) -> None:
        """Somebody else changed a file the agent knows."""
        path = word(attachment.filename)
        text, paths = word(attachment.snippet), (path,) if path else ()
        self._emit("user", text, by="harness", via="notification", paths=paths)

    def _system(self, line: Whole) -> None:
        kind, text = line.subtype or "", word(line.content)
        if kind == "compact_boundary":
            self._emit("compaction", by="harness", data=harness.boundary(line.compact_metadata))
        elif kind == "away_summary":
            self._emit("summary", text, via="recap")
        elif kind == "local_command":
            self.speak(split_message(text))
        elif kind == "model_refusal_fallback" and line.fallback_model:
            self._page.model_is(word(line.fallback_model))
        elif kind == "stop_hook_summary":
            if line.hook_errors:
                self._emit("user", words(line.hook_errors), by="harness", via="hook")
        else:
            failed = True if line.error is not None else None
            text = text or harness.trouble(line.error)
            self._emit("other", text, by="harness", is_error=failed, data={"type": f"system/{kind}"})

    # The session itself

    def _summary(self, line: Whole) -> None:
        """The title of a conversation, this one's or another's of the same project: `leaf` tells whose."""
        data = {"type": "summary", "leaf": word(line.leaf_uuid)}
        self._emit("other", word(line.summary), by="harness", data=data)

    def _pull_request(self, line: Whole) -> None:
        url = word(line.pr_url)
        if url not in self._links:
            self._links.add(url)
            self._emit("other", url, by="harness", data={"type": "pr-link"})


def _queued(prompt: str) -> list[Said]:
    if re.match(_COMMAND, prompt):
        return [Said(prompt, "person", "command")]
    return [Said(text, by, "queued" if via == "prompt" else via) for text, by, via in split_message(prompt)]
