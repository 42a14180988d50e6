"""Turns: a session cut at the person's prompts.

A turn begins where the person speaks and holds everything until the next prompt; what precedes
the first is turn 0. Words that arrive while the agent works (queued, answers, refusals) belong to
the turn they arrive in. Each turn is kept small: its two ends, what it touched, what went wrong.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from segue.extract.text.prose import clipped, ends, flat, start
from segue.model.entry import Entry
from segue.model.turn import Turn

_PROMPT = 600
_OPENING = 300
_CLOSING = 3000
_OLD_CLOSING = 300
_PATHS = 16
_LATE = 6
"""How many of the last turns keep their last words at length."""


class _Turn(msgspec.Struct):
    number: int
    first: int
    last: int
    started: int | None
    ended: int | None
    prompt: str
    opening: str = ""
    closing: str = ""
    closing_line: int = 0
    calls: int = 0
    errors: int = 0
    tools: dict[str, int] = {}
    paths: dict[str, None] = {}
    signals: dict[str, None] = {}


class Book:
    """Turns in the making. `number` is that of the turn now open."""

    def __init__(self) -> None:
        self._turns: list[_Turn] = []
        self.number = 0

    @property
    def first_line(self) -> int:
        """Where the turn now open began."""
        return self._turns[-1].first if self._turns else 0

    def begins(self, entry: Entry, prompt: str) -> None:
        self.number += 1
        self._turns.append(_opened(self.number, entry, prompt))
        if len(self._turns) > _LATE:
            old = self._turns[-_LATE - 1]
            old.closing = start(old.closing, _OLD_CLOSING)

    def extend(self, entry: Entry) -> None:
        """Any entry: the turn reaches at least to here."""
        turn = self._turns[-1] if self._turns else self._zeroth(entry)
        turn.last = entry.line
        if entry.time_ms is not None:
            turn.ended = entry.time_ms

    def speaks(self, entry: Entry) -> None:
        turn = self._turns[-1]
        if not turn.opening:
            turn.opening = start(entry.text, _OPENING)
        turn.closing, turn.closing_line = entry.text, entry.line

    def calls(self, entry: Entry) -> None:
        turn = self._turns[-1]
        turn.calls += 1
        turn.tools[entry.tool] = turn.tools.get(entry.tool, 0) + 1
        if len(turn.paths) < _PATHS:
            for path in entry.paths:
                turn.paths[path] = None

    def errs(self) -> None:
        self._turns[-1].errors += 1

    def shows(self, signal: str) -> None:
        self._turns[-1].signals[signal] = None

    def closing(self) -> tuple[str, int]:
        """The agent's last words, in whichever turn they were, and their line."""
        return next(
            ((ends(t.closing, _CLOSING), t.closing_line) for t in reversed(self._turns) if t.closing), ("", 0)
        )

    def close(self, clean: Callable[[str], str], relative: Callable[[str], str]) -> list[Turn]:
        return [_closed(turn, clean, relative) for turn in self._turns]

    def _zeroth(self, entry: Entry) -> _Turn:
        self._turns.append(_opened(0, entry, ""))
        return self._turns[-1]


def _opened(number: int, entry: Entry, prompt: str) -> _Turn:
    return _Turn(number, entry.line, entry.line, entry.time_ms, entry.time_ms, start(prompt, _PROMPT))


def _closed(turn: _Turn, clean: Callable[[str], str], relative: Callable[[str], str]) -> Turn:
    return Turn(
        number=turn.number,
        first_line=turn.first,
        last_line=turn.last,
        started_ms=turn.started,
        ended_ms=turn.ended,
        prompt=clipped(clean(turn.prompt), _PROMPT),
        opening=clipped(flat(clean(turn.opening)), _OPENING),
        closing=clean(ends(turn.closing, _CLOSING)),
        closing_line=turn.closing_line,
        calls=turn.calls,
        errors=turn.errors,
        tools=dict(sorted(turn.tools.items())),
        paths=tuple(dict.fromkeys(filter(None, map(relative, turn.paths)))),
        signals=tuple(turn.signals),
    )
