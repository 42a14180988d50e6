"""An answer as text a model reads: names and values, one row a line, times as dates, quoted texts behind `> `.

What a session, a thread or a record says stands on one line in its place or behind `> `: it cannot pass for
a line of ours. Only texts that segue rendered itself stand as they are, last.
"""

from __future__ import annotations

import time
from typing import Any

from segue.handoff.quote import behind, one_line

_SHORT = 120
_FEW = 8
_EARLIEST_MS, _LATEST_MS = 946_684_800_000, 4_102_444_800_000
"""What is counted in milliseconds and lies within this century is a moment, anything else a duration."""
_INDENT = "  "


def render(answer: dict[str, Any], whole: tuple[str, ...] = ()) -> str:
    """The answer, its notice first and its whole texts last."""
    head = [str(answer["notice"])] if "notice" in answer else []
    rest = {name: value for name, value in answer.items() if name != "notice" and name not in whole}
    tail = [f"\n{name}:\n{answer[name]}" for name in whole if name in answer]
    return "\n".join([*head, *_lines(rest, ""), *tail]) or "Done."


def _lines(value: dict[str, Any], pad: str) -> list[str]:
    return [line for name, item in value.items() for line in _field(one_line(str(name)), item, pad)]


def _field(name: str, value: Any, pad: str) -> list[str]:
    if isinstance(value, dict):
        return [f"{pad}{name}:", *_lines(value, pad + _INDENT)] if value else []
    if isinstance(value, list | tuple):
        if not value:
            return [f"{pad}{name}: none"]
        return [f"{pad}{name}:", *(line for item in value for line in _item(item, pad))]
    return _scalar(f"{pad}{_label(name, value)}: ", name, value, pad) if value != "" else []


def _item(value: Any, pad: str) -> list[str]:
    if not isinstance(value, dict):
        return _scalar(f"{pad}- ", "", value, pad)
    said = {name: item for name, item in value.items() if item not in ("", [], {}, ())}
    short = {name: item for name, item in said.items() if _is_short(item) or _is_small(item)}
    long = {name: item for name, item in said.items() if name not in short}
    return [
        f"{pad}- {' · '.join(_row(name, item) for name, item in short.items())}",
        *_lines(long, pad + _INDENT),
    ]


def _row(name: str, value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(_row(inside, item) for inside, item in value.items() if item != "")
        return f"{one_line(name)} ({inner})"
    return f"{one_line(_label(name, value))} {_value_text(name, value)}"


def _scalar(head: str, name: str, value: Any, pad: str) -> list[str]:
    if _is_short(value):
        return [f"{head}{_value_text(name, value)}"]
    text = behind(str(value), 10_000)
    return [head.rstrip(), *(f"{pad}{_INDENT}{line}" for line in text.split("\n"))]


def _is_short(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _SHORT and "\n" not in value
    return not isinstance(value, dict | list | tuple)


def _is_small(value: Any) -> bool:
    """Whether a value inside a row is a few short values itself."""
    return isinstance(value, dict) and len(value) <= _FEW and all(map(_is_short, value.values()))


def _is_moment(name: str, value: Any) -> bool:
    return name.endswith("_ms") and type(value) is int and _EARLIEST_MS <= value < _LATEST_MS


def _label(name: str, value: Any) -> str:
    return name.removesuffix("_ms") if _is_moment(name, value) else name


def _value_text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if _is_moment(name, value):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(value / 1000))
    return "-" if value is None else one_line(str(value))
