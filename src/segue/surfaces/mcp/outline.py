"""An answer as text a model reads: names and values, one row a line, quoted texts behind `> `.

What a session, a thread or a record says stands on one line in its place or behind `> `: it cannot pass for
a line of ours. Only texts that segue rendered itself stand as they are, last.
"""

from __future__ import annotations

from typing import Any

from segue.handoff.quote import block, inline

_SHORT = 120
_INDENT = "  "


def told(answer: dict[str, Any], whole: tuple[str, ...] = ()) -> str:
    """The answer, its notice first and its whole texts last."""
    head = [str(answer["notice"])] if "notice" in answer else []
    rest = {name: value for name, value in answer.items() if name != "notice" and name not in whole}
    tail = [f"\n{name}:\n{answer[name]}" for name in whole if name in answer]
    return "\n".join([*head, *_lines(rest, ""), *tail]) or "Done."


def _lines(value: dict[str, Any], pad: str) -> list[str]:
    return [line for name, item in value.items() for line in _field(inline(str(name)), item, pad)]


def _field(name: str, value: Any, pad: str) -> list[str]:
    if isinstance(value, dict):
        return [f"{pad}{name}:", *_lines(value, pad + _INDENT)] if value else []
    if isinstance(value, list | tuple):
        if not value:
            return [f"{pad}{name}: none"]
        return [f"{pad}{name}:", *(line for item in value for line in _item(item, pad))]
    return _scalar(f"{pad}{name}: ", value, pad)


def _item(value: Any, pad: str) -> list[str]:
    if not isinstance(value, dict):
        return _scalar(f"{pad}- ", value, pad)
    short = {name: item for name, item in value.items() if _is_short(item)}
    long = {name: item for name, item in value.items() if name not in short}
    line = " · ".join(f"{inline(str(name))} {_shown(item)}" for name, item in short.items())
    return [f"{pad}- {line}", *_lines(long, pad + _INDENT)]


def _scalar(head: str, value: Any, pad: str) -> list[str]:
    if _is_short(value):
        return [f"{head}{_shown(value)}"]
    text = block(str(value), 10_000)
    return [head.rstrip(), *(f"{pad}{_INDENT}{line}" for line in text.split("\n"))]


def _is_short(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _SHORT and "\n" not in value
    return not isinstance(value, dict | list | tuple)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else inline(str(value))
