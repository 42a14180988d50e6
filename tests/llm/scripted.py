"""Model services on loopback that answer as they are told, in order, and keep what they were asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

KEY = "sk-a-key-that-nobody-may-read-7431"
Act = Callable[[BaseHTTPRequestHandler], None]


class Asked(NamedTuple):
    path: str
    headers: dict[str, str]
    body: Any


class Scripted:
    """What it does next is the next of `acts`; the last one is done again and again."""

    def __init__(self, port: int, asked: list[Asked]) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.asked = asked


@contextmanager
def serving(*acts: Act) -> Iterator[Scripted]:
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked.append(Asked(self.path, {n.lower(): v for n, v in self.headers.items()}, json.loads(body)))
            acts[min(len(asked), len(acts)) - 1](self)

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield Scripted(server.server_address[1], asked)
    finally:
        server.shutdown()
        server.server_close()


def answers(status: int, body: bytes | object, kind: str = "application/json", **headers: str) -> Act:
    """An answer of one piece."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def act(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        with suppress(
            BrokenPipeError, ConnectionResetError
        ):  # the answer may be too long for the one who asked
            handler.wfile.write(data)

    return act


def openai_says(text: str | None, finish: str = "stop", **more: Any) -> Act:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return answers(200, {"id": "c", "model": "m-2026", "choices": [choice], "usage": usage, **more})


def anthropic_says(text: str, stop: str = "end_turn", **more: Any) -> Act:
    block: dict[str, Any] = {"type": "text", "text": text}
    usage = {
        "input_tokens": 5,
        "cache_creation_input_tokens": 4,
        "cache_read_input_tokens": 2,
        "output_tokens": 7,
    }
    told = {"type": "message", "model": "m-2026", "content": [block], "stop_reason": stop, "usage": usage}
    return answers(200, {**told, **more})


def wrong(status: int, message: str = "", code: str = "", **headers: str) -> Act:
    """An error as both services word it."""
    return answers(status, {"type": "error", "error": {"message": message, "code": code}}, **headers)


def never_ends(handler: BaseHTTPRequestHandler) -> None:
    """One byte after the other, until nobody takes them any more."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    stopped = threading.Event()
    while not stopped.wait(0.01):
        try:
            handler.wfile.write(b" ")
        except OSError:
            stopped.set()


def echoes_the_key(handler: BaseHTTPRequestHandler) -> None:
    """A status line and a body that repeat the caller's key."""
    secret = handler.headers.get("x-api-key") or handler.headers["Authorization"].split()[1]
    handler.wfile.write(f"{secret} {secret}\r\n\r\n".encode())
