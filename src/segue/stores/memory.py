"""A log and artifacts in memory, for tests of programs that use segue: the whole contract, nothing on disk.

Whoever opens the same folder in one process gets the same log, as with a file. It ends with the process.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Unpack

from segue.errors import SegueError
from segue.model.frame import Draft, Frame, Payload
from segue.model.tombstone import Record
from segue.model.wire import GENESIS, content_id
from segue.stores import blob_rules
from segue.stores.adoption import admit_frames, id_elsewhere, key_elsewhere
from segue.stores.contract import NEW, Artifacts, Finding, Head, Key, Log, More, Request
from segue.stores.forgetting import not_as_read, one_stream
from segue.stores.seal import admit, admit_place, admit_stream, id_taken, key_taken, seal
from segue.stores.verify import stream_findings

_LISTEN_SECONDS = 0.05
_LOGS: dict[str, MemoryLog] = {}
_ARTIFACTS: dict[str, MemoryArtifacts] = {}


def open_log(spec: str, folder: str, wait: float) -> Log:
    return _LOGS.setdefault(folder, MemoryLog())


def open_artifacts(spec: str, folder: str) -> Artifacts:
    return _ARTIFACTS.setdefault(folder, MemoryArtifacts())


def forget(folder: str) -> None:
    """Lets go of what is kept for a folder and for those below it."""
    for kept in (_LOGS, _ARTIFACTS):
        for name in [name for name in kept if name == folder or name.startswith(f"{folder}/")]:
            del kept[name]


class MemoryLog:
    """Streams as lists of frames."""

    def __init__(self) -> None:
        self.rows_read = 0
        self._turn = threading.Condition()
        self._streams: dict[str, list[Frame]] = {}
        self._heads: dict[str, Head] = {}
        self._frames: dict[str, Frame] = {}
        self._keys: dict[str, Key] = {}
        self._commits = 0

    def append(self, stream_id: str, drafts: Sequence[Draft], **more: Unpack[More]) -> list[Frame]:
        (made,) = self.append_all([Request(stream_id, drafts, **more)])
        if isinstance(made, SegueError):
            raise made
        return made

    def append_all(self, requests: Sequence[Request]) -> list[list[Frame] | SegueError]:
        with self._turn:
            self._commits += 1
            made = [self._attempt(ask) for ask in requests]
            self._turn.notify_all()
            return made

    def adopt(self, frames: Sequence[Frame], forgotten: Sequence[Record] = ()) -> None:
        with self._turn:
            head = self.head(frames[0].stream_id) if frames else None
            kind = admit_frames(frames, head, forgotten)
            if any(frame.id in self._frames for frame in frames):
                raise id_elsewhere(frames[0].stream_id)
            self._commits += 1
            self._add(frames[0].stream_id, kind, frames)
            self._turn.notify_all()

    def forget(self, tombstones: Sequence[Frame], note: Draft) -> Frame:
        stream_id = one_stream(tombstones)
        with self._turn:
            frames = self._streams.get(stream_id, [])
            for one in tombstones:
                if one.seq >= len(frames) or frames[one.seq].hash != one.hash:
                    raise not_as_read(one)
            for one in tombstones:
                frames[one.seq] = self._frames[one.id] = one
            return self.append(stream_id, [note], stream_kind=self._heads[stream_id].stream_kind)[0]

    def wipe(self) -> str:
        return ""

    def keys(self) -> Iterator[Key]:
        return iter([self._keys[name] for name in sorted(self._keys)])

    def adopt_keys(self, keys: Sequence[Key]) -> None:
        with self._turn:
            for key in keys:
                there = len(self._streams.get(key.stream_id, ()))
                if not 0 <= key.first <= key.last < there or self._keys.get(key.key, key) != key:
                    raise key_elsewhere(key)
                self._keys[key.key] = key

    def keyed(self, key: str) -> list[Frame] | None:
        used = self._keys.get(key)
        return None if used is None else self._streams[used.stream_id][used.first : used.last + 1]

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
        found = self._backwards(stream_id, first, last) if reverse else self._forwards(stream_id, first, last)
        return self._counted(islice((one for one in found if not types or one.type in types), limit))

    def _forwards(self, stream_id: str, first: int, last: int | None) -> Iterator[Frame]:
        """Frames in order, with those that are added meanwhile."""
        at = max(first, 0)
        while at < len(self._streams.get(stream_id, ())) and (last is None or at <= last):
            yield self._streams[stream_id][at]
            at += 1

    def _backwards(self, stream_id: str, first: int, last: int | None) -> Iterator[Frame]:
        end = len(self._streams.get(stream_id, ())) - 1
        for at in range(end if last is None else min(last, end), max(first, 0) - 1, -1):
            yield self._streams[stream_id][at]

    def frame(self, frame_id: str) -> Frame | None:
        return self._frames.get(frame_id)

    def count(self, stream_id: str, types: Sequence[str], last: int | None = None) -> int:
        return sum(1 for _ in self.read(stream_id, last=last, types=types)) if types else 0

    def head(self, stream_id: str) -> Head | None:
        return self._heads.get(stream_id)

    def heads(self, since: int = 0) -> list[Head]:
        found = [head for head in self._heads.values() if head.touched > since]
        return sorted(found, key=lambda head: head.touched)

    def find(self, prefix: str, limit: int = 2) -> list[str]:
        names = sorted(self._streams)
        begin = bisect_left(names, prefix)
        return [name for name in names[begin : begin + limit] if name.startswith(prefix)]

    def follow(self, stream_id: str, first: int, stop: Callable[[], bool]) -> Iterator[Frame]:
        while not stop():
            for frame in self.read(stream_id, first):
                first = frame.seq + 1
                yield frame
            with self._turn:
                if len(self._streams.get(stream_id, ())) <= first:
                    self._turn.wait(_LISTEN_SECONDS)

    def verify(self) -> Iterator[Finding]:
        for stream_id, frames in self._streams.items():
            yield from stream_findings(stream_id, self._heads[stream_id].stream_kind, frames)

    def rebuild(self, accept_loss: Payload | None = None) -> int:
        return len(self._streams)

    def close(self) -> None:
        """Nothing is held; who opens it again finds what was written."""

    def _attempt(self, ask: Request) -> list[Frame] | SegueError:
        try:
            given = admit(ask.drafts)
            if ask.key is not None and (used := self._keys.get(ask.key)) is not None:
                if used.request != ask.request:
                    raise key_taken(ask.key)
                return self._streams[used.stream_id][used.first : used.last + 1]
            head = self.head(ask.stream_id)
            if head is None:
                admit_stream(ask.stream_id, ask.stream_kind)
            seq, previous = (head.seq, head.hash) if head else (NEW, GENESIS)
            kind = head.stream_kind if head else ask.stream_kind
            admit_place(ask.stream_id, ask.stream_kind, ask.expect, kind, seq)
            for frame_id in given:
                if frame_id in self._frames:
                    raise id_taken(frame_id)
            made = seal(ask.stream_id, ask.stream_kind, seq, previous, ask.drafts)
        except SegueError as fault:
            return fault
        self._add(ask.stream_id, ask.stream_kind, made)
        if ask.key is not None:
            self._keys[ask.key] = Key(ask.key, ask.request, ask.stream_id, made[0].seq, made[-1].seq)
        return made

    def _add(self, stream_id: str, kind: str, frames: Sequence[Frame]) -> None:
        self._streams.setdefault(stream_id, []).extend(frames)
        self._frames.update((frame.id, frame) for frame in frames)
        self._heads[stream_id] = Head(stream_id, kind, frames[-1].seq, frames[-1].hash, self._commits)

    def _counted(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        for frame in frames:
            self.rows_read += 1
            yield frame


class MemoryArtifacts:
    """Bytes by their hash."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def put(self, data: bytes | Iterable[bytes]) -> tuple[str, int]:
        whole = data if isinstance(data, bytes) else b"".join(data)
        artifact_id = content_id(whole)
        self._kept[artifact_id] = whole
        return artifact_id, len(whole)

    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes:
        blob_rules.checked_range(offset, max_bytes)
        if blob_rules.checked_id(artifact_id) not in self._kept:
            raise blob_rules.missing(artifact_id)
        return self._kept[artifact_id][offset : None if max_bytes is None else offset + max_bytes]

    def read(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> Iterator[bytes]:
        yield self.get(artifact_id, offset, max_bytes)

    def size(self, artifact_id: str) -> int | None:
        known = blob_rules.checked_id(artifact_id) in self._kept
        return len(self._kept[artifact_id]) if known else None

    def resolve(self, prefix: str) -> str:
        blob_rules.checked_prefix(prefix)
        return blob_rules.only_match(prefix, [name for name in self._kept if name.startswith(prefix)])

    def ids(self, after: str = "") -> Iterator[tuple[str, int]]:
        return iter([(name, len(self._kept[name])) for name in sorted(self._kept) if name > after])

    def forget(self, artifact_id: str) -> bool:
        return self._kept.pop(blob_rules.checked_id(artifact_id), None) is not None

    def verify(self) -> Iterator[Finding]:
        return iter(())
