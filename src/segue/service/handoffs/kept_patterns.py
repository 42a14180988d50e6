"""What Python made of the patterns in the code, kept in a file of this person's cache.

A cache like any: where it is missing, damaged, of another Python or cannot be written, patterns are made as ever.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import msgspec

from segue.model import patterns
from segue.model.patterns import Made, Written
from segue.service.sessions.rows import cache_folder
from segue.service.workspace import write_private

MOST = 2000
"""Patterns, of which this code has a quarter: with more, the file remembers code that is gone, and starts anew."""

Row = tuple[Any, int, int, bytes, int, dict[str, int]]
"""A pattern, which is text or bytes, its flags, and what it was made into."""


def recall() -> None:
    """To be called before the modules are imported that the patterns stand in."""
    with suppress(OSError, msgspec.MsgspecError):
        with open(_path(), "rb") as file:
            check, data = file.read(4), file.read()
        if check == _check(data):
            patterns.recall(unpacked(msgspec.msgpack.decode(data, type=list[Row])))


def keep() -> None:
    """Adds what this run had to make, if anything."""
    new = patterns.new()
    if not new:
        return
    known = patterns.known()
    data = msgspec.msgpack.encode(packed(known if len(known) <= MOST else new))
    with suppress(OSError):
        os.makedirs(cache_folder(), mode=0o700, exist_ok=True)
        write_private(_path(), _check(data) + data)


def packed(made: dict[Written, Made]) -> list[Row]:
    return [(written.text, written.flags, *each) for written, each in made.items()]


def unpacked(rows: Iterable[Row]) -> dict[Written, Made]:
    return {Written(type(row[0]), *row[:2]): Made(*row[2:]) for row in rows}


def _check(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "big")


def _path() -> str:
    return os.path.join(cache_folder(), f"patterns-{patterns.MADE_BY}")
