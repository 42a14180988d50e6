"""Which thread somebody means: by its id, a unique beginning of it, or as the default one. Never guessed."""

from __future__ import annotations

from segue.errors import BadInput, NotFound
from segue.model.ids import is_id
from segue.service.refusals import refusal
from segue.service.workspace import Workspace

DEFAULT_KEY = "default-thread"
"""The idempotency key that the default thread was made under."""


def resolve(workspace: Workspace, thread_id: str) -> str:
    """The full id of a thread named by its id, a unique beginning of it, or `default`."""
    if thread_id == "default":
        frames = workspace.log.keyed(DEFAULT_KEY) if workspace.exists else None
        if not frames:
            raise NotFound("This workspace has no default thread yet.", "`segue thread ensure` makes it.")
        return frames[0].stream_id
    wanted = thread_id.lower()
    full = is_id(wanted)
    if not full and len(wanted) < 8:
        raise refusal("no-thread-id", thread_id=thread_id)
    found = workspace.log.find(wanted) if workspace.exists else []
    if not found:
        raise NotFound(f"There is no thread {thread_id}.", "`segue thread list` shows the threads.")
    if len(found) > 1:
        raise BadInput(f"{thread_id!r} names several threads.", "Give more of the id.")
    return found[0]
