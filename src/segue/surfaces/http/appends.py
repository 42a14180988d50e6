"""Appends that are decided in the event loop and wait there: no thread is spent on waiting for the disk.

An operation that ends in one append has two halves, one that decides it and one that answers once it is durable;
both take less time than handing them to another thread does. Only the commit is done elsewhere, for all that
were decided in one turn of the loop and all that wait already: callers who were answered together ask again
together, and the first of them would else have a commit to itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from segue.model.frame import Frame
from segue.service.operations import Operation, named
from segue.service.shared import Glance
from segue.service.signatures import perform
from segue.service.threads import streams
from segue.stores.contract import Request
from segue.stores.grouped import Done, GroupedLog
from segue.surfaces.http.reading import Asked
from segue.surfaces.http.workers import Answers

LARGEST = 4 * 1024
"""Bytes of a request that is decided in the event loop: redacting more would hold up others for too long, however
its text was made up."""


class Halves(NamedTuple):
    """`deciding` is the operation up to its append, `answer` what it says of the frames."""

    deciding: Operation
    answer: Callable[[Sequence[Frame]], Any]


HALVES = {
    "thread.post": Halves(named("thread.post")._replace(function="threads.streams:to_post"), streams.posted),
}


class Appends:
    """The appends of one workspace whose log is a file of this machine."""

    def __init__(self, glance: Glance, log: GroupedLog) -> None:
        self._glance = glance
        self._log = log
        self._answers = Answers()
        self._decided: list[tuple[Request, Done]] = []

    async def done(self, operation: Operation, said: Asked) -> Any:
        """What the operation answers. Raises what it raises."""
        halves = HALVES[operation.name]
        ask = perform(halves.deciding, self._glance, said.values, said.by, said.key, strict=said.strict)
        loop = asyncio.get_running_loop()
        durable: asyncio.Future[list[Frame]] = loop.create_future()
        if not self._decided:
            loop.call_soon(self._hand_in)
        self._decided.append((ask, partial(self._answers.give, durable)))
        return halves.answer(await durable)

    def _hand_in(self) -> None:
        decided, self._decided = self._decided, []
        self._log.begin(*decided)
