"""What a request says, as the values of its operation.

A GET says it in the query, everything else in a JSON object; an operation that takes bytes has them as its
body and the rest in the query. Bodies are bounded while they arrive, and must keep arriving.
"""

from __future__ import annotations

import asyncio
import collections.abc
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl, unquote

import msgspec
from starlette.types import Message, Receive, Scope

from segue.errors import BadInput
from segue.model.thread import Provenance
from segue.model.wire import decode
from segue.service.actors import calling
from segue.service.signatures import Signature, signature
from segue.surfaces.http.problems import too_large, too_slow
from segue.surfaces.http.refusals import refusal

if TYPE_CHECKING:
    from segue.surfaces.http.call import Call

JSON_BYTES = 16 * 1024 * 1024
BYTES_BYTES = 256 * 1024 * 1024
PATIENCE_SECONDS = 30.0
"""How long a body may rest between two parts of it."""
SLOWEST = 1024
"""Bytes a second that a body must come with, once that patience is used up."""
WHOLE = "segue.whole"
"""What a connection tells of a request: whether all of its body is there."""

_FIELDS = 100
_KEY_CHARACTERS = 200
_ACTORS = ("actor_id", "origin")
_ONCE = tuple(
    b"authorization content-length content-type host idempotency-key last-event-id x-request-id".split()
)


class RequestValues(NamedTuple):
    """A request, read. `strict` is false where all values arrived as text."""

    values: dict[str, Any]
    by: Provenance
    key: str | None
    strict: bool


class Headers(Mapping[str, str]):
    """The last value of every header, decoded when it is looked at."""

    def __init__(self, scope: Scope) -> None:
        self._raw: dict[bytes, bytes] = dict(scope["headers"])
        self._given = scope["headers"]

    def require_single(self) -> None:
        """Raises BadInput for a header that says two things where others would believe the first."""
        if len(self._raw) == len(self._given):
            return
        names = [name for name, _ in self._given]
        for name in _ONCE:
            if names.count(name) > 1:
                raise BadInput(f"{name.decode().title()} is given twice.", "Give it once.")

    def __getitem__(self, name: str) -> str:
        return self._raw[name.encode()].decode("latin-1")

    def get(self, name: str, default: Any = None) -> Any:
        found = self._raw.get(name.encode())
        return default if found is None else found.decode("latin-1")

    def __iter__(self) -> Iterator[str]:
        return (name.decode("latin-1") for name in self._raw)

    def __len__(self) -> int:
        return len(self._raw)


async def read_request(call: Call) -> RequestValues:
    """Everything the caller said. Raises BadInput."""
    operation, headers, agent = call.operation, call.headers, call.guard.agent
    known = signature(operation)
    key = idempotency_key(headers)
    in_query = query(known, call.scope["query_string"])
    if known.body:
        data = await body(call.scope, call.receive, headers, BYTES_BYTES)
        by = _by(in_query, agent)
        return RequestValues({**in_query, **call.path, known.body: data}, by, key, False)
    if operation.route.startswith("GET"):
        return RequestValues(_joined(in_query, call.path), _by({}, agent), key, False)
    if in_query:
        raise BadInput(f"{operation.name} takes nothing in the query.", "Put the values into the JSON body.")
    said = _object(await body(call.scope, call.receive, headers, JSON_BYTES), headers)
    by = _by(said, agent)
    return RequestValues(_joined(said, call.path), by, key, True)


def query(known: Signature, raw: bytes) -> dict[str, Any]:
    """The values in a query; a name may repeat where a list is taken."""
    if not raw:
        return {}
    try:
        pairs = parse_qsl(
            raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_FIELDS
        )
    except ValueError:
        raise BadInput("The query cannot be read.", "Write it as name=value&name=value, in UTF-8.") from None
    values: dict[str, Any] = {}
    lists = _lists(known)
    for name, value in pairs:
        if name in lists:
            values.setdefault(name, []).append(value)
        elif name in values:
            raise BadInput(f"{name!r} is given twice.", "Give it once.")
        else:
            values[name] = value
    return values


async def body(scope: Scope, receive: Receive, headers: Mapping[str, str], limit: int) -> bytes:
    """The whole body. Raises BadInput as soon as it is known to be too large, or rests for too long."""
    if int(headers.get("content-length") or 0) > limit:
        raise too_large(limit)
    parts: list[bytes] = []
    size, more, began = 0, True, time.monotonic()
    is_whole: Callable[[], bool] = scope["extensions"][WHOLE]
    while more:
        # Most bodies are there at once, and a timer costs more than reading them does.
        message = await (receive() if is_whole() else _receive_in_time(receive))
        if message["type"] == "http.disconnect":
            raise BadInput("The caller left.", "Stay for the answer.", "too_slow")
        part, more = message.get("body", b""), message.get("more_body", False)
        size += len(part)
        if size > limit:
            raise too_large(limit)
        if more and time.monotonic() - began > PATIENCE_SECONDS + size / SLOWEST:
            raise too_slow("The body")
        parts.append(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


async def _receive_in_time(receive: Receive) -> Message:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await receive()
    except TimeoutError:
        raise too_slow("The body") from None


def idempotency_key(headers: Mapping[str, str]) -> str | None:
    raw = headers.get("idempotency-key")
    if raw is None:
        return None
    try:
        key = unquote(raw, errors="strict")
    except UnicodeDecodeError:
        raise BadInput("The idempotency key is not UTF-8.", "A UUID is a good one.") from None
    if not 0 < len(key) <= _KEY_CHARACTERS or not key.isprintable():
        raise refusal("key-form", most=_KEY_CHARACTERS)
    return key


def _object(data: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
    if not data:
        return {}
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise refusal("not-said-json")
    try:
        said = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        said = decode(data)  # takes what others write that is not quite JSON, and says where it is none
    if not isinstance(said, dict):
        raise BadInput("The body is not a JSON object.", "Send an object with the operation's fields.")
    return said


def _joined(said: dict[str, Any], path: Mapping[str, str]) -> dict[str, Any]:
    for name in path:
        if name in said:
            raise BadInput(f"{name!r} is part of the address.", "Leave it out of the body and the query.")
    return {**said, **path}


def _by(said: dict[str, Any], agent: str) -> Provenance:
    """Who acts. Taken out of what was said, where it stands beside the operation's own fields: a client need
    not know which operations record it."""
    who = [said.pop(name, None) for name in _ACTORS]
    for name, given in zip(_ACTORS, who, strict=True):
        if given is not None and not isinstance(given, str):
            raise BadInput(f"{name} must be a text.", "Leave it out, or name who acts and through what.")
    actor_id, origin = who
    return calling(actor_id, origin, agent)


@cache
def _lists(known: Signature) -> frozenset[str]:
    hints = get_type_hints(known.request)
    return frozenset(name for name, hint in hints.items() if any(map(_is_list, (hint, *get_args(hint)))))


def _is_list(hint: Any) -> bool:
    return get_origin(hint) in (list, tuple, collections.abc.Sequence)
