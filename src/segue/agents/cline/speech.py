"""What the messages between Cline and its model say, block by block.

A user message is mostly Cline talking: results, environment, reminders. The person's words stand
in a few tags at the start of a block; a tag deeper inside is part of some file that was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from segue.agents._record import At, blocks, exit_status, flag, record, word, words
from segue.agents._tags import Section, sections, without
from segue.agents._toolcall import call_fields, checklist, kinds
from segue.model.entry import Entry, Kind
from segue.model.value import NamedTuple

TOOLS = kinds(
    shell="execute_command run_commands",
    read="read_file read_files",
    write="write_to_file new_rule",
    edit="replace_in_file apply_diff apply_patch editor",
    search="search_files search_codebase list_files list_code_definition_names",
    web="web_fetch web_search fetch_web_content browser_action",
    task="use_subagents",
)

_ENVIRONMENT = ("environment_details",)
_DIRECTORY = re.compile(r"# Current Work\w+ Directory(?: \(([^)\n]+)\)|\n(/[^\n]+))")
_LEAD = re.compile(r"[^<\n]{0,300}:\s*")
_RESULT = re.compile(r"\[(\w+)(?: for '([^\n]*?)')?\] Result:[ \t]*\n?")
_SPOKEN: dict[str, tuple[Kind, str]] = {
    "attempt_completion": ("agent", "result"),
    "plan_mode_respond": ("plan", "response"),
    "ask_followup_question": ("question", "question"),
    "ask_question": ("question", "question"),
    "summarize_task": ("summary", "context"),
    "condense": ("summary", "context"),
}
"""Tools that are a way of speaking: what their call says, and in which argument."""
_QUESTIONS = ("ask_followup_question", "ask_question")
_XML_CALLS = (*TOOLS, *_SPOKEN, "use_mcp_tool", "access_mcp_resource", "new_task")
_ARGUMENT_NAMES = """
    path command diff content regex file_pattern recursive question options result response task_progress url action
    context server_name tool_name arguments uri
"""
_XML_ARGUMENTS = tuple(_ARGUMENT_NAMES.split())
_EXIT = re.compile(r"exit(?:ed with)? code:? (-?\d+)", re.I)
_DENIED = "The user denied this operation"
_RUNNING = "Command is still running"
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
    asks: str = ""
    """The question, where it puts one."""


class Calls:
    """Calls that wait for their result, in order."""

    def __init__(self) -> None:
        self.waiting: list[Call] = []

    def add(self, name: str, tool: str, asks: str = "") -> None:
        self.waiting.append(Call(name, tool, asks))

    def take(self, tool: str = "", name: str = "") -> Call:
        """The call a result belongs to: by id, else the oldest of that tool."""
        for call in self.waiting:
            if call.id == name if name else call.tool == tool:
                self.waiting.remove(call)
                return call
        return Call(name, tool)


def of_agent(at: At, content: Any, calls: Calls) -> Iterator[Entry]:
    """What the agent said, thought and called in one message."""
    for number, block in enumerate(blocks(content)):
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
    open_result: tuple[Call, list[str]] | None = None
    for block in blocks(content):
        kind, text = block.get("type"), word(block.get("text"))
        if kind == "tool_result":
            call = calls.take(name=word(block.get("tool_use_id")))
            yield from result(at, call, words(block.get("content")), flag(block.get("is_error")))
            continue
        if kind != "text":
            yield at.other(word(kind) or "block", by="person", via="prompt")
            continue
        environment = list(sections(text, _ENVIRONMENT))
        text = without(text, environment).strip()
        heading = _RESULT.match(text)
        if heading:
            if open_result:
                yield from result(at, open_result[0], "\n".join(open_result[1]))
            open_result = calls.take(tool=heading[1]), [text[heading.end() :]]
        elif open_result and text and not _person(text) and not text.startswith("<explicit"):
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
            yield from _environment(at, details.inner.strip())
    if open_result:
        yield from result(at, open_result[0], "\n".join(open_result[1]))


def result(at: At, call: Call, text: str, failed: bool | None = None) -> Iterator[Entry]:
    """The result of a call, and what the person said in it."""
    kind = TOOLS.get(call.tool, "other")
    common = {"call_id": call.id, "tool": call.tool, "tool_kind": kind}
    text = text.strip()
    exit_code = exit_status(text[:300], _EXIT) if kind == "shell" else None
    denied = text.startswith(_DENIED)
    is_error = _failed(text, exit_code) if failed is None else failed
    running = kind == "shell" and text.startswith(_RUNNING)
    yield at.entry("tool_result", text, exit_code=exit_code, is_error=is_error, background=running, **common)
    anywhere = denied or call.tool in _SPOKEN
    person = next(sections(text, tuple(_CHANNELS)), None) if anywhere else _person(text)
    words_given = person.inner.strip() if person else ""
    if denied:
        yield at.entry("rejection", words_given, by="person", via="rejection", **common)
    elif person and call.tool in _QUESTIONS:
        answer = f"{call.asks}\n{words_given}".lstrip()
        yield at.entry("answer", answer, by="person", via="answer", call_id=call.id)
    elif person:
        yield at.entry("user", words_given, by="person", via=_CHANNELS[person.tag])


def _failed(text: str, exit_code: int | None) -> bool | None:
    if exit_code is not None:
        return exit_code != 0
    if text.startswith((*_FAILED, _DENIED)):
        return True
    return False if text.startswith(_SAVED) else None


def _agent_text(at: At, text: str, number: int, calls: Calls) -> Iterator[Entry]:
    called = list(sections(text, _XML_CALLS))
    plain = without(text, called).strip()
    thought = next(sections(plain, ("thinking",)), None)
    if thought and not thought.start:
        yield at.entry("thought", thought.inner.strip())
        plain = plain[thought.end :].strip()
    if plain:
        yield at.entry("agent", plain)
    for position, call in enumerate(called):
        given = {one.tag: one.inner.strip("\n") for one in sections(call.inner, _XML_ARGUMENTS)}
        yield from _call(at, f"{at.line}.{number}.{position}", call.tag, given, calls)


def _call(at: At, name: str, tool: str, given: dict[str, Any], calls: Calls) -> Iterator[Entry]:
    calls.add(name, tool, word(given.get("question")).strip() if tool in _QUESTIONS else "")
    kind = TOOLS.get(tool, "other")
    common = {"call_id": name, "tool": tool, "tool_kind": kind}
    spoken = _SPOKEN.get(tool)
    plain = {key: value for key, value in given.items() if key != "task_progress"}
    yield at.entry("tool_call", **common, **({} if spoken else call_fields(kind, plain)))
    if spoken:
        told, argument = spoken
        if told == "summary":
            trigger = "manual" if tool == "condense" else "auto"
            yield from at.compaction(word(given.get(argument)), trigger=trigger)
        else:
            yield at.entry(told, word(given.get(argument)), call_id=name)
    progress = checklist(word(given.get("task_progress")))
    if progress:
        yield at.entry("todo", call_id=name, todos=progress)


def _person(text: str) -> Section | None:
    """The person's words at the start of a text; Cline may lead in with half a sentence."""
    first = next(sections(text, tuple(_CHANNELS)), None)
    return first if first and (not first.start or _LEAD.fullmatch(text, 0, first.start)) else None


def _user_text(at: At, text: str) -> Iterator[Entry]:
    person = _person(text)
    if person:
        yield at.entry("user", person.inner.strip(), by="person", via=_CHANNELS[person.tag])
        text = text[person.end :].strip()
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
        yield at.meta(cwd=cwd)
