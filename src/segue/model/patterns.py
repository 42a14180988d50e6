"""Patterns of the code, each compiled once; those that an earlier process compiled can be had from it.

Only for what stands in the code: a pattern that holds a word of a session is compiled with `re.compile`, since what is
`new` here may be kept between processes.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, AnyStr

Written = tuple[type, "str | bytes", int]
"""The type of a pattern, its text and its flags; the type first, so that text and bytes are never compared."""

known: dict[Written, re.Pattern[Any]] = {}
new: list[Written] = []
"""Those that this process had to compile."""


def compiled(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The pattern as `re.compile` makes it."""
    key = (text.__class__, text, int(flags))
    pattern = known.get(key)
    if pattern is None:
        pattern = known[key] = re.compile(text, flags)
        new.append(key)
    return pattern
