"""The application: every request comes in here and leaves as an answer or a problem, never as a traceback.

The workspaces of a server are served alike: the first one at the root, each one under
`/workspaces/{name}`. What is asked is decided by the operations table; what is common to all requests
(host, page, token, request id, counting, the log) is done here once.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import time
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from segue.errors import BadInput, NotFound, SegueError, Unavailable
from segue.model.ids import new_id
from segue.service.operations import OPERATIONS, Operation
from segue.surfaces.http import workers
from segue.surfaces.http.answering import handler_of
from segue.surfaces.http.call import ABORT, Call, Handler, Pools, Site, whole
from segue.surfaces.http.guard import HEADER_BYTES, Guard, elsewhere
from segue.surfaces.http.places import Places
from segue.surfaces.http.problems import discreet, headers_too_large, problem, unforeseen
from segue.surfaces.http.pulse import KINDS
from segue.surfaces.http.reading import Headers
from segue.surfaces.http.refusals import refusal
from segue.surfaces.http.routing import Routes, nowhere, segments
from segue.surfaces.http.watch import EXPOSITION, RequestLine, Watch
from segue.surfaces.mcp.conversation import Terms
from segue.surfaces.mcp.streamable import Endpoint, Visit

DESCRIPTION = os.path.join(os.path.dirname(os.path.abspath(__file__)), "openapi.json")
"""The API's description, which `docs/generate_openapi.py` makes of the table of operations."""
_START = new_id()[:23]
_NUMBERS = itertools.count(1)
AWAY = "store_away"
_REQUEST_ID = 64
_REQUEST_ID_MARKS = frozenset("-_.:")


class Place(NamedTuple):
    operation: Operation
    handler: Handler


_ROWS = {row.name: row for row in OPERATIONS}
ROUTES: Routes[Place] = Routes((row.route, Place(row, handler_of(row))) for row in OPERATIONS)


