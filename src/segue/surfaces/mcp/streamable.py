"""MCP over HTTP: messages come by POST and are answered in JSON, or as a stream where a client wants to hear of
progress.

Nothing is remembered between two requests, so they may come to several servers in turn. Revisions with a handshake
have sessions, whose ids say what was agreed on; the stateless revision has none, and its headers must say what its
body says. What a client is offered is decided anew for every request, by the token it shows. A cancellation
reaches the work only where that is done; elsewhere the work is finished and answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from starlette.responses import Response
from starlette.types import Receive, Scope

from segue.errors import BadInput, NotFound, SegueError
from segue.service.workspace import Workspace
from segue.surfaces.http.problems import problem
from segue.surfaces.http.reading import body
from segue.surfaces.mcp import protocol, routing
from segue.surfaces.mcp.conversation import READ, TOOLSETS, WRITE, Conversation, Terms
from segue.surfaces.mcp.exchange import Begin, Exchange, streamed
from segue.surfaces.mcp.protocol import Fault, Json
from segue.surfaces.mcp.session import Session, opened, sealed

SESSION = "mcp-session-id"
VERSION = "mcp-protocol-version"
_STATUS = {protocol.METHOD_NOT_FOUND: 404, protocol.INTERNAL: 200, protocol.REFUSED: 200}


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
    workspace: Workspace
    secret: str
    """What all servers that know the token know of it; ids of sessions are sealed with it."""
    allowed: frozenset[str]
    begin: Begin
    tellable: Callable[[SegueError], SegueError]
    shown: Callable[[Any], Any]


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
            if routing.stands_alone(message, visit.headers):
                routing.check(message, visit.scope["headers"])
                return await self._alone(visit, message)
            _require_known_version(visit.headers)
        except Fault as fault:
            return _told(protocol.failure(None, fault), 400)
        if isinstance(message, dict) and message.get("method") == "initialize":
            return await self._begin(visit, message)
        conversation = self._conversation(visit)
        conversation.version, conversation.actor = _session(visit)
        exchange = Exchange(conversation, message, self._waiting, visit.headers[SESSION])
        return await self._exchanged(visit, exchange)

    async def _alone(self, visit: Visit, message: Any) -> Response:
        """A request of the stateless revision: nothing is remembered, and errors have a status of their own."""
        exchange = Exchange(self._conversation(visit), message, {})
        return await self._exchanged(visit, exchange, alone=True)

    async def _begin(self, visit: Visit, message: Json) -> Response:
        conversation = self._conversation(visit)
        response = await self._exchanged(visit, Exchange(conversation, message, {}))
        if conversation.version is not None:
            agreed = Session(conversation.version, conversation.actor)
            response.headers[SESSION] = sealed(agreed, visit.secret, visit.place)
        return response

    def _conversation(self, visit: Visit) -> Conversation:
        scopes = visit.allowed & self._offer.scopes
        return Conversation(
            Terms(visit.workspace, scopes, self._offer.toolsets, visit.tellable, visit.shown, child=False),
            keeps_level=False,
        )

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
        return _told(answer, _STATUS.get(fault["code"], 400) if fault and alone else 200)


def _session(visit: Visit) -> Session:
    """The session that the caller names. Raises NotFound for one that is another's, as for one that never was."""
    given = visit.headers.get(SESSION)
    if given is None:
        raise BadInput("The session is missing.", "Send `Mcp-Session-Id` as `initialize` gave it.")
    session = opened(given, visit.secret, visit.place)
    if session is None:
        raise NotFound("There is no such session.", "Begin another with `initialize`.", "no_such_session")
    return session


def _require_known_version(headers: Mapping[str, str]) -> None:
    given = headers.get(VERSION)
    if given is not None and given not in (*protocol.HANDSHAKE, *protocol.STATELESS):
        known: Json = {
            "supported": [*protocol.STATELESS, *reversed(protocol.HANDSHAKE)],
            "requested": given[:80],
        }
        raise Fault(protocol.UNSUPPORTED_VERSION, "Unsupported protocol version", known)


def _told(message: Json | list[Json], status: int) -> Response:
    return Response(protocol.encode(message), status, media_type="application/json")
