"""Sessions of the workspace's own project, for callers that may not name files.

A server and MCP offer these: a session is named by its id or by `agent:id` as a listing shows it, never by
a path, so nobody reads a file of their choosing through them. All texts are redacted.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from segue.agents.registry import READERS
from segue.errors import BadInput
from segue.model import wire
from segue.model.thread import LIBRARY, Provenance
from segue.redaction.redact import Redactor
from segue.service.paging import within
from segue.service.sessions import lookup
from segue.service.sessions.lookup import Progress, silent

if TYPE_CHECKING:
    from segue.model.answers import Imported, SessionHits, SessionList, SessionPage
    from segue.service.sessions.lookup import Source
    from segue.service.workspace import Workspace

FORMAT = "generic"
"""The reader of what callers send."""
_SAYS_NOTHING = ("meta", "unreadable", "other")
_OWN_FORMAT = (
    "Send it in segue's own format, a JSON object a line; `segue sessions import` turns any session into it."
)
MOST = 200
"""Rows or entries that one answer holds at most."""


def listed(
    workspace: Workspace, agent: str | None = None, limit: int = 50, progress: Progress = silent
) -> SessionList:
    """Sessions of this project, across agents, newest first."""
    found = lookup.list_sessions(workspace.root, agent, progress=progress)
    answer: SessionList = {"sessions": found["sessions"][: min(within(limit), MOST)]}
    if "skipped" in found:
        answer["skipped"] = found["skipped"]
    return answer


def search(
    workspace: Workspace,
    words: str,
    agent: str | None = None,
    limit: int = 20,
    progress: Progress = silent,
) -> SessionHits:
    """Entries of this project's sessions that hold all the words, newest session first."""
    found: SessionHits = lookup.search(  # type: ignore[assignment]
        words, workspace.root, agent, limit=min(within(limit), MOST), progress=progress
    )
    return found


def show(
    workspace: Workspace,
    session: str,
    offset: int = 0,
    limit: int = 50,
    line: int | None = None,
    around: int = 0,
    progress: Progress = silent,
) -> SessionPage:
    """A session's counts and a page of its entries, redacted; `next_offset` is where the next page begins. With `line`
    only the entries of that line, which a pointer like `[#412]` names, and of so many `around` it."""
    if offset < 0:
        raise BadInput("An offset is 0 or more.", "Leave it out to begin at the first entry.")
    found = lookup.show(named(workspace, session), progress=progress)
    if line is not None:
        found = {**found, "entries": lookup.near(found["entries"], line, around)}
    after = offset + min(within(limit), MOST)
    page: SessionPage = {
        "session": found["session"],
        "counts": found["counts"],
        "entries": wire.decode(msgspec.json.encode(found["entries"][offset:after])),
        "redactions": found["redactions"],
    }
    if after < len(found["entries"]):
        page["next_offset"] = after
    if "others" in found:
        page["others"] = found["others"]
    return page


def bring_in(workspace: Workspace, session: str, by: Provenance = LIBRARY) -> Imported:
    """Brings a session into the log as its own thread, or that thread up to date."""
    from segue.service.imports.intake import import_session

    imported: Imported = import_session(workspace, named(workspace, session), by)  # type: ignore[assignment]
    return imported


def take(workspace: Workspace, data: bytes, by: Provenance = LIBRARY) -> Imported:
    """Takes a session that a caller sends, in segue's own format: as its own thread, or to bring that thread
    up to date. Whatever it holds is redacted before it is stored."""
    import tempfile

    from segue.service.imports.intake import import_session

    if not data.strip():
        raise BadInput("The session is empty.", _OWN_FORMAT)
    with tempfile.TemporaryDirectory(prefix="segue-") as folder:
        path = os.path.join(folder, "sent.jsonl")
        with open(path, "wb") as file:
            file.write(data)
        source = lookup.at(path, FORMAT)
        if all(entry.kind in _SAYS_NOTHING for entry in source.entries()):
            raise BadInput("Nothing in this can be read as a session.", _OWN_FORMAT)
        imported: Imported = import_session(workspace, attributed(source), by)  # type: ignore[assignment]
    return imported


def attributed(source: Source) -> Source:
    """A session in segue's own format, as one of the agent and the place that it says it was recorded from."""
    about = next(iter(source.entries())).data
    agent, place = (str(about.get(name, "")) for name in ("recorded_from", "recorded_at"))
    return source._replace(
        recorded_from=agent if agent in READERS else "", recorded_at=Redactor().redact(place)
    )


def named(workspace: Workspace, session: str | None, agent: str | None = None) -> Source:
    """The project's session of that name, or its newest one; never one of another project."""
    if not session:
        return lookup.latest(workspace.root, agent)
    if "/" in session or "\\" in session or session in (".", ".."):
        raise BadInput(f"{session!r} is not a session's id.", "Give the id, or agent:id, as it is listed.")
    return lookup.known_as(session, workspace.root, agent, everywhere=False)
