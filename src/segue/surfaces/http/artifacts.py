"""Artifacts as bytes: whole, or the range a caller asks for. What a name stands for never changes.

They are sent piece by piece, the next one when the caller has taken the last: an artifact under way holds a few
pieces, whatever its size. All that are under way share one budget. One that turns out to be damaged is never sent
to its end: the connection breaks off instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from segue.errors import NotFound
from segue.service.operations import named
from segue.service.signatures import perform
from segue.stores.blob_file import BLOCK
from segue.surfaces.http.call import CHANNEL, LEFT, Call
from segue.surfaces.http.reading import RequestValues, read_request
from segue.surfaces.http.refusals import refusal
from segue.surfaces.http.workers import Workers

_KIND = "application/octet-stream"
_READING = named("artifact.get")._replace(function="artifacts:read")
_HELD = 3 * BLOCK
"""What one of them holds at most: a piece that is being sent, one that is being read, one that is held back until
the hash is known to be right."""


class Found(NamedTuple):
    """An artifact, or a part of it, that is ready to be sent: its first piece was read."""

    status: int
    headers: dict[str, str]
    first: bytes
    rest: Iterator[bytes]
    size: int


class Span(NamedTuple):
    """Bytes from `first` to `last`, both included."""

    first: int
    last: int


async def answer(call: Call) -> Response:
    said = await read_request(call)
    found = await call.pools.fetching.begin(_found, call, said)
    if not (found.first and call.wants_body):
        return Response(None, found.status, found.headers, None if found.status == 304 else _KIND)
    return Download(found, call.pools.fetching, call.sending.reserve(min(found.size, _HELD)))


class Download(Response):
    """Sends an artifact as fast as it is taken; `release` is called when it holds nothing any more."""

    def __init__(self, found: Found, fetching: Workers, release: Callable[[], None]) -> None:
        super().__init__(None, found.status, found.headers, _KIND)
        self._piece, self._rest, self._left = found.first, found.rest, found.size
        self._fetching = fetching
        self._release = release

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_left: Callable[[], bool] = scope["extensions"][LEFT]
        try:
            await send(
                {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
            )
            while self._piece and not is_left():
                # The last piece says that it is: a caller that has all bytes may leave before an empty one could follow.
                self._left -= len(self._piece)
                await send({"type": "http.response.body", "body": self._piece, "more_body": self._left > 0})
                self._piece = await self._fetching.insist(next, self._rest, b"")
        finally:
            self._release()


def _found(call: Call, said: RequestValues) -> Found:
    box = call.site.workspace.artifacts
    artifact_id = box.resolve(said.values["artifact_id"])
    headers = {
        "ETag": f'"{artifact_id}"',
        "Cache-Control": "private, max-age=31536000, immutable",
        "Accept-Ranges": "bytes",
        "X-Content-Type-Options": "nosniff",
    }
    whole = len(said.values) == 1
    if whole and headers["ETag"] in call.headers.get("if-none-match", ""):
        return Found(304, headers, b"", iter(()), 0)
    wanted = call.headers.get("range") if whole else None
    only_measured = whole and not call.wants_body
    size = box.size(artifact_id) if wanted or only_measured else 0
    if size is None:
        raise NotFound(f"There is no artifact {artifact_id}.", "`segue artifact list` shows them.")
    span = spanned(wanted, size) if wanted else None
    values = {**said.values, "artifact_id": artifact_id}
    if span is not None:
        headers["Content-Range"] = f"bytes {span.first}-{span.last}/{size}"
        size = span.last - span.first + 1
        values |= {"offset": span.first, "max_bytes": size}
    if only_measured:
        values["max_bytes"] = 0
    content = perform(_READING, call.site.workspace, values, said.by, channel=CHANNEL, strict=False)
    first = next(content.pieces, b"")
    headers["Content-Length"] = str(size if only_measured else content.size)
    return Found(200 if span is None else 206, headers, first, content.pieces, content.size)


def spanned(wanted: str, size: int) -> Span | None:
    """The one range that a Range header asks for; None for what we may ignore: other units, several ranges,
    what is no range. Raises BadInput for a range beyond the end."""
    unit, _, ranges = wanted.partition("=")
    first, dash, last = ranges.strip().partition("-")
    if unit.strip() != "bytes" or not dash or not (first + last).isdecimal() or len(first + last) > 30:
        return None
    if not first:
        span = Span(max(0, size - int(last)), size - 1)
    else:
        span = Span(int(first), min(int(last) if last else size - 1, size - 1))
        if last and int(last) < int(first):
            return None
    if span.first >= size or span.last < span.first:
        raise refusal("range-beyond", size=size)
    return span
