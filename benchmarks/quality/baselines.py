"""Two packets that anybody could make: the end of the transcript, and its beginning with its end."""

from __future__ import annotations

from collections.abc import Sequence

from segue.model.entry import Entry

_CHARACTERS = 4
"""Characters per token, as a rule of thumb; both baselines get a little more than they should."""


def _told(entry: Entry) -> str:
    said = entry.text.strip() or entry.command or " ".join(entry.paths)
    return f"{entry.kind}: {said[:2000]}" if said and entry.kind not in ("meta", "other") else ""


def tail(before: Sequence[Entry], budget: int) -> str:
    room, kept = budget * _CHARACTERS, []
    for entry in reversed(before):
        told = _told(entry)
        if told and room > 40:
            kept.append(told[-room:])
            room -= len(kept[-1]) + 1
    return "\n".join(reversed(kept))


def head_and_tail(before: Sequence[Entry], budget: int) -> str:
    head, room = "", budget * _CHARACTERS // 4
    for entry in before:
        if entry.kind == "user" and entry.by == "person" and len(head) + len(entry.text) < room:
            head += f"user: {entry.text}\n"
    return head + tail(before, budget - len(head) // _CHARACTERS)
