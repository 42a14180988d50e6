"""Threads as a person reads them: a line for each in a list, and the newest messages of one in short."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from segue.model.frame import MESSAGE
from segue.surfaces.cli.printable import squeezed

NEWEST = 5
LOOKED_AT = 200
"""Frames before the head among which the newest messages are looked for: tools may have left many between."""
_LINES = 3
_WIDTH = 120


def line(row: Any) -> str:
    """A thread in a list."""
    marks = [row["parent"]["relation"]] if "parent" in row else []
    marks += ["default"] if row["default"] else []
    marks += ["archived"] if row["archived"] else []
    marks += [f"#{tag}" for tag in row["tags"]]
    title = row.get("title") or "untitled"
    return f"{row['thread_id']}  {_day(row['created_at_ms'])}  {row['head_seq'] + 1:>6} frames  {title}" + (
        f"  ({', '.join(marks)})" if marks else ""
    )


def described(row: Any) -> str:
    """A thread by itself: where it stands and where it comes from."""
    lines = [line(row), f"head hash {row['head_hash']}"]
    if "parent" in row:
        parent = row["parent"]
        lines.insert(1, f"{parent['relation']} of {parent['thread_id']} at seq {parent['seq']}")
    return "\n".join(lines)


def newest(frames: Iterable[dict[str, Any]]) -> str:
    """The last messages among these frames, each with its first words."""
    messages = [frame for frame in frames if frame["type"] == MESSAGE][-NEWEST:]
    return "\n".join(f"@{frame['seq']} {frame['role']}\n{_short(frame['content'])}" for frame in messages)


def _short(text: str) -> str:
    said = [words for words in map(squeezed, text[: _WIDTH * 20].splitlines()) if words]
    shown = [f"  {words[:_WIDTH]}" for words in said[:_LINES]]
    is_whole = (
        len(said) <= _LINES and all(len(words) <= _WIDTH for words in said) and len(text) <= _WIDTH * 20
    )
    return "\n".join(shown) + ("" if is_whole else " …")


def _day(ms: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(ms / 1000))
