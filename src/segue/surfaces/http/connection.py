"""One connection: uvicorn's, with bounded headers and an end that does not wait for the other side."""

from __future__ import annotations

from http import HTTPStatus

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from segue.errors import BadInput, SegueError
from segue.surfaces.http.events import ABORT
from segue.surfaces.http.guard import HEADER_BYTES
from segue.surfaces.http.problems import headers_too_large, problem

_NOT_HTTP = BadInput("The request is not HTTP/1.1.", "Check the request line, the headers and the length.")


class Connection(HttpToolsProtocol):
    """Counts what arrives before the headers are complete: the parser itself would take any amount."""

    _in_headers = False
    _unread = 0

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._unread = self._unread + len(data) if self._in_headers else 0
        if self._unread > HEADER_BYTES and not self.transport.is_closing():
            self._refuse(headers_too_large())

    def send_400_response(self, msg: str) -> None:
        self._refuse(_NOT_HTTP)

    def _refuse(self, error: SegueError) -> None:
        """Says what is wrong where there is no request to answer, and ends the connection."""
        response = problem(error)
        status = HTTPStatus(response.status_code)
        lines = [b"HTTP/1.1 %d %b" % (status, status.phrase.encode())]
        lines += [b"%b: %b" % header for header in response.raw_headers]
        self.transport.write(b"\r\n".join([*lines, b"connection: close", b"", response.body]))
        self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_headers = True
        self.scope["extensions"] = {ABORT: self.transport.abort}  # type: ignore[dict-item]

    def on_headers_complete(self) -> None:
        self._in_headers = False
        super().on_headers_complete()
