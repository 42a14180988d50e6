"""Where things came from, as the log records it: the session of a thread, what the thread goes on from, who names an artifact.

Two sessions may say the same: they ran one command, or asked for one thing. So what a session is recorded to have made
by itself is no copy of another one, however alike they are. A session that goes on from another, by a branch, a fork, a
handoff that a hook gave it or a packet among its prompts, was given words of it.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from segue.model.frame import HANDOFF, REPLAYED
from segue.model.packet import OPENING
from segue.model.value import NamedTuple
from segue.service.boundary import documents
from segue.service.imports.chain import DRAWN_FROM
from segue.service.removal.belongings import made_for, named, versions
from segue.service.removal.files import of_sessions
from segue.service.removal.targets import Session, session_of
from segue.service.withheld import STORED
from segue.threads.links import link_of

if TYPE_CHECKING:
    from segue.service.workspace import Workspace


class Origins(NamedTuple):
    """Relative to threads that are forgotten as wholes."""

    strange: frozenset[str] = frozenset()
    """Threads of sessions that do not go on from them, artifacts that only these name, files that are these sessions'."""
    made: frozenset[str] = frozenset()
    """Handoffs of theirs: the frames that began the thread, bundles, and what was made for these."""


def origins(workspace: Workspace, whole: frozenset[str]) -> Origins:
    if not whole:
        return Origins()
    sessions: dict[str, Session] = {}
    after: dict[str, set[str]] = {}
    holders: dict[str, set[str]] = {}
    made: set[str] = set()
    for head in workspace.log.heads():
        for frame in workspace.log.read(head.stream_id):
            stream, link, source = frame.stream_id, link_of(frame), session_of(frame)
            names = () if frame.type == STORED else (*named(frame.data), *versions(frame))
            if source is not None and source.session_id:
                sessions[stream] = source
                names = (*names, f"{source.agent}:{source.session_id}")
            if link is not None:
                after.setdefault(stream, set()).add(link.parent_id)
            if frame.type == HANDOFF and link is not None and link.parent_id in whole:
                made |= {place(stream, 0), place(stream, frame.seq), *names}
            if frame.type == REPLAYED:
                after.setdefault(stream, set()).add(str(frame.data.get("sha256")))
            if OPENING.encode() in frame.body:
                packets = DRAWN_FROM.finditer(str(frame.data.get("content")))
                after.setdefault(stream, set()).update(f"{one['agent']}:{one['session']}" for one in packets)
            for one in names:
                holders.setdefault(one, set()).add(stream)
    for one, streams in list(holders.items()):
        for part in made_for(workspace, one):
            holders.setdefault(part, set()).update(streams)
            made |= {part} if one in made else set()
    near = _followers(whole, after, holders)
    strange = _followers(frozenset(sessions) - near, after, {}) - near
    kin = {sessions[stream][:2] for stream in near & sessions.keys()}
    others = {sessions[stream][:2]: sessions[stream] for stream in strange & sessions.keys()}
    paths = of_sessions(workspace, tuple(one for key, one in others.items() if key not in kin))
    held = {one for one, streams in holders.items() if streams <= strange}
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
