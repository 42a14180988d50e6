"""A session told by a copy of this process, while this one gets ready to listen.

Reading a file and hearing its secrets take about as long as making sense of it. Whatever a copy that was lost did not
tell, this process then reads itself, and meets the same troubles. It changes no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import BinaryIO

import msgspec

from segue.agents.contract import Mark
from segue.model import patterns
from segue.model.entry import Entry
from segue.redaction.redactor import Known, Redactor
from segue.service.handoffs import copies, kept_patterns
from segue.service.handoffs.copies import Copy

Marked = Callable[[Mark], None]
Tell = Callable[[Redactor, Marked], Iterable[Entry]]
"""Tells a session from the start, and the redactor its secrets; what else it is given is called at the mark it was
asked for, if any, when the redactor knows all that was told before."""

WORTH = 2 * 1024 * 1024
"""Bytes from which on reading takes several times as long as copying a process."""
_TOGETHER = 64
_ENTRIES, _MARK, _END = b"e", b"m", b"."


def begun(tell: Tell) -> Tell:
    """The same telling, begun by a second process; as it is, where that would gain nothing or be unsafe."""
    if not copies.can_be_made():
        return tell
    copy = copies.begun(lambda pipe: _send_all(tell, pipe))
    return lambda redactor, marked: _heard(copy, tell, redactor, marked)


def _send_all(tell: Tell, pipe: BinaryIO) -> None:
    encode = msgspec.msgpack.Encoder().encode
    redactor = Redactor()
    waiting: list[Entry] = []

    def send(kind: bytes, value: object) -> None:
        data = encode(value)
        pipe.write(kind + len(data).to_bytes(4, "big"))
        pipe.write(data)
        pipe.flush()

    def send_waiting() -> None:
        send(_ENTRIES, waiting)
        waiting.clear()

    def send_mark(mark: Mark) -> None:
        send_waiting()
        send(_MARK, (mark, redactor.known()))

    for entry in tell(redactor, send_mark):
        waiting.append(entry)
        if len(waiting) == _TOGETHER:
            send_waiting()
    send_waiting()
    send(_END, (redactor.known(), kept_patterns.packed(patterns.new())))


def _heard(copy: Copy, tell: Tell, redactor: Redactor, marked: Marked) -> Iterator[Entry]:
    entries = msgspec.msgpack.Decoder(list[Entry]).decode
    heard = 0
    with copy.heard() as pipe:
        for kind, data in _parcels(pipe):
            if kind == _END:
                known, made = msgspec.msgpack.decode(data, type=tuple[Known, list[kept_patterns.Row]])
                redactor.goes_on_from(known)
                patterns.note(kept_patterns.unpacked(made))
                return
            if kind == _MARK:
                mark, known = msgspec.msgpack.decode(data, type=tuple[Mark, Known])
                redactor.goes_on_from(known)
                marked(mark)
                continue
            some = entries(data)
            heard += len(some)
            yield from some
    yield from islice(tell(redactor, marked), heard, None)


def _parcels(pipe: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Everything that arrived whole."""
    while len(head := pipe.read(5)) == 5:
        size = int.from_bytes(head[1:], "big")
        data = pipe.read(size)
        if len(data) < size:
            return
        yield head[:1], data
