"""The client that waits for an answer: it can be told how things stand, and it can give up waiting."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from segue.surfaces.mcp.protocol import Json, notification

_EVERY_S = 0.2


class Cancelled(BaseException):
    """Work that nobody waits for any more. No failure, so nothing that handles failures may keep it."""


class Caller(NamedTuple):
    say: Callable[[Json], None]
    gone: Callable[[], bool] = lambda: False

    def tell(self, method: str, params: Json) -> None:
        """Sends a notification. Raises Cancelled if nobody waits."""
        self.check()
        self.say(notification(method, params))

    def check(self) -> None:
        """Raises Cancelled if nobody waits."""
        if self.gone():
            raise Cancelled


class Progress:
    """Tells a client that asked to hear it how far long work is: of steps, each further than the one before, the first
    one at once and the others not too often. Also the place where work stops if nobody waits any more."""

    def __init__(self, caller: Caller, token: Any) -> None:
        self._caller = caller
        self._token = token if isinstance(token, str | int) else None
        self._told = -1
        self._due = 0.0

    def report(self, done: int, total: int, what: str) -> None:
        """One step. Raises Cancelled when the client gave up."""
        self._caller.check()
        if self._token is None or done <= self._told or time.monotonic() < self._due:
            return
        self._told, self._due = done, time.monotonic() + _EVERY_S
        told: Json = {"progressToken": self._token, "progress": done, "total": max(total, done)}
        self._caller.tell("notifications/progress", told)
