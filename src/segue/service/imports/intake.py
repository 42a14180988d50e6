"""Bringing a session into the log: its own thread, message by message, as far as it has got.

Importing again adds only what is new. The program's own message ids are kept, so that a branch or a
handoff can be cut at them. A branch the session took since, by a rewind or as a fork of another session,
becomes a branch of the thread. Everything is redacted before it is stored. Several imports at once tell
each record once: one that finds the thread ahead of what it read looks again and adds the rest.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from segue.agents.registry import reader
from segue.errors import Conflict
from segue.model.frame import Draft
from segue.model.thread import LIBRARY, Provenance
from segue.model.value import NamedTuple
from segue.redaction.redact import Redactor, redact_entry, taught_by
from segue.service.imports import places
from segue.service.imports.chain import handed_over
from segue.service.imports.places import Name, Place
from segue.service.imports.story import Story
from segue.service.sessions.identity import Opening, opening
from segue.service.sessions.lookup import Progress, Source, silent
from segue.service.sessions.rows import FAULTS
from segue.service.workspace import Workspace
from segue.threads.history import last_message

Result = dict[str, Any]

_BATCH = 1000
"""Entries told in one commit."""


def import_session(
    workspace: Workspace,
    source: Source,
    by: Provenance = LIBRARY,
    progress: Progress = silent,
    known: Redactor | None = None,
) -> Result:
    """The session's thread, brought up to date; says how many frames were added, and what could not be read. What
    the session tells as a secret is `known`, or looked for first."""
    return _import_file(workspace, source, by, progress, frozenset(), known)


def _import_file(
    workspace: Workspace,
    source: Source,
    by: Provenance,
    progress: Progress,
    forks: frozenset[str],
    known: Redactor | None = None,
) -> Result:
    """`forks` are the files of the sessions on whose behalf this one is imported."""
    known = known or taught_by(source.entries())
    session = opening(source)
    workspace.establish()
    told = {"agent": source.owner, "session_id": session.id, "path": source.place}
    title = known.twin().redact(session.title) if session.title else f"{source.owner} {session.id}"
    name = Name(f"import:{source.owner}:{session.id}", title, told, by)
    place, parent = places.found(workspace, name.key), None
    if place is None and session.inherits:
        parent = _parent(workspace, source, session, by, progress, forks | {source.path})
        # A thread that was taken back goes on in another file: then that was the import of this one.
        place = places.found(workspace, name.key)
    work = _Import(workspace, source, session, name, progress, known)
    if place is None:
        made = work.streamed(places.begun(workspace, name, parent or handed_over(workspace, source)))
    else:
        made = work.updated(place)
    head = workspace.log.head(made.place.thread_id)
    newest = last_message(workspace.log, made.place.thread_id, head.seq) if head else None
    result: Result = {
        "thread_id": made.place.thread_id,
        "agent": source.owner,
        "session_id": session.id,
        "added": made.added,
        "head_seq": head.seq if head else 0,
        "redactions": made.redactions,
        "unreadable": made.unreadable,
    }
    return {**result, "head_message_id": newest.id} if newest else result


class _Outcome(NamedTuple):
    """Where the session was told, and what it took."""

    place: Place
    added: int
    redactions: int
    unreadable: int


class _Import(NamedTuple):
    """A session on its way to a thread. `known` is what it tells as a secret."""

    workspace: Workspace
    source: Source
    session: Opening
    name: Name
    progress: Progress
    known: Redactor

    def streamed(self, place: Place) -> _Outcome:
        """Tells the session to its new thread while it is being read."""
        redactor, story = self._start(place)
        added, is_told = _append(self.workspace, place, self._drafts(story, redactor))
        if is_told:
            return _Outcome(place, added, redactor.receipt().total, story.unreadable)
        return self.updated(self._as_it_is(place), added)

    def updated(self, place: Place, added: int = 0) -> _Outcome:
        """Adds what is new, to the thread of the branch the session is on now. Which that is shows only when
        the whole session has been read, so what is new waits. `added` is what was told before."""
        while True:
            redactor, story = self._start(place)
            told = list(self._drafts(story, redactor))
            branch = places.parted(self.workspace, place, story.present, self.name)
            if branch is not None:
                place = branch
                continue
            more, is_told = _append(self.workspace, place, iter(told))
            added += more
            if is_told:
                return _Outcome(place, added, redactor.receipt().total, story.unreadable)
            place = self._as_it_is(place)

    def _start(self, place: Place) -> tuple[Redactor, Story]:
        return self.known.twin(), Story(self.session.id, self.session.agent_id, self.name.by, place)

    def _as_it_is(self, place: Place) -> Place:
        """The session's thread once another import has added to it."""
        return places.found(self.workspace, self.name.key) or place

    def _drafts(self, story: Story, redactor: Redactor) -> Iterator[list[Draft]]:
        """The frames of each entry that has any."""
        path = self.source.path
        size = os.path.getsize(path) if os.path.isfile(path) else 0
        for entry in self.source.entries():
            self.progress(entry.offset, size, path)
            if drafts := story.drafts_for(redact_entry(entry, redactor)):
                yield drafts


def _append(workspace: Workspace, place: Place, told: Iterator[list[Draft]]) -> tuple[int, bool]:
    """How many frames were added, and whether that was all: not where another import came between. The
    frames of one entry are one commit, so that whoever reads in between finds no half of it."""
    seq, added = place.head, 0
    while batch := [draft for drafts in islice(told, _BATCH) for draft in drafts]:
        head = _appended(workspace, place.thread_id, batch, seq)
        if head is None:
            return added, False
        seq, added = head, added + len(batch)
    return added, True


def _appended(workspace: Workspace, thread_id: str, batch: list[Draft], seq: int) -> int | None:
    """The head after this batch; None, and nothing written, where another import moved it. A person's post or
    a hook's note since then tells nothing of the session, and the batch follows it."""
    while True:
        try:
            return workspace.log.append(thread_id, batch, expect=seq)[-1].seq
        except Conflict:
            since = list(workspace.log.read(thread_id, seq + 1))
            if not since or any("source" in frame.data for frame in since):
                return None
            seq = since[-1].seq


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
            story.drafts_for(redact_entry(entry, redactor))
    if file == source.path:
        file = _sibling_file(source, thread)
    if file and file not in forks and not source.recorded_from:
        thread = _import_file(workspace, Source(source.agent, file), by, progress, forks)["session_id"]
    place = places.found(workspace, f"import:{source.owner}:{thread}")
    seq = places.last_shared(place, frozenset(story.present)) if place else None
    return (place.thread_id, seq) if place and seq is not None else None


def _sibling_file(source: Source, session: str) -> str:
    """The file of another session in the same folder, whose name holds its id; empty where there is none."""
    if not session or os.path.basename(session) != session:
        return ""
    folder = glob.escape(os.path.dirname(source.path))
    for path in sorted(glob.iglob(os.path.join(folder, f"*{glob.escape(session)}*"))):
        with suppress(*FAULTS):
            if path != source.path and session in reader(source.agent).sessions(path):
                return path
    return ""
