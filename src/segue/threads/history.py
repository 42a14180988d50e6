"""What this room needs of the world: a way to read frames and one to read blobs. The service passes the
real ones in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, Unpack

from segue.model.frame import MESSAGE, Frame, Which


class History(Protocol):
    def read(
        self, stream_id: str, first: int = 0, last: int | None = None, **which: Unpack[Which]
    ) -> Iterator[Frame]: ...

    def frame(self, frame_id: str) -> Frame | None: ...

    def count(self, stream_id: str, types: Sequence[str], last: int | None = None) -> int: ...


class Blobs(Protocol):
    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes: ...


def last_message(history: History, thread_id: str, seq: int) -> Frame | None:
    """The newest message at or before `seq`."""
    return next(history.read(thread_id, 0, seq, types=(MESSAGE,), reverse=True, limit=1), None)
