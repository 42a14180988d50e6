"""What a compaction leaves in a transcript, for boundaries that no hook announces."""

from __future__ import annotations

import os

SIGNS: dict[str, bytes] = {
    "claude-code": b'"compact_boundary"',
    "codex": b'"type":"compacted"',
    "gemini-cli": b"<state_snapshot>",
    "copilot-cli": b'"session.compaction_complete"',
}
_STRETCH = 8 * 1024 * 1024
_REWRITE = b'{"$set":{"messages":'


def compacted_since(host: str, path: str, start: int) -> tuple[bool, int]:
    """Whether the transcript shows a compaction after that place, and the place up to which it was read.
    A line that is still being written is left for the next look."""
    sign = SIGNS.get(host)
    data = _read(path, start) if sign else b""
    whole = data[: data.rfind(b"\n") + 1]
    if sign is None or sign not in whole:
        return False, start + len(whole)
    fresh = host != "gemini-cli" or _new_snapshot(whole, path, start)
    return fresh, start + len(whole)


def _new_snapshot(data: bytes, path: str, start: int) -> bool:
    """Gemini CLI rewrites its messages at every resume as well, so only a snapshot whose message was not in
    the file before tells of a compression."""
    import json

    new = [
        message
        for line in data.split(b"\n")
        if line.startswith(_REWRITE) and SIGNS["gemini-cli"] in line
        for message in json.loads(line)["$set"]["messages"]
        if isinstance(message, dict) and "<state_snapshot>" in str(message.get("content"))
    ]
    before = _read(path, max(0, start - _STRETCH), start) if new else b""
    return any(f'"id":"{message.get("id")}"'.encode() not in before for message in new)


def _read(path: str, start: int, end: int | None = None) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (OSError, ValueError):
        return b""
    try:
        return os.pread(handle, _STRETCH if end is None else end - start, start)
    except OSError:
        return b""
    finally:
        os.close(handle)
