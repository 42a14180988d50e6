"""Session files read by themselves: what a person said, what the agent said and did, what the harness answered.

This is the ruler's own reading of three formats. It shares nothing with the program under test, so that a mistake of
one is not a mistake of both. Whatever it does not know it leaves out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

Row = dict[str, Any]
Kind = Literal["person", "agent", "call", "result"]

_EDITING = frozenset(("Edit", "MultiEdit", "Write", "NotebookEdit", "edit", "write", "apply_patch"))
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.M)
_EXITED = re.compile(r"(?:exited with code |\"exit_code\":\s*)(\d+)")


class Step(NamedTuple):
    """One thing that happened, and on which line of the file (from 1)."""

    line: int
    kind: Kind
    text: str = ""
    call_id: str = ""
    command: str = ""
    paths: tuple[str, ...] = ()
    edits: bool = False
    failed: bool | None = None
    """What the harness says of a result; None where it says nothing."""


def read(agent: str, path: str) -> list[Step]:
    """The steps of a session, in order; paths are relative to the folder it began in."""
    steps: list[Step] = []
    root = ""
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if not isinstance(row, dict):
                continue
            root = root or _folder(row)
            for step in _READERS[agent](row):
                paths = tuple(path.removeprefix(root) for path in step.paths)
                steps.append(step._replace(line=number, paths=paths))
    return steps


def _claude_code(row: Row) -> Iterator[Step]:
    message = row.get("message")
    if (
        row.get("isSidechain")
        or row.get("isMeta")
        or row.get("isCompactSummary")
        or not isinstance(message, dict)
    ):
        return
    for block in _blocks(message.get("content")):
        match block.get("type"):
            case "text":
                yield _spoken("agent" if row.get("type") == "assistant" else "person", block.get("text"))
            case "tool_use":
                yield _called(block.get("id"), block.get("name"), block.get("input"))
            case "tool_result":
                yield _answered(
                    block.get("tool_use_id"), _text(block.get("content")), block.get("is_error") is True
                )


def _codex(row: Row) -> Iterator[Step]:
    said = row.get("payload")
    if not isinstance(said, dict):
        return
    match said.get("type"):
        case "user_message":
            yield _spoken("person", said.get("message"))
        case "agent_message":
            yield _spoken("agent", said.get("message"))
        case "function_call":
            try:
                given = json.loads(said.get("arguments") or "{}")
            except ValueError:
                given = {}
            yield _called(said.get("call_id"), said.get("name"), given)
        case "custom_tool_call":
            yield _called(said.get("call_id"), said.get("name"), {"patch": said.get("input")})
        case "function_call_output" | "custom_tool_call_output":
            text = _text(said.get("output"))
            exited = _EXITED.search(text)
            yield _answered(said.get("call_id"), text, exited[1] != "0" if exited else None)


def _pi(row: Row) -> Iterator[Step]:
    message = row.get("message")
    if not isinstance(message, dict):
        return
    if message.get("role") == "toolResult":
        failed = message.get("isError")
        yield _answered(
            message.get("toolCallId"),
            _text(message.get("content")),
            failed if isinstance(failed, bool) else None,
        )
        return
    for block in _blocks(message.get("content")):
        if block.get("type") == "text":
            yield _spoken("person" if message.get("role") == "user" else "agent", block.get("text"))
        elif block.get("type") == "toolCall":
            yield _called(block.get("id"), block.get("name"), block.get("arguments"))


_READERS: dict[str, Callable[[Row], Iterator[Step]]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "pi": _pi,
}
AGENTS = tuple(_READERS)


def _folder(row: Row) -> str:
    said = row.get("payload") if isinstance(row.get("payload"), dict) else row
    folder = said.get("cwd") if isinstance(said, dict) else None
    return folder.rstrip("/") + "/" if isinstance(folder, str) and folder else ""


def _spoken(kind: Kind, text: Any) -> Step:
    """What a program wrote into a prompt stands in tags; a person's words do not begin with one."""
    said = text if isinstance(text, str) else ""
    return Step(
        0, kind, "" if kind == "person" and said.lstrip().startswith(("<", "Caveat:", "[Request")) else said
    )


def _called(call_id: Any, name: Any, given: Any) -> Step:
    given = given if isinstance(given, dict) else {}
    command = given.get("command") or given.get("cmd") or ""
    if isinstance(command, list):
        command = str(command[-1]) if command else ""
    named = [given[key] for key in ("file_path", "path", "notebook_path") if isinstance(given.get(key), str)]
    patch = given.get("patch") or given.get("input") or (command if "*** Begin Patch" in str(command) else "")
    patched = _PATCHED.findall(patch) if isinstance(patch, str) else []
    if patched:
        command = ""
    return Step(
        0,
        "call",
        call_id=str(call_id),
        command=str(command),
        paths=(*named, *patched),
        edits=str(name) in _EDITING or bool(patched),
    )


def _answered(call_id: Any, text: str, failed: bool | None) -> Step:
    return Step(0, "result", text, str(call_id), failed=failed)


def _blocks(content: Any) -> list[Row]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(block.get("text") or "") for block in _blocks(content))
