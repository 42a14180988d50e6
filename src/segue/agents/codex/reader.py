"""Codex (CLI, desktop app, editor extension): one rollout file per thread.

**Where**: `$CODEX_HOME/sessions/<year>/<month>/<day>/rollout-<time>-<thread id>.jsonl`, archived
threads in `$CODEX_HOME/archived_sessions/`; `CODEX_HOME` is `~/.codex` unless set.

**Versions seen**: 0.50 to 0.53, 0.118 to 0.147, 0.166. The bare lines of the first releases, without
an envelope, are understood too.

**Quirks**

- Everything is there twice, as what the model saw and as what the screen showed; it is told once.
- No error flags. Exit codes come from `exec_command_end`, from "Process exited with code N", from JSON
  `metadata.exit_code` and from what code-mode scripts print; where none of them says, the outcome is unknown.
- A process that outlives its call is polled by `write_stdin` or `wait`. Such a poll bears the `call_id` of
  the call it goes on with, so that the last result of a call is how it ended; `background` says that it still ran.
- In code mode commands and patches stand in JavaScript literals. Edits that a script puts together at run
  time come from `patch_apply_end` and stand on the result instead of on the call.
- Compactions before 0.16x leave no readable summary: there is a `compaction` and no `summary`.
- A forked thread or a sub-agent's begins with a copy of its parent's history, stamped with the time of the
  fork. From 0.15x on it only names the parent's rollout and where it left it; the history is then read from that
  file, if it lies beside the fork or in Codex's own folders, and lines count on from it. What is inherited says so
  (`data.inherited`). A sub-agent's entries are its own alone, and its prompts the parent agent's; `--branch all`
  includes what it was given.
- Instructions, environment and notices sent in the user's name are the harness's. System prompts are not read.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec.structs import replace

from segue.agents._jsonl import records
from segue.agents._record import by_name, first_id, inherited
from segue.agents.codex.story import Story
from segue.agents.codex.wire import Base, Rare, Record, decode
from segue.agents.contract import Home
from segue.errors import SegueError
from segue.model.entry import Entry
from segue.model.value import NamedTuple

AGENT = "codex"

_NAME = re.compile(r"rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$")
_TYPES = re.compile(
    rb'"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context|compacted|world_state)"[\s\S]{0,200}?"payload"\s*:'
)
_BARE = re.compile(
    rb'\{(?=[^\n]*"id"\s*:)(?=[^\n]*"timestamp"\s*:)(?=[^\n]*"instructions"\s*:)(?![^\n]*"type"\s*:)'
)
"""The first line of the first releases, before records had types."""
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


def places(home: Home, cwd: str | None) -> Iterable[str]:
    root = home.env.get("CODEX_HOME") or f"{home.home}/.codex"
    return (f"{root}/sessions/**/rollout-*.jsonl", f"{root}/archived_sessions/rollout-*.jsonl")


def sniff(path: str, head: bytes) -> int:
    first = head[:65536].lstrip()
    if not first.startswith(b"{"):
        return 0
    named = _NAME.search(path) is not None
    if _TYPES.search(first):
        return 100 if b'"session_meta"' in first or named else 90
    return 90 if _BARE.match(first) or (named and b'"timestamp"' in first) else 0


def sessions(path: str) -> Iterable[str]:
    return first_id(read(path))


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    return _read(path, everything=branch == "all")


def _read(path: str, everything: bool, until: Cut | None = None) -> Iterator[Entry]:
    """A rollout's entries, what it inherits right after its head; `until` ends it where a fork left it."""
    story = Story(path, _id_in(path), everything)
    told = story.writer.entries
    left: Cut | None = None
    before, opened = 0, False
    for line, offset, value in records(path, decode):
        if until is not None and not until.includes(offset, value):
            break
        if not opened:
            opened = True
            if not isinstance(value, Record) or value.type != "session_meta":
                story.writer.add(
                    "meta", by="harness", data={**by_name(_id_in(path)), "started_mid_session": True}
                )
            elif isinstance(value.payload, Rare) and (left := _cut(value.payload)):
                before = left.ordinal
        if isinstance(value, Record):
            story.add_record(before + line, offset, value)
        else:
            place = before + line
            story.writer.add_foreign(
                place, offset, replace(value, line=place) if isinstance(value, Entry) else value
            )
        if told:
            yield from told
            told.clear()
        if left is not None:
            if story.inherits and until is None:
                yield from _inherited(path, left)
            left = None
    story.writer.release()
    yield from told


def _inherited(path: str, left: Cut) -> Iterator[Entry]:
    """The history that a fork only links, read from the files of its ancestors."""
    past = _lineage(path, left)
    if past.missing:
        text = f"The history before this is in thread {past.missing}, which is not here."
        data = {"type": "missing parent", "parent": past.missing}
        yield Entry(kind="other", file=path, line=left.ordinal + 1, by="harness", text=text, data=data)
    for segment in past.segments:
        past_entries = _read(segment.path, everything=True, until=segment.cut)
        yield from inherited(past_entries, segment.cut.rollout)


def _id_in(path: str) -> str:
    """The thread's id as the file's name tells it."""
    named = _NAME.search(path)
    return named[1] if named else path.rsplit("/", 1)[-1].removesuffix(".jsonl")


def _cut(head: Rare) -> Cut | None:
    """Where a thread left its parent, if it only links it and says where."""
    base = head.history_base or Base()
    rollout = base.thread_id or head.forked_from_id
    ordinal = base.end_ordinal_exclusive or head.forked_from_ordinal_exclusive or 0
    offset = base.end_byte_offset or 0
    return Cut(rollout, max(0, ordinal), offset) if rollout and (ordinal > 0 or offset > 0) else None


def _lineage(path: str, left: Cut) -> Lineage:
    """The ancestors of a fork, as far as they are here. Ordinals count through: the fork's first record has the one
    its parent's cut names, so a record's line in the whole history is its line in the file and the cut. Parents are
    looked for beside the file and in the folders Codex keeps sessions in, nowhere else, and only under names that are
    thread ids."""
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
            return _cut(first.payload)
    return None
