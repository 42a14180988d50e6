"""How far long work is, told now and then to a client that asked to hear it; and the place where it stops if
nobody waits any more."""

from __future__ import annotations

import time
from typing import Any

from segue.surfaces.mcp.caller import Caller
from segue.surfaces.mcp.protocol import Json

_EVERY_S = 0.2


class Progress:
    """Tells of steps, each further than the one before, the first one at once and the others not too often."""

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
