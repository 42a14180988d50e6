"""The wire of MCP: JSON-RPC 2.0 envelopes, the revisions spoken here, and what is wrong by which code.

Written by hand, because an agent waits for the first reply: the official SDK takes 720 ms to import, this
module under 10. Every message in gives at most one message out, and nothing a client sends raises anything
but `Fault`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from segue import __version__

Json = dict[str, Any]

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions that begin with `initialize`, oldest first."""
STATELESS = ("2026-07-28",)
"""Revisions in which every request carries its own terms."""
BATCHED = ("2024-11-05", "2025-03-26")
"""Revisions that know batches."""

PARSE_ERROR = -32700
INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL = -32600, -32601, -32602, -32603
RESOURCE_NOT_FOUND = -32002
REFUSED = -32000
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022

LARGEST = 16 * 1024 * 1024
"""Bytes of one message. A message of a thread may have half of it."""

_META = "io.modelcontextprotocol/"
SERVER = {"name": "segue", "title": "segue: hand work to the next session", "version": __version__}
_CACHEABLE = frozenset(
    (
        *("server/discover", "tools/list", "prompts/list"),
        *("resources/list", "resources/templates/list", "resources/read"),
    )
)


class Fault(Exception):
    """What is wrong with a request, as JSON-RPC says it."""

    def __init__(self, code: int, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


def unsupported(version: str) -> Fault:
    told: Json = {"supported": [*STATELESS, *reversed(HANDSHAKE)], "requested": version}
    return Fault(UNSUPPORTED_VERSION, "Unsupported protocol version", told)


class Request(NamedTuple):
    method: str
    params: Json
    id: str | int | None
    """None for a notification, which nobody answers."""

    @property
    def meta(self) -> Json:
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}

    @property
    def version(self) -> str | None:
        """The revision that the request itself names, if it stands alone. Raises Fault for one not spoken here."""
        named = self.meta.get(f"{_META}protocolVersion")
        if named is None:
            return None
        if not isinstance(named, str):
            raise Fault(INVALID_PARAMS, "A protocol version is a text.")
        if named not in STATELESS:
            raise unsupported(named)
        return named

    @property
    def client(self) -> Any:
        return self.meta.get(f"{_META}clientInfo")


def decode(data: bytes) -> Any:
    """The JSON of a message. Raises Fault."""
    try:
        return json.loads(data, parse_constant=_refuse)
    except RecursionError:
        raise Fault(PARSE_ERROR, "This JSON is nested too deeply.") from None
    except ValueError:
        raise Fault(PARSE_ERROR, "This is not JSON.") from None


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def encode(message: Json | list[Json]) -> bytes:
    """One line of ASCII: no text, however broken, can end it early or make it undecodable."""
    return json.dumps(message, separators=(",", ":")).encode("ascii")


def request(message: Any) -> Request | None:
    """The request or notification in a message; None for a response, which nobody here waits for. Raises Fault."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise Fault(INVALID_REQUEST, "A message is an object with jsonrpc 2.0.")
    if "method" not in message and ("result" in message or "error" in message):
        return None
    method, params = message.get("method"), message.get("params")
    if not isinstance(method, str):
        raise Fault(INVALID_REQUEST, "A request names a method.")
    if "id" in message and id_of(message) is None:
        raise Fault(INVALID_REQUEST, "An id is a text or a whole number.")
    if params is not None and not isinstance(params, dict):
        raise Fault(INVALID_PARAMS, "Parameters are an object.")
    return Request(method, params or {}, id_of(message))


def id_of(message: Any) -> str | int | None:
    """The id of a message, as far as it has a usable one."""
    given = message.get("id") if isinstance(message, dict) else None
    return given if isinstance(given, str | int) and not isinstance(given, bool) else None


def result(asked: Request, value: Json, version: str | None) -> Json:
    """The answer. A stateless revision wants to know that it is whole, how long it may be kept, and whose it is."""
    if version in STATELESS:
        kept = {"ttlMs": 0, "cacheScope": "private"} if asked.method in _CACHEABLE else {}
        meta = {**value.get("_meta", {}), f"{_META}serverInfo": SERVER}
        value = {"resultType": "complete", **kept, **value, "_meta": meta}
    return {"jsonrpc": "2.0", "id": asked.id, "result": value}


def failure(message_id: str | int | None, fault: Fault) -> Json:
    error: Json = {"code": fault.code, "message": fault.message}
    if fault.data is not None:
        error["data"] = fault.data
    return {"jsonrpc": "2.0", "id": message_id, "error": error}


def notification(method: str, params: Json) -> Json:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def text_of(params: Mapping[str, Any], name: str) -> str:
    """A parameter that must be a text. Raises Fault."""
    value = params.get(name)
    if not isinstance(value, str):
        raise Fault(INVALID_PARAMS, f"{name} is missing, or no text.")
    return value


def page(items: list[Json], params: Mapping[str, Any], size: int) -> tuple[list[Json], Json]:
    """One page of a listing, and the cursor of the next one where there is more. Raises Fault for a cursor
    that was never given."""
    cursor = params.get("cursor") or "0"
    if not isinstance(cursor, str) or not (cursor.isascii() and cursor.isdigit()) or len(cursor) > 9:
        raise Fault(INVALID_PARAMS, "This cursor was never given.")
    after = int(cursor) + size
    return items[int(cursor) : after], {"nextCursor": str(after)} if after < len(items) else {}
