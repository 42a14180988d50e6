"""Lookups: operations that take less time than handing them to another thread does.

They are answered in the event loop, and an answer is remembered until the log grows: the same question to the
same log has the same answer. Where the catalog would have to catch up with the log first, that is another
thread's work.
"""

from __future__ import annotations

import msgspec

from segue.model.thread import Provenance
from segue.service.operations import Operation
from segue.service.shared import Behind, Glance
from segue.service.signatures import perform
from segue.stores.contract import Head
from segue.surfaces.http.reading import Asked

NAMES = frozenset(("thread.show", "thread.lineage"))
MOST = 4096
"""Answers that are remembered at most."""

_NOBODY = Provenance("user", "server")


class Lookups:
    """The lookups in one workspace, for its event loop alone."""

    def __init__(self, glance: Glance) -> None:
        self._glance = glance
        self._level: Head | None = None
        self._answers: dict[tuple[str, ...], bytes] = {}

    def answer(self, operation: Operation, said: Asked) -> bytes | None:
        """The answer as JSON; None where it takes longer. Raises what the operation raises."""
        level = self._glance.level()
        if level is None:
            return None
        if level is not self._level or len(self._answers) >= MOST:
            self._level = level
            self._answers.clear()
        question = (operation.name, *said.values, *said.values.values())
        answer = self._answers.get(question)
        if answer is None:
            try:
                made = perform(operation, self._glance, said.values, _NOBODY, strict=said.strict)
            except Behind:
                return None
            answer = self._answers[question] = msgspec.json.encode(made)
        return answer
