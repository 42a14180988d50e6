"""What came from frames that are to go, and what did not, by the record: one walk over the log tells which frames name an
artifact, which session a thread is of, and what it goes on from.

Artifacts belong to the frames that name them if no other frame does; what a bundle names was made for it, except for what
somebody had put there before. Two sessions may say the same: they ran one command, or were asked one thing. So what a
session is recorded to have made by itself is no copy of another one, however alike they are. One that goes on from another,
by a branch, a fork, a handoff that a hook gave it or a packet among its prompts, was given words of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from segue.errors import BadInput, SegueError
from segue.model import wire
from segue.model.bundle import HANDOFF_SCHEMA
from segue.model.frame import APPROVED, HANDOFF, REPLAYED, TAIL_REFRESHED, Frame
from segue.model.packet import OPENING
from segue.model.tombstone import is_forgotten
from segue.model.value import NamedTuple
from segue.service.boundary import documents
from segue.service.imports.chain import DRAWN_FROM
from segue.service.removal.files import of_sessions
from segue.service.removal.targets import Session, session_of
from segue.service.withheld import STORED
from segue.service.workspace import Workspace
from segue.threads.links import LINK_SEQ, link_of

_READ = 64 * 1024 * 1024
"""Bytes of the largest artifact that is looked through."""


class Record(NamedTuple):
    naming: dict[str, list[Frame]]
    """Frames by the artifact that they name, or the session, as AGENT:ID, that their thread is of."""
    sessions: dict[str, Session]
    after: dict[str, set[str]]
    """What threads go on from: threads, versions of the handoff document, sessions."""


def record(workspace: Workspace) -> Record:
    found = Record({}, {}, {})
    for head in workspace.log.heads():
        for frame in workspace.log.read(head.stream_id):
            names, source = [*named(frame.data), *versions(frame)], session_of(frame)
            if source is not None and source.session_id:
                found.sessions[frame.stream_id] = source
                names.append(f"{source.agent}:{source.session_id}")
            for one in names:
                found.naming.setdefault(one, []).append(frame)
            if before := set(_before(frame)):
                found.after.setdefault(frame.stream_id, set()).update(before)
    return found


def _before(frame: Frame) -> Iterator[str]:
    if (link := link_of(frame)) is not None:
        yield link.parent_id
    if frame.type == REPLAYED:
        yield str(frame.data.get("sha256"))
    if OPENING.encode() in frame.body:
        for packet in DRAWN_FROM.finditer(str(frame.data.get("content"))):
            yield f"{packet['agent']}:{packet['session']}"


def versions(frame: Frame) -> Iterator[str]:
    if frame.type in (APPROVED, TAIL_REFRESHED) and isinstance(frame.data.get("sha256"), str):
        yield frame.data["sha256"]


def made_for(workspace: Workspace, artifact_id: str) -> Iterator[str]:
    """What a bundle names as a part of itself, such as its facts; a plain `artifact_id` in it is a reference."""
    document = json_object(content(workspace, artifact_id))
    if document and document.get("schema") == HANDOFF_SCHEMA:
        yield from _parts(document)


def _parts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from named({name: one for name, one in value.items() if name != "artifact_id"})
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _parts(inner)


def named(data: dict[str, Any]) -> set[str]:
    return {value for name, value in data.items() if name.endswith("artifact_id") and isinstance(value, str)}


def content(workspace: Workspace, artifact_id: str) -> bytes:
    """The bytes of an artifact; none of one that is not there, too large to look through, or damaged."""
    try:
        size = workspace.artifacts.size(artifact_id)
        return workspace.artifacts.get(artifact_id) if size is not None and size <= _READ else b""
    except SegueError:  # `segue verify` says so
        return b""


def json_object(data: bytes) -> dict[str, Any] | None:
    if not data.startswith(b"{"):
        return None
    try:
        document = wire.decode(data)
    except (BadInput, UnicodeDecodeError):
        return None
    return document if isinstance(document, dict) else None


def belongings(
    workspace: Workspace, frames: tuple[Frame, ...], record: Record
) -> tuple[tuple[str, ...], dict[str, Frame]]:
    """Artifacts that go with the frames, what tells of another one after it; and those that another frame names, too, with
    that frame."""
    mine = {frame.id for frame in frames}
    holders: dict[str, Frame] = {}
    for one, naming in record.naming.items():
        for frame in naming:
            if (
                frame.id not in mine
                and frame.type != STORED
                and one in named(frame.data)
                and not is_forgotten(frame)
            ):
                holders.setdefault(one, frame)
    outer = {name for frame in frames for name in (*named(frame.data), *versions(frame))}
    inner = {name for one in sorted(outer) for name in made_for(workspace, one)} - outer
    if inner:
        for one, frame in list(holders.items()):
            for name in made_for(workspace, one):
                holders.setdefault(name, frame)
    every = (*sorted(inner), *sorted(outer))
    shared = {one: holders[one] for one in every if one in holders}
    return tuple(one for one in every if one not in shared), shared


class Origins(NamedTuple):
    """Relative to threads that are forgotten as wholes."""

    strange: frozenset[str] = frozenset()
    """Threads of sessions that do not go on from them, artifacts that only these name, files that are these sessions'."""
    made: frozenset[str] = frozenset()
    """Handoffs of theirs: the frames that began the thread, bundles, and what was made for these."""


