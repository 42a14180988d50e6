"""What a tool call touches, read from its arguments.

Programs name their arguments differently but mean the same few things: a command, a path, the
text before and after. The tables below are the names met so far; a reader adds what only its
own program knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgspec

from segue.agents._record import decoded, items, record, records, word
from segue.model.entry import Action, Edit, Todo, TodoState, ToolKind
from segue.model.patterns import compiled

EXCERPT = 1_000
"""Characters of an edit's text before and after that are kept."""

PATHS = (
    "filePath",
    "file_path",
    "absolute_path",
    "path",
    "target_file",
    "file",
    "filename",
)
COMMANDS = ("command", "cmd", "commands", "script")
OLD = ("oldString", "old_string", "old_str", "old", "search")
NEW = (
    "newString",
    "new_string",
    "new_str",
    "new",
    "replace",
    "content",
    "contents",
    "file_text",
    "insert_text",
)
REASONS = ("description", "title", "topic", "objective", "prompt", "task")
SOUGHT = ("pattern", "query", "regex", "search", "glob")
ADDRESSES = ("url", "urls", "query", "prompt")
BACKGROUND = ("run_in_background", "is_background", "background")
PATCHES = ("patchText", "patch", "diff", "input")
EDITOR: dict[str, ToolKind] = {"view": "read", "create": "write"}
"""What the commands of an editor tool do that do not edit."""
_LISTED = ("edits", "edit", "replacements")

_STATES: dict[str, TodoState] = {
    "in_progress": "in_progress",
    "in-progress": "in_progress",
    "doing": "in_progress",
    "completed": "completed",
    "complete": "completed",
    "done": "completed",
    "cancelled": "cancelled",
    "canceled": "cancelled",
}
_MARKS: dict[str, Action] = {"Add": "created", "Update": "modified", "Delete": "deleted"}
_MOVE = "Move to: "
_DIFF_REACH = 4 * EXCERPT
"""Characters of a diff in which its excerpts are looked for."""
SEARCH = compiled(r"[<\-]{5,9} ?(?:SEARCH|ORIGINAL)>?\s*$")
_DIVIDER = compiled(r"={5,9}\s*$")
REPLACE = compiled(r"[>+]{5,9} ?(?:REPLACE|UPDATED)>?\s*$")
_CHECKBOX = compiled(r"^\s*[-*] \[([ xX~\-/])\] (.+?)\s*$", re.M)
_BOXES: dict[str, TodoState] = {"x": "completed", "X": "completed", "~": "in_progress", "/": "in_progress"}


def kinds(**tools: str) -> dict[str, ToolKind]:
    """The tools of a program with their kinds; each kind is given the names of its tools."""
    return {tool: cast(ToolKind, kind) for kind, names in tools.items() for tool in names.split()}


