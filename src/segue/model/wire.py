"""The only JSON codec, and the bytes that hashes are taken of.

Canonical JSON is UTF-8, keys sorted, no spaces, no ASCII escapes beyond what JSON demands.
Two encoders produce it: the standard library's, cheap to import, and msgspec's, five times
as fast once loaded (25 ms). They write floats differently and disagree about what is not JSON, so
msgspec gets only what is made of text, integers, truth values, nulls, lists and objects;
`tests/model/test_wire.py` proves that on these they agree byte for byte.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain as chained
from typing import Any

from segue.errors import BadInput

Json = dict[str, Any]

_BULK = 64
_come_by = 0
_ALIKE = frozenset((str, int, bool, type(None)))


def canonical(value: Any) -> bytes:
    """The canonical bytes of a JSON value. Lone surrogates, which UTF-8 cannot hold, become U+FFFD. Raises
    BadInput for NaN, infinity and what is nested too deeply."""
    try:
        text = _encoder()(value)
    except (ValueError, RecursionError) as fault:
        raise BadInput(
            f"A value cannot be written as JSON: {fault}.", "Use finite numbers and reasonable depth."
        ) from None
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _encoder()(decode(scrub(text))).encode()


@cache
def _encoder() -> Callable[[Any], str]:
    import json  # 1 ms, which a draft that is only printed does without

    encoder = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return encoder.encode


def canonical_many(values: Sequence[Json], doubtful: Sequence[Json] = ()) -> list[bytes]:
    """`canonical` of each value; once a process has come by a few dozen values, msgspec's import is worth it.
    `doubtful` are the parts of the values that may hold anything, where the rest is known to be text and
    integers."""
    global _come_by
    _come_by += len(values)
    if _come_by < _BULK and "msgspec" not in sys.modules:
        return [canonical(v) for v in values]
    encode = _fast_encoder()
    try:
        if _ALIKE.issuperset(map(type, chained.from_iterable(map(dict.values, doubtful or values)))):
            return list(map(encode, values))
        return [encode(value) if _alike(value) else canonical(value) for value in values]
    except (UnicodeEncodeError, TypeError, RecursionError):
        return [canonical(v) for v in values]


@cache
def _fast_encoder() -> Callable[[Any], bytes]:
    import msgspec  # 25 ms

    return msgspec.json.Encoder(order="sorted").encode


def _alike(value: Any) -> bool:
    """True for a value of which both encoders make the same bytes, or msgspec none."""
    kind = type(value)
    if kind is dict:
        return _ALIKE.issuperset(map(type, value.values())) or all(map(_alike, value.values()))
    if kind is list or kind is tuple:
        return all(map(_alike, value))
    return kind in _ALIKE


def scrub(text: str) -> str:
    """Text that UTF-8 can hold: lone surrogates replaced, everything else as it was."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def decode(data: bytes | str) -> Any:
    """JSON to values. Raises BadInput with the place of the fault."""
    import json

    try:
        return json.loads(data)
    except RecursionError:
        raise BadInput(
            "This JSON is nested too deeply.", "Send lists and objects that are flatter."
        ) from None
    except ValueError as fault:
        raise BadInput(
            f"This is not JSON: {fault}.", "Mend it, or write it again with a program that writes JSON."
        ) from None


def is_deeper(value: Any, most: int) -> bool:
    """Whether lists and objects stand in each other more than so many levels deep."""
    level = [value]
    for _ in range(most + 1):
        inner = [one for one in level if isinstance(one, dict | list)]
        if not inner:
            return False
        level = [child for one in inner for child in (one.values() if isinstance(one, dict) else one)]
    return True


def decode_own(text: str) -> Any:
    """JSON that this program wrote itself; by msgspec where it is loaded already, in a fifth of the time."""
    return _fast_decoder()(text) if "msgspec" in sys.modules else decode(text)


@cache
def _fast_decoder() -> Callable[[str], Any]:
    import msgspec

    return msgspec.json.Decoder().decode


def stream_named(name: str) -> str:
    """The id of the stream that stands for a name, in the form of an id of the log."""
    text = content_id(name.encode("utf-8", "surrogatepass"))
    return f"{text[:8]}-{text[8:12]}-8{text[13:16]}-8{text[17:20]}-{text[20:32]}"


def content_id(data: bytes) -> str:
    """The name of an artifact: sha256 of its uncompressed bytes, 64 lowercase hex digits."""
    import hashlib  # 9 ms, for OpenSSL: not worth it for those who only read

    return hashlib.sha256(data).hexdigest()


def chain(previous: bytes, bodies: Iterable[bytes]) -> list[bytes]:
    """The chain hash of each body: sha256 over the hash before it and its canonical bytes."""
    sha256 = _sha256()
    hashes = []
    for body in bodies:
        previous = sha256(previous + body).digest()
        hashes.append(previous)
    return hashes


@cache
def _sha256() -> Callable[[bytes], Any]:
    import hashlib  # 9 ms

    return hashlib.sha256


GENESIS = b"\x00" * 32
"""What stands before the first frame of every stream."""
