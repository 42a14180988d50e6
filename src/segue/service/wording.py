"""A sentence in the words of the surface that says it.

Sentences are written for the command line: `` `segue thread list` ``, `--from-seq`. Where there is no command
line, the same sentence names what the caller has: the tool or the address of that operation, the parameter
behind that flag. What a surface does not offer is left as the command a person can run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, get_origin

import msgspec

from segue.service.operations import OPERATIONS, Operation
from segue.service.signatures import signature

NameOf = Callable[[Operation], str | None]
"""What a surface calls an operation; None for one it does not offer."""

_SPAN = re.compile(r"`(?:segue ([^`]+)|(--[^`]+))`")
_FLAG = re.compile(r"(?<![\w-])--([a-z][a-z-]*[a-z])\b")
_OTHERWISE = {
    "agent": "host",
    "breaking": "add_breaking_changes",
    "design": "detailed_design",
    "describe_file": "files",
    "file_done": "drop_files_in_progress",
    "file_lines": "files",
    "file_state": "files_in_progress",
    "from": "session",
    "link_thread": "threads",
    "no_files": "notes",
    "remove_breaking": "remove_breaking_changes",
    "remove_dependency": "remove_dependencies",
    "dependency": "add_dependencies",
    "expect_seq": "expect",
    "session": "session_id",
    "set_status": "status",
    "sub_describe": "sub_edits",
    "sub_file": "sub_edits",
    "sub_status": "sub_edits",
    "sub_title": "sub_edits",
    "untag": "remove_tags",
}
"""Flags whose parameter has another name altogether."""


def reworded(text: str, name_of: NameOf, operation: Operation | None = None) -> str:
    """The sentence for a caller that asked for this operation."""
    named: Operation | None = None

    def put(match: re.Match[str]) -> str:
        """Flags that stand alone belong to the command before them, else to what was asked for."""
        nonlocal named
        if match[2]:
            flags = match[2].split()
            return _with(flags, named) or _with(flags, operation) or match[0]
        named = _operation_of(match[1].split(), operation)
        return _span(match, name_of, named)

    said = _SPAN.sub(put, text)
    parts = re.split(r"(`[^`]*`)", said)
    return "".join(part if part.startswith("`") else _plain(part, operation) for part in parts)


def parameter(operation: Operation | None, flag: str) -> str | None:
    """The parameter of an operation that a flag of its command fills."""
    word = flag.strip("-").replace("-", "_")
    if operation is None:
        return None
    known = _parameters(operation)
    stem = word.removeprefix("handoff_")
    bare = stem.removeprefix("add_")
    candidates = (word, stem, f"{stem}s", f"add_{stem}", f"add_{stem}s", f"{bare}s", _OTHERWISE.get(stem, ""))
    return next((known[name] for name in candidates if name in known), None)


def _span(match: re.Match[str], name_of: NameOf, meant: Operation | None) -> str:
    name = name_of(meant) if meant else None
    if meant is None or name is None:
        return match[0]
    given = _with(match[1].split()[len(meant.command.split()) :], meant)
    return f"`{name}` with {given}" if given else f"`{name}`"


def _operation_of(words: list[str], operation: Operation | None) -> Operation | None:
    """The operation of a command; where several share it, the one at hand or one about the same thing."""
    rows = [row for row in OPERATIONS if words[: len(row.command.split())] == row.command.split()]
    if operation in rows:
        return operation
    about = operation.name.partition(".")[0] if operation else ""
    return max(rows, key=lambda row: (len(row.command), row.name.partition(".")[0] == about), default=None)


def _with(words: list[str], operation: Operation | None) -> str:
    """Flags and their values under the names of parameters. A flag that has none here goes, with its values."""
    given: list[list[str]] = []
    taken: list[str] = []
    for word in words:
        if word.startswith("--"):
            name = parameter(operation, word)
            taken = [name] if name else []
            given += [taken] if name else []
        elif taken and taken[0] not in _lists(operation):  # whose items are no words of a command line
            taken.append(word)
    return " and ".join(f"`{' '.join(one)}`" for one in given)


def _plain(text: str, operation: Operation | None) -> str:
    def put(match: re.Match[str]) -> str:
        name = parameter(operation, match[1])
        return f"`{name}`" if name else match[0]

    return _FLAG.sub(put, text)


@cache
def _parameters(operation: Operation) -> dict[str, str]:
    """The names a request has, and those one level deeper, where an update has its own, each with its place."""
    names: dict[str, str] = {}
    for field in msgspec.structs.fields(signature(operation).request):
        names |= {inner: f"{field.name}.{inner}" for inner in _inner(field.type)} | {field.name: field.name}
    return names


@cache
def _lists(operation: Operation | None) -> frozenset[str]:
    """Places in a request that hold a list of an update."""
    fields = msgspec.structs.fields(signature(operation).request) if operation else ()
    return frozenset(
        f"{field.name}.{name}"
        for field in fields
        for name, hint in _inner(field.type).items()
        if get_origin(hint) is list
    )


def _inner(hint: Any) -> dict[str, Any]:
    """The fields of an object, with their types."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return {field.name: field.type for field in msgspec.structs.fields(hint)}
    return {}
