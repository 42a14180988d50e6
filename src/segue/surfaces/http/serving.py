"""A server from start to end: workspaces opened, a socket bound, requests answered, streams closed.

It stops as it was asked to: no new connections, requests under way are answered, streams end, and what is
still there after `GRACE_SECONDS` is cut off.
"""

from __future__ import annotations

import ipaddress
import logging
import resource
import shlex
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, TextIO
from urllib.parse import urlsplit

import uvicorn
from starlette.types import ASGIApp

from segue.agents import inside
from segue.errors import BadInput, Refused
from segue.service.shared import glance, share
from segue.service.tokens import Keyring, default_path, passing
from segue.surfaces.http.api import Api
from segue.surfaces.http.call import Lookups, Pools, Site
from segue.surfaces.http.connection import Connection
from segue.surfaces.http.guard import LOOPBACK, Guard
from segue.surfaces.http.pulse import Pulse
from segue.surfaces.http.refusals import refusal
from segue.surfaces.http.tail import Tail
from segue.surfaces.http.watch import Watch
from segue.surfaces.http.workers import Workers
from segue.surfaces.mcp.streamable import Endpoint, Offer

PORT = 7878
ANY_ORIGIN = "*"
"""Pages of every origin may call. They still need a token, which no browser adds by itself."""
GRACE_SECONDS = 10
IDLE_SECONDS = 75
"""Longer than clients keep a connection they do not use (Node: 4 s; uvicorn's own 5 s are too near), so that it is
rarely the server that closes one just as the next request is sent."""
READERS = 8
FETCHERS = 16
WRITERS = 128
"""Requests that may wait for a commit at once, which is also how many appends one commit can gather."""


class Options(NamedTuple):
    """What `segue serve` was asked for. `workspaces` are directories by name, the first one at the root."""

    workspaces: Mapping[str, str]
    host: str = "127.0.0.1"
    port: int = PORT
    tokens: str = ""
    no_token: bool = False
    cors: Sequence[str] = ()
    allow_hosts: Sequence[str] = ()
    mcp: Offer = Offer()
    only_mcp: bool = False


class Serving:
    """A server that is ready to run. `secret` is the token made for this run, if one was."""

    def __init__(self, options: Options, log: TextIO) -> None:
        _check_origins(options)
        loopback = _is_loopback(options.host)
        self.secret, keyring = _keys(options, loopback)
        self.workspaces = options.workspaces
        hosts = frozenset((*LOOPBACK, options.host, *options.allow_hosts)) if loopback else None
        self._watch = Watch(log)
        self._pools = Pools(
            Workers(READERS, "reading"), Workers(WRITERS, "writing"), Workers(FETCHERS, "fetching")
        )
        self.sites = {
            name: _site(name, root, self._pools, self._watch) for name, root in options.workspaces.items()
        }
        self._socket = _bound(options.host, options.port)
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://{f'[{options.host}]' if ':' in options.host else options.host}:{self.port}"
        endpoint = Endpoint(options.mcp)
        origins = None if ANY_ORIGIN in options.cors else frozenset(options.cors)
        around = inside.around()
        guard = Guard(keyring, hosts, origins, around.agent if around else "")
        app: ASGIApp = Api(self.sites, guard, self._pools, self._watch, endpoint, options.only_mcp)
        self._watch.capture(logging.getLogger("uvicorn"))
        self._server = _Server(_configured(_with_cors(app, options.cors)), self.sites)

    def run(self) -> None:
        """Serves until it is told to stop by a signal or by `stop`."""
        _allow_many_connections()
        self._watch.tell("started", url=self.url, workspaces=list(self.sites))
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()
            for pool in self._pools:
                pool.close()
            for site in self.sites.values():
                site.pulse.close()
                site.workspace.close()
            self._watch.close()

    def stop(self) -> None:
        self._server.should_exit = True


class _Server(uvicorn.Server):
    """Ends the streams before it waits for the connections they are on."""

    def __init__(self, config: uvicorn.Config, sites: Mapping[str, Site]) -> None:
        super().__init__(config)
        self.sites = sites

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for site in self.sites.values():
            site.tail.close()
        await super().shutdown(sockets)
        self._captured_signals.clear()  # they were obeyed: raised again they would end us without a farewell


def _allow_many_connections() -> None:
    """As many open files as this user may have: every connection takes one, and shells allow 1,024."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _configured(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _site(name: str, root: str, pools: Pools, watch: Watch) -> Site:
    tail = Tail(pools.reading)

    def committed(streams: Sequence[str]) -> None:
        watch.committed(name, len(streams))
        tail.grew(streams)

    workspace = share(root, committed)
    tail.log = workspace.log
    view = glance(workspace)
    lookups = Lookups(view) if view is not None else None
    return Site(name, workspace, tail, lookups, Pulse(workspace))


def _keys(options: Options, loopback: bool) -> tuple[str | None, Keyring | None]:
    """The token made for this run, if any, and what tokens are checked against. Raises Refused where a server
    would be open to the network, or open to nobody who was given a token for it."""
    path = options.tokens or default_path()
    if options.no_token:
        if not loopback:
            raise refusal("token-wanted", host=options.host)
        return None, None
    keyring = Keyring(path)
    if keyring.tokens():
        return None, keyring
    create = f"Make one with `segue serve token create NAME --tokens {shlex.quote(path)}`."
    if not loopback:
        raise Refused(f"A server that listens on {options.host} needs a token, and there is none.", create)
    if options.tokens:
        raise Refused(f"There is no token in {path}.", create)
    token, secret = passing()
    return secret, Keyring(path, (token,))


def _check_origins(options: Options) -> None:
    """Raises BadInput for what no browser calls an origin, Refused where any page could do anything."""
    for origin in options.cors:
        if origin == ANY_ORIGIN:
            if options.no_token:
                raise refusal("open-to-pages")
            continue
        parts = urlsplit(origin)
        if not parts.netloc or "@" in origin or f"{parts.scheme}://{parts.netloc}" != origin.lower():
            raise refusal("no-origin", origin=origin)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _bound(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise BadInput(f"{port} is no port.", "A port is a number from 0 to 65535; 0 takes a free one.")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.create_server(address[:2], family=family, backlog=2048)
    except OSError as fault:
        said = fault.strerror or str(fault)
        raise refusal("cannot-listen", host=host, port=port, said=said) from None
    return bound


def _with_cors(app: ASGIApp, origins: Sequence[str]) -> ASGIApp:
    """Pages of these origins may call the server from a browser; without any, no page may."""
    if not origins:
        return app
    from starlette.middleware.cors import CORSMiddleware

    headers = [
        *("Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", "X-Request-Id"),
        *("Mcp-Session-Id", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"),
    ]
    return CORSMiddleware(
        app,
        origins,
        ["GET", "POST", "PATCH"],
        headers,
        expose_headers=["X-Request-Id", "ETag", "Content-Range", "Mcp-Session-Id"],
    )
