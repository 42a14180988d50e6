"""Was a boundary crossed that nobody spoke of yet? Asked by every look, so it opens no store.

Most hosts say when they compacted. Where one does not, its transcript shows it, from the place where we
last looked.
"""

from __future__ import annotations

from segue.agents.compaction_signs import compacted_since
from segue.model.moment import Moment
from segue.service.boundary.transcript import size_of
from segue.stores.marks import Marks

WATCHED = frozenset({"gemini-cli"})
"""Hosts that announce an automatic compaction neither before nor after it: their transcript is watched."""
LATE = frozenset({"gemini-cli", "copilot-cli"})
"""Hosts whose transcript is not whole before a compaction; it is read again after it."""

FORGETFUL = frozenset({"gemini-cli", "copilot-cli"})
"""Hosts that do not keep what is said at a start in the conversation; it is said at the first prompt."""


def crossed(marks: Marks, moment: Moment) -> bool:
    """True from a compaction on until the handoff was spoken."""
    if marks.announced:
        return True
    place = marks.expected()
    if place is not None:
        path, start = place
        found, end = compacted_since(moment.host, path, start)
        if found:
            return True
        if moment.host in WATCHED and moment.transcript_path in ("", path):
            marks.expect(path, end)
            return False
    if moment.host in WATCHED and moment.transcript_path:
        marks.expect(moment.transcript_path, size_of(moment.transcript_path))
    return False
