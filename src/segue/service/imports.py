"""Bringing a session into the log: its own thread, message by message, as far as it has got.

Importing again adds only what is new. The program's own message ids are kept, so that a branch or a
handoff can be cut at them. A branch the session took since, by a rewind or as a fork of another session,
becomes a branch of the thread. Everything is redacted before it is stored.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from segue.agents.registry import reader
from segue.model.frame import Draft
from segue.model.thread import LIBRARY, Provenance
from segue.redaction.redact import Redactor, redact_entry
from segue.service import import_places as places
from segue.service.import_places import Name, Place
from segue.service.import_story import Story
from segue.service.session_identity import Opening, opening
from segue.service.session_rows import FAULTS
from segue.service.sessions import Progress, Source, silent

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

Result = dict[str, Any]

_BATCH = 2000


def import_session(
    workspace: Workspace, source: Source, by: Provenance = LIBRARY, progress: Progress = silent
) -> Result:
    """The session's thread, brought up to date; says how many frames were added, and what could not be read."""
    return _brought(workspace, source, by, progress, frozenset())


def _brought(
    workspace: Workspace, source: Source, by: Provenance, progress: Progress, forks: frozenset[str]
) -> Result:
    """`forks` are the files of the sessions on whose behalf this one is imported."""
    session = opening(source)
    workspace.establish()
    told = {"agent": source.owner, "session_id": session.id, "path": source.place}
    redactor = Redactor()
    title = redactor.redact(session.title) if session.title else f"{source.owner} {session.id}"
    name = Name(f"import:{source.owner}:{session.id}", title, told, by)
    place, parent = places.found(workspace, name.key), None
    if place is None and session.inherits:
        parent = _parent(workspace, source, session, by, progress, forks | {source.path})
        # A thread that was taken back goes on in another file: then that was the import of this one.
        place = places.found(workspace, name.key)
    if place is None:
        place = places.begun(workspace, name, parent)
        story = Story(session.id, session.agent_id, by, place)
        added = _append(workspace, place, _drafts(source, story, redactor, progress))
    else:
        added, place, story = _updated(workspace, source, session, place, name, redactor, progress)
    head = workspace.log.head(place.thread_id)
    return {
        "thread_id": place.thread_id,
        "agent": source.owner,
        "session_id": session.id,
        "added": added,
        "head_seq": head.seq if head else 0,
        "redactions": redactor.receipt().total,
        "unreadable": story.unreadable,
    }


def _updated(
    workspace: Workspace,
    source: Source,
    session: Opening,
    place: Place,
    name: Name,
    redactor: Redactor,
    progress: Progress,
) -> tuple[int, Place, Story]:
    """Adds what is new, to the thread of the branch the session is on now. Which that is shows only when
    the whole session has been read, so what is new waits."""
    while True:
        story = Story(session.id, session.agent_id, name.by, place)
        drafts = list(_drafts(source, story, redactor, progress))
        branch = places.parted(workspace, place, story.present, name)
        if branch is None:
            return _append(workspace, place, iter(drafts)), place, story
        place, redactor = branch, Redactor()


def _drafts(source: Source, story: Story, redactor: Redactor, progress: Progress) -> Iterator[Draft]:
    size = os.path.getsize(source.path) if os.path.isfile(source.path) else 0
    for entry in source.entries():
        progress(entry.offset, size, source.path)
        yield from story.tell(redact_entry(entry, redactor))


def _append(workspace: Workspace, place: Place, drafts: Iterator[Draft]) -> int:
    head = workspace.log.head(place.thread_id)
    seq, added = head.seq if head else 0, 0
    while batch := list(islice(drafts, _BATCH)):
        seq = workspace.log.append(place.thread_id, batch, expect=seq)[-1].seq
        added += len(batch)
    return added


def _parent(
    workspace: Workspace,
    source: Source,
    session: Opening,
    by: Provenance,
    progress: Progress,
    forks: frozenset[str],
) -> tuple[str, int] | None:
    """The thread that a forked session goes on with, and its last frame that it shares: imported first, if
    the history stands in another file or its session lies beside this one; else as far as it is in the log."""
    unplaced = Place("", {}, frozenset(), linked=False)
    story = Story(session.id, session.agent_id, by, unplaced)
    redactor = Redactor()
    file, thread = source.path, ""
    for entry in source.entries():
        if "inherited" in entry.data:
            file, thread = entry.file, str(entry.data["inherited"])
            story.tell(redact_entry(entry, redactor))
    if file == source.path:
        file = _beside(source, thread)
    if file and file not in forks and not source.recorded_from:
        thread = _brought(workspace, Source(source.agent, file), by, progress, forks)["session_id"]
    place = places.found(workspace, f"import:{source.owner}:{thread}")
    seq = places.last_shared(place, frozenset(story.present)) if place else None
    return (place.thread_id, seq) if place and seq is not None else None


def _beside(source: Source, session: str) -> str:
    """The file of another session in the same folder, whose name holds its id; empty where there is none."""
    if not session or os.path.basename(session) != session:
        return ""
    folder = glob.escape(os.path.dirname(source.path))
    for path in sorted(glob.iglob(os.path.join(folder, f"*{glob.escape(session)}*"))):
        with suppress(*FAULTS):
            if path != source.path and session in reader(source.agent).sessions(path):
                return path
    return ""
