"""The worker beside the reader: takes requests in order, gives up the ones a client cancelled.

A request that was cancelled before its turn is never begun; one that is at work ends at its next sign of
progress. Neither is answered. The stores of the workspace belong to this thread alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from segue.surfaces.mcp import protocol
from segue.surfaces.mcp.caller import Caller, Cancelled
from segue.surfaces.mcp.conversation import Conversation
from segue.surfaces.mcp.protocol import Json

Say = Callable[[Json | list[Json] | None], None]


class Worker:
    def __init__(self, conversation: Conversation, say: Say) -> None:
        self._conversation = conversation
        self._say = say
        self._waiting: SimpleQueue[Any] = SimpleQueue()
        self._open: set[Any] = set()
        self._cancelled: set[Any] = set()
        self._thread = threading.Thread(target=self._run, name="segue-mcp", daemon=True)
        self._thread.start()

    def take(self, message: Any) -> None:
        self._open.add(protocol.id_of(message))
        self._waiting.put(message)

    def cancel(self, request_id: Any) -> None:
        """Forgets a request. One that is unknown, or done, was cancelled too late and stays done."""
        if isinstance(request_id, str | int) and request_id in self._open:
            self._cancelled.add(request_id)

    def finish(self) -> None:
        """Does what was asked for, then ends."""
        self._waiting.put(None)
        self._thread.join()
        self._conversation.terms.workspace.close()

    def _run(self) -> None:
        while (message := self._waiting.get()) is not None:
            request_id = protocol.id_of(message)
            try:
                self._work(message, request_id)
            except Cancelled:
                self._cancelled.discard(request_id)
            except OSError:  # the client left; what it asked for is done all the same
                pass
            self._open.discard(request_id)

    def _work(self, message: Any, request_id: Any) -> None:
        caller = Caller(self._say, lambda: request_id is not None and request_id in self._cancelled)
        caller.check()
        answer = self._conversation.answer(message, caller)
        caller.check()
        self._say(answer)
