"""What callers send, made fit for the log: no secrets, no broken characters, nothing oversized.

Every word that a thread keeps passes here first.
"""

from __future__ import annotations

from typing import Any

from segue.errors import BadInput
from segue.model import wire
from segue.model.thread import Provenance
from segue.model.visible import visible
from segue.service.refusals import refusal

MAX_MESSAGE_BYTES = 8 * 1024 * 1024
_TITLE_CHARACTERS = 200


def message(content: str) -> str:
    """A message that says something and is not too long to be one."""
    text = wire.scrub(content)
    if not text.strip():
        raise BadInput("The message is empty.", "Give it at least a word.")
    size = len(text.encode())
    if size > MAX_MESSAGE_BYTES:
        raise refusal("message-too-large", size=size // 1_000_000, most=MAX_MESSAGE_BYTES // 1_000_000)
    return text


def title(words: str | None) -> str | None:
    """A title on one line, without what nobody sees and without secrets."""
    if words is None:
        return None
    cleaned = " ".join(visible(wire.scrub(words)).split())
    return redacted(cleaned)[:_TITLE_CHARACTERS] or None


def effect(said: dict[str, Any], run: str, by: Provenance) -> dict[str, Any]:
    """The frame payload of what a tool did in a run."""
    if not isinstance(said, dict):
        raise refusal("side-effect-form")
    payload = by.stamp({**said, "run_session_id": run})
    payload.setdefault("affected_paths", None)
    return payload


def vouched(by: Provenance) -> Provenance:
    """Provenance without secrets; the usual words need no look."""
    if by.actor_id in ("user", "hook") and by.origin in ("cli", "library", "server", "mcp", "demo"):
        return by
    actor_id, origin = redacted([title(by.actor_id) or "unknown", title(by.origin) or "unknown"])
    return by._replace(actor_id=actor_id, origin=origin)


def redacted(value: Any) -> Any:
    """The value with every secret in its texts taken out: nothing goes into the log before that."""
    if not value:
        return value
    from segue.redaction.redact import Redactor, redact_json

    return redact_json(value, Redactor())
