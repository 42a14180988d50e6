"""Sessions over HTTP that no server remembers: what `initialize` agreed on is in the session's own id.

The id is sealed with what only the servers that know the caller's token know, and with the workspace, so any of them
takes it up after any other, and it is worth nothing to another token or in another workspace.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import secrets
from typing import NamedTuple

_SEAL_BYTES = 16
_LONGEST = 1_000


class Session(NamedTuple):
    """The revision that is spoken, and how the client calls itself."""

    version: str
    actor: str


def sealed(session: Session, secret: str, place: str) -> str:
    """An id for a session in a workspace; no two are the same."""
    said = json.dumps([*session, secrets.token_urlsafe(12)], separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(_seal(said, secret, place) + said).decode().rstrip("=")


def opened(session_id: str, secret: str, place: str) -> Session | None:
    """The session of an id; None for one that was never given with this secret and in this workspace."""
    try:
        if len(session_id) > _LONGEST:
            return None
        whole = base64.urlsafe_b64decode(session_id + "=" * (-len(session_id) % 4))
    except (binascii.Error, ValueError):
        return None
    seal, said = whole[:_SEAL_BYTES], whole[_SEAL_BYTES:]
    if not hmac.compare_digest(seal, _seal(said, secret, place)):
        return None
    version, actor, _ = json.loads(said)
    return Session(version, actor)


def _seal(said: bytes, secret: str, place: str) -> bytes:
    return hmac.digest(secret.encode(), place.encode() + b"\0" + said, "sha256")[:_SEAL_BYTES]
