"""Where the frames of a boundary go: on the thread that is bound to the agent's session.

One session has one thread, whoever writes first; importing the session later fills the same one.
"""

from __future__ import annotations

from typing import Any

from segue.model.frame import Draft, Frame
from segue.model.ids import new_id
from segue.model.thread import AGENT, Provenance
from segue.service.workspace import Workspace
from segue.stores.contract import NEW
from segue.threads import links


def bound_thread(workspace: Workspace, host: str, session_id: str, by: Provenance) -> str:
    """The thread of an agent's session; made when nobody spoke of that session yet."""
    log = workspace.establish().log
    key = f"import:{host}:{session_id}"
    frames = log.keyed(key)
    if frames is None:
        told = {"agent": host, "session_id": session_id, "path": ""}
        draft = links.created(workspace.root, f"{host} {session_id}", by, source=told)
        frames = log.append(new_id(), [draft], expect=NEW, key=key)
    return frames[0].stream_id


def record(
    workspace: Workspace,
    session: tuple[str, str],
    kind: str,
    payload: dict[str, Any],
    key: str | None = None,
    by: Provenance | None = None,
) -> Frame:
    """Records a frame on the thread of a session, given as host and id; with a key, once. Its hook acts, unless somebody
    else is named."""
    by = by or Provenance("hook", session[0], AGENT)
    thread_id = bound_thread(workspace, *session, by)
    return workspace.log.append(thread_id, [Draft(kind, by.stamp(payload))], key=key)[0]
