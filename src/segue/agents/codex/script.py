"""Code mode: what a JavaScript cell asks the tools to do.

Newer Codex gives the model one tool, `exec`, whose input is a script that calls the real tools:
`await tools.exec_command({cmd: "…"})`, `tools.apply_patch("*** Begin Patch\\n…")`. The script is
never run; its string literals are read with the keys they stand under. What is put together at
run time stays unknown here and is learned from `patch_apply_end`.
"""

from __future__ import annotations

import re
from typing import cast

import msgspec

from segue.agents._toolcall import of_patch
from segue.model.entry import Edit, Todo, TodoState
from segue.model.value import NamedTuple

BEGIN, END = "*** Begin Patch", "*** End Patch"
_LITERAL = re.compile(
    r""""[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?|`[^`\\]*+(?:\\.[^`\\]*+)*+`?""",
    re.S,
)
"""A string literal; one that nobody closes ends with its line, a template with the script. So no
character is looked at twice, whatever the script."""
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r?\n|.)", re.S)
_SINGLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_json = msgspec.json.Decoder(str).decode
_WORD = re.compile(r"[\w$]+")
_TOOL = re.compile(r"tools\.(\w+)\s*\(")
_SESSION = re.compile(r"session_id[\"']?\s*:\s*[\"']?(\d+)")
_STATES = ("pending", "in_progress", "completed", "cancelled")


class Script(NamedTuple):
    tools: tuple[str, ...]
    commands: tuple[str, ...] = ()
    patches: tuple[str, ...] = ()
    todos: tuple[Todo, ...] = ()
    sessions: tuple[str, ...] = ()
    """Running processes the script only talks to."""
    workdir: str = ""


def read(source: str) -> Script:
    """What a script asks for, as far as its literals tell."""
    tools = tuple(dict.fromkeys(_TOOL.findall(source)))
    if tools == ("write_stdin",):
        return Script(tools, sessions=tuple(_SESSION.findall(source)))
    literals = _literals(source)
    commands: list[str] = []
    if "exec_command" in tools:
        commands = [text for key, text in literals if key == "cmd"]
        commands = commands or [text for key, text in literals if key != "workdir" and " " in text.strip()]
    return Script(
        tools,
        tuple(commands),
        _patches(literals) if BEGIN in source else (),
        _todos(literals) if "update_plan" in tools else (),
        tuple(_SESSION.findall(source)) if "write_stdin" in tools else (),
        next((text for key, text in literals if key == "workdir"), ""),
    )


def patched(text: str) -> tuple[Edit, ...]:
    """The edits of every patch in a text, raw, in a here-document or in a literal; none where there is no patch."""
    return tuple(of_patch(text)) if BEGIN in text else ()


def _literals(source: str) -> list[tuple[str, str]]:
    """The string literals of a script, each with the key or name it is given to."""
    found: list[tuple[str, str]] = []
    end, previous = 0, ""
    for match in _LITERAL.finditer(source):
        between = source[end : match.start()]
        plain = between.removesuffix("String.raw")
        key = _key(plain, previous)
        previous = _text(match[0]) if plain == between else _inside(match[0])
        found.append((key, previous))
        end = match.end()
    return found


def _key(before: str, previous: str) -> str:
    """The key or name a literal is given to, from the code before it; a quoted key is the literal before."""
    before = before.rstrip()
    if before == ":":
        return previous
    words = _WORD.findall(before[-40:]) if before[-1:] in (":", "=") else ()
    return words[-1] if words else ""


def _text(literal: str) -> str:
    """What a literal stands for. JSON's decoder is far faster and knows most of the same escapes."""
    if "\\" not in literal:
        return _inside(literal)
    if literal[0] == '"':
        try:
            return _json(literal)
        except ValueError:
            pass
    return _ESCAPE.sub(_unescape, _inside(literal))


def _inside(literal: str) -> str:
    return literal[1:-1] if len(literal) > 1 and literal[-1] == literal[0] else literal[1:]


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if code in _SINGLE:
        return _SINGLE[code]
    if code[0] in "ux" and len(code) > 1:
        number = int(code[1:].strip("{}"), 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
    return code


def _patches(literals: list[tuple[str, str]]) -> tuple[str, ...]:
    """Patches, also those that are pieced together from several literals in a row."""
    patches: list[str] = []
    parts: list[str] = []
    for _, text in literals:
        if BEGIN in text:
            parts = [text]
        elif parts:
            parts.append(text if parts[-1].endswith("\n") else "\n" + text)
        if parts and END in text:
            patches.append("".join(parts))
            parts = []
    return tuple(patches)


def _todos(literals: list[tuple[str, str]]) -> tuple[Todo, ...]:
    todos: list[Todo] = []
    step, state = "", ""
    for key, text in literals:
        step = text if key == "step" else step
        state = text if key == "status" else state
        if step and state:
            todos.append(Todo(step, cast(TodoState, state) if state in _STATES else "pending"))
            step, state = "", ""
    return tuple(todos)
