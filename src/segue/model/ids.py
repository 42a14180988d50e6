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
_turn = _thread.allocate_lock()
_last = ""
_drawn: list[str] = []
"""Random digits for the ids to come: asking the system for each id costs more than the id."""
_AT_ONCE = 128


def new_id() -> str:
    """A UUIDv7 in canonical text form, greater than every one this process made before."""
    global _last
    time = now_ms().to_bytes(6, "big").hex()
    with _turn:
        digits = _drawn.pop() if _drawn else _draw()
        made = f"{time[:8]}-{time[8:]}-7{digits[:3]}-8{digits[3:6]}-0{digits[6:17]}"
        _last = made if made > _last else _after(_last, 1)[0]
        return _last


def _draw() -> str:
    text = os.urandom(9 * _AT_ONCE).hex()
    _drawn.extend(text[at : at + 18] for at in range(0, len(text), 18))
    return _drawn.pop()


def _forget() -> None:
    """A forked process begins anew: it must neither draw its parent's digits nor count on from its parent's last id."""
    global _last
    _last = ""
    _drawn.clear()


os.register_at_fork(after_in_child=_forget)


def new_ids(count: int) -> list[str]:
    """That many ids in a row, increasing: the first is drawn, the others count on from it."""
    global _last
    made = [new_id()]
    if count > 1:
        with _turn:
            made += _after(_last, count - 1)
            _last = made[-1]
    return made


def _after(last: str, count: int) -> list[str]:
    """Ids that follow `last`. A drawn id ends in 0 and eleven digits: counting on never carries further."""
    prefix, number = last[:24], int(last[24:], 16)
    return [prefix + n.to_bytes(6, "big").hex() for n in range(number + 1, number + 1 + count)]


def now_ms() -> int:
    """Milliseconds since 1970. A clock that stands before that is taken as standing there: the formats have no
    room for a negative time."""
    return max(0, time.time_ns() // 1_000_000)


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
