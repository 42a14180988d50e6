"""MCP over HTTP: messages come by POST and are answered in JSON, or as a stream where a client wants to hear of
progress.

Revisions with a handshake have sessions: an id given with `initialize`, known to the token and the workspace
it was given in and to nobody else, forgotten when the client says so or when there are too many. The stateless
revision has none; its headers must say what its body says. What a client is offered is decided anew for every
request, by the token it shows.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.types import Receive, Scope

from segue.errors import BadInput, NotFound, Refused, SegueError
from segue.service.workspace import Workspace
from segue.surfaces.http.guard import LOOPBACK
from segue.surfaces.http.problems import problem
from segue.surfaces.http.reading import body
from segue.surfaces.mcp import protocol, routing
from segue.surfaces.mcp.conversation import READ, TOOLSETS, WRITE, Conversation, Terms
from segue.surfaces.mcp.exchange import Begin, Exchange, streamed
from segue.surfaces.mcp.protocol import Fault, Json

SESSION = "mcp-session-id"
VERSION = "mcp-protocol-version"
_MOST_SESSIONS = 1_000
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
    holder: str
    """The name of the token."""
    allowed: frozenset[str]
    begin: Begin
    tellable: Callable[[SegueError], SegueError]


class Session(NamedTuple):
    owner: tuple[str, str]
    conversation: Conversation
    waiting: dict[Any, bool]


class Endpoint:
    """`/mcp` of one server."""

    def __init__(self, offer: Offer = EVERYTHING) -> None:
        self._offer = offer
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    async def answer(self, visit: Visit) -> Response:
        """The answer to one request. Raises what the server tells as a problem."""
        _require_own_page(visit.headers)
        method = visit.scope["method"]
        if method == "POST":
            return await self._post(visit)
        if method == "DELETE":
            del self._sessions[self._session_id(visit)]
            return Response(status_code=204)
        told = problem(
            BadInput(
                "Nothing is sent here unasked.", "POST a message; DELETE ends a session.", "no_such_method"
            )
        )
        told.headers["Allow"] = "POST, DELETE"
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
        session = self._sessions[self._session_id(visit)]
        session.conversation.terms = self._terms(visit)
        return await self._exchanged(visit, Exchange(session.conversation, message, session.waiting))

    async def _alone(self, visit: Visit, message: Any) -> Response:
        """A request of the stateless revision: nothing is remembered, and errors have a status of their own."""
        exchange = Exchange(Conversation(self._terms(visit)), message, {})
        return await self._exchanged(visit, exchange, alone=True)

    async def _begin(self, visit: Visit, message: Json) -> Response:
        session = Session((visit.place, visit.holder), Conversation(self._terms(visit)), {})
        response = await self._exchanged(visit, Exchange(session.conversation, message, session.waiting))
        if session.conversation.version is not None:
            session_id = secrets.token_urlsafe(24)
            self._sessions[session_id] = session
            if len(self._sessions) > _MOST_SESSIONS:
                self._sessions.popitem(last=False)
            response.headers[SESSION] = session_id
        return response

    def _terms(self, visit: Visit) -> Terms:
        scopes = visit.allowed & self._offer.scopes
        return Terms(visit.workspace, scopes, self._offer.toolsets, visit.tellable)

    def _session_id(self, visit: Visit) -> str:
        """The id of the caller's session. Raises NotFound for one that is another's, as for one that never was."""
        given = visit.headers.get(SESSION)
        if given is None:
            raise BadInput("The session is missing.", "Send `Mcp-Session-Id` as `initialize` gave it.")
        session = self._sessions.get(given)
        if session is None or session.owner != (visit.place, visit.holder):
            raise NotFound("There is no such session.", "Begin another with `initialize`.", "no_such_session")
        self._sessions.move_to_end(given)
        return given

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


def _require_own_page(headers: Mapping[str, str]) -> None:
    """A page of another site may not speak through its reader's browser, whatever it knows."""
    origin = headers.get("origin")
    if origin is None:
        return
    page = urlsplit(origin)
    if page.netloc != headers.get("host") and page.hostname not in LOOPBACK:
        raise Refused("Pages of other sites may not call this address.", "Call it from a program.")


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
