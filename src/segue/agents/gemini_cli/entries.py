"""Gemini CLI's messages as entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from segue.agents._record import (
    At,
    items,
    json_record,
    millis,
    record,
    records,
    whole,
    with_usage,
    word,
    words,
)
from segue.agents._tags import sections, without
from segue.agents._toolcall import call_fields, kinds, todos
from segue.agents.gemini_cli.log import SUMMARY_MARK
from segue.model.entry import Entry, Usage

TOOLS = kinds(
    shell="run_shell_command",
    read="read_file read_many_files",
    write="write_file",
    edit="replace edit",
    search="search_file_content grep_search glob list_directory",
    web="google_web_search web_fetch",
    task="delegate_to_agent invoke_agent codebase_investigator",
    todo="write_todos",
)

_CHANNELS = {"hook_context": "hook", "session_context": "environment", "system-reminder": "reminder"}
_REFERENCED = "--- Content from referenced files ---"
_WORKSPACE = re.compile(r"Workspace Directories:\*\*\s*\n\s*- (\S[^\n]*)")
_EXIT = re.compile(r"(?:^|\n|\\n)Exit Code: (-?\d+)")
_NOT_ALLOWED = "did not allow tool call"
_CANCELLED = "Request cancelled."


class Conversation:
    """Turns the messages of one chat into entries, in order."""

    def __init__(self) -> None:
        self.model = ""
        self.of_subagent = False
        self.answered: set[str] = set()
        self.compacted = False

    def step(self, at: At, value: dict[str, Any]) -> Iterator[Entry]:
        if "$set" in value:
            yield from self._facts(at, record(value["$set"]))
            return
        if at.time_ms is None:
            at = at._replace(time_ms=millis(value.get("timestamp")))
        kind = value.get("type")
        if kind == "user":
            yield from self._user(at, value)
        elif kind in ("gemini", "model"):
            yield from self._gemini(at, value)
        else:
            yield _notice(at, word(kind), words(value.get("content")))

    def _facts(self, at: At, update: dict[str, Any]) -> Iterator[Entry]:
        self.of_subagent = self.of_subagent or update.get("kind") == "subagent"
        title, cwd = word(update.get("summary")), word(next(iter(items(update.get("directories"))), ""))
        if title or cwd:
            yield at.meta(title=title, cwd=cwd)

    def _user(self, at: At, message: dict[str, Any]) -> Iterator[Entry]:
        content = message.get("content")
        parts = [{"text": content}] if isinstance(content, str) else records(content)
        typed = words(message.get("displayContent"))
        if message.get("rewritten") and SUMMARY_MARK in words(parts):
            self.compacted = True
            yield from at.compaction(words(parts))
            return
        referenced: list[str] = []
        for part in parts:
            text = word(part.get("text"))
            response = record(part.get("functionResponse"))
            if response:
                yield from self._response(at, response)
            elif text:
                if referenced or text.strip() == _REFERENCED:
                    referenced.append(text)
                else:
                    yield from self._text(at, text, own=not typed or text.strip() in typed)
            else:
                yield at.other(next(iter(part), "part"), by="person", via="prompt")
        if referenced:
            yield at.entry("user", "".join(referenced).strip(), by="harness", via="output")

    def _text(self, at: At, text: str, own: bool) -> Iterator[Entry]:
        """What one part says: the harness's insertions first, then the person's words."""
        injected = list(sections(text, tuple(_CHANNELS)))
        for section in injected:
            yield at.entry("user", section.inner.strip(), by="harness", via=_CHANNELS[section.tag])
            workspace = _WORKSPACE.search(section.inner)
            if workspace:
                yield at.meta(cwd=workspace[1])
        rest = without(text, injected).strip()
        if not rest:
            return
        if not own:
            yield at.entry("user", rest, by="harness", via="output")
        else:
            yield at.entry("user", rest, by="agent" if self.of_subagent else "person", via="prompt")

    def _gemini(self, at: At, message: dict[str, Any]) -> Iterator[Entry]:
        model = word(message.get("model"))
        if model and self.model and model != self.model:
            yield at.entry("model_change", by="harness", model=model)
        self.model = model or self.model
        yield from with_usage(self._spoken(at, message), _usage(record(message.get("tokens"))), self.model)

    def _spoken(self, at: At, message: dict[str, Any]) -> Iterator[Entry]:
        for thought in records(message.get("thoughts")):
            text = "\n".join(filter(None, (word(thought.get("subject")), word(thought.get("description")))))
            own = at._replace(time_ms=millis(thought.get("timestamp")) or at.time_ms)
            yield own.entry("thought", text)
        text = words(message.get("content")) or words(message.get("parts"))
        if text.strip():
            # The first reply after a compression is Gemini CLI's own, to make the turns alternate.
            by = "harness" if self.compacted and message.get("rewritten") else "agent"
            yield at.entry("agent", text, by=by)
        in_parts = [record(part.get("functionCall")) for part in records(message.get("content"))]
        for call in records(message.get("toolCalls")) or in_parts:
            if call:
                yield from self._call(at, call)

    def _call(self, at: At, call: dict[str, Any]) -> Iterator[Entry]:
        tool, name = word(call.get("name")), word(call.get("id"))
        kind, given = TOOLS.get(tool, "other"), record(call.get("args"))
        common: dict[str, Any] = {"call_id": name, "tool": tool, "tool_kind": kind}
        belongs = {"agent_id": word(call.get("agentId"))}
        questions = "\n".join(word(one.get("question")) for one in records(given.get("questions")))
        facts = {} if questions else call_fields(kind, given)
        shown = record(call.get("resultDisplay"))
        if facts.get("edits") and "newContent" in shown and not shown.get("originalContent"):
            facts["edits"] = tuple(msgspec.structs.replace(edit, action="created") for edit in facts["edits"])
        at = at._replace(time_ms=millis(call.get("timestamp")) or at.time_ms)
        yield at.entry("tool_call", cwd=word(given.get("cwd")), **common, **facts, **belongs)
        if kind == "todo":
            yield at.entry("todo", call_id=name, todos=todos(given.get("todos")), **belongs)
        if questions:
            yield at.entry("question", questions, call_id=name, **belongs)
        status = call.get("status")
        if status in ("success", "error", "cancelled"):
            self.answered.add(name)
            yield from _outcome(at, call, {**common, **belongs}, questions)

    def _response(self, at: At, response: dict[str, Any]) -> Iterator[Entry]:
        """A result that reached the model; usually the call's own message has told it already."""
        name = word(response.get("id"))
        if name not in self.answered:
            self.answered.add(name)
            tool = word(response.get("name"))
            call = {"result": [{"functionResponse": response}], "status": "success"}
            yield from _outcome(
                at, call, {"call_id": name, "tool": tool, "tool_kind": TOOLS.get(tool, "other")}, ""
            )


