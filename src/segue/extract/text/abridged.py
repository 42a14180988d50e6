"""Long texts in less room: messages by their paragraphs, records in JSON by their leaves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import msgspec

from segue.extract.text.prose import clipped, flat, is_shown, is_wordy

_FENCE = re.compile(r"^[ \t]*```.*\n((?:.*\n)*?)[ \t]*```.*$", re.M)
_ENDS = 4, 2
"""Lines of a fence that are kept at its beginning and its end."""
_PARAGRAPH = re.compile(r"\n\s*\n")
_LEAVES, _DEEPEST = 80, 12
_CUT = re.compile(r'\\r?\\n|(?<=["\]}\d]),(?=["{])')
"""Where a record that was cut in two can be read line by line."""


def abridged(text: str, room: int) -> str:
    """A message within about `room` characters: whole when it fits, else its paragraphs as far as that goes. The first
    and the last come before those with lists, tables and figures, and these before the rest."""
    text = _FENCE.sub(_ends, text.strip())
    if len(text) <= room:
        return text
    parts = [part for part in _PARAGRAPH.split(text) if part.strip()]
    if len(parts) == 1:
        parts = text.split("\n")
    ends = 0, len(parts) - 1
    kept: dict[int, str] = {}
    for n in sorted(range(len(parts)), key=lambda n: (n not in ends, not _counts(parts[n]), n)):
        part = parts[n] if len(parts[n]) <= room else _head(parts[n], room)
        if part and room > 0:
            kept[n] = part
            room -= len(part) + 2
    told = [kept.get(n, "…") for n in range(len(parts))]
    return "\n".join(part for n, part in enumerate(told) if part != "…" or told[n - 1 : n] != ["…"])


def _ends(fence: re.Match[str]) -> str:
    rows = fence[1].rstrip("\n").split("\n")
    first, last = _ENDS
    return "\n".join(rows if len(rows) <= first + last else (*rows[:first], "…", *rows[-last:]))


def _counts(part: str) -> bool:
    """A list, a table, or something with figures."""
    return part.lstrip()[:1] in "-*|" or sum(map(str.isdigit, part)) > 2


def _head(part: str, room: int) -> str:
    """The first lines of a paragraph; of a single line its beginning."""
    if room < 80:
        return ""
    head = part[:room].rpartition("\n")[0]
    return f"{head}\n…" if head else clipped(flat(part), room)


def is_prose(rows: list[str]) -> bool:
    """Mostly sentences: an issue, a review, a page."""
    spoken = sum(len(row) for row in rows if len(row) > 40 and is_wordy(row) and not is_shown(row.strip()))
    return spoken > 0.5 * sum(map(len, rows))


def unwrapped(text: str) -> str:
    """A record in JSON as lines, `name: value`; any other text as it is."""
    bare = text.strip()
    if bare[:1] not in ("{", "["):
        return text
    try:
        value = msgspec.json.decode(bare)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return _CUT.sub("\n", text)
    return "\n".join(islice(_leaves(value), _LEAVES))


def _leaves(value: object, name: str = "", depth: int = 0) -> Iterator[str]:
    if isinstance(value, (dict, list)) and depth < _DEEPEST:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(inner, f"{name}.{key}" if name else str(key), depth + 1)
    elif value not in (None, ""):
        yield f"{name}: {value}"
