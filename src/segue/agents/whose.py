"""Whose transcript is this? A hook's payload names a session and a file; the file may be another session's.

Agents name the file, or its folder, after the session, so mostly no byte is read. A copy made by a fork or a resume
begins with lines of the session it goes on with: where every line bears an id, the last one tells who writes now.
A file that tells nothing contradicts nobody.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Row = dict[str, Any]

_STRETCH = 512 * 1024


def another_session(host: str, session_id: str, path: str) -> str:
    """The session a transcript belongs to, where that is known to be another one; nothing otherwise."""
    tells = _TELLS.get(host)
    if tells is None or not path or _named_after(host, session_id, path):
        return ""
    found = next((told for row in _rows(host, path) if isinstance(told := tells(row), str) and told), "")
    return found if found != session_id else ""


def _named_after(host: str, session_id: str, path: str) -> bool:
    folder, name = os.path.split(path)
    short = session_id[:8] if host == "gemini-cli" else session_id
    return short in name or os.path.basename(folder) == session_id


def _claude(row: Row) -> Any:
    return row.get("sessionId")


def _codex(row: Row) -> Any:
    """The thread's own id: `session_id` is that of the session which started a subagent's thread."""
    payload = row.get("payload")
    return payload.get("id") if row.get("type") == "session_meta" and isinstance(payload, dict) else None


def _pi(row: Row) -> Any:
    return row.get("id") if row.get("type") == "session" else None


def _copilot(row: Row) -> Any:
    data = row.get("data")
    return data.get("sessionId") if row.get("type") == "session.start" and isinstance(data, dict) else None


_TELLS: dict[str, Callable[[Row], Any]] = {
    "claude-code": _claude,
    "codex": _codex,
    "gemini-cli": _claude,
    "copilot-cli": _copilot,
    "pi": _pi,
}
_FROM_THE_END = ("claude-code",)


def _rows(host: str, path: str) -> Iterable[Row]:
    """Records of one stretch of the file: from its beginning on, or from its end backwards."""
    import json

    backwards = host in _FROM_THE_END
    for line in _lines(path, backwards):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield row


def _lines(path: str, backwards: bool) -> list[bytes]:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (OSError, ValueError):
        return []
    try:
        start = max(0, os.fstat(handle).st_size - _STRETCH) if backwards else 0
        lines = os.pread(handle, _STRETCH, start).split(b"\n")
    except OSError:
        return []
    finally:
        os.close(handle)
    return lines[::-1] if backwards else lines
