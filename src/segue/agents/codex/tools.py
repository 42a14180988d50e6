"""Tool calls and how they ended.

Only open calls, running processes and reports that wait for their output are remembered. A call
that merely goes on waiting for a process is told under the id of the call that started it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from segue.agents._record import failed, items, json_record, record, word
from segue.agents._toolcall import excerpt, sides
from segue.agents._writer import EntryWriter
from segue.agents.codex.calls import CODE_MODE, Call, Question, command_line, of_function, of_text
from segue.agents.codex.output import Outcome, outcome
from segue.agents.codex.subagents import Subagents
from segue.agents.codex.wire import Action, Change, Item, Parsed, Payload, Rare, string
from segue.model.entry import Action as Made
from segue.model.entry import Edit

_ACTIONS: dict[str, Made] = {"add": "created", "update": "modified", "delete": "deleted"}
_OWN_SHELL = b'"user_shell"'
_UNKNOWN = Call("")


class Tools:
    def __init__(self, writer: EntryWriter, subagents: Subagents) -> None:
        self._writer = writer
        self._subagents = subagents
        self._open: dict[str, tuple[str, Call]] = {}
        """By its own id, each open call with the id it is told under."""
        self._running: dict[str, tuple[str, str]] = {}
        """Processes and scripts that outlived their call: that call's id and its command."""
        self._exits: dict[str, tuple[int | None, tuple[str, ...]]] = {}
        self._made: dict[str, tuple[bool | None, dict[str, Change]]] = {}

    def function_call(self, payload: Payload) -> None:
        name = payload.name or payload.type.removesuffix("_call")
        tool = f"{payload.namespace}.{name}" if payload.namespace else name
        self._call(payload.call_id or "", of_function(tool, string(payload.arguments)))

    def custom_call(self, payload: Payload) -> None:
        self._call(payload.call_id or "", of_text(payload.name or "", string(payload.input)))

    def local_shell_call(self, payload: Rare) -> None:
        command = command_line(payload.action.command if payload.action else None)
        self._call(payload.call_id or "", Call("local_shell", "shell", command=command))

    def web_search(self, payload: Rare) -> None:
        self._call(payload.call_id or "", Call("web_search", "web", text=_asked(payload.action)))

    def output(self, payload: Payload) -> None:
        id = payload.call_id or ""
        origin, call = self._open.pop(id, (id, _UNKNOWN))
        result = outcome(payload.output)
        code, paths = self._exits.pop(id, (None, ()))
        success, changes = self._made_by(id, call) if self._made else (None, {})
        for name in result.running:
            self._running[name] = origin, call.command
        if result.exit_code is not None or result.running:
            code = result.exit_code
        is_error = failed(code) if result.is_error is None else result.is_error
        if is_error is None and success is not None:
            is_error = not success
        self._writer.add_result(
            result.text,
            origin,
            call.tool,
            call.kind,
            code,
            is_error,
            bool(result.running),
            edits=_reported(changes, call.edits, self._writer.cwd) if changes else (),
            paths=paths,
        )
        if result.rejected or call.kind in ("task", "other"):
            self._afterwards(origin, call, result)

    def executed(self, payload: Payload) -> None:
        if bytes(payload.source) == _OWN_SHELL:
            self._own_shell(payload.command, payload.exit_code)
        self._ran(payload.call_id or "", payload.exit_code, payload.parsed_cmd)

    def executed_item(self, item: Item) -> None:
        if item.source == "user_shell":
            self._own_shell(item.command, item.exit_code)
        self._ran(item.id, item.exit_code, item.parsed_cmd)

    def patched(self, payload: Payload) -> None:
        if payload.changes is not None:
            self._made[payload.call_id or ""] = payload.success, payload.changes

    def patched_item(self, item: Item) -> None:
        if item.changes is not None:
            self._made[item.id] = item.status == "completed", item.changes

    def _call(self, id: str, call: Call) -> None:
        origin = id
        data: dict[str, Any] = {}
        if call.waits_for and (started := self._running.get(call.waits_for)):
            origin, command = started
            call = msgspec.structs.replace(call, command=command)
            data = {"resumes": origin}
        if id:
            self._open[id] = origin, call
        called: dict[str, Any] = {"call_id": origin, "tool": call.tool, "tool_kind": call.kind}
        touched: dict[str, Any] = {"command": call.command, "edits": call.edits, "paths": call.paths}
        about: dict[str, Any] = {"cwd": call.workdir, "model": self._writer.model, "data": data}
        self._writer.add("tool_call", call.text, **called, **touched, **about)
        if call.todos:
            self._writer.add("todo", call_id=origin, todos=call.todos)
        for question in call.questions:
            self._writer.add("question", _spelled_out(question), call_id=origin)

    def _made_by(self, id: str, call: Call) -> tuple[bool | None, dict[str, Change]]:
        """What was patched by a call. In code mode the report bears an id of its own."""
        if id in self._made:
            return self._made.pop(id)
        if call.tool != CODE_MODE:
            return None, {}
        reports = list(self._made.values())
        self._made.clear()
        flags = [success for success, _ in reports]
        changes = {path: change for _, made in reports for path, change in made.items()}
        return (None if None in flags else all(flags)), changes

    def _afterwards(self, origin: str, call: Call, result: Outcome) -> None:
        """What else an output says: a refusal, an answer, the name of a sub-agent."""
        if result.rejected:
            self._writer.add_rejection(origin, call.tool, call.kind)
        if call.questions:
            text = _answered(call.questions, result.text)
            self._writer.add("answer", text, by="person", via="answer", call_id=origin)
        if call.tool == "spawn_agent":
            self._subagents.answered(result.text, call.text, origin)

    def _ran(self, id: str, code: int | None, parsed: list[Parsed] | None) -> None:
        """How a command ended; told with its output, unless that came first."""
        if id in self._open:
            reads = [step.path for step in parsed or () if step.type == "read" and step.path]
            self._exits[id] = code, tuple(dict.fromkeys(reads))

    def _own_shell(self, command: str | list[str] | None, code: int | None) -> None:
        """A command the person ran in the session with `!`; its output follows in the user's name."""
        line = command_line(command)
        ended: dict[str, Any] = {"exit_code": code, "is_error": failed(code)}
        self._writer.add("user", line, by="person", via="shell", command=line, **ended)