class Api:
    """`only_mcp` is true for a server that speaks MCP and nothing else."""

    def __init__(
        self,
        sites: Mapping[str, Site],
        guard: Guard,
        pools: Pools,
        watch: Watch,
        mcp: Endpoint,
        only_mcp: bool = False,
    ) -> None:
        self._sites = sites
        self._mcp = mcp
        self._only_mcp = only_mcp
        self._first = next(iter(sites.values()))
        self._guard = guard
        self._pools = pools
        self._watch = watch
        self._sending = workers.Budget(workers.MOST_BYTES)
        self._places = Places(site.workspace.root for site in sites.values())
        self._own = {"healthz": self._healthz, "metrics": self._metrics, "openapi.json": self._description}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        began = time.perf_counter()
        headers = Headers(scope)
        request_id = _request_id(headers)
        seen = RequestLine(request_id, scope["method"])
        try:
            response = await self._answer(scope, receive, headers, seen)
        except SegueError as error:
            response = problem(self._public_error(request_id, headers, error), _ROWS.get(seen.operation))
        except Exception as fault:
            self._watch.fault(request_id, fault)
            response = problem(unforeseen(fault))
        response.raw_headers.append((b"x-request-id", request_id.encode()))
        try:
            await response(scope, receive, send)
        except SegueError as error:  # in the middle of the answer, so nobody can be told
            self._watch.tell("broken_off", request_id=request_id, code=error.code, message=error.message)
            scope["extensions"][ABORT]()
        finally:
            self._watch.done(seen, response.status_code, time.perf_counter() - began)

    async def _answer(self, scope: Scope, receive: Receive, headers: Headers, seen: RequestLine) -> Response:
        if sum(map(len, itertools.chain.from_iterable(scope["headers"]))) > HEADER_BYTES:
            raise headers_too_large()
        headers.require_single()
        self._guard.check_host(headers)
        self._guard.check_page(headers)
        parts = segments(scope["raw_path"])
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        if len(parts) == 1 and parts[0] in self._own:
            if method != "GET":
                return _other_method(["GET"])
            return await self._own[parts[0]](headers)
        site, parts = self._site(parts, headers)
        if parts == ["mcp"]:
            seen.operation, seen.workspace = "mcp", site.name
            return await self._mcp.answer(self._visit(site, scope, receive, headers, seen))
        if self._only_mcp:
            raise nowhere()
        methods, values = ROUTES.match(parts)
        place = methods.get(method)
        if place is None:
            return _other_method(list(methods))
        seen.operation, seen.workspace = place.operation.name, site.name
        self._guard.admit(headers, place.operation.needs, site.name)
        return await place.handler(
            Call(
                place.operation,
                site,
                values,
                scope,
                receive,
                headers,
                self._pools,
                self._guard,
                self._sending,
                self._answer_filter(headers),
            )
        )

    def _public_error(self, request_id: str, headers: Mapping[str, str], error: SegueError) -> SegueError:
        """The error as callers may hear it; the log gets it whole."""
        if not isinstance(error, Unavailable) or error.code == AWAY:
            return error if self._guard.is_admin(headers) else self._places.error(error)
        self._watch.tell(
            "unavailable", request_id=request_id, code=error.code, message=error.message, hint=error.hint
        )
        return discreet(error)

    def _answer_filter(self, headers: Mapping[str, str]) -> Callable[[Any], Any]:
        """An answer as this caller may have it."""
        return whole if self._guard.is_admin(headers) else self._places.answer

    def _site(self, parts: list[str], headers: Mapping[str, str]) -> tuple[Site, list[str]]:
        """The workspace that an address begins with, and the rest of the address."""
        if parts[0] != "workspaces" or len(parts) < 3:
            return self._first, parts
        name = parts[1]
        if name not in self._sites:
            self._guard.admit(headers, "read", name)
            raise NotFound("No workspace of that name is served here.", "Ask whoever runs the server.")
        return self._sites[name], parts[2:]

    def _visit(
        self, site: Site, scope: Scope, receive: Receive, headers: Headers, seen: RequestLine
    ) -> Visit:
        """Lets a client of MCP in, with what its token allows."""
        token = self._guard.admit(headers, "read", site.name)
        allowed = frozenset(one for one in ("read", "write") if token is None or token.allows(one))
        shown, tellable = self._answer_filter(headers), partial(self._public_error, seen.request_id, headers)
        terms = Terms(site.workspace, allowed, tellable=tellable, shown=shown, child=False)
        secret = token.sha256 if token else ""
        return Visit(scope, receive, headers, site.name, secret, self._pools.writing.begin, terms)

    async def _healthz(self, headers: Mapping[str, str]) -> Response:
        """Whether the stores answer. Open to all, and says nothing else."""
        answering = await _pulses(self._sites)
        away = [kind for kind in KINDS if not all(taken[kind] for taken in answering.values())]
        if away:
            raise refusal("stores-away", away=", ".join(away))
        return Response(b'{"status":"ok"}', media_type="application/json")

    async def _metrics(self, headers: Mapping[str, str]) -> Response:
        """The numbers of the workspaces that the token is for."""
        token = self._guard.known(headers, "read")
        only = token.workspace if token else None
        sites = {name: site for name, site in self._sites.items() if only in (None, name)}
        if not sites:
            raise elsewhere()
        following = {name: site.tail.following for name, site in sites.items()}
        told = self._watch.exposed(following, await _pulses(sites), only)
        return Response(told, media_type=EXPOSITION)

    async def _description(self, headers: Mapping[str, str]) -> Response:
        return Response(_description(), media_type="application/json")


@cache
def _description() -> bytes:
    with open(DESCRIPTION, "rb") as file:
        return file.read()


async def _pulses(sites: Mapping[str, Site]) -> dict[str, dict[str, bool]]:
    taken = await asyncio.gather(*(site.pulse.taken() for site in sites.values()))
    return dict(zip(sites, taken, strict=True))


def _other_method(allowed: list[str]) -> Response:
    methods = ", ".join(allowed + ["HEAD"] * ("GET" in allowed))
    response = problem(BadInput("This address has no such method.", f"It has {methods}.", "no_such_method"))
    response.headers["Allow"] = methods
    return response


def _request_id(headers: Mapping[str, str]) -> str:
    """The caller's id of the request where it is a plain one, else one of ours. It is echoed and logged, so
    nothing may hide in it."""
    given = headers.get("x-request-id")
    if given is None:
        return f"{_START}-{next(_NUMBERS)}"
    plain = 0 < len(given) <= _REQUEST_ID and given.isascii()
    if plain and all(c.isalnum() or c in _REQUEST_ID_MARKS for c in given):
        return given
    return f"{_START}-{next(_NUMBERS)}"
