"""A history and a box of blobs in memory: what this room needs of the world, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from segue.errors import NotFound
from segue.model import wire
from segue.model.frame import CHECKPOINT, MESSAGE, Frame


class Memory:
    """Streams as lists of frames; a frame's id is `stream/seq`. Counts what was read."""

    def __init__(self) -> None:
        self.streams: dict[str, list[Frame]] = {}
        self.blobs: dict[str, bytes] = {}
        self.rows_read = 0

    def add(self, stream_id: str, type: str, **payload: Any) -> int:
        frames = self.streams.setdefault(stream_id, [])
        seq, name = len(frames), f"{stream_id}/{len(frames)}"
        body = {"id": name, "stream_id": stream_id, "seq": seq, "type": type, **payload}
        frames.append(Frame(stream_id, seq, name, type, wire.canonical(body), b""))
        return seq

    def say(self, stream_id: str, content: str, role: str = "user") -> int:
        return self.add(stream_id, MESSAGE, role=role, content=content)

    def checkpoint(self, stream_id: str, to_seq: int, text: str = "summary", **document: Any) -> str:
        value = {
            "schema": "rip.compaction_summary.v1",
            "coverage": {},
            "summary_markdown": text,
            **document,
        }
        artifact_id = self.put(wire.canonical(value))
        self.add(
            stream_id,
            CHECKPOINT,
            checkpoint_id=f"point-{len(self.streams[stream_id])}",
            summary_kind="cumulative_v1",
            summary_artifact_id=artifact_id,
            to_seq=to_seq,
        )
        return artifact_id

    def put(self, data: bytes) -> str:
        artifact_id = wire.content_id(data)
        self.blobs[artifact_id] = data
        return artifact_id

    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes:
        if artifact_id not in self.blobs:
            raise NotFound(f"There is no artifact {artifact_id}.", "Put it.")
        return self.blobs[artifact_id]

    def read(
        self,
        stream_id: str,
        first: int = 0,
        last: int | None = None,
        *,
        types: Sequence[str] = (),
        reverse: bool = False,
        limit: int | None = None,
    ) -> Iterator[Frame]:
        frames = self.streams.get(stream_id, [])[first : None if last is None else last + 1]
        found = [frame for frame in frames if not types or frame.type in types]
        for frame in (found[::-1] if reverse else found)[:limit]:
            self.rows_read += 1
            yield frame

    def frame(self, frame_id: str) -> Frame | None:
        stream_id, _, seq = frame_id.partition("/")
        return next(self.read(stream_id, int(seq), int(seq)), None)

    def count(self, stream_id: str, types: Sequence[str], last: int | None = None) -> int:
        return len(list(self.read(stream_id, 0, last, types=types)))


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def words() -> Callable[[str], int]:
    """A count of tokens that a reader can check by eye."""
    return lambda text: len(text.split())
