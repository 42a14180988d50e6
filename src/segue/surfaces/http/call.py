"""One request on its way: what is asked of which workspace, and where blocking work is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from starlette.responses import Response
from starlette.types import Receive, Scope

from segue.errors import SegueError
from segue.service.operations import Operation
from segue.service.workspace import Workspace
from segue.surfaces.http.budget import Budget
from segue.surfaces.http.guard import Guard
from segue.surfaces.http.lookups import Lookups
from segue.surfaces.http.pulse import Pulse
from segue.surfaces.http.tail import Tail
from segue.surfaces.http.workers import Workers

T = TypeVar("T")

ABORT = "segue.abort"
"""Where a connection keeps what ends it at once, without waiting for a caller that does not read."""
LEFT = "segue.left"
"""Where a connection tells whether the caller is gone."""
CHANNEL = "server"
"""The channel that answers leave by: a handoff must be cleared for it."""


def whole(answer: T) -> T:
    """An answer as those who run the server have it."""
    return answer


class Pools(NamedTuple):
    """Threads for blocking work. Writers mostly wait for a commit, so there are many of them, and as many
    appends share one; readers keep the interpreter busy, and more of them would only be in each other's way.
    Artifacts are fetched by others, so that a slow bucket holds up nobody who reads the log."""

    reading: Workers
    writing: Workers
    fetching: Workers


class Site(NamedTuple):
    """A workspace that is served, under a name."""

    name: str
    workspace: Workspace
    tail: Tail
    lookups: Lookups | None
    pulse: Pulse


class Call(NamedTuple):
    operation: Operation
    site: Site
    path: Mapping[str, str]
    scope: Scope
    receive: Receive
    headers: Mapping[str, str]
    pools: Pools
    guard: Guard
    sending: Budget
    shown: Callable[[Any], Any]
    """An answer as the caller may have it."""

    @property
    def wants_body(self) -> bool:
        """False where only the headers of an answer are wanted."""
        return bool(self.scope["method"] != "HEAD")

    def is_welcome(self) -> bool:
        """Whether the token would still let the caller in: for answers that go on."""
        try:
            self.guard.admit(self.headers, self.operation.needs, self.site.name)
        except SegueError:
            return False
        return True

    async def blocking(self, work: Callable[..., T], *arguments: Any) -> T:
        """What `work` gives, done beside the event loop: stores wait for disks."""
        pool = self.pools.writing if self.operation.writes else self.pools.reading
        return await pool.begin(work, *arguments)


Handler = Callable[[Call], Awaitable[Response]]
