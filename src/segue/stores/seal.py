"""Drafts become frames: the store adds identity, order, time and hash.

Every backend seals in the same way, inside the transaction that read the head, so equal drafts
at equal heads differ in id and time only, and a frame's hash commits to all frames before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain as chained
from itertools import repeat

from segue.errors import BadInput
from segue.model.frame import ENVELOPE, STREAM_KINDS, Draft, Frame, Payload, checked
from segue.model.ids import is_id, new_ids, now_ms
from segue.model.wire import canonical_many, chain
from segue.stores.contract import MAX_FRAME_BYTES

_RESERVED = frozenset(ENVELOPE)


def admit(stream_id: str, stream_kind: str, drafts: Sequence[Draft]) -> None:
    """Raises BadInput for what no head could make right; called before any lock is taken."""
    if not is_id(stream_id):
        raise BadInput(f"{stream_id!r} is not a stream id.", "Stream ids are UUIDs in lower case.")
    if stream_kind not in STREAM_KINDS:
        raise BadInput(f"There is no stream kind {stream_kind!r}.", f"Known: {', '.join(STREAM_KINDS)}.")
    if not drafts:
        raise BadInput("There is nothing to append.", "Give at least one frame.")
    list(map(checked, drafts))
    if not _RESERVED.isdisjoint(chained.from_iterable(payload for _, payload, _ in drafts)):
        raise BadInput(
            f"A payload may not carry {', '.join(ENVELOPE)}: the log writes these itself.",
            "Rename the field of the payload.",
        )
    given = [draft.id for draft in drafts if draft.id is not None]
    if given and (len(set(given)) != len(given) or not all(map(is_id, given))):
        raise BadInput("Frame ids given beforehand must be different UUIDs in lower case.")


def seal(
    stream_id: str, stream_kind: str, head: int, previous: bytes, drafts: Sequence[Draft]
) -> list[Frame]:
    """The frames that follow head sequence `head` with chain hash `previous`."""
    now = now_ms()
    seqs = range(head + 1, head + 1 + len(drafts))
    types, payloads, given = zip(*drafts, strict=True)
    ids = [known or made for known, made in zip(given, new_ids(len(drafts)), strict=True)]
    bodies = _encoded(
        [
            dict(
                payload,
                id=frame_id,
                seq=seq,
                stream_id=stream_id,
                stream_kind=stream_kind,
                timestamp_ms=now,
                type=kind,
            )
            for payload, frame_id, seq, kind in zip(payloads, ids, seqs, types, strict=True)
        ],
        payloads,
    )
    hashes = chain(previous, bodies)
    return list(map(Frame._make, zip(repeat(stream_id), seqs, ids, types, bodies, hashes, strict=False)))


def _encoded(frames: list[Payload], payloads: Sequence[Payload]) -> list[bytes]:
    try:
        bodies = canonical_many(frames, payloads)
    except (TypeError, ValueError, RecursionError) as fault:
        raise BadInput(f"A payload cannot be written as JSON: {fault}.") from None
    largest = max(map(len, bodies))
    if largest > MAX_FRAME_BYTES:
        raise BadInput(
            f"A frame of {largest:,} bytes is too large for the log; the limit is {MAX_FRAME_BYTES:,}.",
            "Store it as an artifact (`segue artifact put`) and reference the artifact.",
        )
    return bodies
