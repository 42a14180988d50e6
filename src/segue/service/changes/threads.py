"""The thread a change is worked on in: found when nobody names it, and tagged so that it can be found back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from segue.model.thread import CALLER, Provenance
from segue.service.sessions.own import own
from segue.service.threads.naming import resolve

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

CURRENT = "current"
"""Stands for the thread that work is in now, if there is any."""

Session = tuple[str | None, str | None]
"""An agent and the id of its session, as far as they are known."""


def at_work(workspace: Workspace, platform: str | None, session_id: str | None, by: Provenance) -> Session:
    """The session that works on a change: the one named, else the one this process runs in. What a server runs in is
    not its caller's."""
    if platform or session_id or by.kind == CALLER:
        return platform, session_id
    found = own(workspace.folder)
    return (found.agent, found.session_id or None) if found else (None, None)


def thread_of(workspace: Workspace, given: str | None, session: Session) -> str | None:
    """The whole id of the thread that is named; for `current` of the one that the session at work is kept in, if it
    is. A thread of other work is never meant."""
    if given != CURRENT:
        return None if given is None else resolve(workspace, given)
    if not workspace.exists or not all(session):
        return None
    bound = workspace.log.keyed(f"import:{session[0]}:{session[1]}")
    return bound[0].stream_id if bound else None


def tag(workspace: Workspace, thread_id: str, tc_id: str, by: Provenance) -> None:
    """Lets a thread be found by the change it serves."""
    from segue.service.threads import streams

    if tc_id not in streams.show(workspace, thread_id)["tags"]:
        streams.amend(workspace, thread_id, add_tags=[tc_id], by=by)
