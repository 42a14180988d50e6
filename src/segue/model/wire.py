"""The only JSON codec, and the bytes that hashes are taken of.

Canonical JSON is UTF-8, keys sorted, no spaces, no ASCII escapes beyond what JSON demands.
Two encoders produce it: the standard library's, cheap to import, and msgspec's, five times
as fast once loaded (25 ms). They write floats differently and disagree about what is not JSON, so
msgspec gets only what is made of text, integers, truth values, nulls, lists and objects;
`tests/model/test_wire.py` proves that on these they agree byte for byte.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from segue.errors import BadInput

Json = dict[str, Any]

_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode
_BULK = 64
_ALIKE = frozenset((str, int, bool, type(None)))


def canonical(value: Any) -> bytes:
    """The canonical bytes of a JSON value. Lone surrogates, which UTF-8 cannot hold, become U+FFFD."""
    text = _encode(value)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _encode(json.loads(scrub(text))).encode()


def canonical_many(values: list[Json]) -> list[bytes]:
    """`canonical` of each value; worth msgspec's import from a few dozen values on."""
    if len(values) < _BULK:
        return [canonical(v) for v in values]
    import msgspec  # 25 ms

    encode = msgspec.json.Encoder(order="sorted").encode
    encoded = []
    for value in values:
        try:
            encoded.append(encode(value) if _alike(value) else canonical(value))
        except (UnicodeEncodeError, TypeError, RecursionError):
            encoded.append(canonical(value))
    return encoded


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
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as fault:
        raise BadInput(f"This is not JSON: {fault}.") from None


def content_id(data: bytes) -> str:
    """The name of an artifact: sha256 of its uncompressed bytes, 64 lowercase hex digits."""
    return hashlib.sha256(data).hexdigest()


def chain(previous: bytes, bodies: Iterable[bytes]) -> list[bytes]:
    """The chain hash of each body: sha256 over the hash before it and its canonical bytes."""
    hashes = []
    for body in bodies:
        previous = hashlib.sha256(previous + body).digest()
        hashes.append(previous)
    return hashes


GENESIS = b"\x00" * 32
"""What stands before the first frame of every stream."""
