"""One connection: uvicorn's, with bounds on what a request may send beside its body and on how long an answer may
wait to be taken, and an end that does not wait for the other side.

What the application sees of a request's headers is what came before its body. A header after the body (a trailer)
would arrive when the checks are done, so it ends the connection.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from segue.errors import BadInput, SegueError
from segue.surfaces.http.call import ABORT, LEFT
from segue.surfaces.http.guard import HEADER_BYTES
from segue.surfaces.http.problems import headers_too_large, problem, too_slow
from segue.surfaces.http.reading import WHOLE

HEADERS_SECONDS = 15.0
"""How long a request may take from the opening of its connection, or from its first byte on a used one, to the
end of its headers: whoever opens connections and says nothing holds them no longer."""

SLOW_SECONDS = 30.0
"""How long a caller may take nothing of what it is sent, whatever kind of answer it is."""
FRAMING = 8
"""Bytes that a chunk's size and its line ends may take for each byte of body: a body in chunks of one byte needs 5."""

_NO_LINGERING = struct.pack("ii", 1, 0)
_NOT_HTTP = BadInput(
    "The request is not HTTP/1.1.",
    "Check the request line, the headers and the length; send no trailers, and no transfer coding but chunked.",
)


class Gathering:
    """A transport that sends what is written in one turn of the event loop at once: head and body of an answer
    are one packet, and one call of the system."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self.is_closing = transport.is_closing
        self._call_soon = loop.call_soon
        self._held: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._held:
            self._call_soon(self._send)
        self._held.append(data)

    def close(self) -> None:
        self._send()
        self._transport.close()

    def _send(self) -> None:
        if self._held and not self.is_closing():
            self._transport.writelines(self._held)
        self._held = []


class _Ambiguous(Exception):
    """A request that is refused while it is parsed. The parser stops at it, and uvicorn asks for a 400."""


class Connection(HttpToolsProtocol):
    """Counts what arrives and is no body (headers, chunk extensions, trailers): the parser itself would take any
    amount."""

    _in_headers = False
    _unread = 0
    _timer: asyncio.TimerHandle | None = None
    _reader: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        transport.set_write_buffer_limits(0)  # so that it is known of every byte whether it was taken
        super().connection_made(Gathering(transport, self.loop))  # type: ignore[arg-type]
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._stop_watching()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unread += len(data)
        super().data_received(data)
        self._unread = max(self._unread, 0)
        if self._unread > HEADER_BYTES and not self.transport.is_closing():
            self._refuse(headers_too_large() if self._in_headers else _NOT_HTTP)
        if self._timer is None and (self._in_headers or self._is_idle()):
            self._start_timer()

    def _is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _is_whole(self) -> bool:
        """Whether the newest request has arrived: one that is being answered, or one that came after it."""
        return self.cycle is not None and not self.cycle.more_body

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(HEADERS_SECONDS, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_out(self) -> None:
        self._timer = None
        if self._is_idle() and not self.transport.is_closing():
            self._refuse(too_slow("The headers"))

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reader()

    def resume_writing(self) -> None:
        self._stop_watching()
        super().resume_writing()

    def _watch_reader(self) -> None:
        unsent = self.transport.get_write_buffer_size()
        self._reader = self.loop.call_later(SLOW_SECONDS, self._check_reader, unsent)

    def _check_reader(self, before: int) -> None:
        """Ends the connection of a caller that took nothing since the last look."""
        if self.transport.get_write_buffer_size() < before:
            self._watch_reader()
        else:
            self._reset()

    def _stop_watching(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
            self._reader = None

    def send_400_response(self, msg: str) -> None:
        self._refuse(_NOT_HTTP)

    def _refuse(self, error: SegueError) -> None:
        """Says what is wrong where there is no request to answer, and ends the connection."""
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self._reset()  # in the middle of another answer this would be read as a part of that
            return
        response = problem(error)
        status = HTTPStatus(response.status_code)
        lines = [b"HTTP/1.1 %d %b" % (status, status.phrase.encode())]
        lines += [b"%b: %b" % header for header in response.raw_headers]
        self.transport.write(b"\r\n".join([*lines, b"connection: close", b"", response.body]))
        self.transport.close()

    def _reset(self) -> None:
        """Ends the connection without a farewell: what the other side never read does not stay in the kernel."""
        end: socket.socket = self.transport.get_extra_info("socket")
        with suppress(OSError):  # it may have ended just now
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGERING)
        self.transport.abort()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_headers = True
        extensions = {ABORT: self._reset, LEFT: self.transport.is_closing, WHOLE: self._is_whole}
        self.scope["extensions"] = extensions  # type: ignore[typeddict-item]

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_headers:
            raise _Ambiguous("a trailer")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_headers = False
        self._unread = 0
        self._stop_timer()
        codings = [value for name, value in self.headers if name == b"transfer-encoding"]
        if codings and (len(codings) > 1 or codings[0].lower() != b"chunked"):
            raise _Ambiguous("a transfer coding that others may read differently")
        self.scope["headers"] = [*self.headers]
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unread -= len(body) * (1 + FRAMING)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unread = 0
        super().on_message_complete()
