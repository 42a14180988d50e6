"""The newest messages along a line of history, as many as there are tokens for, and whether that was all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from segue.model.frame import MESSAGE
from segue.threads.history import History
from segue.threads.lineage import Segment
from segue.threads.token_budget import ITEM_TOKENS, Item, TokenBudget


def newest(
    history: History,
    segments: Iterable[Segment],
    purse: TokenBudget,
    bought: set[str],
    limit: int | None = None,
    part: bool = True,
) -> list[Item]:
    """The newest messages of these segments, which come newest first; the messages oldest first.

    There are no holes: the first message that does not fit ends it, except the very newest, which is
    then cut to what is left, where a `part` will do. Those in `bought` were paid for elsewhere and cost nothing; those taken
    whole are added to it.
    """
    taken: list[Item] = []
    for segment in segments:
        room = None if limit is None else limit - len(taken)
        if room == 0 or purse.left <= ITEM_TOKENS:
            break
        for frame in history.read(
            segment.thread_id, segment.first, segment.last, types=(MESSAGE,), reverse=True, limit=room
        ):
            item = _item(frame.data)
            if frame.id not in bought and not purse.buy(item):
                end = purse.buy_end(item) if part and not taken else None
                return [end] if end else taken[::-1]
            bought.add(frame.id)
            taken.append(item)
    return taken[::-1]


def shortfall(history: History, segments: Sequence[Segment], taken: Sequence[Item]) -> str | None:
    """What became of the rest of these segments, newest first, of which these messages were taken: `left_out`
    where older ones are missing, `shortened` where one was cut, None where all of it is there."""
    oldest = next(
        (
            frame
            for segment in reversed(segments)
            for frame in history.read(
                segment.thread_id, segment.first, segment.last, types=(MESSAGE,), limit=1
            )
        ),
        None,
    )
    if oldest is not None and not any(item["thread_event_id"] == oldest.id for item in taken):
        return "left_out"
    return "shortened" if any("truncated" in item for item in taken) else None


def price(purse: TokenBudget, data: dict[str, Any]) -> int:
    """What a message would cost."""
    return purse.price(_item(data))


def _item(data: dict[str, Any]) -> Item:
    return {
        "type": "message",
        "role": data["role"],
        "content": data["content"],
        "thread_id": data["stream_id"],
        "thread_seq": data["seq"],
        "thread_event_id": data["id"],
    }
