"""OpenCode's messages and parts as entries.

One message is looked at after the other; what is remembered between them is the model, and a
compaction that has been announced but whose summary has not come yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from segue.agents._record import At, code, items, millis, record, records, whole, word
from segue.agents._toolcall import edits, paths, said, todos, touched
from segue.agents.opencode.stores import Messages, Stored
from segue.model.entry import Edit, Entry, ToolKind, Usage

TOOLS: dict[str, ToolKind] = {
    "bash": "shell",
    "read": "read",
    "write": "write",
    "edit": "edit",
    "multiedit": "edit",
    "patch": "edit",
    "apply_patch": "edit",
    "grep": "search",
    "glob": "search",
    "list": "search",
    "codesearch": "search",
    "lsp": "search",
    "webfetch": "web",
    "websearch": "web",
    "task": "task",
    "todowrite": "todo",
    "todoread": "todo",
}

_BOOKKEEPING = {"step-start", "step-finish", "snapshot"}
_SHELL_BY_PERSON = "The following tool was executed by the user"
_REJECTED = "The user rejected permission to use this specific tool call"
_FEEDBACK = "with the following feedback:"
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
            yield from self._message(at, info, parts)
        if self.announced:
            yield _unfinished(self.announced)

    def _message(self, at: At, info: dict[str, Any], parts: Iterator[Stored]) -> Iterator[Entry]:
        is_user = info.get("role") == "user"
        if not is_user:
            yield from self._model(at, info)
        own = self._user_parts(at, parts) if is_user else self._agent_parts(at, info, parts)
        yield from own
        error = record(info.get("error"))
        if error:
            yield _stopped(at, error)

    def _model(self, at: At, info: dict[str, Any]) -> Iterator[Entry]:
        model = word(info.get("modelID"))
        if model and model != self.model:
            self.model = model
            yield at.entry("model_change", by="harness", model=model)

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
        changed: set[str] = set()
        summarised = False
        for at, part in self._parts(message, parts):
            if isinstance(part, Entry):
                yield part
                continue
            for entry in self._agent_part(at, part, is_summary, changed):
                if entry.kind == "summary" and not summarised:
                    summarised = True
                    yield from self._boundary()
                if usage and entry.kind in ("agent", "thought", "tool_call", "summary"):
                    entry, usage = msgspec.structs.replace(entry, usage=usage, model=self.model), None
                yield msgspec.structs.replace(entry, cwd=cwd) if cwd and entry.kind == "tool_call" else entry
        if is_summary and not summarised and self.announced:
            yield _unfinished(self.announced, "failed")
            self.announced = None

    def _boundary(self) -> Iterator[Entry]:
        if self.announced:
            yield self.announced
            self.announced = None

    def _agent_part(
        self, at: At, part: dict[str, Any], is_summary: bool, changed: set[str]
    ) -> Iterator[Entry]:
        kind, text = part.get("type"), word(part.get("text"))
        if kind == "text" and is_summary:
            if text.strip():
                yield at.entry("summary", text)
        elif kind == "text":
            if text.strip():
                yield at.entry("agent", text, by="harness" if part.get("synthetic") else "agent")
        elif kind == "reasoning":
            if text.strip():
                yield at.entry("thought", text)
        elif kind == "tool":
            for entry in _tool(at, part, self.shell_by_person):
                changed.update(edit.path for edit in entry.edits)
                yield entry
        elif kind == "patch":
            new = [path for path in map(word, items(part.get("files"))) if path and path not in changed]
            if new:
                hint = tuple(Edit(path=path) for path in new)
                yield at.other("patch", paths=tuple(new), edits=hint, data={"hash": word(part.get("hash"))})
        elif kind == "compaction":
            yield _compaction(at, part)
        else:
            yield from _rest(at, part)

    def _parts(self, message: At, parts: Iterator[Stored]) -> Iterator[tuple[At, dict[str, Any] | Entry]]:
        for stored in parts:
            at = self._at(stored)
            at = at if at.time_ms else at._replace(time_ms=message.time_ms)
            value = stored.value
            yield at, msgspec.structs.replace(value, line=at.line) if isinstance(value, Entry) else value

    def _at(self, stored: Stored) -> At:
        self.line += 1
        value = record(stored.value)
        time = record(value.get("time"))
        started = record(record(value.get("state")).get("time")).get("start")
        instant = millis(started or time.get("start") or time.get("created"))
        return At(stored.file, self.line, native_id=word(value.get("id")), time_ms=instant)


def _tool(at: At, part: dict[str, Any], by_person: bool) -> Iterator[Entry]:
    tool = word(part.get("tool"))
    kind = TOOLS.get(tool, "other")
    state = record(part.get("state"))
    status, given, meta = state.get("status"), record(state.get("input")), record(state.get("metadata"))
    facts = touched(kind, given)
    if kind in ("write", "edit"):
        facts["edits"] = _edits(given, meta) if status == "completed" else ()
    common: dict[str, Any] = {"call_id": word(part.get("callID")), "tool": tool, "tool_kind": kind}
    speaker = {"by": "person", "via": "shell"} if by_person else {}
    yield at.entry("tool_call", said(kind, given), **common, **facts, **speaker)
    if tool == "todowrite":
        yield at.entry("todo", call_id=common["call_id"], todos=todos(given.get("todos")))
    if tool == "question":
        yield at.entry("question", "\n".join(_questions(given)), call_id=common["call_id"])
    child = word(meta.get("sessionId"))
    if child:
        yield at.entry("subagent_start", word(given.get("prompt")), agent_id=child, call_id=common["call_id"])
    if status in ("completed", "error"):
        yield from _outcome(at, state, common, child)


def _outcome(at: At, state: dict[str, Any], common: dict[str, Any], child: str) -> Iterator[Entry]:
    at = at._replace(time_ms=millis(record(state.get("time")).get("end")) or at.time_ms)
    given, meta = record(state.get("input")), record(state.get("metadata"))
    failed = state.get("status") == "error"
    text = word(state.get("error") if failed else state.get("output"))
    exit_code = code(meta.get("exit"))
    if failed:
        is_error: bool | None = True
    elif "exit" in meta:
        is_error = None if exit_code is None else exit_code != 0
    else:
        is_error = False
    yield at.entry("tool_result", text, by="harness", exit_code=exit_code, is_error=is_error, **common)
    if child:
        yield at.entry("subagent_end", text, by="subagent", agent_id=child, call_id=common["call_id"])
    if failed and text.startswith(_REJECTED):
        words = text.partition(_FEEDBACK)[2].strip()
        yield at.entry("rejection", words, by="person", via="rejection", **common)
    answers = items(meta.get("answers"))
    if common["tool"] == "question" and not failed and answers:
        yield at.entry(
            "answer", _answers(given, answers), by="person", via="answer", call_id=common["call_id"]
        )


def _edits(given: dict[str, Any], meta: dict[str, Any]) -> tuple[Edit, ...]:
    changes = edits(given)
    created = meta.get("exists") is False or (not given.get("oldString") and "oldString" in given)
    if created and len(changes) == 1:
        return (msgspec.structs.replace(changes[0], action="created"),)
    return changes


def _questions(given: dict[str, Any]) -> list[str]:
    return [word(one.get("question")) for one in records(given.get("questions"))]


def _answers(given: dict[str, Any], answers: list[Any]) -> str:
    questions = _questions(given)
    lines = []
    for number, answer in enumerate(answers):
        chosen = ", ".join(filter(None, map(word, items(answer)))) or word(answer)
        question = questions[number] if number < len(questions) else ""
        lines.append(f"{question}\n{chosen}".strip())
    return "\n\n".join(lines)


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
    by = "person" if name == "MessageAbortedError" else "harness"
    return at.entry("interruption", text, by=by, reason=name)


def _channel(part: dict[str, Any], text: str) -> str:
    if part.get("ignored") or record(part.get("metadata")).get("compaction_continue"):
        return "notification"
    return next((via for start, via in _SYNTHETIC if text.startswith(start)), "meta")


def _usage(tokens: dict[str, Any]) -> Usage | None:
    cache = record(tokens.get("cache"))
    usage = Usage(
        input=whole(tokens.get("input")),
        output=whole(tokens.get("output")) + whole(tokens.get("reasoning")),
        cache_read=whole(cache.get("read")),
        cache_write=whole(cache.get("write")),
    )
    return usage if usage != Usage() else None
