"""Session text for one place in a line: quoted as data, of a bounded length, and unable to pose as ours.

Beyond what `quote` takes from it, the text cannot look like a pointer into the session, and where it
begins an item it cannot look like a list mark, a heading or a claim state.
"""

from __future__ import annotations

import re

from segue.handoff import quote
from segue.model.claim import CLAIM_STATES

_POINTER = re.compile(r"\[(#\d[^\[\]]{0,80})\]")
_OPENING = re.compile(
    r"(?=[#>~|<=*+\\-]|\d{1,9}[.)](?:\s|$)|\[[ xX~]\]|\(?(?:" + "|".join(CLAIM_STATES) + r")[:)])", re.I
)


def inline(text: str, limit: int | None = None) -> str:
    """The text on one line, within `limit` characters where that is given."""
    return _POINTER.sub(r"(\1)", _clipped(" ".join(quote.inert(text).split()), limit))


def plain(text: str, limit: int | None = None) -> str:
    """The text as an item may begin with it."""
    text = inline(text, limit)
    return f"\\{text}" if _OPENING.match(text) else text


def quoted(text: str, limit: int | None = None) -> str:
    return f'"{inline(text, limit)}"'


def _clipped(text: str, limit: int | None) -> str:
    """Beginning and end, where a message says what it wants and what came of it."""
    if limit is None or len(text) <= limit:
        return text
    head = limit * 2 // 3
    return f"{text[:head].rstrip()} … {text[-max(limit - head - 3, 1) :].lstrip()}"
