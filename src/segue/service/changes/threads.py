"""The thread a change is worked on in: found when nobody names it, and tagged so that it can be found back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from segue.errors import NotFound
from segue.service.threads.naming import resolve

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

CURRENT = "current"
"""Stands for the thread that work is in now, if there is any."""

_SESSIONS = (
    ("claude-code", "CLAUDE_CODE_SESSION_ID"),
    ("pi", "PI_SESSION_ID"),
    ("gemini-cli", "GEMINI_SESSION_ID"),
)
"""Agents and the variable in which each tells the commands it runs what session they run in."""


def running_session() -> tuple[str, str] | None:
    """The agent and the session this process runs in, where the agent tells it."""
    for agent, variable in _SESSIONS:
        if session_id := os.environ.get(variable):
            return agent, session_id
    return None


def thread_of(workspace: Workspace, given: str | None, session: tuple[str, str] | None = None) -> str | None:
    """The whole id of the thread that is named; of the one that work is in now for `current`."""
    if given is None:
        return None
    return _current(workspace, session) if given == CURRENT else resolve(workspace, given)


def _current(workspace: Workspace, session: tuple[str, str] | None) -> str | None:
    """The thread of the session at work, else of the latest handoff, else the default thread."""
    if not workspace.exists:
        return None
    from segue.service.threads import streams  # 30 ms

    session = session or running_session()
    bound = workspace.log.keyed(f"import:{session[0]}:{session[1]}") if session else None
    if bound:
        return bound[0].stream_id
    for row in reversed(streams.list_threads(workspace)["threads"]):
        if row.get("parent", {}).get("relation") == "handoff":
            return row["thread_id"]
    try:
        return resolve(workspace, "default")
    except NotFound:
        return None


def tag(workspace: Workspace, thread_id: str, tc_id: str) -> None:
    """Lets a thread be found by the change it serves."""
    from segue.service.threads import streams

    if tc_id not in streams.show(workspace, thread_id)["tags"]:
        streams.amend(workspace, thread_id, add_tags=[tc_id])
