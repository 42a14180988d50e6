"""Whether the stores of a workspace answer, known in bounded time.

A store is asked by one thread at a time, however many ask for its pulse: a silent one holds up that thread and
nobody else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from segue.errors import SegueError
from segue.service.workspace import Workspace
from segue.surfaces.http.workers import Workers

PATIENCE_SECONDS = 2.0
"""Within what probes of orchestrators and scrapes of Prometheus allow."""

KINDS = ("log", "artifacts")
_NO_STREAM = "00000000-0000-7000-8000-000000000000"
_NO_ARTIFACT = "0" * 64


class Pulse:
    def __init__(self, workspace: Workspace) -> None:
        self._workers = Workers(len(KINDS), "pulse")
        self._questions: dict[str, Callable[[], Any]] = {
            "log": lambda: workspace.log.head(_NO_STREAM),
            "artifacts": lambda: workspace.artifacts.size(_NO_ARTIFACT),
        }
        self._under_way: dict[str, asyncio.Future[Any]] = {}

    async def taken(self) -> dict[str, bool]:
        """Which kinds of store answer."""
        answers = await asyncio.gather(*map(self._answers, KINDS))
        return dict(zip(KINDS, answers, strict=True))

    def close(self) -> None:
        self._workers.dismiss()

    async def _answers(self, kind: str) -> bool:
        asking = self._under_way.get(kind)
        if asking is None:
            asking = self._under_way[kind] = self._workers.begin(self._questions[kind])
            asking.add_done_callback(lambda done: self._forget(kind, done))
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await asyncio.shield(asking)
        except (SegueError, TimeoutError):
            return False
        return True

    def _forget(self, kind: str, done: asyncio.Future[Any]) -> None:
        del self._under_way[kind]
        if not done.cancelled():
            done.exception()  # nobody may have waited for it to the end
