"""Patterns that stand in the code, and what Python made of them in an earlier run.

Making its patterns takes a handoff an eighth of its time, and comes out the same whenever the same Python does it. So
it may be kept between runs, as Python keeps what it made of modules. Only for what the code says: a pattern that holds
a word of a session is made with `re.compile`, and is gone with it. What was kept changes no answer.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import re
import sys
from functools import cache
from typing import Any, AnyStr

from segue.model.value import NamedTuple

MADE_BY = f"{sys.implementation.cache_tag}-{sys.hexversion:x}-{_sre.MAGIC}-{_sre.CODESIZE}-{sys.byteorder}"
"""Where this is the same, patterns come out the same."""
_CANARY = r"(?i)(?P<word>[a-zß-ü]+)(\s)?(?=x)|(?:\d{2,3}?|(?P<mark>[^,.]))\b"


class Written(NamedTuple):
    """A pattern as it stands in the code. Its type is a part of it: `python -bb` forbids to compare text and bytes."""

    kind: type
    text: str | bytes
    flags: int


class Made(NamedTuple):
    """What becomes of a pattern: its program, and how its groups are called."""

    flags: int
    program: bytes
    groups: int
    names: dict[str, int]


_kept: dict[Written, Made] = {}
_new: dict[Written, Made] = {}


def compiled(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The pattern, as `re.compile` makes it. `text` is the code's own, never a session's."""
    written = Written(text.__class__, text, int(flags))
    try:
        if (kept := _kept.get(written)) is not None:
            return _rebuilt(text, kept)
    except (RuntimeError, TypeError, ValueError, OverflowError, IndexError):
        pass  # It is damaged.
    if not _made_as_known():
        return re.compile(text, flags)
    _new[written] = made = _make(text, int(flags))
    return _rebuilt(text, made)


def recall(kept: dict[Written, Made]) -> None:
    """Rebuilds these, from now on, instead of making them."""
    _kept.update(kept)


def new() -> dict[Written, Made]:
    """What had to be made in this run."""
    return _new.copy()


def note(made: dict[Written, Made]) -> None:
    """Counts among it what a copy of this process had to make."""
    _new.update(made)


def known() -> dict[Written, Made]:
    """Everything that was kept, and what is new."""
    return {**_kept, **_new}


def _make(text: str | bytes, flags: int) -> Made:
    from array import array
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(text, flags)
    program = array("I", _compiler._code(parsed, flags)).tobytes()
    state = parsed.state
    return Made(int(flags | state.flags), program, state.groups - 1, dict(state.groupdict))


def _rebuilt(text: Any, made: Made) -> re.Pattern[Any]:
    """Python checks the program, so what is damaged is refused."""
    order: list[str | None] = [None] * (made.groups + 1)
    for name, group in made.names.items():
        order[group] = name
    program = memoryview(made.program).cast("I").tolist()
    built: re.Pattern[Any] = _sre.compile(text, made.flags, program, made.groups, made.names, tuple(order))
    return built


@cache
def _made_as_known() -> bool:
    """Python still makes patterns as this module does: it does not promise to."""
    try:
        return _rebuilt(_CANARY, _make(_CANARY, 0)) == re.compile(_CANARY)
    except Exception:  # whatever has become of its inner parts
        return False
