"""Artifacts as bytes: whole, or the range a caller asks for. What a name stands for never changes."""

from __future__ import annotations

from typing import NamedTuple

from starlette.responses import Response

from segue.errors import BadInput, NotFound
from segue.service.signatures import perform
from segue.surfaces.http.call import CHANNEL, Call
from segue.surfaces.http.reading import Asked, asked

_KIND = "application/octet-stream"


class Span(NamedTuple):
    """Bytes from `first` to `last`, both included."""

    first: int
    last: int


async def answer(call: Call) -> Response:
    said = await asked(call.operation, call.path, call.scope, call.receive, call.headers)
    return await call.pools.fetching.begin(_bytes, call, said)


def _bytes(call: Call, said: Asked) -> Response:
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
        return Response(None, 304, headers)
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
        headers["Content-Length"] = str(size)
    data = perform(call.operation, call.site.workspace, values, said.by, channel=CHANNEL, strict=False)
    return Response(data, 200 if span is None else 206, headers, _KIND)


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
        raise BadInput(
            f"The artifact has {size:,} bytes; the range begins after them.",
            "Ask for a range within it.",
            "unsatisfiable_range",
        )
    return span
