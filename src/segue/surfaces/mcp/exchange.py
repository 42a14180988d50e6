"""One message and what comes back for it over HTTP: at once, or as a stream of notifications with the answer last.

A client that leaves a stream, or cancels, is not worked for any longer than to the next sign of progress.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.responses import StreamingResponse

from segue.surfaces.mcp import protocol
from segue.surfaces.mcp.caller import Caller, Cancelled
from segue.surfaces.mcp.conversation import Conversation
from segue.surfaces.mcp.protocol import Json

_HEARTBEAT_S = 15.0
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

Answer = Json | list[Json] | None
Begin = Callable[[Callable[[], Answer]], Awaitable[Answer]]
"""Begins blocking work beside the event loop."""


class Exchange:
    """`waiting` holds the requests under way by session and id, each with whether it was cancelled."""

    def __init__(
        self, conversation: Conversation, message: Any, waiting: dict[Any, bool], session_id: str = ""
    ) -> None:
        self._conversation = conversation
        self._message = message
        self._waiting = waiting
        self._session_id = session_id
        self._left = False

    @property
    def one_way(self) -> bool:
        """Whether the message is a notification or a response, which nobody answers."""
        parts = self._message if isinstance(self._message, list) else [self._message]
        return bool(parts) and all(isinstance(part, dict) and _is_one_way(part) for part in parts)

    @property
    def wants_progress(self) -> bool:
        params = self._message.get("params") if isinstance(self._message, dict) else None
        meta = params.get("_meta") if isinstance(params, dict) else None
        return isinstance(meta, dict) and "progressToken" in meta

    def heed(self) -> None:
        """Takes note of a cancellation."""
        message = self._message
        if isinstance(message, dict) and message.get("method") == "notifications/cancelled":
            params = message.get("params")
            request_id = params.get("requestId") if isinstance(params, dict) else None
            named = (self._session_id, request_id)
            if isinstance(request_id, str | int) and named in self._waiting:
                self._waiting[named] = True

    def run(self, say: Callable[[Json], None] = lambda _: None) -> Answer:
        """The answer; None where nobody waits for it."""
        named = (self._session_id, protocol.id_of(self._message))
        self._waiting[named] = False
        caller = Caller(say, lambda: self._left or self._waiting.get(named, False))
        try:
            answer = self._conversation.answer(self._message, caller)
            caller.check()
        except Cancelled:
            return None
        finally:
            self._waiting.pop(named, None)
        return answer

    def leave(self) -> None:
        self._left = True


def _is_one_way(part: Json) -> bool:
    return (
        part.get("jsonrpc") == "2.0"
        and ("method" not in part or "id" not in part)
        and (isinstance(part.get("method"), str) or "result" in part or "error" in part)
    )


def streamed(exchange: Exchange, begin: Begin) -> StreamingResponse:
    """Notifications as they come, then the answer, as server-sent events."""
    return StreamingResponse(_events(exchange, begin), headers=_HEADERS, media_type="text/event-stream")


async def _events(exchange: Exchange, begin: Begin) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    told: asyncio.Queue[Answer] = asyncio.Queue()

    def say(message: Json) -> None:
        loop.call_soon_threadsafe(told.put_nowait, message)

    def work() -> Answer:
        answer = exchange.run(say)
        if answer is not None:
            loop.call_soon_threadsafe(told.put_nowait, answer)
        loop.call_soon_threadsafe(told.put_nowait, None)
        return answer

    begin(work)
    try:
        while True:
            try:
                message = await asyncio.wait_for(told.get(), _HEARTBEAT_S)
            except TimeoutError:
                yield b": still at work\n\n"
                continue
            if message is None:
                return
            yield b"event: message\ndata: " + protocol.encode(message) + b"\n\n"
    finally:
        exchange.leave()
