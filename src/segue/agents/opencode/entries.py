"""OpenCode's messages and parts as entries.

One message is looked at after the other; what is remembered between them is the model, and a
compaction that has been announced but whose summary has not come yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from segue.agents._record import At, millis, record, whole, with_usage, word
from segue.agents._toolcall import paths
from segue.agents.opencode.stores import Messages, Stored
from segue.agents.opencode.tools import attribute, own_shell, tool
from segue.model.entry import Entry, Usage

_BOOKKEEPING = {"step-start", "step-finish", "snapshot"}
_SHELL_BY_PERSON = "The following tool was executed by the user"
_SYNTHETIC = (
    ("Called the Read tool", "output"),
    ("<file>", "output"),
    ("<path>", "output"),
    ("<system-reminder>", "reminder"),
    ("Summarize the task tool output", "notification"),
)


class Conversation:
    """Turns the messages of one session into entries, in order."""

    def __init__(self, of_subagent: bool, model: str) -> None:
        self.of_subagent = of_subagent
        self.model = model
        self.line = 0
        self.announced: Entry | None = None
        self.shell_by_person = False

    def entries(self, messages: Messages, undone_from: str) -> Iterator[Entry]:
        """All entries up to the message an undo went back to."""
        for stored, parts in messages:
            info = stored.value
            at = self._at(stored)
            if isinstance(info, Entry):
                yield msgspec.structs.replace(info, line=at.line)
                continue
            if undone_from and info.get("id") == undone_from:
                break
            if stored.flaw:
                yield msgspec.structs.replace(stored.flaw, line=at.line)
            yield from self._message(at, info, parts)
        if self.announced:
            yield _unfinished(self.announced)

    def _message(self, at: At, info: dict[str, Any], parts: Iterator[Stored]) -> Iterator[Entry]:
        is_user = info.get("role") == "user"
        if not is_user:
            yield from self._model(at, info)
        yield from self._user_parts(at, parts) if is_user else self._agent_parts(at, info, parts)
        error = record(info.get("error"))
        if error:
            yield _stopped(at._replace(line=self.line), error)

    def _model(self, at: At, info: dict[str, Any]) -> Iterator[Entry]:
        model = word(info.get("modelID"))
        if model and not self.model:
            yield at.meta(model=model)
        elif model and model != self.model:
            yield at.entry("model_change", by="harness", model=model)
        self.model = model or self.model

    def _user_parts(self, message: At, parts: Iterator[Stored]) -> Iterator[Entry]:
        self.shell_by_person = False
        for at, part in self._parts(message, parts):
            if isinstance(part, Entry):
                yield part
            elif part.get("type") == "compaction":
                if self.announced:
                    yield _unfinished(self.announced)
                self.announced = _compaction(at, part)
            elif part.get("type") == "text":
                yield self._said_by_user(at, part)
            elif part.get("type") == "file":
                yield _attachment(at, part)
            elif part.get("type") == "shell":
                yield own_shell(at, part)
            else:
                yield from _rest(at, part)

    def _said_by_user(self, at: At, part: dict[str, Any]) -> Entry:
        text = word(part.get("text"))
        if part.get("synthetic") or part.get("ignored"):
            self.shell_by_person = self.shell_by_person or text == _SHELL_BY_PERSON
            return at.entry("user", text, by="harness", via=_channel(part, text))
        return at.entry("user", text, by="agent" if self.of_subagent else "person", via="prompt")

    def _agent_parts(self, message: At, info: dict[str, Any], parts: Iterator[Stored]) -> Iterator[Entry]:
        usage = _usage(record(info.get("tokens")))
        cwd = word(record(info.get("path")).get("cwd"))
        is_summary = info.get("summary") is True
        told: list[Entry] = []
        for at, part in self._parts(message, parts):
            if isinstance(part, Entry):
                told.append(part)
            elif part.get("type") == "patch":
                attribute(told, at, part)
            else:
                told += self._agent_part(at, part, is_summary)
        for entry in with_usage(told, usage, self.model):
            yield msgspec.structs.replace(entry, cwd=cwd) if cwd and entry.kind == "tool_call" else entry
        if is_summary and self.announced:
            yield _unfinished(self.announced, "failed")
            self.announced = None

    def _agent_part(self, at: At, part: dict[str, Any], is_summary: bool) -> Iterator[Entry]:
        kind, text = part.get("type"), word(part.get("text"))
        if kind == "text" and text.strip() and is_summary:
            if self.announced:
                yield self.announced
                self.announced = None
            yield at.entry("summary", text, by="harness", via="summary")
        elif kind == "text" and text.strip():
            yield at.entry("agent", text, by="harness" if part.get("synthetic") else "agent")
        elif kind == "reasoning" and text.strip():
            yield at.entry("thought", text)
        elif kind == "tool" and self.shell_by_person:
            yield own_shell(at, part)
        elif kind == "tool":
            yield from tool(at, part)
        elif kind == "compaction":
            yield _compaction(at, part)
        elif kind not in ("text", "reasoning"):
            yield from _rest(at, part)

    def _parts(self, message: At, parts: Iterator[Stored]) -> Iterator[tuple[At, dict[str, Any] | Entry]]:
        for stored in parts:
            at = self._at(stored)
            at = at if at.time_ms else at._replace(time_ms=message.time_ms)
            value = stored.value
            if stored.flaw:
                yield at, msgspec.structs.replace(stored.flaw, line=at.line)
            yield at, msgspec.structs.replace(value, line=at.line) if isinstance(value, Entry) else value

    def _at(self, stored: Stored) -> At:
        self.line += 1
        value = record(stored.value)
        time = record(value.get("time"))
        started = record(record(value.get("state")).get("time")).get("start")
        instant = millis(started or time.get("start") or time.get("created"))
        return At(stored.file, self.line, native_id=word(value.get("id")), time_ms=instant)


def _compaction(at: At, part: dict[str, Any]) -> Entry:
    data = {"trigger": "auto" if part.get("auto") else "manual", "overflow": bool(part.get("overflow"))}
    return at.entry("compaction", by="harness", data=data)


def _unfinished(announced: Entry, outcome: str = "unfinished") -> Entry:
    data = {"type": "compaction", "outcome": outcome, **announced.data}
    return msgspec.structs.replace(announced, kind="other", data=data)


def _attachment(at: At, part: dict[str, Any]) -> Entry:
    source = record(part.get("source"))
    path = word(source.get("path")) or word(part.get("filename"))
    data = {"mime": word(part.get("mime"))}
    return at.other("file", by="person", via="prompt", paths=(path,) if path else (), data=data)


def _rest(at: At, part: dict[str, Any]) -> Iterator[Entry]:
    kind = word(part.get("type"))
    if kind not in _BOOKKEEPING:
        text = word(part.get("text")) or word(part.get("prompt")) or word(part.get("name"))
        yield at.other(kind or "part", text, paths=paths(part))


def _stopped(at: At, error: dict[str, Any]) -> Entry:
    name = word(error.get("name"))
    text = word(record(error.get("data")).get("message"))
    if name == "MessageAbortedError":
        return at.entry("interruption", text, by="person")
    return at.entry("interruption", text, by="harness", reason=f"{name}: {text}" if text else name)


def _channel(part: dict[str, Any], text: str) -> str:
    if part.get("ignored") or record(part.get("metadata")).get("compaction_continue"):
        return "notification"
    return next((via for start, via in _SYNTHETIC if text.startswith(start)), "meta")


def _usage(tokens: dict[str, Any]) -> Usage:
    cache = record(tokens.get("cache"))
    output = whole(tokens.get("output")) + whole(tokens.get("reasoning"))
    return Usage(whole(tokens.get("input")), output, whole(cache.get("read")), whole(cache.get("write")))
