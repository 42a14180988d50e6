"""One client for programs: a workspace on this machine or on a server, at once or awaited.

    client = segue.Client()                      # the workspace around here
    client = segue.Client(server="http://127.0.0.1:7878")
    thread = client.threads.create("Retry tests")
    client.threads.post(thread["thread_id"], "Make the retry test pass.")
    await client.aio.handoffs.draft("finish the retry tests")

Methods are named after the operations and answer plain dicts; `segue.model.answers` has their types. What
goes wrong is raised as one of `segue.errors`, from a server as from here. A client may be used by several
threads at once.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Self

from segue.errors import BadInput
from segue.sdk import groups
from segue.sdk.local import Local
from segue.sdk.remote import Remote
from segue.service.actors import acting
from segue.service.workspace import Workspace

Frame = dict[str, Any]


class Threads(groups.Threads):
    """Threads, and their frames as they come."""

    def __init__(self, side: Local | Remote, ask: groups.Ask) -> None:
        super().__init__(ask)
        self._side = side

    def events(
        self, thread_id: str, after_seq: int = -1, follow: bool = False, max_events: int | None = None
    ) -> Iterator[Frame]:
        """Frames after a sequence number: those there are and, with `follow`, those to come."""
        return map(json.loads, self._side.events(thread_id, after_seq, follow, max_events))


class AsyncThreads(groups.AsyncThreads):
    """Threads, and their frames as they come."""

    def __init__(self, side: Local | Remote, ask: groups.AsyncAsk) -> None:
        super().__init__(ask)
        self._side = side

    def events(
        self, thread_id: str, after_seq: int = -1, follow: bool = False, max_events: int | None = None
    ) -> AsyncIterator[Frame]:
        """Frames after a sequence number: those there are and, with `follow`, those to come."""
        from segue.sdk.awaiting import awaited

        def begin(stop: Callable[[], bool]) -> Iterator[Frame]:
            return map(json.loads, self._side.events(thread_id, after_seq, follow, max_events, stop))

        return awaited(begin)


class Client(groups.Upkeep):
    """A workspace, wherever it is. `with` closes it; `aio` has the same methods to be awaited."""

    def __init__(
        self,
        workspace: str | Workspace | None = None,
        *,
        server: str | None = None,
        token: str | None = None,
        actor_id: str | None = None,
        origin: str = "sdk",
        timeout: float = 60.0,
    ) -> None:
        """`workspace` is a directory (default: around here) or an open workspace; `server` the address of one
        instead, with `token` or SEGUE_TOKEN. `actor_id` is who acts: by default `user`, or the agent this runs inside."""
        if server is not None and workspace is not None:
            raise BadInput("A client has a workspace or a server, not both.", "Leave one of them out.")
        self._by = acting(origin, actor_id)
        self._side: Local | Remote = Local(workspace) if server is None else Remote(server, token, timeout)
        super().__init__(self._call)
        self.threads = Threads(self._side, self._call)
        self.artifacts = groups.Artifacts(self._call)
        self.sessions = groups.Sessions(self._call)
        self.handoffs = groups.Handoffs(self._call)
        self.drafts = groups.Drafts(self._call)
        self.changes = groups.Changes(self._call)
        self.aio = Awaited(self._side, self._call)

    def close(self) -> None:
        self._side.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, name: str, values: dict[str, Any], key: str | None) -> Any:
        return self._side.call(name, values, self._by, key)


class Awaited(groups.AsyncUpkeep):
    """The client's methods for asynchronous programs. Each call runs in a thread of its own, so the loop goes
    on meanwhile."""

    def __init__(self, side: Local | Remote, call: groups.Ask) -> None:
        async def later(name: str, values: dict[str, Any], key: str | None) -> Any:
            import asyncio

            return await asyncio.to_thread(call, name, values, key)

        super().__init__(later)
        self.threads = AsyncThreads(side, later)
        self.artifacts = groups.AsyncArtifacts(later)
        self.sessions = groups.AsyncSessions(later)
        self.handoffs = groups.AsyncHandoffs(later)
        self.drafts = groups.AsyncDrafts(later)
        self.changes = groups.AsyncChanges(later)
