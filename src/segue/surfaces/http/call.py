"""One request on its way: what is asked of which workspace, and where blocking work is done.

Lookups are operations that take less time than handing them to another thread does. They are answered in the event
loop, and an answer is remembered until the log grows: the same question to the same log has the same answer. Where the
catalog would have to catch up with the log first, that is another thread's work.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope

from segue.errors import SegueError
from segue.model.thread import Provenance
from segue.service.operations import Operation
from segue.service.shared import Behind, Glance
from segue.service.signatures import perform
from segue.service.workspace import Workspace
from segue.stores.contract import Head
from segue.surfaces.http.guard import Guard
from segue.surfaces.http.pulse import Pulse
from segue.surfaces.http.reading import RequestValues
from segue.surfaces.http.tail import Tail
from segue.surfaces.http.workers import Budget, Workers

T = TypeVar("T")

LOOKUPS = frozenset(("thread.show", "thread.lineage"))
_LOOKUPS_KEPT = 4096
"""Answers that are remembered at most."""
_NOBODY = Provenance("user", "server")

ABORT = "segue.abort"
"""Where a connection keeps what ends it at once, without waiting for a caller that does not read."""
LEFT = "segue.left"
"""Where a connection tells whether the caller is gone."""
CHANNEL = "server"
"""The channel that answers leave by: a handoff must be cleared for it."""


def whole(answer: T) -> T:
    """An answer as those who run the server have it."""
    return answer


class Lookups:
    """The lookups in one workspace, for its event loop alone."""

    def __init__(self, glance: Glance) -> None:
        self._glance = glance
        self._level: Head | None = None
        self._answers: dict[tuple[str, ...], bytes] = {}

    def answer(self, operation: Operation, said: RequestValues) -> bytes | None:
        """The answer as JSON; None where it takes longer. Raises what the operation raises."""
        level = self._glance.level()
        if level is None:
            return None
        if level is not self._level or len(self._answers) >= _LOOKUPS_KEPT:
            self._level = level
            self._answers.clear()
        question = (operation.name, *said.values, *said.values.values())
        answer = self._answers.get(question)
        if answer is None:
            try:
                made = perform(operation, self._glance, said.values, _NOBODY, strict=said.strict)
            except Behind:
                return None
            answer = self._answers[question] = msgspec.json.encode(made)
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
