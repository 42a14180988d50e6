"""One request on its way: what is asked of which workspace, and where blocking work is done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor
from typing import Any, NamedTuple, TypeVar

from starlette.responses import Response
from starlette.types import Receive, Scope

from segue.service.operations import Operation
from segue.service.workspace import Workspace
from segue.surfaces.http.tail import Tail

T = TypeVar("T")


class Site(NamedTuple):
    """A workspace that is served, under a name."""

    name: str
    workspace: Workspace
    tail: Tail


class Call(NamedTuple):
    operation: Operation
    site: Site
    path: Mapping[str, str]
    scope: Scope
    receive: Receive
    headers: Mapping[str, str]
    pool: Executor

    async def blocking(self, work: Callable[..., T], *arguments: Any) -> T:
        """What `work` gives, done beside the event loop: stores wait for disks."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, work, *arguments)


Handler = Callable[[Call], Awaitable[Response]]
