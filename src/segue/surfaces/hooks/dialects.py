"""How each host speaks: its events, the names in its payload, and the reply it accepts.

What a host would reject is never written: Codex refuses unknown keys, Claude Code refuses
`hookSpecificOutput` from events that cannot inject, Copilot reads only flat JSON.
"""

from __future__ import annotations

import os

from segue.model import moment as m
from segue.model.moment import Moment, Reply
from segue.model.value import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Payload = dict[str, Any]


class Dialect(NamedTuple):
    """`events` maps the host's event to our kind; `injecting` are those whose reply reaches the model."""

    events: dict[str, str]
    injecting: frozenset[str]
    speak: Callable[[str, Reply, bool], Payload | None]


def _nested(event: str, reply: Reply, injects: bool) -> Payload | None:
    said: Payload = {}
    if reply.inject and injects:
        said["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": reply.inject}
    if reply.notify:
        said["systemMessage"] = reply.notify
    return said or None


def _flat(event: str, reply: Reply, injects: bool) -> Payload | None:
    return {"additionalContext": reply.inject} if reply.inject and injects else None


def _context(event: str, reply: Reply, injects: bool) -> Payload | None:
    return {"cancel": False, "context": reply.inject} if reply.inject and injects else None


def _ours(event: str, reply: Reply, injects: bool) -> Payload | None:
    said = {"inject": reply.inject, "notify": reply.notify}
    return {name: text for name, text in said.items() if text} or None


_CLAUDE = {
    "SessionStart": m.START,
    "UserPromptSubmit": m.PROMPT,
    "PostToolUse": m.TOOL,
    "PreCompact": m.BEFORE,
    "PostCompact": m.AFTER,
    "Stop": m.STOP,
    "SessionEnd": m.END,
}
_INJECTING = frozenset({"SessionStart", "UserPromptSubmit", "PostToolUse"})

DIALECTS: dict[str, Dialect] = {
    "claude-code": Dialect(_CLAUDE, _INJECTING, _nested),
    "codex": Dialect(_CLAUDE, _INJECTING, _nested),
    "gemini-cli": Dialect(
        {
            "SessionStart": m.START,
            "BeforeAgent": m.PROMPT,
            "AfterTool": m.TOOL,
            "PreCompress": m.BEFORE,
            "AfterAgent": m.STOP,
            "SessionEnd": m.END,
        },
        frozenset({"SessionStart", "BeforeAgent", "AfterTool"}),
        _nested,
    ),
    "copilot-cli": Dialect(
        {
            "sessionStart": m.START,
            "userPromptSubmitted": m.PROMPT,
            "postToolUse": m.TOOL,
            "preCompact": m.BEFORE,
            "agentStop": m.STOP,
            "sessionEnd": m.END,
        },
        frozenset({"sessionStart", "userPromptSubmitted", "postToolUse"}),
        _flat,
    ),
    "cline": Dialect(
        {
            "PreToolUse": m.PROMPT,
            "PostToolUse": m.TOOL,
            "TaskComplete": m.END,
            "SessionShutdown": m.END,
        },
        frozenset({"PreToolUse", "PostToolUse"}),
        _context,
    ),
    "pi": Dialect(
        {
            "session_start": m.START,
            "before_agent_start": m.PROMPT,
            "turn_end": m.TOOL,
            "session_before_compact": m.BEFORE,
            "session_compact": m.AFTER,
            "session_shutdown": m.END,
        },
        frozenset({"session_start", "before_agent_start", "turn_end", "session_compact"}),
        _ours,
    ),
    "opencode": Dialect(
        {
            "chat.message": m.PROMPT,
            "session.compacting": m.BEFORE,
            "session.compacted": m.AFTER,
            "messages.transform": m.PROMPT,
        },
        frozenset({"chat.message", "messages.transform"}),
        _ours,
    ),
}

_NAMES = {
    "session_id": ("session_id", "sessionId", "sessionID", "taskId", "conversation_id"),
    "transcript": ("transcript_path", "transcriptPath"),
    "text": ("last_assistant_message", "prompt_response", "text"),
}
_SOURCES = {"new": m.STARTUP, "reload": m.RESUME}
_STARTS = (m.STARTUP, m.RESUME, m.COMPACT, m.CLEAR, m.FORK)
_TEXTS = ("cwd", "source", "trigger", "leaf", *_NAMES["session_id"], *_NAMES["transcript"])


class Unfamiliar(Exception):
    """A call that is not, or not wholly, what this version knows of the host."""


def unfamiliar(host: str, event: str, payload: Any) -> str:
    """What in a call this version does not know, such as what a newer agent sends; nothing for a familiar one."""
    dialect = DIALECTS.get(host)
    if dialect is None:
        return "segue knows no such agent"
    if event not in dialect.events:
        return "segue knows no such event of this agent"
    if not isinstance(payload, dict):
        return "the payload is no JSON object"
    odd = [name for name in _TEXTS if payload.get(name) is not None and not isinstance(payload[name], str)]
    if odd:
        return f"no text where one was expected: {', '.join(odd)}"
    if not _first(payload, "session_id"):
        return "the payload names no session"
    source = payload.get("source")
    if dialect.events[event] == m.START and source and _SOURCES.get(source, source) not in _STARTS:
        return f"a session that starts by {source[:40]!r}"
    return ""


def read_call(host: str, event: str, payload: Payload) -> Moment | None:
    """The moment a payload tells of; None for events we have no use for and payloads without a session."""
    dialect = DIALECTS.get(host)
    kind = dialect.events.get(event) if dialect else None
    session_id = _first(payload, "session_id")
    if kind is None or not session_id:
        return None
    source = _sound(payload.get("source") or payload.get("reason") or "")
    given = payload.get("usage")
    usage: Payload = given if isinstance(given, dict) else {}
    return Moment(
        host,
        event,
        kind,
        session_id,
        _sound(payload.get("cwd") or ""),
        _first(payload, "transcript") or _transcript(host, session_id),
        _SOURCES.get(source, source) or (m.STARTUP if kind == m.START else ""),
        _first(payload, "text"),
        _number(usage.get("tokens")),
        _number(usage.get("window")),
        _sound(payload.get("leaf") or ""),
    )


def write_reply(host: str, event: str, reply: Reply) -> Payload | None:
    """What the host should read, or None for silence."""
    dialect = DIALECTS[host]
    return dialect.speak(event, reply, event in dialect.injecting)


def _first(payload: Payload, what: str) -> str:
    values = (payload.get(name) for name in _NAMES[what])
    return next((_sound(value) for value in values if isinstance(value, str) and value), "")


def _sound(value: Any) -> str:
    """The text without halves of surrogate pairs, which JSON can hold and no file can."""
    return str(value).encode(errors="replace").decode()


def _transcript(host: str, session_id: str) -> str:
    """Where Copilot CLI keeps a session, which it names in two of its events only."""
    if host != "copilot-cli" or os.sep in session_id:
        return ""
    home = os.environ.get("COPILOT_HOME") or os.path.join(os.path.expanduser("~"), ".copilot")
    return os.path.join(home, "session-state", session_id, "events.jsonl")


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
