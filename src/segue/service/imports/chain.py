"""The handoff that a session began with, as the place its thread branches from.

The packet among a session's first prompts names the session it was drawn from. Where that one was handed
off in this workspace with the same text, the two hang together, so that any number of handoffs in a row
are one line of descent. Where it is not known, the session is a root.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from segue.agents import locate
from segue.model.frame import HANDOFF
from segue.model.packet import OPENING, apart
from segue.threads.links import BRANCH, HANDED_OFF, LINK_SEQ

if TYPE_CHECKING:
    from segue.service.sessions.lookup import Source
    from segue.service.workspace import Workspace

DRAWN_FROM = re.compile(rf"{OPENING} (?P<agent>\S+) session (?P<session>\S+) \(")
"""How the first line of a packet names its session."""


def handed_over(workspace: Workspace, source: Source) -> tuple[str, int] | None:
    """The thread of the handoff that this session began with, and its last frame."""
    made = handoff_of(workspace, _packet(source))
    return (made["thread_id"], made["seq"]) if made else None


def handoff_of(workspace: Workspace, packet: str) -> dict[str, Any] | None:
    """The row of the handoff whose packet this is; None where the workspace does not know it."""
    drawn_from = DRAWN_FROM.match(packet)
    if not drawn_from or not workspace.exists:
        return None
    frames = workspace.log.keyed(f"import:{drawn_from['agent']}:{drawn_from['session']}")
    if frames is None:
        return None
    made = [row for row in _handoffs(workspace, frames[0].stream_id) if _says(workspace, row, packet)]
    return made[-1] if made else None


def _packet(source: Source) -> str:
    for entry in islice(source.entries(), locate.PEEKED):
        if entry.kind == "user" and OPENING in entry.text:
            return apart(entry.text)[0]
    return ""


def _handoffs(workspace: Workspace, thread_id: str) -> Iterator[dict[str, Any]]:
    """The handoffs of a session's thread and of the branches that the session went on in."""
    for row in workspace.catalog.children(thread_id):
        if row["relation"] == HANDED_OFF:
            yield row
        elif row["relation"] == BRANCH:
            yield from _handoffs(workspace, row["thread_id"])


def _says(workspace: Workspace, row: dict[str, Any], packet: str) -> bool:
    """The handoff is this one, whatever the way to the next session did to its white space."""
    link = next(workspace.log.read(row["thread_id"], LINK_SEQ, LINK_SEQ, types=(HANDOFF,)), None)
    summary = str(link.data.get("summary_markdown") or "") if link else ""
    return bool(summary) and summary.split() == packet.split()
