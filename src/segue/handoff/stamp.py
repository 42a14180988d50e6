"""Times as they are written into a handoff and read back: UTC, ISO 8601."""

from __future__ import annotations

import re
import time
from calendar import timegm

STAMP = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)")
_LATEST_MS = 253_402_300_799_000  # the end of the year 9999


def stamp(ms: int | None) -> str:
    """`2026-04-05T14:32:00+00:00`; empty for no time, or one that no calendar holds."""
    if ms is None or not 0 <= ms <= _LATEST_MS:
        return ""
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(ms // 1000))


def read_stamp(text: str) -> int | None:
    """The milliseconds of the first time in the text."""
    match = STAMP.search(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    if not (
        year >= 1970 and 1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second < 61
    ):
        return None
    zone = match[7]
    shift = 0 if zone == "Z" else int(zone[1:3]) * 60 + int(zone[4:])
    seconds = timegm((year, month, day, hour, minute, second)) - (-1 if zone[0] == "-" else 1) * shift * 60
    return seconds * 1000
