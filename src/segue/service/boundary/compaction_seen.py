"""Was there a compaction that nobody spoke of yet? Asked by every look, so it opens no store.

Most hosts say when they compacted. Where one does not, its transcript shows it, from the place where we
last looked.
"""

from __future__ import annotations

from segue.agents.live_transcript import compacted_since
from segue.agents.registry import host_of
from segue.model.moment import Moment
from segue.service.boundary.transcript import size_of
from segue.stores.marks import Marks


def compaction_seen(marks: Marks, moment: Moment) -> bool:
    """True from a compaction on until the handoff was spoken."""
    if marks.announced:
        return True
    watched = host_of(moment.host).unannounced_compaction
    place = marks.expected()
    if place is not None:
        path, start = place
        found, end = compacted_since(moment.host, path, start)
        if found:
            return True
        if watched and moment.transcript_path in ("", path):
            marks.expect(path, end)
            return False
    if watched and moment.transcript_path:
        marks.expect(moment.transcript_path, size_of(moment.transcript_path))
    return False
