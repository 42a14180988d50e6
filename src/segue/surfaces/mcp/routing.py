"""Headers of the stateless revision: they repeat what the body says, so that a proxy can read it there, and must
not say anything else."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import Any

from segue.surfaces.mcp import protocol
from segue.surfaces.mcp.protocol import Fault

_VERSION, _METHOD, _NAME = "mcp-protocol-version", "mcp-method", "mcp-name"
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_OPEN, _CLOSE = "=?base64?", "?="


def stands_alone(message: Any, headers: Mapping[str, str]) -> bool:
    """Whether a message carries its own terms, or says in its headers that it does."""
    if headers.get(_VERSION) in protocol.STATELESS:
        return True
    try:
        asked = protocol.request(message)
        return asked is not None and asked.version is not None
    except Fault as fault:
        if fault.code == protocol.UNSUPPORTED_VERSION:
            raise
        return False


def check(message: Any, headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Raises Fault for headers that do not say what the body says."""
    asked = protocol.request(message)
    if asked is None or asked.id is None:
        return
    said: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name = raw_name.decode("latin-1").lower()
        if name in (_VERSION, _METHOD, _NAME) and name in said:
            raise Fault(protocol.HEADER_MISMATCH, f"{name} is given twice.")
        said[name] = raw_value.decode("latin-1")
    if asked.version is None:
        raise Fault(protocol.INVALID_PARAMS, "params._meta names no protocol version.")
    named = asked.params.get(_NAMED_BY.get(asked.method, ""))
    wanted = {_VERSION: asked.version, _METHOD: asked.method, **({_NAME: named} if named is not None else {})}
    for name, value in wanted.items():
        if _decoded(said.get(name)) != value:
            raise Fault(protocol.HEADER_MISMATCH, f"{name} does not say what the body says.")


def _decoded(value: str | None) -> str | None:
    """A header's text, which is wrapped where it would not survive as a header."""
    if value is None or not (value.startswith(_OPEN) and value.endswith(_CLOSE)):
        return value
    try:
        return base64.b64decode(value[len(_OPEN) : -len(_CLOSE)], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
