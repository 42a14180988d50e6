"""What the messages between Cline and its model say, block by block.

A user message is mostly Cline talking: results, environment, reminders. The person's words stand
in a few tags at the start of a block; a tag deeper inside is part of some file that was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from segue.agents._record import At, flag, record, records, word, words
from segue.agents._toolcall import asked, checklist
from segue.model.entry import Entry, ToolKind

TOOLS: dict[str, ToolKind] = {
    "execute_command": "shell",
    "run_commands": "shell",
    "read_file": "read",
    "read_files": "read",
    "write_to_file": "write",
    "new_rule": "write",
    "replace_in_file": "edit",
    "apply_diff": "edit",
    "apply_patch": "edit",
    "editor": "edit",
    "search_files": "search",
    "search_codebase": "search",
    "list_files": "search",
    "list_code_definition_names": "search",
    "web_fetch": "web",
    "web_search": "web",
    "fetch_web_content": "web",
    "browser_action": "web",
    "use_subagents": "task",
}
_NAMED = "|".join(
    [*TOOLS, "attempt_completion", "ask_followup_question", "plan_mode_respond", "use_mcp_tool"]
)

_ENVIRONMENT = re.compile(r"<environment_details>.*?</environment_details>", re.S)
_DIRECTORY = re.compile(r"# Current Work\w+ Directory(?: \(([^)\n]+)\)|\n(/[^\n]+))")
_PERSON = re.compile(
    r"(?:[^<\n]{0,300}:\s*)?<(task|feedback|user_message|answer|user_input)(?: [^>\n]*)?>\n?(.*?)\n?</\1>",
    re.S,
)
_RESULT = re.compile(r"\[(\w+)(?: for '([^\n]*?)')?\] Result:[ \t]*\n?")
_XML_CALL = re.compile(rf"<({_NAMED})>(.*?)</\1>", re.S)
_XML_ARGUMENT = re.compile(r"<(\w+)>(.*?)</\1>", re.S)
_EXIT = re.compile(r"exit(?:ed with)? code:? (-?\d+)", re.I)
_DENIED = "The user denied this operation"
_FAILED = ("The tool execution failed", "[ERROR]")
_SAVED = "The content was successfully saved"
_HARNESS = (
    ("[TASK RESUMPTION]", "notification"),
    ("<explicit_instructions", "instructions"),
    ("<hook_context", "hook"),
    ("[ERROR]", "reminder"),
    ("# ", "reminder"),
    ("<", "output"),
)
_CONTINUED = "This session is being continued from a previous conversation"
_CHANNELS = {
    "answer": "answer",
    "feedback": "prompt",
    "task": "prompt",
    "user_message": "prompt",
    "user_input": "prompt",
}


class Call(NamedTuple):
    id: str
    tool: str


class Calls:
    """Calls that wait for their result, in order."""

    def __init__(self) -> None:
        self.waiting: list[Call] = []

    def add(self, name: str, tool: str) -> None:
        self.waiting.append(Call(name, tool))

    def take(self, tool: str = "", name: str = "") -> Call:
        """The call a result belongs to: by id, else the oldest of that tool."""
        for call in self.waiting:
            if call.id == name if name else call.tool == tool:
                self.waiting.remove(call)
                return call
        return Call(name, tool)


def of_agent(at: At, content: Any, calls: Calls) -> Iterator[Entry]:
    """What the agent said, thought and called in one message."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else records(content)
    for number, block in enumerate(blocks):
        kind = block.get("type")
        if kind == "text":
            yield from _agent_text(at, word(block.get("text")), number, calls)
        elif kind in ("thinking", "reasoning"):
            yield at.entry("thought", word(block.get("thinking")) or words(block))
        elif kind == "tool_use":
            yield from _call(
                at, word(block.get("id")), word(block.get("name")), record(block.get("input")), calls
            )
        elif kind != "redacted_thinking":
            yield at.other(word(kind) or "block")


