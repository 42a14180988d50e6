"""Identifiers: UUIDv7 strings for frames and streams, sha256 hex for artifacts.

UUIDv7 is written here rather than imported: `uuid` costs 9 ms at start-up and has no
version 7 before Python 3.14. Ids made by one process are strictly increasing, so that
sorting by id is sorting by creation.
"""

from __future__ import annotations

import os
import time

_HEX = frozenset("0123456789abcdef")
_last = 0


def new_id() -> str:
    """A UUIDv7 in canonical text form, greater than every one this process made before."""
    global _last
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76 | 0x3 << 62) | 0x7 << 76 | 0x2 << 62
    if value <= _last:
        value = _last + 1
    _last = value
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def is_id(text: str) -> bool:
    """True for the canonical text form of a UUID."""
    return (
        len(text) == 36
        and text[8] + text[13] + text[18] + text[23] == "----"
        and _HEX.issuperset(text.replace("-", ""))
    )


def is_artifact_id(text: str) -> bool:
    return len(text) == 64 and _HEX.issuperset(text)
