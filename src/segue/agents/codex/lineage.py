"""Where a forked thread's history goes on: in its parent's rollout, up to a recorded cut.

From 0.15x on a fork's file holds its own records alone and names the rollout it continues, with the
ordinal and the byte at which it left it. Ordinals count through: the fork's first record has the one
its parent's cut names, so a record's line in the whole history is its line in the file and the cut.

Parents are looked for beside the file and in the folders Codex keeps sessions in, nowhere else, and
only under names that are thread ids.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator
from itertools import islice

from segue.agents._jsonl import records
from segue.agents.codex.wire import Base, Rare, Record, decode
from segue.errors import SegueError
from segue.model.value import NamedTuple

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_KEPT = re.compile(r"(.+)/(?:sessions/\d+/\d+/\d+|archived_sessions)/$")
_PLACES = ("sessions/*/*/*", "archived_sessions")
_DEEPEST = 64
"""Forks of forks that are followed."""


class Cut(NamedTuple):
    """The end of what a fork inherits: of which rollout, before which record and byte (0: not recorded)."""

    rollout: str
    ordinal: int
    offset: int = 0

    def includes(self, offset: int, record: object) -> bool:
        if self.offset:
            return offset < self.offset
        return not isinstance(record, Record) or record.ordinal is None or record.ordinal < self.ordinal


class Segment(NamedTuple):
    """The part of an ancestor's rollout that a fork goes on with."""

    path: str
    cut: Cut


class Lineage(NamedTuple):
    """What a fork inherits, oldest first; `missing` names a rollout that is not here."""

    segments: list[Segment]
    missing: str = ""


def cut(head: Rare) -> Cut | None:
    """Where a thread left its parent, if it only links it and says where."""
    base = head.history_base or Base()
    rollout = base.thread_id or head.forked_from_id
    ordinal = base.end_ordinal_exclusive or head.forked_from_ordinal_exclusive or 0
    offset = base.end_byte_offset or 0
    return Cut(rollout, max(0, ordinal), offset) if rollout and (ordinal > 0 or offset > 0) else None


def lineage(path: str, left: Cut) -> Lineage:
    """The ancestors of a fork, as far as they are here."""
    segments: list[Segment] = []
    seen = {os.path.realpath(path)}
    wanted: Cut | None = left
    while wanted is not None:
        found = next((file for file in _rollouts(path, wanted.rollout) if file not in seen), None)
        if found is None or len(segments) == _DEEPEST:
            return Lineage(segments[::-1], wanted.rollout)
        try:
            older = _cut_of(found)
        except SegueError:
            return Lineage(segments[::-1], wanted.rollout)
        seen.add(found)
        segments.append(Segment(found, wanted))
        wanted = older
    return Lineage(segments[::-1])


def _rollouts(near: str, rollout: str) -> Iterator[str]:
    """The files of a rollout's name, beside a file or where Codex keeps them."""
    if not _ID.fullmatch(rollout):
        return
    folder = os.path.dirname(os.path.realpath(near))
    kept = _KEPT.match(f"{folder}/")
    home = kept[1] if kept else folder
    for place in (glob.escape(folder), *(f"{glob.escape(home)}/{pattern}" for pattern in _PLACES)):
        for file in sorted(glob.iglob(f"{place}/rollout-*{rollout}.jsonl")):
            real = os.path.realpath(file)
            if os.path.isfile(real) and real.startswith(home + os.sep):
                yield real


def _cut_of(path: str) -> Cut | None:
    for _, _, first in islice(records(path, decode), 1):
        if isinstance(first, Record) and first.type == "session_meta" and isinstance(first.payload, Rare):
            return cut(first.payload)
    return None
