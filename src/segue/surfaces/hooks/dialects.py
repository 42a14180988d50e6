"""A hook's call as a moment, and the reply as its host accepts it. What differs per host is told by the host.

What a host would reject is never written, such as a text after an event whose reply does not reach the model.
"""

from __future__ import annotations

import os

from segue.agents.registry import HOSTS, host_of
from segue.model import moment as m
from segue.model.moment import Moment, Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Payload = dict[str, Any]

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
    if host not in HOSTS:
        return "segue knows no such agent"
    events = host_of(host).events
    if event not in events:
        return "segue knows no such event of this agent"
    if not isinstance(payload, dict):
        return "the payload is no JSON object"
    odd = [name for name in _TEXTS if payload.get(name) is not None and not isinstance(payload[name], str)]
    if odd:
        return f"no text where one was expected: {', '.join(odd)}"
    if not _first(payload, "session_id"):
        return "the payload names no session"
    source = payload.get("source")
    if events[event] == m.START and source and _SOURCES.get(source, source) not in _STARTS:
        return f"a session that starts by {source[:40]!r}"
    return ""


def read_call(host: str, event: str, payload: Payload) -> Moment | None:
    """The moment a payload tells of; None for events we have no use for and payloads without a session."""
    kind = host_of(host).events.get(event)
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
    return host_of(host).reply(event, reply, host_of(host).injects(event))


def _first(payload: Payload, what: str) -> str:
    values = (payload.get(name) for name in _NAMES[what])
    return next((_sound(value) for value in values if isinstance(value, str) and value), "")


def _sound(value: Any) -> str:
    """The text without halves of surrogate pairs, which JSON can hold and no file can."""
    return str(value).encode(errors="replace").decode()


def _transcript(host: str, session_id: str) -> str:
    """Where a host keeps a session that its payload does not name."""
    find = host_of(host).transcript
    return find(session_id, os.environ) if find else ""


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