def _outcome(at: At, call: dict[str, Any], common: dict[str, Any], questions: str) -> Iterator[Entry]:
    text, status = _result(call), call.get("status")
    found = _EXIT.findall(text) if common["tool_kind"] == "shell" else []
    exit_code = int(found[-1]) if found else None
    is_error: bool | None = status == "error" or bool(exit_code)
    if status == "cancelled" and not exit_code:
        is_error = None
    printed = _printed(text) if found else text
    yield at.entry("tool_result", printed, exit_code=exit_code, is_error=is_error, **common)
    if status == "cancelled" and _NOT_ALLOWED in text:
        yield at.entry("rejection", by="person", via="rejection", **common)
    elif status == "cancelled":
        yield at.entry("interruption", by="person", call_id=common["call_id"])
    if questions and status == "success":
        told = f"{questions}\n{_answers(text)}"
        yield at.entry("answer", told, by="person", via="answer", call_id=common["call_id"])


def _answers(text: str) -> str:
    """What was chosen, of `{"answers": {"0": "…"}}`; any other text as it is."""
    given = record(json_record(text).get("answers")) if text.startswith('{"answers"') else {}
    return "\n".join(words(one) for one in given.values()) or text


def _printed(text: str) -> str:
    """What a command printed, without the form that it is reported in; which processes it left running stays."""
    _, told, rest = f"\n{text}".partition("\nOutput: ")
    rest, exits, after = rest.rpartition("\nExit Code: ")
    if not told or not exits:
        return text
    output, errs, error = rest.rpartition("\nError: ")
    left = after.partition("\nBackground PIDs: ")[2].partition("\n")[0]
    parts = (*((output, error) if errs else (rest,)), left)
    return "\n".join(part for part in parts if part not in ("", "(empty)", "(none)"))


def _result(call: dict[str, Any]) -> str:
    texts = []
    for part in records(call.get("result")):
        response = record(record(part.get("functionResponse")).get("response"))
        texts.append(words(response.get("output")) or words(response.get("error")) or word(part.get("text")))
    return "\n".join(filter(None, texts)) or words(call.get("resultDisplay"))


def _notice(at: At, kind: str, text: str) -> Entry:
    if text.strip() == _CANCELLED:
        return at.entry("interruption", text, by="person")
    if kind == "error":
        return at.entry("interruption", text, by="harness")
    return at.other(kind or "message", text)


def _usage(tokens: dict[str, Any]) -> Usage:
    cached, output = whole(tokens.get("cached")), whole(tokens.get("output")) + whole(tokens.get("thoughts"))
    return Usage(max(0, whole(tokens.get("input")) - cached), output, cached)
