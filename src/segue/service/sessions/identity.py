"""What the log knows a session by.

A program's own id is unique. Where a format has none, the session bears the name of its file or the time of
its beginning, which others may bear as well; the log adds a mark made of where the file is and of the first
prompt. Neither changes as the session grows, and nothing else is read for it.
"""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING

from segue.agents import locate
from segue.model import wire
from segue.model.value import NamedTuple

if TYPE_CHECKING:
    from segue.model.entry import Entry
    from segue.service.sessions.rows import Source

MARK = "~"
"""What stands between a borrowed name and what makes it unique."""
_DIGITS = 12


class Opening(NamedTuple):
    """What a session says of itself before anything happens in it."""

    id: str
    title: str
    agent_id: str
    inherits: bool
    """Whether it goes on with another's history."""


def opening(source: Source) -> Opening:
    id, title, agent_id, inherits = source.session or "", "", "", False
    named_by, first, prompt = "", None, None
    for number, entry in enumerate(islice(source.entries(), locate.PEEKED)):
        agent_id = agent_id if number else entry.agent_id
        if entry.kind != "meta":
            first = first or entry
            prompt = entry if entry.kind == "user" and entry.by == "person" else None
        elif first is None:
            if entry.data.get("id"):
                id, named_by = str(entry.data["id"]), str(entry.data.get("named_by") or "")
            title = entry.data.get("title") or title
        if first and (prompt or not named_by):
            break
    inherits = first is not None and "inherited" in first.data
    if named_by:
        id += MARK + _mark(source, named_by, prompt or first)
    return Opening(id or source.path, title, agent_id, inherits)


def _mark(source: Source, named_by: str, first: Entry | None) -> str:
    place = os.path.realpath(source.path) if named_by == "file" and not source.piped else ""
    said = first.text if first else ""
    return wire.content_id(f"{place}\0{said}".encode(errors="replace"))[:_DIGITS]
