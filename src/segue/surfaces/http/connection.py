"""One connection: uvicorn's, with bounded headers and an end that does not wait for the other side."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from segue.surfaces.http.events import ABORT
from segue.surfaces.http.guard import HEADER_BYTES

_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Connection(HttpToolsProtocol):
    """Counts what arrives before the headers are complete: the parser itself would take any amount."""

    _in_headers = False
    _unread = 0

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._unread = self._unread + len(data) if self._in_headers else 0
        if self._unread > HEADER_BYTES and not self.transport.is_closing():
            self.transport.write(_TOO_LARGE)
            self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_headers = True
        self.scope["extensions"] = {ABORT: self.transport.abort}  # type: ignore[dict-item]

    def on_headers_complete(self) -> None:
        self._in_headers = False
        super().on_headers_complete()
