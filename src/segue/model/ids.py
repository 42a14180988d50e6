"""Identifiers: UUIDv7 strings for frames and streams, sha256 hex for artifacts.

UUIDv7 is written here rather than imported: `uuid` costs 9 ms at start-up and has no
version 7 before Python 3.14. Ids made by one process are strictly increasing, so that
sorting by id is sorting by creation.
"""

from __future__ import annotations

import _thread
import os
import time

_HEX = frozenset("0123456789abcdef")
_VERSION_AND_VARIANT = 0xF << 76 | 0x3 << 62
_SEVEN = 0x7 << 76 | 0x2 << 62
_ROOM = 1 << 47
_turn = _thread.allocate_lock()
_last = 0


def new_id() -> str:
    """A UUIDv7 in canonical text form, greater than every one this process made before."""
    return new_ids(1)[0]


def new_ids(count: int) -> list[str]:
    """That many ids in a row, increasing. One draw of randomness serves all of them."""
    global _last
    drawn = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10), "big")
    # One random bit is given up so that counting on never carries beyond the last 48 bits.
    value = drawn & ~(_VERSION_AND_VARIANT | _ROOM) | _SEVEN
    with _turn:
        value = max(value, _last + 1)
        _last = value + count - 1
    text = f"{value >> 48:020x}"
    prefix = f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:]}-"
    low = value & 0xFFFFFFFFFFFF
    return [f"{prefix}{n:012x}" for n in range(low, low + count)]


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def is_id(text: str) -> bool:
    """True for the canonical text form of a UUID."""
    digits = text.replace("-", "")
    return (
        len(text) == 36
        and len(digits) == 32
        and text[8] + text[13] + text[18] + text[23] == "----"
        and _HEX.issuperset(digits)
    )


def is_artifact_id(text: str) -> bool:
    return len(text) == 64 and _HEX.issuperset(text)
