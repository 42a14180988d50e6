"""The agent's replies and the results of its tools: nearly all lines of a session.

A reply is spread over several lines with the same message id, each repeating the usage counted so
far. The usage is told once, on the last entry of the reply, so entries wait until the reply is known
to be over; until then nobody else has seen them, and they are ours to complete.
"""

from __future__ import annotations

from msgspec.structs import force_setattr

from segue.agents.claude_code.asides import Asides
from segue.agents.claude_code.calls import TOOLS, UNKNOWN, Tool, other
from segue.agents.claude_code.lines import Batch
from segue.agents.claude_code.page import Page
from segue.agents.claude_code.results import outcome
from segue.agents.claude_code.wire import Block, Input, Line, Message, Result, Tokens, Whole
from segue.model.entry import MIDWAY, TEXT_LIMIT, Entry, Kind, Usage, clip

_SYNTHETIC = "<synthetic>"
_NO_INPUT = Input()


class Replies:
    """What has to be remembered of the reply that is being read, and of calls without a result."""

    def __init__(self, page: Page, asides: Asides) -> None:
        self._page = page
        self._asides = asides
        self._calls: dict[str, Tool] = {}
        self.open: str | None = None
        """The id of the reply that is being read."""
        self._tokens: Tokens | None = None
        self._last: Entry | None = None
        self._silent: tuple[int, int, str, int | None] = (1, 0, "", None)
        """Where the reply stands, as long as it has no entry."""
        self._counted: set[str | None] = {None}

    def reply(self, message: Message, batch: Batch) -> None:
        """Tells a line of a reply."""
        page = self._page
        self.open = message.id
        if message.model != page.model and self._is_made_up(message, batch):
            return
        self._tokens = message.usage
        content = message.content
        for block in content if isinstance(content, list) else (Block("text", content),):
            type = block.type
            if type == "tool_use":
                self._call(block, batch)
            elif type == "text":
                if block.text:
                    self._words("agent", block.text, MIDWAY if message.stop_reason == "tool_use" else "")
            elif type == "thinking":
                if block.thinking:
                    self._words("thought", block.thinking)
            elif type != "redacted_thinking":
                page.emit("other", block.text or block.name or "", data={"type": f"assistant/{type}"})
                self._last = page.told[-1]
        if self._last is None:
            self._silent = page.number, page.offset, page.uuid, page.time

    def results(self, line: Line, content: list[Block], batch: Batch) -> None:
        """Tells a line with results of tools."""
        for block in content:
            if block.type == "tool_result":
                self._result(
                    block, self._calls.pop(block.tool_use_id or "", UNKNOWN), line.tool_use_result, batch
                )
        if len(content) > 1:
            self._asides.beside(line, content, batch)

    def close(self) -> None:
        """The reply is over: its usage belongs to its last entry."""
        tokens, reply = self._tokens, self.open
        if tokens is not None and (reply is None or reply not in self._counted):
            self._counted.add(reply)
            usage = Usage(
                tokens.input_tokens,
                tokens.output_tokens,
                tokens.cache_read_input_tokens,
                tokens.cache_creation_input_tokens,
            )
            if self._last is not None:
                force_setattr(self._last, "usage", usage)
            else:
                self._thought_only(usage)
        self._tokens = self._last = None

    def _thought_only(self, usage: Usage) -> None:
        """Tells a reply of which nothing was kept but what it cost."""
        page = self._page
        line, offset, uuid, time = self._silent
        entry = Entry(
            kind="thought",
            file=page.path,
            line=line,
            offset=offset,
            native_id=uuid,
            time_ms=time,
            by=page.speaker,
            usage=usage,
            model=page.model,
            agent_id=page.agent_id,
            cwd=page.cwd,
        )
        page.told.append(entry)

    def _is_made_up(self, message: Message, batch: Batch) -> bool:
        """Whether no model gave this reply: an error that ended the turn, or text that says nothing."""
        if message.model == _SYNTHETIC:
            whole = batch.whole(self._page.offset)
            if whole.is_api_error_message:
                self._page.emit("interruption", _text(whole), by="harness", reason="error")
            return True
        if message.model:
            self._page.model_is(message.model)
        return False

    def _words(self, kind: Kind, text: str, via: str = "") -> None:
        page = self._page
        self._last = entry = Entry(
            kind=kind,
            file=page.path,
            line=page.number,
            offset=page.offset,
            native_id=page.uuid,
            time_ms=page.time,
            by=page.speaker,
            via=via,
            text=text,
            model=page.model,
            agent_id=page.agent_id,
            cwd=page.cwd,
        )
        page.told.append(entry)
        if len(text) > TEXT_LIMIT:
            _clip(entry)

    def _call(self, block: Block, batch: Batch) -> None:
        page, id = self._page, block.id or ""
        self._calls[id] = tool = TOOLS.get(block.name) or other(block.name or "")
        asked = tool.asked
        if tool.plain:
            text, paths, command, edits, background = asked(block.input or _NO_INPUT)
        else:
            given, raw = batch.whole(page.offset).arguments(id)
            text, paths, command, edits, background = asked(given)
        self._last = entry = Entry(
            kind="tool_call",
            file=page.path,
            line=page.number,
            offset=page.offset,
            native_id=page.uuid,
            time_ms=page.time,
            by=page.speaker,
            text=text,
            call_id=id,
            tool=tool.name,
            tool_kind=tool.kind,
            paths=paths,
            command=command,
            edits=edits,
            cwd=page.cwd,
        )
        page.told.append(entry)
        if page.agent_id:
            force_setattr(entry, "agent_id", page.agent_id)
        if background:
            force_setattr(entry, "background", True)
        if not tool.plain:
            self._asides.called(entry, given, raw)

    def _result(self, block: Block, tool: Tool, result: object, batch: Batch) -> None:
        page, text = self._page, block.content
        exit_code, is_error, more = None, block.is_error, None
        if is_error or not tool.plain or not isinstance(text, str) or not isinstance(result, Result):
            if not tool.plain:
                result = batch.whole(page.offset).tool_use_result
            text, exit_code, is_error, more = outcome(block, result, tool)
        elif tool.kind == "shell":
            # A command that failed has no such record; one that said no by exiting with 1 is interpreted.
            exit_code, is_error = (1 if result.return_code_interpretation else 0), False
            if result.interrupted or result.background_task_id:
                text, exit_code, is_error, more = outcome(block, result, tool)
        elif result.type == "create" or result.user_modified or text.endswith("</system-reminder>"):
            text, exit_code, is_error, more = outcome(block, result, tool)
        entry = Entry(
            kind="tool_result",
            file=page.path,
            line=page.number,
            offset=page.offset,
            native_id=page.uuid,
            time_ms=page.time,
            by="harness",
            text=text,
            call_id=block.tool_use_id or "",
            tool=tool.name,
            tool_kind=tool.kind,
            exit_code=exit_code,
            is_error=is_error,
            cwd=page.cwd,
        )
        page.told.append(entry)
        if exit_code == 1 and is_error is False and isinstance(result, Result):
            force_setattr(entry, "reason", str(result.return_code_interpretation))
        if len(text) > TEXT_LIMIT:
            _clip(entry)
        if page.agent_id:
            force_setattr(entry, "agent_id", page.agent_id)
        if more is not None:
            self._asides.ended(entry, result, more)


def _clip(entry: Entry) -> None:
    text, size = clip(entry.text)
    force_setattr(entry, "text", text)
    force_setattr(entry, "size", size)


def _text(line: Whole) -> str:
    content = line.message.content if line.message else None
    blocks = content if isinstance(content, list) else []
    return content if isinstance(content, str) else "\n".join(block.text for block in blocks if block.text)