def call_fields(kind: ToolKind, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a `tool_call` entry that follow from its kind and arguments.

    The text is what no other field tells: why a command is run, what is sought, whom a task is given
    to. The arguments of an unknown tool are its text, as they are."""
    if kind == "shell":
        background = any(arguments.get(name) is True for name in BACKGROUND)
        return {"text": _first(arguments, REASONS), "command": command(arguments), "background": background}
    if kind == "read":
        return {"paths": paths(arguments)}
    if kind in ("write", "edit"):
        changes = edits(arguments)
        named = paths(arguments) or tuple(dict.fromkeys(change.path for change in changes))
        return {"paths": named, "edits": changes}
    if kind == "search":
        return {"text": _first(arguments, SOUGHT), "paths": paths(arguments)}
    if kind == "web":
        return {"text": "\n".join(filter(None, (word(arguments.get(name)) for name in ADDRESSES)))}
    if kind == "task":
        return {"text": _first(arguments, REASONS)}
    if kind == "todo" or not arguments:
        return {}
    return {"text": msgspec.json.encode(arguments).decode()}


def arguments_of(given: Any) -> dict[str, Any]:
    """A call's arguments, which many programs keep as JSON in a string; of a patch tool the bare patch."""
    if not isinstance(given, str):
        return record(given)
    value = decoded(given)
    return value if isinstance(value, dict) else {"input": given} if given else {}


def command(arguments: Mapping[str, Any]) -> str:
    """The shell command of a call; several are joined by line ends."""
    for name in COMMANDS:
        value = arguments.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return "\n".join(filter(None, map(word, value)))
    return ""


def paths(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    named = next((word(arguments[name]) for name in PATHS if word(arguments.get(name))), "")
    listed = [item for name in ("paths", "files") for item in items(arguments.get(name))]
    several = [word(item) or word(record(item).get("path")) for item in listed]
    return tuple(dict.fromkeys(path for path in (named, *several) if path))


def edits(arguments: Mapping[str, Any]) -> tuple[Edit, ...]:
    """Every change of files that the arguments spell out."""
    for name in PATCHES:
        patch = word(arguments.get(name))
        if "*** Begin Patch" in patch:
            return tuple(of_patch(patch))
    path = next(iter(paths(arguments)), "")
    blocks = [block for name in PATCHES for block in search_replace(word(arguments.get(name)))]
    if blocks and path:
        return tuple(Edit(path=path, old=excerpt(old), new=excerpt(new)) for old, new in blocks)
    steps = [(next(iter(paths(step)), path), step) for step in _steps(arguments)]
    return tuple(
        Edit(path=named, old=excerpt(_first(step, OLD)), new=excerpt(_first(step, NEW)))
        for named, step in steps
        if named
    )


def _steps(arguments: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The replacements of a call: listed, each perhaps with a file of its own, a single one, or the arguments themselves."""
    single = record(arguments.get("edit"))
    listed = next(filter(None, (records(arguments.get(name)) for name in _LISTED)), [])
    return list(listed) or [single or arguments]


def of_patch(patch: str) -> Iterator[Edit]:
    """The files of a patch in the `*** Begin Patch` notation."""
    sections = f"\n{patch}".split("\n*** ")[1:]
    for section, after in zip(sections, [*sections[1:], ""], strict=False):
        mark, _, body = section.partition("\n")
        verb, named, path = mark.partition(" File: ")
        if not named or verb not in _MARKS:
            continue
        action = _MARKS[verb]
        if after.startswith(_MOVE):
            path, _, body = after.removeprefix(_MOVE).partition("\n")
            action = "renamed"
        old, new = sides(body)
        yield Edit(path=path.strip(), action=action, old=old, new=new)


def sides(diff: str) -> tuple[str, str]:
    """What a diff removes and what it adds, as far as an excerpt goes."""
    lines = diff[:_DIFF_REACH].split("\n")
    old = "\n".join([line[1:] for line in lines if line[:1] == "-"])
    new = "\n".join([line[1:] for line in lines if line[:1] == "+"])
    return excerpt(old), excerpt(new)


def search_replace(text: str) -> list[tuple[str, str]]:
    """The (old, new) pairs of SEARCH/REPLACE blocks; an unfinished block is left out."""
    return [(old, new) for _, old, new in replacements(text.splitlines())]


def replacements(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """The SEARCH/REPLACE blocks of some lines: where each begins, what it takes out and what it puts in."""
    old: list[str] = []
    new: list[str] = []
    part: list[str] | None = None
    start = 0
    for number, line in enumerate(lines):
        if SEARCH.match(line):
            old, new, start = [], [], number
            part = old
        elif part is old and _DIVIDER.match(line):
            part = new
        elif part is new and REPLACE.match(line):
            yield start, "\n".join(old), "\n".join(new)
            part = None
        elif part is not None:
            part.append(line)


def todos(value: Any) -> tuple[Todo, ...]:
    """A to-do list as some program keeps it."""
    return tuple(
        Todo(
            text=_first(item, ("content", "description", "title", "text", "step")),
            state=todo_state(item.get("status")),
        )
        for item in records(value)
    )


def todo_state(value: Any) -> TodoState:
    return _STATES.get(word(value).lower().replace(" ", "_"), "pending")


def checklist(markdown: str) -> tuple[Todo, ...]:
    """A to-do list kept as Markdown checkboxes."""
    return tuple(
        Todo(text=text, state=_BOXES.get(box, "pending")) for box, text in _CHECKBOX.findall(markdown)
    )


def excerpt(text: str) -> str:
    """The beginning of a text, cut between words, so that no secret is halved."""
    if len(text) <= EXCERPT:
        return text
    cut = text[:EXCERPT]
    return cut[: max(cut.rfind(" "), cut.rfind("\n"))] if " " in cut or "\n" in cut else cut


def _first(arguments: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((word(arguments[name]) for name in names if word(arguments.get(name))), "")
