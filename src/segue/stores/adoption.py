"""Frames of another log may come in only where they belong: right after the head, with a chain that fits.

Every backend asks here before it writes a frame that it did not seal itself, so a copy is the same log or
none at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.errors import BadInput, Conflict
from segue.model.frame import Frame
from segue.model.tombstone import Record
from segue.model.wire import GENESIS, decode
from segue.stores.contract import NEW, Head, Key
from segue.stores.seal import admit_stream
from segue.stores.verify import stream_findings

_APART = "The two logs went separate ways: copy into an empty workspace."


def admit_frames(frames: Sequence[Frame], head: Head | None, forgotten: Sequence[Record] = ()) -> str:
    """The kind of the stream that the frames continue. Raises Conflict when they do not follow `head`. `forgotten`
    are the tombstones that later frames of the stream will name."""
    if not frames or len({frame.stream_id for frame in frames}) > 1:
        raise BadInput("Only frames of one stream can be adopted together.", "Give them stream by stream.")
    stream_id = frames[0].stream_id
    kind = head.stream_kind if head else _kind(frames[0])
    admit_stream(stream_id, kind)
    seq, previous = (head.seq, head.hash) if head else (NEW, GENESIS)
    if frames[0].seq != seq + 1:
        raise Conflict(
            f"The stream {stream_id} goes on with frame {seq + 1} here, not with frame {frames[0].seq}.",
            "Copy again: it goes on where this log stands.",
        )
    for finding in stream_findings(stream_id, kind, frames, seq + 1, previous, forgotten):
        raise Conflict(f"Frame {finding.where} cannot be adopted. {finding.message}", _APART, "diverged")
    return kind


def id_elsewhere(stream_id: str) -> Conflict:
    return Conflict(
        f"A frame of stream {stream_id} has an id that another frame has here.", _APART, "diverged"
    )


def key_elsewhere(key: Key) -> Conflict:
    return Conflict(
        f"The idempotency key {key.key!r} stands for other frames here, or for frames that are missing.",
        _APART,
        "diverged",
    )


def _kind(frame: Frame) -> str:
    said = decode(frame.body)
    return str(said.get("stream_kind")) if isinstance(said, dict) else ""
