"""OpenCode's tool parts: the call, how it ended, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from segue.agents._record import At, code, failed, items, millis, record, records, word
from segue.agents._toolcall import call_fields, edits, kinds, todos
from segue.model.entry import Edit, Entry

TOOLS = kinds(
    shell="bash",
    read="read",
    write="write",
    edit="edit multiedit patch apply_patch",
    search="grep glob list codesearch lsp",
    web="webfetch websearch",
    task="task",
    todo="todowrite todoread",
)

_CHANGE_NOTHING_ELSE = ("read", "search", "edit", "write")
_REJECTED = "The user rejected permission to use this specific tool call"
_FEEDBACK = "with the following feedback:"


def tool(at: At, part: dict[str, Any]) -> Iterator[Entry]:
    """A call, and how it ended unless it was interrupted."""
    name = word(part.get("tool"))
    kind = TOOLS.get(name, "other")
    state = record(part.get("state"))
    status, given, meta = state.get("status"), record(state.get("input")), record(state.get("metadata"))
    facts = {} if name == "question" else call_fields(kind, given)
    if kind in ("write", "edit"):
        facts["edits"] = _edits(given, meta) if status == "completed" else ()
    common: dict[str, Any] = {"call_id": word(part.get("callID")), "tool": name, "tool_kind": kind}
    yield at.entry("tool_call", **common, **facts)
    if name == "todowrite":
        yield at.entry("todo", call_id=common["call_id"], todos=todos(given.get("todos")))
    if name == "question":
        yield at.entry("question", "\n".join(_questions(given)), call_id=common["call_id"])
    child = word(meta.get("sessionId"))
    if child:
        yield at.entry("subagent_start", word(given.get("prompt")), agent_id=child, call_id=common["call_id"])
    if status in ("completed", "error"):
        yield from _outcome(at, state, common, child)


def _outcome(at: At, state: dict[str, Any], common: dict[str, Any], child: str) -> Iterator[Entry]:
    at = at._replace(time_ms=millis(record(state.get("time")).get("end")) or at.time_ms)
    given, meta = record(state.get("input")), record(state.get("metadata"))
    broken = state.get("status") == "error"
    text = word(state.get("error") if broken else state.get("output"))
    exit_code = code(meta.get("exit"))
    is_error: bool | None = broken or bool(exit_code)
    if not broken and "exit" in meta and exit_code is None:
        is_error = None
    yield at.entry("tool_result", text, exit_code=exit_code, is_error=is_error, **common)
    if child:
        yield at.entry("subagent_end", text, by="subagent", agent_id=child, call_id=common["call_id"])
    if broken and text.startswith(_REJECTED):
        words = text.partition(_FEEDBACK)[2].strip()
        yield at.entry("rejection", words, by="person", via="rejection", **common)
    answers = items(meta.get("answers"))
    if common["tool"] == "question" and not broken and answers:
        text = _answers(given, answers)
        yield at.entry("answer", text, by="person", via="answer", call_id=common["call_id"])


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


def own_shell(at: At, part: dict[str, Any]) -> Entry:
    """A command the person ran with `!`."""
    state = record(part.get("state"))
    exit_code = code(record(state.get("metadata")).get("exit"))
    command = word(record(state.get("input")).get("command"))
    ended = {"exit_code": exit_code, "is_error": failed(exit_code)}
    return at.entry("user", word(state.get("output")), by="person", via="shell", command=command, **ended)


def attribute(told: list[Entry], at: At, part: dict[str, Any]) -> None:
    """Files that changed in a step without an edit tool saying so were changed by its last other call."""
    known = {edit.path for entry in told for edit in entry.edits}
    changed = filter(None, map(word, items(part.get("files"))))
    # Tools are given whole paths, snapshots of newer versions are relative to the project.
    files = [path for path in changed if not any(f"/{one}".endswith(f"/{path}") for one in known)]
    if not files:
        return
    found = tuple(Edit(path=path) for path in files)
    for place in range(len(told) - 1, -1, -1):
        if told[place].kind == "tool_result" and told[place].tool_kind not in _CHANGE_NOTHING_ELSE:
            told[place] = msgspec.structs.replace(told[place], edits=found)
            return
    told.append(at.other("patch", paths=tuple(files), edits=found, data={"hash": word(part.get("hash"))}))
