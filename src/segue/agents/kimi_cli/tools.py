"""Kimi's tools, old names and new, and what their calls and results tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from segue.agents._document import object_in
from segue.agents._record import At, exit_status, record, records, word, words
from segue.agents._toolcall import call_fields, kinds, todos
from segue.model.entry import Entry

TOOLS = kinds(
    shell="Bash Shell CMD",
    read="Read ReadFile ReadMediaFile",
    write="Write WriteFile",
    edit="Edit StrReplaceFile PatchFile",
    search="Grep Glob",
    web="WebSearch SearchWeb FetchURL",
    task="Agent AgentSwarm Task ReadContext",
    todo="TodoList SetTodoList",
)

_SPOKEN = ("Think", "AskUserQuestion")
"""Tools whose arguments become entries of their own and need not be told twice."""
_EXIT = re.compile(r"exit code:? (-?\d+)")
_AGENT = re.compile(r"agent_id: (\S+)|_(read_\d+)\.jsonl</system>")


class Calls:
    """Open calls and what each was."""

    def __init__(self) -> None:
        self.open: dict[str, str] = {}
        self.questions: dict[str, str] = {}

    def call(self, at: At, name: str, tool: str, given: dict[str, Any], **fields: Any) -> Iterator[Entry]:
        kind = TOOLS.get(tool, "other")
        self.open[name] = tool
        if tool == "Think":
            yield at.entry("thought", word(given.get("thought")))
        common = {"call_id": name, "tool": tool, "tool_kind": kind}
        yield at.entry(
            "tool_call", **common, **({} if tool in _SPOKEN else call_fields(kind, given)), **fields
        )
        if kind == "todo" and "todos" in given:
            yield at.entry("todo", call_id=name, todos=todos(given["todos"]))
        if kind == "task":
            prompt = word(given.get("prompt")) or word(given.get("description"))
            yield at.entry("subagent_start", prompt, call_id=name)
        questions = "\n".join(word(one.get("question")) for one in records(given.get("questions")))
        if questions:
            self.questions[name] = questions
            yield at.entry("question", questions, call_id=name)

    def result(self, at: At, name: str, text: str, is_error: bool | None) -> Iterator[Entry]:
        tool = self.open.pop(name, "")
        kind = TOOLS.get(tool, "other")
        exit_code = exit_status(text[:200] + text[-200:], _EXIT) if kind == "shell" else None
        if exit_code is not None:
            is_error = exit_code != 0
        common = {"call_id": name, "tool": tool, "tool_kind": kind}
        yield at.entry("tool_result", text, exit_code=exit_code, is_error=is_error, **common)
        if kind == "task":
            agent = _AGENT.search(text[:1000])
            agent_id = (agent[1] or agent[2]) if agent else ""
            yield at.entry(
                "subagent_end", text, by="subagent", agent_id=agent_id, call_id=name, is_error=is_error
            )
        questions = self.questions.pop(name, "")
        if questions and not is_error:
            answer = _answers(text) or f"{questions}\n{text}"
            yield at.entry("answer", answer, by="person", via="answer", call_id=name)


def content(at: At, part: dict[str, Any]) -> Iterator[Entry]:
    """A part of what the agent said: a thought, or words."""
    if part.get("type") == "think":
        yield at.entry("thought", word(part.get("think")))
    elif words(part).strip():
        yield at.entry("agent", words(part))


def _answers(text: str) -> str:
    """Each question with its answer, where the result is the object that holds them."""
    answers = record(object_in(text).get("answers"))
    return "\n\n".join(f"{question}\n{word(answer) or words(answer)}" for question, answer in answers.items())