def origins(workspace: Workspace, whole: frozenset[str], record: Record) -> Origins:
    if not whole:
        return Origins()
    sessions, after = record.sessions, record.after
    holders = {
        one: {frame.stream_id for frame in frames if frame.type != STORED}
        for one, frames in record.naming.items()
    }
    made: set[str] = set()
    for stream in (stream for stream, before in after.items() if before & whole):
        for frame in workspace.log.read(stream, LINK_SEQ, LINK_SEQ, types=(HANDOFF,)):
            made |= {place(stream, 0), place(stream, LINK_SEQ), *named(frame.data)}
    for one, streams in list(holders.items()):
        for part in made_for(workspace, one):
            holders.setdefault(part, set()).update(streams)
            made |= {part} if one in made else set()
    near = _followers(whole, after, holders) | _sources(whole, after, sessions.keys())
    strange = _followers(frozenset(sessions) - near, after, {}) - near
    kin = {sessions[stream][:2] for stream in near & sessions.keys()}
    others = {sessions[stream][:2]: sessions[stream] for stream in strange & sessions.keys()}
    paths = of_sessions(workspace, tuple(one for key, one in others.items() if key not in kin))
    held = {one for one, streams in holders.items() if streams and streams <= strange}
    return Origins(
        frozenset((*strange, *held, *paths, *_current(workspace, others.keys() - kin))),
        frozenset(made - held),
    )


def place(stream_id: str, seq: int) -> str:
    return f"{stream_id}@{seq}"


def _current(workspace: Workspace, sessions: AbstractSet[tuple[str, ...]]) -> set[str]:
    """The file of the current handoff, where it is about one of the sessions and has a tail of no other."""
    document = documents.current(workspace)
    if document is None:
        return set()
    session = document.about.host, document.about.session_id
    return {document.path} if {session, document.about.tail_of or session} <= sessions else set()


def _followers(
    begun: frozenset[str], after: dict[str, set[str]], holders: dict[str, set[str]]
) -> frozenset[str]:
    """The threads, and those that go on from one of them or from an artifact that one names."""
    found = begun
    while True:
        known = found | {one for one, streams in holders.items() if not found.isdisjoint(streams)}
        more = {stream for stream, before in after.items() if not before.isdisjoint(known)} - found
        if not more:
            return found
        found |= more


def _sources(threads: frozenset[str], after: dict[str, set[str]], sessions: AbstractSet[str]) -> set[str]:
    """What those of the threads that are of no session were made from, back to a session."""
    found: set[str] = set()
    while threads:
        more = {one for thread in threads - sessions for one in after.get(thread, ())} - found
        found, threads = found | more, frozenset(more)
    return found
