"""A transcript that an agent is still writing: whose it is, how full the context is, whether it was compacted.

Hooks ask this at every look, so only one stretch of the file is read, and what a file does not tell stays open.
"""

from __future__ import annotations

import os

from segue.agents.host import LARGE_WINDOW, WINDOW, Usage
from segue.agents.registry import host_of
from segue.agents.settings_files import record
from segue.model.moment import Moment

_STRETCH = 512 * 1024
_LONG_STRETCH = 8 * 1024 * 1024


def another_session(agent: str, session_id: str, path: str) -> str:
    """The session a transcript belongs to, where that is known to be another one; nothing otherwise. Agents name the
    file, or its folder, after the session, so mostly no byte is read. A copy made by a fork or a resume begins with lines
    of the session it goes on with: where every line bears an id, the last one tells."""
    known = host_of(agent)
    if known.owner is None or not path:
        return ""
    folder, name = os.path.split(path)
    if session_id[: known.short_id] in name or os.path.basename(folder) == session_id:
        return ""
    lines = _last_lines(path) if known.owner_last else _read(path, 0, _STRETCH).split(b"\n")
    told = (known.owner(row) for line in lines if (row := record(line)))
    found = next((one for one in told if isinstance(one, str) and one), "")
    return found if found != session_id else ""


def occupancy(moment: Moment) -> Usage:
    """(tokens, window) as well as can be known; (0, 0) when nothing is."""
    if moment.tokens:
        return moment.tokens, moment.window or _usual_window(moment.tokens)
    known = host_of(moment.host)
    if known.usage is None or not moment.transcript_path:
        return 0, 0
    for line in _last_lines(moment.transcript_path):
        if found := known.usage(line):
            tokens, window = found
            if not window and known.window:
                window = known.window(os.path.expanduser("~"), moment.cwd, os.environ)
            return tokens, window or _usual_window(tokens)
    return 0, 0


def _usual_window(tokens: int) -> int:
    return WINDOW if tokens <= WINDOW else LARGE_WINDOW


def compacted_since(agent: str, path: str, start: int) -> tuple[bool, int]:
    """Whether the transcript shows a compaction after that place, and the place up to which it was read.
    A line that is still being written is left for the next look."""
    known = host_of(agent)
    data = _read(path, start, _LONG_STRETCH) if known.compaction_sign else b""
    whole = data[: data.rfind(b"\n") + 1]
    seen = bool(whole) and known.compaction_sign in whole
    if seen and known.is_new_compaction:
        earlier = max(0, start - _LONG_STRETCH)
        seen = known.is_new_compaction(whole, _read(path, earlier, start - earlier))
    return seen, start + len(whole)


def _last_lines(path: str) -> list[bytes]:
    """The lines of the last stretch, the last one first."""
    try:
        size = os.stat(path).st_size
    except (OSError, ValueError):
        return []
    return _read(path, max(0, size - _STRETCH), _STRETCH).split(b"\n")[::-1]


def _read(path: str, start: int, most: int) -> bytes:
    """Bytes of a file, which is not waited for, should it be a pipe."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (OSError, ValueError):
        return b""
    try:
        return os.pread(handle, most, start)
    except OSError:
        return b""
    finally:
        os.close(handle)
