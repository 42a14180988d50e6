"""MCP over standard input and output: one message a line.

The reading never waits for the work: what takes long is done by one worker, in order, while pings are
answered and cancellations heard. Nothing but messages reaches standard output, whatever a library or a child
process prints, and no child can eat from standard input. The end of the input ends the server, after what
was asked for is done.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

from segue.surfaces.mcp import protocol
from segue.surfaces.mcp.caller import Caller
from segue.surfaces.mcp.conversation import Conversation, Terms, slow
from segue.surfaces.mcp.protocol import Fault, Json

if TYPE_CHECKING:
    from segue.surfaces.mcp.working import Worker


def main(terms: Terms) -> int:
    """Serves the client at the other end of standard input and output until it leaves."""
    source, sink = _own_streams()
    try:
        serve(terms, source, sink)
    except BrokenPipeError:  # the client left without waiting for its answers
        os.dup2(os.open(os.devnull, os.O_WRONLY), sink.fileno())
    return 0


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """The client's streams, under descriptors of their own; the usual ones lead to nothing and to stderr."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    sys.stdout.flush()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return source, sink


def serve(terms: Terms, source: BinaryIO, sink: BinaryIO) -> None:
    """Answers every message of the source on the sink."""
    Server(terms, sink).run(source)


class Server:
    def __init__(self, terms: Terms, sink: BinaryIO) -> None:
        self._conversation = Conversation(terms)
        self._sink = sink
        self._worker: Worker | None = None

    def run(self, source: BinaryIO) -> None:
        try:
            while line := source.readline(protocol.LARGEST + 1):
                if len(line) > protocol.LARGEST and not line.endswith(b"\n"):
                    _skip_line(source)
                    self._fail(
                        Fault(protocol.INVALID_REQUEST, f"A message has at most {protocol.LARGEST} bytes.")
                    )
                elif line.strip():
                    self._take(line)
        finally:
            if self._worker is not None:
                self._worker.finish()

    def _take(self, line: bytes) -> None:
        try:
            message = protocol.decode(line)
        except Fault as fault:
            self._fail(fault)
            return
        if slow(message):
            self._work().take(message)
        elif isinstance(message, dict) and message.get("method") == "notifications/cancelled":
            self._cancel(message.get("params"))
        else:
            self._send(self._conversation.answer(message, Caller(self._send)))

    def _work(self) -> Worker:
        if self._worker is None:
            from segue.surfaces.mcp.working import Worker

            self._worker = Worker(self._conversation, self._send)
        return self._worker

    def _cancel(self, params: Any) -> None:
        if self._worker is not None and isinstance(params, dict):
            self._worker.cancel(params.get("requestId"))

    def _fail(self, fault: Fault) -> None:
        self._send(protocol.failure(None, fault))

    def _send(self, message: Json | list[Json] | None) -> None:
        """One write for one line, so that lines of two threads never mix."""
        if message is not None:
            self._sink.write(protocol.encode(message) + b"\n")
            self._sink.flush()


def _skip_line(source: BinaryIO) -> None:
    while (part := source.readline(1 << 20)) and not part.endswith(b"\n"):
        pass
