"""Which thread a session's records belong in.

A session has one thread, found by an idempotency key. Where a person goes back and says something else,
the new branch gets a thread of its own, branched where the two part; a session that a program forked
from another is branched from that one's thread. Nothing is copied, and importing again finds the same
threads: a branch is known by the first record that only it has.
"""

from __future__ import annotations

from collections.abc import Mapping

from segue.model.frame import BRANCHED, MESSAGE, RUN_ENDED, RUN_SPAWNED, SIDE_EFFECTS, Frame
from segue.model.ids import new_id
from segue.model.thread import Provenance
from segue.model.value import NamedTuple
from segue.service.workspace import Workspace
from segue.stores.contract import NEW
from segue.threads import cut, links

_SAME = 1
"""A single record that is gone while its words came again was written anew, not taken back."""


class Record(NamedTuple):
    """What a frame remembers of where it came from. `is_named` says that the program itself named it,
    so that its absence means something."""

    seq: int
    is_named: bool
    said: str
    """The words, of a person's message."""


class Place(NamedTuple):
    """A thread and where an import of it stopped: the records told on its line, and the run still open.
    All of it is as of `head`, so that whoever adds to it expects that one."""

    thread_id: str
    own: dict[str, Record]
    told: frozenset[str]
    linked: bool
    """What the session inherited stands in the thread that this one branches from."""
    head: int = NEW
    run: str | None = None
    message_id: str | None = None


class Name(NamedTuple):
    """Who a new thread is for."""

    key: str
    title: str
    source: dict[str, str]
    by: Provenance


def found(workspace: Workspace, key: str) -> Place | None:
    """The thread of a session that was imported before."""
    frames = workspace.log.keyed(key)
    return None if frames is None else _load_place(workspace, frames)


def begun(workspace: Workspace, name: Name, parent: tuple[str, int] | None = None) -> Place:
    """A new thread; with a parent, branched from it after a frame."""
    drafts = [links.created(workspace.root, name.title, name.by, source=name.source)]
    if parent is not None:
        thread_id, seq = parent
        head = workspace.log.head(thread_id)
        chosen = cut.choose(workspace.log, thread_id, head.seq if head else seq, from_seq=seq)
        drafts.append(links.branched(thread_id, chosen, name.by))
    return _load_place(workspace, workspace.log.append(new_id(), drafts, expect=NEW, key=name.key))


def parted(workspace: Workspace, place: Place, present: Mapping[str, str], name: Name) -> Place | None:
    """The thread of the branch that the session is on now, if it has left this one."""
    seq = _parting(place.own, present)
    fresh = next((record for record in present if record not in place.told), None)
    if seq is None or fresh is None:
        return None
    name = name._replace(key=f"{name.key}:{fresh}")
    child = found(workspace, name.key) or begun(workspace, name, (place.thread_id, seq))
    return child._replace(told=child.told | place.told, linked=place.linked)


def last_shared(place: Place, inherited: frozenset[str]) -> int | None:
    """The last frame of a parent's thread that a fork inherited."""
    return max((record.seq for name, record in place.own.items() if name in inherited), default=None)


def _parting(own: Mapping[str, Record], present: Mapping[str, str]) -> int | None:
    """The last frame before those whose records are no longer on the session's branch."""
    gone = [record for name, record in own.items() if record.is_named and name not in present]
    if not any(record.said for record in gone):
        return None
    first = min(record.seq for record in gone)
    if any(record.seq > first for name, record in own.items() if name in present):
        return None
    if len(gone) == _SAME and gone[0].said in present.values():
        return None
    return first - 1


def _load_place(workspace: Workspace, frames: list[Frame]) -> Place:
    thread_id = frames[0].stream_id
    log = workspace.log
    head = log.head(thread_id)
    last = head.seq if head else frames[-1].seq
    own = {
        str(frame.data.get("source", {}).get("record")): _record(frame)
        for frame in log.read(thread_id, 0, last, types=(MESSAGE, SIDE_EFFECTS))
    }
    place = Place(thread_id, own, frozenset(own), any(frame.type == BRANCHED for frame in frames), last)
    run = next(log.read(thread_id, 0, last, types=(RUN_SPAWNED, RUN_ENDED), reverse=True, limit=1), None)
    if run is None or run.type == RUN_ENDED:
        return place
    return place._replace(run=run.data["run_session_id"], message_id=run.data["message_id"])


def _record(frame: Frame) -> Record:
    data = frame.data
    if frame.type == SIDE_EFFECTS:
        return Record(frame.seq, not str(data.get("tool_id")).startswith("#"), "")
    said = str(data.get("content") or "") if data.get("role") == "user" else ""
    return Record(frame.seq, bool(data.get("native_id")), said)