def of_user(at: At, content: Any, calls: Calls) -> Iterator[Entry]:
    """What a user message holds: the person's words, results, and what Cline adds."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else records(content)
    open_result: tuple[Call, list[str]] | None = None
    for block in blocks:
        kind, text = block.get("type"), word(block.get("text"))
        if kind == "tool_result":
            call = calls.take(name=word(block.get("tool_use_id")))
            yield from result(at, call, words(block.get("content")), flag(block.get("is_error")))
            continue
        if kind != "text":
            yield at.other(word(kind) or "block", by="person", via="prompt")
            continue
        environment = _ENVIRONMENT.findall(text)
        text = _ENVIRONMENT.sub("", text).strip()
        heading = _RESULT.match(text)
        if heading:
            if open_result:
                yield from result(at, open_result[0], "\n".join(open_result[1]))
            open_result = calls.take(tool=heading[1]), [text[heading.end() :]]
        elif open_result and text and not _PERSON.match(text) and not text.startswith("<explicit"):
            open_result[1].append(text)
        elif text:
            if open_result:
                yield from result(at, open_result[0], "\n".join(open_result[1]))
                open_result = None
            yield from _user_text(at, text)
        if environment and open_result:
            yield from result(at, open_result[0], "\n".join(open_result[1]))
            open_result = None
        for details in environment:
            yield from _environment(at, details)
    if open_result:
        yield from result(at, open_result[0], "\n".join(open_result[1]))


def result(at: At, call: Call, text: str, failed: bool | None = None) -> Iterator[Entry]:
    """The result of a call, and what the person said in it."""
    kind = TOOLS.get(call.tool, "other")
    common = {"call_id": call.id, "tool": call.tool, "tool_kind": kind}
    text = text.strip()
    found = _EXIT.search(text[:300]) if kind == "shell" else None
    exit_code = int(found[1]) if found else None
    denied = text.startswith(_DENIED)
    is_error = failed
    if is_error is None and exit_code is not None:
        is_error = exit_code != 0
    if is_error is None and (text.startswith(_FAILED) or denied):
        is_error = True
    if is_error is None and text.startswith(_SAVED):
        is_error = False
    said_there = _PERSON.search(text[:20_000]) if denied or call.tool == "ask_followup_question" else None
    yield at.entry("tool_result", text, exit_code=exit_code, is_error=is_error, **common)
    if denied:
        yield at.entry(
            "rejection", said_there[2] if said_there else "", by="person", via="rejection", **common
        )
    elif said_there:
        yield at.entry("answer", said_there[2], by="person", via="answer", call_id=call.id)
    elif person := _PERSON.match(text[:20_000]):
        yield at.entry("user", person[2], by="person", via=_CHANNELS[person[1]])


def _agent_text(at: At, text: str, number: int, calls: Calls) -> Iterator[Entry]:
    found = list(_XML_CALL.finditer(text))
    plain = _XML_CALL.sub("", text) if found else text
    thought = re.match(r"\s*<thinking>(.*?)</thinking>", plain, re.S)
    if thought:
        yield at.entry("thought", thought[1].strip())
        plain = plain[thought.end() :]
    if plain.strip():
        yield at.entry("agent", plain.strip())
    for position, match in enumerate(found):
        given = {name: value.strip("\n") for name, value in _XML_ARGUMENT.findall(match[2])}
        yield from _call(at, f"{at.line}.{number}.{position}", match[1], given, calls)


def _call(at: At, name: str, tool: str, given: dict[str, Any], calls: Calls) -> Iterator[Entry]:
    calls.add(name, tool)
    kind = TOOLS.get(tool, "other")
    common = {"call_id": name, "tool": tool, "tool_kind": kind}
    progress = word(given.get("task_progress"))
    plain = {key: value for key, value in given.items() if key != "task_progress"}
    if tool == "attempt_completion":
        yield at.entry("tool_call", **common)
        yield at.entry("agent", word(given.get("result")))
    elif tool == "plan_mode_respond":
        yield at.entry("tool_call", **common)
        yield at.entry("plan", word(given.get("response")), call_id=name)
    elif tool in ("ask_followup_question", "ask_question"):
        yield at.entry("tool_call", **common)
        yield at.entry("question", word(given.get("question")), call_id=name)
    elif tool in ("summarize_task", "condense"):
        yield at.entry("tool_call", **common)
        yield at.entry(
            "compaction", by="harness", data={"trigger": "manual" if tool == "condense" else "auto"}
        )
        yield at.entry("summary", word(given.get("context")), by="harness", via="summary")
    else:
        yield at.entry("tool_call", **common, **asked(kind, plain))
    if checklist(progress):
        yield at.entry("todo", call_id=name, todos=checklist(progress))


def _user_text(at: At, text: str) -> Iterator[Entry]:
    person = _PERSON.match(text)
    if person:
        yield at.entry("user", person[2], by="person", via=_CHANNELS[person[1]])
        text = text[person.end() :].strip()
    if text.startswith(_CONTINUED):
        yield at.entry("user", text, by="harness", via="summary")
    elif text:
        via = next((via for start, via in _HARNESS if text.startswith(start)), "")
        yield at.entry("user", text, by="harness" if via else "person", via=via or "prompt")


def _environment(at: At, details: str) -> Iterator[Entry]:
    yield at.entry("user", details, by="harness", via="environment")
    directory = _DIRECTORY.search(details)
    if directory:
        cwd = directory[1] or directory[2]
        yield at.entry("meta", by="harness", cwd=cwd, data={"cwd": cwd})
