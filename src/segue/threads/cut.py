"""Choosing a cut point, the same way for branch and handoff.

A cut names the last frame that belongs to the past. Naming a message cuts after its whole turn:
the message, its runs, and what they did. Whatever was asked for, the chosen sequence number is
what gets recorded, so replay never has to choose again.
"""

from __future__ import annotations

from collections.abc import Callable

from segue.errors import BadInput, NotFound
from segue.model.frame import MESSAGE
from segue.model.value import NamedTuple
from segue.threads.history import History, last_message


class Cut(NamedTuple):
    seq: int
    message_id: str | None


def choose(
    history: History,
    thread_id: str,
    head_seq: int,
    from_message_id: str | None = None,
    from_seq: int | None = None,
    last_of_run: Callable[[str], int | None] = lambda message_id: None,
) -> Cut:
    """The cut for this request. `last_of_run` knows the last sequence number at which a run of a message
    was spawned or ended. Raises BadInput for two selectors or a cut beyond the head, NotFound for a
    message that is not in this thread."""
    if from_message_id is not None and from_seq is not None:
        raise BadInput(
            "A cut is chosen by message or by sequence number, not by both.",
            "Give --from-message-id or --from-seq.",
        )
    if from_message_id is not None:
        message = history.frame(from_message_id)
        if message is None or message.stream_id != thread_id or message.type != MESSAGE:
            elsewhere = message is not None and message.type == MESSAGE and message.stream_id
            raise NotFound(
                f"Thread {thread_id} has no message {from_message_id}.",
                f"It is a message of thread {elsewhere}: cut there."
                if elsewhere
                else f"`segue thread events {thread_id}` lists its messages.",
            )
        return Cut(max(message.seq, last_of_run(message.id) or 0), message.id)
    if from_seq is not None and not 0 <= from_seq <= head_seq:
        raise BadInput(
            f"There is no sequence number {from_seq} in thread {thread_id}: its head is {head_seq}.",
            f"Choose one from 0 to {head_seq}.",
        )
    seq = head_seq if from_seq is None else from_seq
    message = last_message(history, thread_id, seq)
    return Cut(seq, message.id if message else None)