def _asked(action: Action | None) -> str:
    if action is None:
        return ""
    return action.query or action.url or "\n".join(action.queries or ())


def _spelled_out(question: Question) -> str:
    return "\n".join([question.question, *(f"- {option.label}" for option in question.options or ())])


def _answered(questions: tuple[Question, ...], text: str) -> str:
    """Questions and answers in words; the record keeps only the answers, by the question's id."""
    given = json_record(text).get("answers")
    if not isinstance(given, dict):
        return text
    asked = {question.id: question.question for question in questions}
    chosen = {id: ", ".join(map(word, items(record(answer).get("answers")))) for id, answer in given.items()}
    return "\n".join(f"{asked.get(id, id)}\n{answer}" for id, answer in chosen.items())


def _reported(changes: Mapping[str, Change], announced: tuple[Edit, ...], cwd: str) -> tuple[Edit, ...]:
    """The edits that Codex reports as made and their call did not spell out; relative paths are from `cwd`."""
    known = {_absolute(edit.path, cwd) for edit in announced}
    return tuple(
        _edit(path, change)
        for path, change in changes.items()
        if _absolute(change.move_path or path, cwd) not in known
    )


def _absolute(path: str, cwd: str) -> str:
    return path if path.startswith("/") or not cwd else f"{cwd.rstrip('/')}/{path.removeprefix('./')}"


def _edit(path: str, change: Change) -> Edit:
    if change.unified_diff is not None:
        old, new = sides(change.unified_diff)
        if change.move_path:
            return Edit(change.move_path, "renamed", new, old)
        return Edit(path, "modified", new, old)
    content = excerpt(change.content or "")
    if change.type == "delete":
        return Edit(path, "deleted", old=content)
    return Edit(path, _ACTIONS.get(change.type, "modified"), new=content)
