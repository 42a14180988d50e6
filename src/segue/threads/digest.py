"""A cumulative summary without a model: what was asked, what was ruled, what was touched, what failed.

The digest is data, kept in the summary document beside its text, so that the next one extends it
without reading what it already covers. Every list is bounded; what is dropped is counted.

Its text is markdown, in a size that makes it a summary: a quarter of the characters it stands for, within bounds. Of each
list the first line and the newest stay, of files those touched most; each list is sure of a share, and what one leaves
goes to the next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeGuard

from segue.model.frame import MESSAGE, SIDE_EFFECTS, Frame

Digest = dict[str, Any]

_RULE = re.compile(
    r"\b(must|never|always|only|do not|don't|avoid|prefer|instead|decided?|decision|because|todo|blocked|risk"
    r"|remember|important|next step)\b",
    re.IGNORECASE,
)
_LINE = 240
_ASKED = (6, 24)
_RULES = (20, 40)
_FILES = 60
_FAILED = 20
LEAST, MOST = 1000, 6000
"""Characters of the lines, whatever they stand for."""
_TEXT_LINE = 190
_PART = 4


def empty() -> Digest:
    counts: Digest = dict.fromkeys(("messages", "characters", "dropped"), 0)
    return {**counts, "asked": [], "rules": [], "files": {}, "failures": {}}


def is_digest(value: Any) -> TypeGuard[Digest]:
    """Whether this can be extended: a summary may come from elsewhere and hold anything under the name."""
    return isinstance(value, dict) and all(
        name in value and holds(value[name]) for name, holds in _SHAPE.items()
    )


def _count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _rows(value: Any) -> bool:
    return isinstance(value, list) and all(_typed(row, int, str) for row in value)


def _counts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_count, value.values()))


def _failures(value: Any) -> bool:
    return isinstance(value, dict) and all(
        _typed(row, int, int, str) or _typed(row, int, type(None), str) for row in value.values()
    )


def _typed(row: Any, *types: type) -> bool:
    return isinstance(row, list) and tuple(map(type, row)) == types


_SHAPE: dict[str, Callable[[Any], bool]] = {
    "messages": _count,
    "characters": _count,
    "asked": _rows,
    "rules": _rows,
    "files": _counts,
    "failures": _failures,
    "dropped": _count,
}


def extend(base: Digest, frames: Iterable[Frame]) -> Digest:
    """The digest with these frames added; `base` is left as it was."""
    asked, rules = list(base["asked"]), list(base["rules"])
    files, failures = dict(base["files"]), dict(base["failures"])
    messages, characters, dropped = base["messages"], base["characters"], base["dropped"]
    for frame in frames:
        data = frame.data
        if frame.type == MESSAGE:
            messages += 1
            characters += len(data["content"])
            lines = [line.strip() for line in data["content"].splitlines() if line.strip()]
            if data["role"] == "user" and lines:
                asked.append([frame.seq, _short(lines[0])])
            rules += [[frame.seq, _short(line)] for line in lines[:200] if _RULE.search(line[:_LINE])][:4]
        elif frame.type == SIDE_EFFECTS:
            characters += len(data.get("command") or "") + len(data.get("excerpt") or "")
            for path in data.get("affected_paths") or ():
                files[path] = files.get(path, 0) + 1
            _judge(failures, frame.seq, data)
    for rows, bounds in ((asked, _ASKED), (rules, _RULES)):
        dropped += _bound(rows, *bounds)
    kept = sorted(files, key=lambda path: (-files[path], path))[:_FILES]
    return {
        "messages": messages,
        "characters": characters,
        "asked": asked,
        "rules": rules,
        "files": {path: files[path] for path in sorted(kept)},
        "failures": dict(list(failures.items())[-_FAILED:]),
        "dropped": dropped + len(files) - len(kept) + max(0, len(failures) - _FAILED),
    }


def _judge(failures: dict[str, Any], seq: int, data: dict[str, Any]) -> None:
    """A failure stays open until the same command succeeds."""
    command = data.get("command")
    if not command:
        return
    failures.pop(command, None)
    if data.get("is_error") or data.get("exit_code"):
        failures[command] = [seq, data.get("exit_code"), _short(data.get("excerpt") or "")]


def _bound(rows: list[Any], first: int, last: int) -> int:
    """Keeps the first and the last rows; returns how many went."""
    surplus = len(rows) - first - last
    if surplus <= 0:
        return 0
    del rows[first : first + surplus]
    return surplus


def _short(line: str, length: int = _LINE) -> str:
    return line if len(line) <= length else line[: length - 1] + "…"


def render(digest: Digest, to_seq: int) -> str:
    """The digest as markdown."""
    room = min(MOST, max(LEAST, digest["characters"] // _PART))
    rules = [row for row in digest["rules"] if row not in digest["asked"]]
    files = digest["files"]
    sections = (
        ("Asked", 30, _said_lines(digest["asked"]), _ends(len(digest["asked"]))),
        (
            "Still failing",
            20,
            list(map(_failed_line, digest["failures"].items())),
            _ends(len(digest["failures"])),
        ),
        ("Rules and decisions", 30, _said_lines(rules), _ends(len(rules))),
        (
            "Files touched",
            20,
            [_short(f"- {path} ({n}×)", _TEXT_LINE) for path, n in files.items()],
            sorted(range(len(files)), key=list(files.values()).__getitem__, reverse=True),
        ),
    )
    parts = [f"# Summary of {digest['messages']} messages, up to seq {to_seq}"]
    left, dropped = 0, digest["dropped"]
    for title, share, lines, worth in sections:
        left += room * share // 100
        kept = _fitting(lines, worth, left)
        left -= sum(len(line) + 1 for line in kept)
        dropped += len(lines) - len(kept)
        if kept:
            parts.append("\n".join((f"## {title}", *kept)))
    if dropped:
        parts.append(f"{dropped} older lines left out.")
    return "\n\n".join(parts) + "\n"


def _fitting(lines: list[str], worth: Iterable[int], room: int) -> list[str]:
    """The lines for which there is room, the worthiest first chosen, in their own order."""
    kept = set[int]()
    for place in worth:
        room -= len(lines[place]) + 1
        if room < 0:
            break
        kept.add(place)
    return [line for place, line in enumerate(lines) if place in kept]


def _ends(number: int) -> list[int]:
    """The first place, then the others from the last on."""
    return [0, *range(number - 1, 0, -1)] if number else []


def _said_lines(rows: list[list[Any]]) -> list[str]:
    return [_short(f"- [#{seq}] {text}", _TEXT_LINE) for seq, text in rows]


def _failed_line(item: tuple[str, list[Any]]) -> str:
    command, (seq, code, excerpt) = item
    status = "failed" if code is None else f"exit {code}"
    called = _short(" ".join(command.split()), _TEXT_LINE // 2)
    return _short(f"- [#{seq}] `{called}` {status}" + (f": {excerpt}" if excerpt else ""), _TEXT_LINE)
