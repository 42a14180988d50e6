"""What every log asks before it puts tombstones in the place of frames: all of one stream, each the frame that was read."""

from __future__ import annotations

from collections.abc import Sequence

from segue.errors import BadInput, Conflict
from segue.model.frame import Frame


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
