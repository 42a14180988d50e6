"""How full an agent's context is, from the end of its own transcript, without reading the rest.

Hooks are told nothing about it, so the last usage record is looked for in the last stretch of the file.
"""

from __future__ import annotations

import json
import os

from segue.model.moment import Moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_STRETCH = 512 * 1024
_DEFAULT_WINDOW = 200_000
_LARGE_WINDOW = 1_000_000


def occupancy(moment: Moment) -> tuple[int, int]:
    """(tokens, window) as well as can be known; (0, 0) when nothing is."""
    if moment.tokens:
        return moment.tokens, moment.window or _window(moment.tokens)
    find = _FINDERS.get(moment.host)
    if find is None or not moment.transcript_path:
        return 0, 0
    for line in _lines_from_the_end(moment.transcript_path):
        found = find(line)
        if found is not None:
            return found[0], found[1] or _room(moment) or _window(found[0])
    return 0, 0


def _room(moment: Moment) -> int:
    """What an agent lets the context grow to, where its settings tell: Gemini CLI compresses at a share of it, Claude
    Code has models with a larger window. Others say so themselves or use their window up."""
    from segue.agents.triggers import CLAUDE_LONG_WINDOW, claude_window, compression_share

    home = os.path.expanduser("~")
    if moment.host == "gemini-cli":
        return int(_LARGE_WINDOW * compression_share(home, moment.cwd))
    if moment.host == "claude-code" and claude_window(home, moment.cwd, os.environ) == CLAUDE_LONG_WINDOW:
        return CLAUDE_LONG_WINDOW
    return 0


def _window(tokens: int) -> int:
    return _DEFAULT_WINDOW if tokens <= _DEFAULT_WINDOW else _LARGE_WINDOW


def _lines_from_the_end(path: str) -> list[bytes]:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return []
    try:
        size = os.fstat(handle).st_size
        data = os.pread(handle, _STRETCH, max(0, size - _STRETCH))
    except OSError:
        return []
    finally:
        os.close(handle)
    return data.split(b"\n")[::-1]


def _decoded(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _sum(usage: Any, *names: str) -> int:
    if not isinstance(usage, dict):
        return 0
    return sum(value for name in names if isinstance(value := usage.get(name), int))


def _claude(line: bytes) -> tuple[int, int] | None:
    if b'"usage"' not in line or b'"assistant"' not in line:
        return None
    record = _decoded(line)
    message = record.get("message")
    if record.get("isSidechain") or not isinstance(message, dict):
        return None
    used = _sum(
        message.get("usage"), "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"
    )
    window = _LARGE_WINDOW if "[1m]" in str(message.get("model")) else 0
    return (used, window) if used else None


def _codex(line: bytes) -> tuple[int, int] | None:
    if b"token_count" not in line:
        return None
    info = (_decoded(line).get("payload") or {}).get("info")
    if not isinstance(info, dict):
        return None
    used = _sum(info.get("last_token_usage"), "total_tokens") or _sum(
        info.get("last_token_usage"), "input_tokens"
    )
    window = info.get("model_context_window")
    return (used, window if isinstance(window, int) else 0) if used else None


def _gemini(line: bytes) -> tuple[int, int] | None:
    if b'"tokens"' not in line:
        return None
    used = _sum(_decoded(line).get("tokens"), "input")
    return (used, 0) if used else None


def _copilot(line: bytes) -> tuple[int, int] | None:
    if b"session.usage_record" not in line and b"session.compaction_start" not in line:
        return None
    data = _decoded(line).get("data")
    usage = data.get("usage", data) if isinstance(data, dict) else None
    used = _sum(usage, "inputTokens") or _sum(usage, "currentTokens")
    return (used, _sum(usage, "maxPromptTokens") or _sum(usage, "tokenLimit")) if used else None


_FINDERS = {"claude-code": _claude, "codex": _codex, "gemini-cli": _gemini, "copilot-cli": _copilot}
