"""Thinking that a copy of this process does, while this one thinks about something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, TypeVar

import msgspec

from segue.model import patterns
from segue.redaction.redact import Redactor
from segue.service.handoffs import copies, kept_patterns

Clean = Callable[[str], str]
_Done = TypeVar("_Done")


def aside(redactor: Redactor, work: Callable[[Clean], _Done], kind: type[_Done]) -> Callable[[], _Done]:
    """Begins some work on text that `redactor` cleans, in a copy where there can be one. What is given back waits for
    it, and does it here where the copy was lost."""
    if not copies.can_be_made():
        return lambda: work(redactor.redact)

    def write(pipe: BinaryIO) -> None:
        counted = redactor.twin()
        done = work(counted.redact)
        made = kept_patterns.packed(patterns.new())
        pipe.write(msgspec.msgpack.encode((done, counted.receipt().by_kind, made)))

    copy = copies.begun(write)

    def done() -> _Done:
        said = copy.all_it_says()
        try:
            answer, removed, made = msgspec.msgpack.decode(
                said,
                type=tuple[kind, dict[str, int], list[kept_patterns.Row]],  # type: ignore[valid-type]
            )
        except msgspec.MsgspecError:
            return work(redactor.redact)
        for what, times in removed.items():
            redactor.count(what, times)
        patterns.note(kept_patterns.unpacked(made))
        return answer

    return done
