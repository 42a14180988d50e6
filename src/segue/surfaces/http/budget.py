"""Bytes that a server has under way: read from a store, and not yet taken by the caller they are for."""

from __future__ import annotations

from collections.abc import Callable

from segue.surfaces.http.problems import overloaded

MOST = 192 * 1024 * 1024


class Budget:
    """For one event loop."""

    def __init__(self, most: int) -> None:
        self._left = most

    def reserve(self, size: int) -> Callable[[], None]:
        """What gives them back, to be called once. Raises Unavailable where there are not so many left."""
        if size > self._left:
            raise overloaded()
        self._left -= size

        def release() -> None:
            self._left += size

        return release
