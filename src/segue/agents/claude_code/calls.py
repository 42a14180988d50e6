"""What a tool call asks for.

Every tool that comes with the program has a row in `TOOLS`. The arguments of any other tool are
told as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from segue.agents._record import records, word
from segue.agents._toolcall import excerpt
from segue.agents.claude_code.wire import Input, WholeInput
from segue.model.entry import Edit, ToolKind

QUESTION, PLAN, TODO = "AskUserQuestion", "ExitPlanMode", "TodoWrite"

Asked = tuple[str, tuple[str, ...], str, tuple[Edit, ...], bool]
"""Text, paths, command, edits and whether the call goes on in the background: a plain tuple, since one
is made for every call of a session."""


class Tool(msgspec.Struct, frozen=True, gc=False):
    """A tool and what its calls ask for; a `plain` one is told by one entry per call and one per result,
    and the smaller arguments are all it has."""

    name: str
    kind: ToolKind
    asked: Callable[[Any], Asked]
    plain: bool = False


def question(given: WholeInput) -> str:
    """The questions put to the person, each with its options."""
    lines: list[str] = []
    for item in records(given.questions):
        lines.append(word(item.get("question")))
        lines += [_option(option) for option in records(item.get("options"))]
    return "\n".join(lines)


def _option(option: dict[str, Any]) -> str:
    description = word(option.get("description"))
    return f"- {word(option.get('label'))}" + (f": {description}" if description else "")


def _shell(given: Input) -> Asked:
    return word(given.description), (), word(given.command), (), given.run_in_background is True


def _read(given: Input) -> Asked:
    path = word(given.file_path)
    return "", (path,) if path else (), "", (), False


def _edit(given: Input) -> Asked:
    path = word(given.file_path)
    new = given.new_string if given.new_string is not None else given.content
    return _edits(path, [(given.old_string, new)])


def _multi_edit(given: WholeInput) -> Asked:
    steps = records(given.edits)
    return _edits(word(given.file_path), [(step.get("old_string"), step.get("new_string")) for step in steps])


def _notebook(given: WholeInput) -> Asked:
    return _edits(
        word(given.notebook_path), [(None, given.new_source)] if given.new_source is not None else []
    )


def _edits(path: str, steps: list[tuple[Any, Any]]) -> Asked:
    if not path:
        return "", (), "", (), False
    edits = [Edit(path, "modified", excerpt(word(new)), excerpt(word(old))) for old, new in steps]
    return "", (path,), "", tuple(edits), False


def _search(given: Input) -> Asked:
    path = word(given.path)
    return word(given.pattern), (path,) if path else (), "", (), False


def _web(given: WholeInput) -> Asked:
    return "\n".join(filter(None, map(word, (given.url, given.query, given.prompt)))), (), "", (), False


def _task(given: Input) -> Asked:
    return word(given.description), (), "", (), given.run_in_background is True


def _todo(given: WholeInput) -> Asked:
    return word(given.subject), (), "", (), False


def _spoken(given: Input) -> Asked:
    """Asks for nothing that does not become an entry of its own."""
    return "", (), "", (), False


def other(name: str) -> Tool:
    """A tool that does not come with the program."""
    return Tool(name, "other", _spoken)


TOOLS: dict[str | None, Tool] = {
    tool.name: tool
    for tool in (
        Tool("Bash", "shell", _shell, plain=True),
        Tool("PowerShell", "shell", _shell, plain=True),
        Tool("Read", "read", _read, plain=True),
        Tool("NotebookRead", "read", _notebook),
        Tool("Write", "write", _edit, plain=True),
        Tool("Edit", "edit", _edit, plain=True),
        Tool("MultiEdit", "edit", _multi_edit),
        Tool("NotebookEdit", "edit", _notebook),
        Tool("Grep", "search", _search, plain=True),
        Tool("Glob", "search", _search, plain=True),
        Tool("LS", "search", _search),
        Tool("ToolSearch", "search", _web),
        Tool("WebFetch", "web", _web),
        Tool("WebSearch", "web", _web),
        Tool("web_search", "web", _web),
        Tool("Task", "task", _task),
        Tool("Agent", "task", _task),
        Tool(TODO, "todo", _spoken),
        Tool("TaskCreate", "todo", _todo),
        Tool("TaskUpdate", "todo", _todo),
        Tool(QUESTION, "other", _spoken),
        Tool(PLAN, "other", _spoken),
    )
}
UNKNOWN = other("")
"""The tool of a result whose call is not in the file."""
