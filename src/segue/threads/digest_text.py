"""A digest as markdown, in a size that makes it a summary.

It has a quarter of the characters it stands for, within bounds. Of each list the first line and the newest
stay, of files those touched most; each list is sure of a share, and what one leaves goes to the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from segue.threads.digest import Digest

LEAST, MOST = 1000, 6000
"""Characters of the lines, whatever they stand for."""
_LINE = 190
_PART = 4


def render(digest: Digest, to_seq: int) -> str:
    """The digest as markdown."""
    room = min(MOST, max(LEAST, digest["characters"] // _PART))
    rules = [row for row in digest["rules"] if row not in digest["asked"]]
    files = digest["files"]
    sections = (
        ("Asked", 30, _said(digest["asked"]), _ends(len(digest["asked"]))),
        (
            "Still failing",
            20,
            list(map(_failure, digest["failures"].items())),
            _ends(len(digest["failures"])),
        ),
        ("Rules and decisions", 30, _said(rules), _ends(len(rules))),
        (
            "Files touched",
            20,
            [_short(f"- {path} ({n}×)") for path, n in files.items()],
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


def _said(rows: list[list[Any]]) -> list[str]:
    return [_short(f"- [#{seq}] {text}") for seq, text in rows]


def _failure(item: tuple[str, list[Any]]) -> str:
    command, (seq, code, excerpt) = item
    status = "failed" if code is None else f"exit {code}"
    called = _short(" ".join(command.split()), _LINE // 2)
    return _short(f"- [#{seq}] `{called}` {status}" + (f": {excerpt}" if excerpt else ""))


def _short(line: str, length: int = _LINE) -> str:
    return line if len(line) <= length else line[: length - 1] + "…"
