"""Relationships between threads, as a pure function of frames.

A child stream begins with `continuity_created` and, in the same commit, the one frame that ties
it to its parent at a recorded cut. That frame is always at sequence number 1; history is never
copied.
"""

from __future__ import annotations

from typing import Any

from segue.model.frame import BRANCHED, CREATED, HANDOFF, Draft, Frame
from segue.model.thread import Provenance
from segue.model.value import NamedTuple
from segue.threads.cut import Cut

LINK_SEQ = 1
BRANCH, HANDED_OFF = "branch", "handoff"


class Link(NamedTuple):
    """A child's tie to its parent."""

    parent_id: str
    relation: str
    seq: int
    message_id: str | None
    bundle_id: str | None = None
    summary: str | None = None


def link_of(frame: Frame) -> Link | None:
    """The relationship a frame records, if it records one."""
    if frame.type == BRANCHED:
        data = frame.data
        return Link(data["parent_thread_id"], BRANCH, data["parent_seq"], data.get("parent_message_id"))
    if frame.type == HANDOFF:
        data = frame.data
        given = (data.get(name) for name in ("from_message_id", "summary_artifact_id", "summary_markdown"))
        return Link(data["from_thread_id"], HANDED_OFF, data["from_seq"], *given)
    return None


def created(workspace: str, title: str | None, by: Provenance, **more: Any) -> Draft:
    return Draft(CREATED, by.stamp({"workspace": workspace, "title": title, **more}))


def branched(parent_id: str, cut: Cut, by: Provenance) -> Draft:
    tie = {"parent_thread_id": parent_id, "parent_seq": cut.seq, "parent_message_id": cut.message_id}
    return Draft(BRANCHED, by.stamp(tie))


def handed_off(parent_id: str, cut: Cut, bundle_id: str, by: Provenance, **more: Any) -> Draft:
    tie = {"from_thread_id": parent_id, "from_seq": cut.seq, "from_message_id": cut.message_id}
    return Draft(HANDOFF, by.stamp({**tie, "summary_artifact_id": bundle_id, **more}))
