"""The session that this process runs in: what its agent tells, else what the agent's hook told of the same process.

Two sessions of one project may be at work at once, so the newest is nobody's own. Where nothing tells which session
it is, that is said, and a person or the agent has to name it.
"""

from __future__ import annotations

import os

from segue.agents import inside
from segue.agents.inside import Inside
from segue.agents.registry import host_of
from segue.errors import SegueError
from segue.service.refusals import refusal
from segue.service.sessions import lookup
from segue.stores.marks import running


def own(folder: str, client: Inside | None = None) -> Inside | None:
    """The agent around this process and its session, which hooks may have told in a workspace's folder; None outside of
    any agent. `client` is the agent that a server of ours answers: such a server outlives the session that its environment
    tells, so hooks are asked first."""
    found = inside.around()
    if client is None:
        if found is None or found.session_id:
            return found
        return found._replace(session_id=_told_by_hooks(folder, found.agent))
    started_in = found.session_id if found and found.agent == client.agent else ""
    return client._replace(session_id=client.session_id or _told_by_hooks(folder, client.agent) or started_in)


def _told_by_hooks(folder: str, agent: str) -> str:
    """The one session that runs in a process above this one; none where that cannot be shown."""
    if not host_of(agent).program or not os.path.isdir(folder):
        return ""
    told = running(folder, agent)
    numbers = {number for _, number in inside.above([agent])} if told else set()
    sessions = {session_id for number, session_id in told if number in numbers}
    return sessions.pop() if len(sessions) == 1 else ""


def is_asking(folder: str, source: lookup.Source) -> bool:
    """Whether this process runs in that very session."""
    around = own(folder) if source.session else None
    return around is not None and around.session_id == source.session


def source(found: Inside, directory: str) -> lookup.Source:
    """The session itself. Raises where its agent does not tell which it is."""
    if found.session_id:
        return lookup.known_as(found.session_id, directory, found.agent)
    raise untold(found)


def untold(found: Inside) -> SegueError:
    return refusal("session-untold", label=found.label)
