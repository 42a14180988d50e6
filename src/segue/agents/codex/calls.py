"""What a Codex tool call asks for, whichever generation of tools it uses.

Three generations are read: JSON arguments (`exec_command`, `apply_patch`, `update_plan`), raw
text (`apply_patch` as a custom tool) and code mode (`exec`, a script that calls the others).
"""

from __future__ import annotations

import msgspec

from segue.agents._toolcall import kinds, todo_state
from segue.agents.codex import script
from segue.agents.codex.script import BEGIN, patched
from segue.model.entry import Edit, Todo, ToolKind

KINDS = kinds(
    shell="exec_command shell shell_command local_shell container.exec bash write_stdin wait",
    read="view_image read_file",
    edit="apply_patch",
    search="grep_files list_dir",
    web="web_search web__run",
    task="spawn_agent wait_agent send_input close_agent resume_agent",
    todo="update_plan",
)
CODE_MODE = "exec"
_LOGIN_SHELLS = ("sh", "bash", "zsh", "dash", "fish", "pwsh", "powershell", "cmd")


class Option(msgspec.Struct, gc=False):
    label: str = ""


class Question(msgspec.Struct, gc=False):
    id: str = ""
    question: str = ""
    options: list[Option] | None = None


class _Step(msgspec.Struct, gc=False):
    step: str = ""
    status: str = ""


class _Arguments(msgspec.Struct, gc=False):
    cmd: str | None = None
    command: str | list[str] | None = None
    workdir: str | None = None
    input: str | None = None
    patch: str | None = None
    session_id: int | str | None = None
    cell_id: int | str | None = None
    chars: str | None = None
    plan: list[_Step] | None = None
    explanation: str | None = None
    questions: list[Question] | None = None
    path: str | None = None
    file_path: str | None = None
    message: str | None = None


_arguments = msgspec.json.Decoder(_Arguments).decode


class Call(msgspec.Struct, frozen=True, gc=False):
    """A tool call as it will be told. `waits_for` names the process or script it only goes on with."""

    tool: str
    kind: ToolKind = "other"
    command: str = ""
    text: str = ""
    edits: tuple[Edit, ...] = ()
    paths: tuple[str, ...] = ()
    todos: tuple[Todo, ...] = ()
    questions: tuple[Question, ...] = ()
    workdir: str = ""
    waits_for: str = ""


def of_function(tool: str, arguments: str) -> Call:
    """A call with JSON arguments."""
    kind = KINDS.get(tool, "other")
    try:
        given = _arguments(arguments)
    except (ValueError, RecursionError):
        return Call(tool, kind, text=arguments, edits=patched(arguments))
    command = given.cmd or command_line(given.command)
    if command and kind == "shell" and BEGIN not in command:
        return Call(tool, kind, command, workdir=given.workdir or "")
    edits = patched(command) or patched(given.input or given.patch or "")
    path = given.path or given.file_path
    return Call(
        tool,
        kind,
        command=command if kind == "shell" else "",
        text=_words(tool, kind, given, arguments),
        edits=edits,
        paths=tuple(dict.fromkeys(edit.path for edit in edits)) or ((path,) if path else ()),
        todos=tuple(Todo(step.step, todo_state(step.status)) for step in given.plan or ()),
        questions=tuple(given.questions or ()),
        workdir=given.workdir or "",
        waits_for=_waits_for(tool, given),
    )


def of_text(tool: str, text: str) -> Call:
    """A call whose input is plain text: a patch, a script, or JSON all the same."""
    if tool == CODE_MODE:
        return _of_script(tool, text)
    if text.startswith("{") and BEGIN not in text[:64]:
        return of_function(tool, text)
    edits = patched(text)
    return Call(
        tool,
        KINDS.get(tool, "other"),
        text="" if edits else text,
        edits=edits,
        paths=tuple(dict.fromkeys(edit.path for edit in edits)),
    )


def command_line(command: str | list[str] | None) -> str:
    """A command as a person would type it: what a login shell is given is the command itself."""
    if not isinstance(command, list):
        return command or ""
    if len(command) == 3 and command[0].rsplit("/", 1)[-1] in _LOGIN_SHELLS and command[1].startswith("-"):
        return command[2]
    if len(command) == 2 and command[0] == "apply_patch":
        return command[1]
    return " ".join(command)


def _of_script(tool: str, source: str) -> Call:
    asks = script.read(source)
    waits_for = f"session {asks.sessions[0]}" if asks.sessions and not asks.commands else ""
    if waits_for or (asks.commands and BEGIN not in source):
        command = "\n".join(asks.commands)
        return Call(tool, "shell", command, todos=asks.todos, workdir=asks.workdir, waits_for=waits_for)
    edits = tuple(edit for text in (*asks.patches, *asks.commands) for edit in patched(text))
    kinds = {KINDS.get(name, "other") for name in asks.tools}
    if asks.commands:
        kind: ToolKind = "shell"
    else:
        kind = kinds.pop() if len(kinds) == 1 else "edit" if edits else "other"
    return Call(
        tool,
        kind,
        command="\n".join(asks.commands),
        text="" if asks.commands or edits or asks.todos else source,
        edits=edits,
        paths=tuple(dict.fromkeys(edit.path for edit in edits)),
        todos=asks.todos,
        workdir=asks.workdir,
    )


def _words(tool: str, kind: ToolKind, given: _Arguments, arguments: str) -> str:
    """What of the arguments is worth keeping as text beside the fields that have a place of their own."""
    if tool == "write_stdin":
        return given.chars or ""
    if kind == "todo":
        return given.explanation or ""
    if kind == "task":
        return given.message or arguments
    return "" if kind in ("shell", "edit", "read") or given.questions else arguments


def _waits_for(tool: str, given: _Arguments) -> str:
    if tool == "write_stdin" and given.session_id is not None:
        return f"session {given.session_id}"
    return f"cell {given.cell_id}" if tool == "wait" and given.cell_id is not None else ""
