"""The whole text of one record of a session file in JSON lines, with what a reader keeps only an excerpt of.

Nothing is told of it: it is looked into when somebody wants to know whether a record holds some words.
"""

from __future__ import annotations

import json
import os
import stat
from array import array
from collections.abc import Callable, Iterator
from typing import Any

_LONGEST = 8_000_000
"""Bytes of a record that is looked into."""
_DEPTH = 3
"""How often JSON may stand in a text of JSON, as the arguments of a call do."""

_SHORT = 200
"""Characters of a text in one line that its entry has anyway, or that is a name of the format."""


def whole_lines(path: str) -> Callable[[int], str]:
    """Gives the long texts of the record at a line, joined; nothing where that is no JSON. The file is read at the first call."""
    starts: array[int] = array("q")

    def text(line: int) -> str:
        try:
            if not starts:
                starts.extend(_starts(path))
            if not 0 < line < len(starts):
                return ""
            begin, size = starts[line - 1], starts[line] - starts[line - 1]
            if size > _LONGEST:
                return ""
            with open(path, "rb") as file:
                file.seek(begin)
                return "\n".join(_texts(json.loads(file.read(size)), _DEPTH))
        except (OSError, ValueError, RecursionError):
            return ""

    return text


def _starts(path: str) -> Iterator[int]:
    """Where the lines begin, and where the last one ends; of what is no regular file none."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        return
    place = 0
    yield place
    with open(path, "rb") as file:
        for row in file:
            place += len(row)
            yield place


def _texts(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _texts(one, depth)
    elif isinstance(value, str):
        if len(value) > _SHORT or "\n" in value:
            yield value
        if depth and value[:1] in ("{", "["):
            try:
                yield from _texts(json.loads(value), depth - 1)
            except ValueError:
                return
