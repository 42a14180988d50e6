"""What a damaged line of JSON still holds.

The strict decoder refuses a whole line for one fault. Here the line is taken apart: sound
objects are kept, stray bytes between them are reported with their place. Slow, and only ever
used on lines that the strict decoder refused.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from segue.model.value import NamedTuple
from segue.model.wire import scrub

_STARTS_TRIED = 256
"""How many places of a damaged line are tried as the start of an undamaged record."""
_CHARACTERS_TRIED = 64 * 1024 * 1024
"""The same in characters scanned, for very long lines."""
_PADDING = "\0\ufeff \t\r\n"
"""What may stand around a record without meaning: blocks of NUL left by a crash, a byte order mark."""

NOT_UTF8 = "bytes that are not UTF-8 were replaced"
BINARY = "binary data"
TOO_DEEP = "nested too deeply"


class Piece(NamedTuple):
    """A stretch of a line, `at` bytes from its start: an object, a fault, or an object with a flaw."""

    at: int
    size: int
    value: dict[str, Any] | None
    reason: str
    last: bool


def pieces(raw: bytes) -> Iterator[Piece]:
    """The objects of a line and the faults between them, in order."""
    text = raw.decode("utf-8", "surrogateescape")
    position = 0
    while True:
        padded = position
        while position < len(text) and text[position] in _PADDING:
            position += 1
        if "\0" in text[padded:position]:
            yield _piece(text, padded, position, None, "NUL bytes")
        if position == len(text):
            return
        value, end, reason = _value(text, position)
        if not reason and not isinstance(value, dict):
            reason = "not a JSON object"
        if not isinstance(value, dict):
            value, end = None, _next_start(text, position)
        elif _escaped(text[position:end]):
            reason = NOT_UTF8
        yield _piece(text, position, end, value, reason)
        position = end


def whole(raw: bytes) -> tuple[Any, str]:
    """The value of a document that the strict decoder refused, or the reason why there is none."""
    text = raw.decode("utf-8", "surrogateescape").strip(_PADDING)
    if not text:
        return None, "the file is empty"
    value, end, reason = _value(text, 0)
    if not reason and end < len(text):
        reason = f"stray text after character {end}"
    return value, reason


def _piece(text: str, start: int, end: int, value: dict[str, Any] | None, reason: str) -> Piece:
    return Piece(_bytes(text, 0, start), _bytes(text, start, end), value, reason, end == len(text))


def _value(text: str, position: int) -> tuple[Any, int, str]:
    """The JSON value at a position and where it ends, or the reason why there is none."""
    try:
        value, end = _decoder.raw_decode(text, position)
        return _clean(value), end, ""
    except RecursionError:
        return None, len(text), TOO_DEEP
    except ValueError as fault:
        what = "a number is too long"
        if isinstance(fault, json.JSONDecodeError):
            what = f"{fault.msg.lower().removesuffix(' at')} at character {fault.pos}"
        return None, len(text), BINARY if _binary(text[position : position + 512]) else f"not JSON: {what}"


def _next_start(text: str, position: int) -> int:
    """Where a sound record begins that runs to the very end of the line, else the end of the line.

    An object inside a damaged record never qualifies: its parents' closing braces follow it."""
    tries = min(_STARTS_TRIED, max(8, _CHARACTERS_TRIED // len(text)))
    start = position
    for _ in range(tries):
        start = text.find('{"', start + 1)
        if start < 0:
            break
        try:
            _, end = _decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if not text[end:].strip(_PADDING):
            return start
    return len(text)


def _clean(value: Any) -> Any:
    """The value with every string fit for UTF-8."""
    if isinstance(value, str):
        return value if value.isascii() else scrub(value)
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return value


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


_decoder = json.JSONDecoder(strict=False, parse_constant=lambda _: None, parse_float=_finite)


def _binary(sample: str) -> bool:
    strange = sum((char < " " and char not in "\t\r\n") or "\udc80" <= char <= "\udcff" for char in sample)
    return strange * 8 > len(sample)


def _escaped(text: str) -> bool:
    """Whether bytes that are no UTF-8 stand in the text."""
    return not text.isascii() and any("\udc80" <= char <= "\udcff" for char in text)


def _bytes(text: str, start: int, end: int) -> int:
    return len(text[start:end].encode("utf-8", "surrogateescape"))
