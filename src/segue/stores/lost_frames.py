"""Frames that were acknowledged and are no longer there: a loss, which is said and never covered up.

A head remembers how far its stream had got. Where it is ahead of the last frame, the frames between are lost, and
making the head again from the frames would give their numbers to others. That is done only when somebody accepts the
loss, and then a frame at the place of the first lost one tells it for good.
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.errors import Refused
from segue.model.frame import LOST, Draft, Payload
from segue.stores.contract import NEW, Finding, Head

KIND = "frames_lost"


def finding(head: Head, last: int, restore: str) -> Finding:
    hint = f"{restore} `segue rebuild --accept-loss` goes on without them and records it."
    return Finding(KIND, head.stream_id, _sentence(head, last), hint)


def refused(losses: Sequence[tuple[Head, int]], restore: str) -> Refused:
    """`losses` are heads, each with the number of the last frame that is there."""
    head, last = losses[0]
    more = f" So it is with {len(losses) - 1} more streams." if len(losses) > 1 else ""
    return Refused(
        f"{_sentence(head, last)}{more} Nothing was changed.",
        f"{restore} Without one, `segue rebuild --accept-loss` goes on without them and records it.",
        KIND,
    )


def record(head: Head, last: int, stamp: Payload) -> Draft:
    """The frame that takes the place of the first lost one; `stamp` says who accepted the loss."""
    return Draft(LOST, {**stamp, "from_seq": last + 1, "to_seq": head.seq, "head_hash": head.hash.hex()})


def _sentence(head: Head, last: int) -> str:
    first = last + 1
    which = f"Frame {first}" if first == head.seq else f"Frames {first} to {head.seq}"
    there = "no frame is there" if last == NEW else f"the last one there is {last}"
    return f"{which} of stream {head.stream_id} {'is' if first == head.seq else 'are'} lost: {there}."
