"""What a draft does not hand over, as whoever asked for it should hear: nothing at all, or not the files they named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from segue.errors import NotFound

if TYPE_CHECKING:
    from segue.model.entry import Entry
    from segue.model.facts import Facts
    from segue.model.turn import Index

_WORK = ("agent", "tool_call", "tool_result", "thought")


def reason(index: Index, entries: Iterable[Entry]) -> str:
    """Why there is next to nothing to hand over, where that is known; empty for all but few sessions."""
    if any(turn.calls for turn in index.turns):
        return ""
    parent, speakers = "", set()
    for entry in entries:
        parent = parent or str(entry.data.get("parent", "")) if entry.kind == "meta" else parent
        if entry.kind in _WORK:
            speakers.add(entry.by)
    if speakers != {"subagent"}:
        return ""
    better = f": {parent}" if parent else ""
    return f"this file holds only what a sub-agent did; hand off the session that started it{better}."


def require_content(index: Index, why: str = "") -> None:
    """Raises NotFound for a session that hands nothing over; `why` says more where that is known."""
    if any(turn.prompt or turn.closing or turn.calls for turn in index.turns) or index.summaries:
        return
    source = index.source
    raise NotFound(
        f"There is nothing to hand off in {source.agent} session {source.session_id or source.path}: nothing was asked "
        f"or done in it{f', and {source.unreadable} lines cannot be read' if source.unreadable else ''}.",
        why[:1].upper() + why[1:] or "`segue sessions` shows the others; name one with --from.",
    )


def unnamed(facts: Facts, packet: str) -> list[str]:
    """The files that must be named and that the packet has no room for."""
    wanted = [file.path for file in facts.files if file.wanted]
    if not wanted:
        return []
    from segue.handoff import quote
    from segue.handoff.file_reading import listed
    from segue.handoff.parse import parse

    named = {file.path for file in listed(parse(packet))}
    return [path for path in wanted if quote.path(path) not in named]
