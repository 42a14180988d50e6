"""Compiled patterns of the code, kept in the person's cache as Python keeps compiled modules.

Compiling them takes 25 ms of a handoff, rebuilding them 1 ms. A cache like any: where it is missing, damaged, somebody
else's, of another Python or cannot be written, patterns are compiled as ever.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import os
import re
import sys
from binascii import crc32
from contextlib import suppress
from typing import Any

import msgspec

from segue.model import patterns
from segue.stores import private_files

MOST = 1000
"""Patterns, of which the code has a third: with more, the file holds those of code that is gone, and starts anew."""
Row = tuple[Any, int, int, list[int], int, dict[str, int]]
"""A pattern's text and flags, and what it was compiled into: flags, program, groups, their names."""
_PATH = f"compiled-patterns-{sys.implementation.cache_tag}-{sys.hexversion:x}-{_sre.MAGIC}"
_rows: list[Row] = []


def recall() -> None:
    """To be called before the modules are imported in which the patterns stand."""
    with suppress(Exception):  # whatever is in the file
        data = private_files.read(os.path.join(private_files.cache_folder(), _PATH))
        if crc32(data[4:]) == int.from_bytes(data[:4], "big"):
            rows = msgspec.msgpack.decode(data[4:], type=list[Row])
            patterns.known.update({(type(row[0]), *row[:2]): _rebuilt(row) for row in rows})
            _rows[:] = rows


def keep() -> None:
    """Adds what this process had to compile, if anything."""
    if not patterns.new:
        return
    with suppress(Exception):  # Python does not promise how patterns are compiled
        os.makedirs(private_files.cache_folder(), 0o700, exist_ok=True)
        rows = [row for key in patterns.new if _rebuilt(row := _row(*key[1:])) == patterns.known[key]]
        data = msgspec.msgpack.encode(_rows + rows if len(_rows) < MOST else rows)
        path = os.path.join(private_files.cache_folder(), _PATH)
        private_files.write_private(path, crc32(data).to_bytes(4, "big") + data)


def _row(text: str | bytes, flags: int) -> Row:
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(text, flags)
    state, program = parsed.state, [*map(int, _compiler._code(parsed, flags))]
    return text, flags, int(flags | state.flags), program, state.groups - 1, state.groupdict


def _rebuilt(row: Row) -> re.Pattern[Any]:
    """Python checks the program: a wrong one is refused."""
    text, _, flags, program, groups, names = row
    order = {group: name for name, group in names.items()}
    named = tuple(map(order.get, range(groups + 1)))
    pattern: re.Pattern[Any] = _sre.compile(text, flags, program, groups, names, named)
    return pattern
