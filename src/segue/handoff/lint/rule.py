"""What a lint rule is: one row that says what is wrong, how bad that is, and how it looks done well.

A row carries its own proof: an example that must be found and one that must not. `slot` says where in
a handoff the examples stand; `whole` ones are texts of their own. `find` is a pure function of the reading and of what else is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from segue.handoff.lint.reading import Reading
from segue.model.finding import Severity
from segue.model.value import NamedTuple

if TYPE_CHECKING:
    from segue.model.facts import Facts

Slot = Literal["objective", "progress", "step", "blocker", "context", "whole"]


class Given(NamedTuple):
    """What a judge may know besides the text; a rule that lacks what it needs stays silent."""

    facts: Facts | None = None
    budget: int | None = None
    count_tokens: Callable[[str], int] | None = None
    find_secrets: Callable[[str], Iterable[tuple[str, int]]] | None = None
    """Kind and line of every secret in a text."""
    now_ms: int | None = None
    head: int | None = None
    """The last line of the session's transcript as it is now."""

    @property
    def last_line(self) -> int | None:
        return self.head if self.head is not None else self.facts.source.lines if self.facts else None


class Hit(NamedTuple):
    where: str
    message: str


Find = Callable[[Reading, Given], Iterator[Hit]]


class Rule(NamedTuple):
    name: str
    severity: Severity
    meaning: str
    slot: Slot
    bad: str
    good: str
    hint: str
    find: Find
