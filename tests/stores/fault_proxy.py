"""A proxy before a real object store that does one thing wrong: the faults a client must survive."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import urlsplit


class Request(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes
    ending: str = "whole"
    """`whole`; `cut`: half of the promised body, then a reset; `none`: a reset instead of an answer."""


Forward = Callable[[Request], Answer]
Fault = Callable[[Request, Forward], Answer]


def honest(request: Request, forward: Forward) -> Answer:
    return forward(request)


class Proxy:
    """Forwards to the store, through `fault`; `seen` has the method and path of every request."""

    def __init__(self, store: str) -> None:
        self.fault: Fault = honest
        self.seen: list[tuple[str, str]] = []
        self.closing = threading.Event()
        self._store = urlsplit(store).netloc

    def answer(self, request: Request) -> Answer:
        self.seen.append((request.method, request.path))
        return self.fault(request, self.forward)

    def forward(self, request: Request) -> Answer:
        connection = http.client.HTTPConnection(self._store, timeout=30)
        try:
            connection.request(request.method, request.path, request.body, request.headers)
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()


@contextmanager
def between(store: str) -> Iterator[tuple[Proxy, str]]:
    """A proxy before `store` and its endpoint."""
    proxy = Proxy(store)

    class Handler(_Handler):
        before = proxy

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield proxy, f"http://127.0.0.1:{server.server_port}"
    finally:
        proxy.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    before: Proxy
    protocol_version = "HTTP/1.1"

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except ConnectionError:
            self.close_connection = True

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        request = Request(self.command, self.path, dict(self.headers.items()), body)
        answer = self.before.answer(request)
        if answer.ending == "none":
            self._reset()
            return
        self.send_response_only(answer.status)
        for name, value in answer.headers.items():
            if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                self.send_header(name, value)
        said = answer.headers.get("Content-Length") if self.command == "HEAD" else None
        self.send_header("Content-Length", said or str(len(answer.body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if answer.ending == "cut":
            self.wfile.write(answer.body[: len(answer.body) // 2])
            self._reset()
            return
        self.wfile.write(answer.body)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _serve

    def _reset(self) -> None:
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass
