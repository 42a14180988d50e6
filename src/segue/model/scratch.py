"""Scratch: directories in which whatever is made is made to be thrown away."""

from __future__ import annotations

_PLACES = ("/tmp", "/var/tmp", "/private/tmp", "/var/folders", "/private/var/folders", "/dev")
UNDER = tuple(f"{place}/" for place in _PLACES)


def is_scratch(path: str) -> bool:
    return path in _PLACES or path.startswith(UNDER)
