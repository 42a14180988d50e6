"""Drafts become frames: the store adds identity, order, time and hash.

Every backend seals in the same way, inside the transaction that read the head, so equal drafts
at equal heads differ in id and time only, and a frame's hash commits to all frames before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain as chained
from zlib import crc32

from segue.errors import BadInput, Conflict
from segue.model.frame import ENVELOPE, STREAM_KINDS, Draft, Frame, Payload, checked, framed
from segue.model.ids import is_id, new_ids, now_ms
from segue.model.wire import canonical_many, chain
from segue.stores.contract import MAX_FRAME_BYTES, NEW

_RESERVED = frozenset(ENVELOPE)


def admit(drafts: Sequence[Draft]) -> list[str]:
    """The ids given beforehand. Raises BadInput for drafts that no stream can take; called before any lock
    is taken."""
    if not drafts:
        raise BadInput("There is nothing to append.", "Give at least one frame.")
    for draft in drafts:
        checked(draft)
    if not _RESERVED.isdisjoint(chained.from_iterable(payload for _, payload, _ in drafts)):
        raise BadInput(
            f"A payload may not carry any of {', '.join(ENVELOPE)}.",
            "Rename the field: the log writes these itself.",
        )
    given = [draft.id for draft in drafts if draft.id is not None]
    if given and (len(set(given)) != len(given) or not all(map(is_id, given))):
        raise BadInput(
            "Frame ids given beforehand must be different UUIDs in lower case.", "Let the log make the ids."
        )
    return given


def admit_stream(stream_id: str, stream_kind: str) -> None:
    """Raises BadInput for a stream that may not come into being."""
    if not is_id(stream_id):
        raise BadInput(f"{stream_id!r} is not a stream id.", "Stream ids are UUIDs in lower case.")
    if stream_kind not in STREAM_KINDS:
        raise BadInput(f"There is no stream kind {stream_kind!r}.", f"Known: {', '.join(STREAM_KINDS)}.")


def admit_place(stream_id: str, stream_kind: str, expect: int | None, kind: str, seq: int) -> None:
    """Raises Conflict when the stream does not stand where the writer saw it, BadInput when it is of
    another kind."""
    if expect is not None and expect != seq:
        raise Conflict(
            f"The stream {stream_id} {_at(seq)}; the writer expected that it {_at(expect)}.",
            "Read it again and retry.",
        )
    if kind != stream_kind:
        raise BadInput(f"The stream {stream_id} is of kind {kind}, not {stream_kind}.", "Use another stream.")


def _at(seq: int) -> str:
    return "does not exist" if seq == NEW else f"stands at frame {seq}"


def one_stream(tombstones: Sequence[Frame]) -> str:
    """The stream of the tombstones."""
    streams = {frame.stream_id for frame in tombstones}
    if len(streams) != 1:
        raise BadInput(
            "Only frames of one stream can be forgotten together.", "Forget them stream by stream."
        )
    return streams.pop()


def not_as_read(frame: Frame) -> Conflict:
    return Conflict(
        f"Frame {frame.seq} of stream {frame.stream_id} is not there as it was read.",
        "Read it again and retry.",
    )


def id_taken(frame_id: str) -> BadInput:
    return BadInput(f"There is already a frame {frame_id}.", "Let the log make the id.")


CALLERS = "user:"
"""The namespace of keys that callers give; the program has keys, too."""


def key_taken(key: str) -> Conflict:
    return Conflict(
        f"The idempotency key {key.removeprefix(CALLERS)!r} was already used for another request.",
        "Use a new key for a new request.",
        "idempotency_clash",
    )


def seal(
    stream_id: str, stream_kind: str, head: int, previous: bytes, drafts: Sequence[Draft]
) -> list[Frame]:
    """The frames that follow head sequence `head` with chain hash `previous`."""
    now = now_ms()
    whole = [
        dict(
            payload,
            id=frame_id,
            seq=seq,
            stream_id=stream_id,
            stream_kind=stream_kind,
            timestamp_ms=now,
            type=kind,
        )
        for seq, ((kind, payload, _), frame_id) in enumerate(zip(drafts, _ids(drafts), strict=True), head + 1)
    ]
    bodies = _encoded(whole, [draft.payload for draft in drafts])
    hashes = chain(previous, bodies)
    return [
        framed((stream_id, frame["seq"], frame["id"], frame["type"], body, digest))
        for frame, body, digest in zip(whole, bodies, hashes, strict=True)
    ]


def _ids(drafts: Sequence[Draft]) -> list[str]:
    given = [draft.id for draft in drafts]
    lacking = given.count(None)
    if lacking == len(given):
        return new_ids(lacking)
    made = iter(new_ids(lacking) if lacking else ())
    return [one or next(made) for one in given]


def _encoded(frames: list[Payload], payloads: list[Payload]) -> list[bytes]:
    try:
        bodies = canonical_many(frames, payloads)
    except (TypeError, ValueError, RecursionError) as fault:
        raise BadInput(
            f"A payload cannot be written as JSON: {fault}.",
            "Use texts, whole and finite numbers, lists and objects.",
        ) from None
    largest = max(map(len, bodies))
    if largest > MAX_FRAME_BYTES:
        raise BadInput(
            f"A frame of {largest:,} bytes is too large for the log; the limit is {MAX_FRAME_BYTES:,}.",
            "Store it as an artifact (`segue artifact put`) and reference the artifact.",
        )
    return bodies


def row_sum(*columns: object) -> int:
    """A checksum of the columns of a row that no chain hash covers, so that `verify` notices when one of them changed.
    It finds accidents, not forgers: whoever can write the row can write the sum. Rows of older versions have none."""
    return crc32("\0".join(map(str, columns)).encode("utf-8", "surrogatepass"))
