"""MCP over HTTP: messages come by POST and are answered in JSON, or as a stream where a client wants to hear of
progress.

Nothing is remembered between two requests, so they may come to several servers in turn. Revisions with a handshake
have sessions, whose ids say what was agreed on; the stateless revision has none, and its headers must say what its
body says. What a client is offered is decided anew for every request, by the token it shows. A cancellation
reaches the work only where that is done; elsewhere the work is finished and answered.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from starlette.responses import Response
from starlette.types import Receive, Scope

from segue.errors import BadInput, NotFound
from segue.surfaces.http.problems import problem
from segue.surfaces.http.reading import body
from segue.surfaces.mcp import protocol
from segue.surfaces.mcp.conversation import READ, TOOLSETS, WRITE, Conversation, Terms
from segue.surfaces.mcp.exchange import Begin, Exchange, streamed
from segue.surfaces.mcp.protocol import Fault, Json

SESSION = "mcp-session-id"
VERSION = "mcp-protocol-version"
_METHOD, _NAME = "mcp-method", "mcp-name"
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_OPEN, _CLOSE = "=?base64?", "?="
_SEAL_BYTES = 16
_LONGEST_SESSION = 1_000
_STATUS = {protocol.METHOD_NOT_FOUND: 404, protocol.INTERNAL: 200, protocol.REFUSED: 200}


class Session(NamedTuple):
    """The revision that is spoken, and how the client calls itself. No server remembers it: it is in the session's own
    id, sealed with what only the servers that know the caller's token know, and with the workspace, so any of them takes
    it up after any other, and it is worth nothing to another token or in another workspace."""

    version: str
    actor: str


class Offer(NamedTuple):
    """The most that any client is offered, whatever its token allows."""

    scopes: frozenset[str] = frozenset((READ, WRITE))
    toolsets: tuple[str, ...] = TOOLSETS


EVERYTHING = Offer()


class Visit(NamedTuple):
    """A request that was let in: by whom, to which workspace, and what it may do there."""

    scope: Scope
    receive: Receive
    headers: Mapping[str, str]
    place: str
    secret: str
    """What all servers that know the token know of it; ids of sessions are sealed with it."""
    begin: Begin
    terms: Terms
    """What its token allows."""


class Endpoint:
    """`/mcp` of one server."""

    def __init__(self, offer: Offer = EVERYTHING) -> None:
        self._offer = offer
        self._waiting: dict[Any, bool] = {}

    async def answer(self, visit: Visit) -> Response:
        """The answer to one request. Raises what the server tells as a problem."""
        method = visit.scope["method"]
        if method == "POST":
            return await self._post(visit)
        told = problem(
            BadInput(
                "Nothing is sent here unasked, and no session is kept that could be ended.",
                "POST a message.",
                "no_such_method",
            )
        )
        told.headers["Allow"] = "POST"
        return told

    async def _post(self, visit: Visit) -> Response:
        if visit.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise BadInput("A message is JSON.", "Send `Content-Type: application/json`.", "unsupported_type")
        try:
            message = protocol.decode(await body(visit.scope, visit.receive, visit.headers, protocol.LARGEST))
            if _stands_alone(message, visit.headers):
                _check_headers(message, visit.scope["headers"])
                return await self._stateless(visit, message)
            _require_known_version(visit.headers)
        except Fault as fault:
            return _json_response(protocol.failure(None, fault), 400)
        if isinstance(message, dict) and message.get("method") == "initialize":
            return await self._begin(visit, message)
        conversation = self._conversation(visit)
        conversation.version, conversation.actor = _session(visit)
        exchange = Exchange(conversation, message, self._waiting, visit.headers[SESSION])
        return await self._exchanged(visit, exchange)

    async def _stateless(self, visit: Visit, message: Any) -> Response:
        """A request of the stateless revision: nothing is remembered, and errors have a status of their own."""
        exchange = Exchange(self._conversation(visit), message, {})
        return await self._exchanged(visit, exchange, alone=True)

    async def _begin(self, visit: Visit, message: Json) -> Response:
        conversation = self._conversation(visit)
        response = await self._exchanged(visit, Exchange(conversation, message, {}))
        if conversation.version is not None:
            agreed = Session(conversation.version, conversation.actor)
            response.headers[SESSION] = _sealed(agreed, visit.secret, visit.place)
        return response

    def _conversation(self, visit: Visit) -> Conversation:
        scopes = visit.terms.scopes & self._offer.scopes
        terms = visit.terms._replace(scopes=scopes, toolsets=self._offer.toolsets)
        return Conversation(terms, keeps_level=False)

    async def _exchanged(self, visit: Visit, exchange: Exchange, alone: bool = False) -> Response:
        if exchange.one_way:
            exchange.heed()
            return Response(status_code=202)
        if exchange.wants_progress and "text/event-stream" in visit.headers.get("accept", ""):
            return streamed(exchange, visit.begin)
        answer = await visit.begin(exchange.run)
        if answer is None:
            return Response(status_code=202)
        fault = answer.get("error") if isinstance(answer, dict) else None
        return _json_response(answer, _STATUS.get(fault["code"], 400) if fault and alone else 200)


def _session(visit: Visit) -> Session:
    """The session that the caller names. Raises NotFound for one that is another's, as for one that never was."""
    given = visit.headers.get(SESSION)
    if given is None:
        raise BadInput("The session is missing.", "Send `Mcp-Session-Id` as `initialize` gave it.")
    session = _opened(given, visit.secret, visit.place)
    if session is None:
        raise NotFound("There is no such session.", "Begin another with `initialize`.", "no_such_session")
    return session


def _require_known_version(headers: Mapping[str, str]) -> None:
    given = headers.get(VERSION)
    if given is not None and given not in (*protocol.HANDSHAKE, *protocol.STATELESS):
        raise protocol.unsupported(given[:80])


def _json_response(message: Json | list[Json], status: int) -> Response:
    return Response(protocol.encode(message), status, media_type="application/json")


def _stands_alone(message: Any, headers: Mapping[str, str]) -> bool:
    """Whether a message carries its own terms, or says in its headers that it does."""
    if headers.get(VERSION) in protocol.STATELESS:
        return True
    try:
        asked = protocol.request(message)
        return asked is not None and asked.version is not None
    except Fault as fault:
        if fault.code == protocol.UNSUPPORTED_VERSION:
            raise
        return False


def _check_headers(message: Any, headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Raises Fault for headers that do not say what the body says. They repeat it, so that a proxy can read it there."""
    asked = protocol.request(message)
    if asked is None or asked.id is None:
        return
    said: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name = raw_name.decode("latin-1").lower()
        if name in (VERSION, _METHOD, _NAME) and name in said:
            raise Fault(protocol.HEADER_MISMATCH, f"{name} is given twice.")
        said[name] = raw_value.decode("latin-1")
    if asked.version is None:
        raise Fault(protocol.INVALID_PARAMS, "params._meta names no protocol version.")
    named = asked.params.get(_NAMED_BY.get(asked.method, ""))
    wanted = {VERSION: asked.version, _METHOD: asked.method, **({_NAME: named} if named is not None else {})}
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


def _sealed(session: Session, secret: str, place: str) -> str:
    """An id for a session in a workspace; no two are the same."""
    said = json.dumps([*session, secrets.token_urlsafe(12)], separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(_seal(said, secret, place) + said).decode().rstrip("=")


def _opened(session_id: str, secret: str, place: str) -> Session | None:
    """The session of an id; None for one that was never given with this secret and in this workspace."""
    try:
        if len(session_id) > _LONGEST_SESSION:
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
