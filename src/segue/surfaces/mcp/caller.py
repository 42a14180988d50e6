"""The client that waits for an answer: it can be told how things stand, and it can give up waiting."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from segue.surfaces.mcp.protocol import Json, notification


class Cancelled(BaseException):
    """Work that nobody waits for any more. No failure, so nothing that handles failures may keep it."""


def _stays() -> bool:
    return False


class Caller(NamedTuple):
    say: Callable[[Json], None]
    gone: Callable[[], bool] = _stays

    def tell(self, method: str, params: Json) -> None:
        """Sends a notification. Raises Cancelled if nobody waits."""
        self.check()
        self.say(notification(method, params))

    def check(self) -> None:
        """Raises Cancelled if nobody waits."""
        if self.gone():
            raise Cancelled
