"""The frames of a thread: as a stream, past then live, or as a page of JSON.

A stream can be taken up where it broke: every event's id is its sequence number, and `Last-Event-ID` or
`after_seq` says where to go on. A caller that does not read is sent nothing more until its connection cuts it
off; while nothing happens it hears a comment now and then, so that proxies keep the
connection and a dead one is noticed. A token that was revoked or has expired ends its streams, at the latest
with the next comment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from segue.errors import BadInput, SegueError
from segue.model.frame import Frame
from segue.model.wire import canonical
from segue.service.signatures import signature
from segue.service.threads.naming import resolve
from segue.surfaces.http.call import Call, whole
from segue.surfaces.http.reading import query
from segue.surfaces.http.refusals import refusal
from segue.surfaces.http.tail import PAGE_FRAMES, Follower

HEARTBEAT_SECONDS = 15.0
MOST_PER_PAGE = 1000

_LAST_SEQ = 0xFFFFFFFF
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class Wanted(msgspec.Struct, forbid_unknown_fields=True):
    """What a caller wants to see of a thread."""

    after_seq: int = -1
    follow: bool = True
    max_events: int | None = None
    limit: int = PAGE_FRAMES


async def answer(call: Call) -> Response:
    """Events, or the page that `Accept: application/json` asks for."""
    wanted = _wanted(call)
    thread_id = await call.blocking(resolve, call.site.workspace, call.path["thread_id"])
    if _as_page(call.headers):
        return await _page(call, thread_id, wanted)
    return EventStream(call, thread_id, wanted)


async def _page(call: Call, thread_id: str, wanted: Wanted) -> Response:
    most = min(wanted.limit, wanted.max_events or wanted.limit)
    page = await call.site.tail.page(thread_id, wanted.after_seq, most)
    frames = b",".join(_body(frame, call.shown) for frame in page.frames)
    body = b'{"events":[%b],"next_after_seq":%d}' % (frames, page.last_seq)
    return Response(body, media_type="application/json")


class EventStream(Response):
    """Frames after a place, one event each."""

    def __init__(self, call: Call, thread_id: str, wanted: Wanted) -> None:
        super().__init__()
        self.raw_headers = [*_HEADERS]
        self._is_welcome = call.is_welcome
        self._shown = call.shown
        self._tail = call.site.tail
        self._thread_id = thread_id
        self._wanted = wanted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await super().__call__(scope, receive, send)
            return
        with self._tail.follower(self._thread_id) as follower:
            watcher = asyncio.create_task(_watch(receive, follower))
            try:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                await self._stream(send, follower)
            finally:
                watcher.cancel()

    async def _stream(self, send: Send, follower: Follower) -> None:
        after, left = self._wanted.after_seq, self._wanted.max_events
        await _send_part(send, b": frames of a thread\n\n")
        while not (follower.gone or self._tail.closing or left == 0) and self._is_welcome():
            follower.stirred.clear()
            try:
                page = await self._tail.page(self._thread_id, after)
            except SegueError:
                break  # whoever comes back is told why
            frames = page.frames[:left]
            if frames:
                said = ((one.seq, _body(one, self._shown)) for one in frames)
                await _send_part(send, b"".join(b"id: %d\ndata: %b\n\n" % one for one in said))
                after, left = frames[-1].seq, None if left is None else left - len(frames)
            elif not self._wanted.follow:
                break
            else:
                await _wait_for_frames(follower, send)
        await _send_part(send, b"", more=False)


def _body(frame: Frame, shown: Callable[[Any], Any]) -> bytes:
    """The frame as this caller may have it. One that is not as stored tells its chain hash, from which whoever verifies
    the chain goes on."""
    if shown is whole or b"/" not in frame.body:
        return frame.body
    stored = frame.data
    told = shown(stored)
    return frame.body if told == stored else canonical({**told, "chain_hash": frame.hash.hex()})


async def _wait_for_frames(follower: Follower, send: Send) -> None:
    """Waits for news; says that it still waits when there are none."""
    try:
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            await follower.stirred.wait()
    except TimeoutError:
        await _send_part(send, b": still here\n\n")


async def _send_part(send: Send, data: bytes, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": more})


async def _watch(receive: Receive, follower: Follower) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    follower.leave()


def _as_page(headers: Mapping[str, str]) -> bool:
    accepted = headers.get("accept", "")
    return "application/json" in accepted and "text/event-stream" not in accepted


def _wanted(call: Call) -> Wanted:
    values: dict[str, Any] = query(signature(call.operation), call.scope["query_string"])
    try:
        said = msgspec.convert(values, Wanted, strict=False)
    except msgspec.ValidationError as fault:
        raise refusal("events-taken", why=fault) from None
    after = said.after_seq if "after_seq" in values else _resumed(call.headers)
    said.after_seq = max(-1, min(after, _LAST_SEQ))
    if said.max_events is not None and said.max_events < 1:
        raise BadInput("max_events counts frames, so it is 1 or more.", "Leave it out for all of them.")
    if not 1 <= said.limit <= MOST_PER_PAGE:
        raise BadInput(f"limit lies between 1 and {MOST_PER_PAGE}.", "Leave it out for the usual page.")
    return said


def _resumed(headers: Mapping[str, str]) -> int:
    """Where a broken stream stood."""
    last = headers.get("last-event-id", "")
    if not last:
        return -1
    if not last.isdecimal() or len(last) > 10:
        raise BadInput("Last-Event-ID is not a sequence number.", "Send the id of the last event you have.")
    return int(last)
