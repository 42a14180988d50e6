"""Times as they are written into a handoff and read back: UTC, ISO 8601."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST_MS = 253_402_300_799_000  # the end of the year 9999
_STAMP = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)")


def stamp(ms: int | None) -> str:
    """`2026-04-05T14:32:00+00:00`; empty for no time, or one that no calendar holds."""
    if ms is None or not 0 <= ms <= _LATEST_MS:
        return ""
    return (_EPOCH + timedelta(seconds=ms // 1000)).isoformat()


def read_stamp(text: str) -> int | None:
    """The milliseconds of the first time in the text."""
    match = _STAMP.search(text)
    if match is None:
        return None
    try:
        return (datetime.fromisoformat(match[0]) - _EPOCH) // timedelta(milliseconds=1)
    except (ValueError, OverflowError):
        return None
