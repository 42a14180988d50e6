"""What `append` returned survives a power cut, and several frames of one call come back together.

A VFS under SQLite records every write, truncation, sync and deletion while frames are appended. A cut
at any moment leaves what was synced, and of what was not an arbitrary part, in sectors of 512 bytes.
The log is rebuilt from such remains and must open, be whole, and hold every acknowledged frame.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

from segue.errors import Unavailable
from segue.model.frame import MESSAGE, Draft
from segue.model.ids import new_id
from segue.stores import sqlite_open
from segue.stores.sqlite import SqliteLog

SECTOR = 512
BATCHES = (1, 1, 3, 1, 2, 7, 1, 40, 1, 1) * 4


class Event(NamedTuple):
    kind: str
    file: str = ""
    at: int = 0
    data: bytes = b""


class Recorder(apsw.VFS):
    """SQLite's own file system, with a diary."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.events: list[Event] = []
        super().__init__(name, base="")

    def xOpen(self, name: Any, flags: list[int]) -> RecordedFile:
        return RecordedFile(self, name, flags)

    def xDelete(self, name: str, syncdir: bool) -> None:
        super().xDelete(name, syncdir)
        self.events.append(Event("delete", Path(name).name, int(syncdir)))


class RecordedFile(apsw.VFSFile):
    def __init__(self, recorder: Recorder, name: Any, flags: list[int]) -> None:
        self._events = recorder.events
        self._name = Path(name.filename() if isinstance(name, apsw.URIFilename) else name).name
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        super().xWrite(data, offset)
        self._events.append(Event("write", self._name, offset, bytes(data)))

    def xTruncate(self, size: int) -> None:
        super().xTruncate(size)
        self._events.append(Event("truncate", self._name, size))

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._events.append(Event("sync", self._name))


class Disk:
    """What the recorded events left, and what of it is safe."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.safe = {name: bytearray(data) for name, data in files.items()}
        self.pending: dict[str, list[Event]] = {}

    def take(self, event: Event) -> None:
        if event.kind == "sync":
            image = self.safe.setdefault(event.file, bytearray())
            for change in self.pending.pop(event.file, []):
                _apply(image, change)
        elif event.kind == "delete":
            self.pending.pop(event.file, None)
            self.safe.pop(event.file, None)
        else:
            self.pending.setdefault(event.file, []).append(event)

    def after_a_cut(self, chance: random.Random) -> dict[str, bytearray]:
        """The files as they may be found: of what was not synced each sector may or may not be there."""
        found = {name: bytearray(image) for name, image in self.safe.items()}
        for name, changes in self.pending.items():
            for change in changes:
                fate = chance.random()
                if fate < 0.4:
                    continue
                image = found.setdefault(name, bytearray())
                for part in [change] if fate < 0.7 else _sectors(change, chance):
                    _apply(image, part)
        return found


def _sectors(change: Event, chance: random.Random) -> list[Event]:
    if change.kind != "write":
        return [change]
    pieces = range(0, len(change.data), SECTOR)
    return [
        change._replace(at=change.at + piece, data=change.data[piece : piece + SECTOR])
        for piece in pieces
        if chance.random() < 0.5
    ]


def _apply(image: bytearray, change: Event) -> None:
    if change.kind == "truncate":
        del image[change.at :]
        return
    image.extend(bytes(max(change.at + len(change.data) - len(image), 0)))
    image[change.at : change.at + len(change.data)] = change.data


class Recording(NamedTuple):
    before: dict[str, bytes]
    events: list[Event]
    stream_id: str
    contents: list[str]
    ends: list[int]


def record(folder: Path, synchronous: str, monkeypatch: pytest.MonkeyPatch) -> Recording:
    """Appends the batches through a recorder, with checkpoints often enough to be cut as well."""
    pragmas = f"PRAGMA synchronous = {synchronous}; PRAGMA wal_autocheckpoint = 40;"
    monkeypatch.setitem(sqlite_open.SQL, "connect", pragmas)
    stream_id, contents, ends = new_id(), [], []
    maker = SqliteLog(str(folder))
    maker.append(new_id(), [_said("another stream, so that the log exists")])
    maker.close()
    before = {"log.db": (folder / "log.db").read_bytes()}
    recorder = Recorder(f"recorder-{synchronous}-{new_id()}")
    log = SqliteLog(str(folder), vfs=recorder.name)
    for number, size in enumerate(BATCHES):
        batch = [f"batch {number}, frame {i}, {'x' * (number * 97 % 3000)}" for i in range(size)]
        log.append(stream_id, [_said(text) for text in batch])
        contents += batch
        ends.append(len(contents))
        recorder.events.append(Event("acknowledged", at=len(contents)))
    events = list(recorder.events)
    log.close()
    recorder.unregister()
    return Recording(before, events, stream_id, contents, ends)


def _said(text: str) -> Draft:
    return Draft(MESSAGE, {"role": "user", "content": text, "actor_id": "user", "origin": "test"})


def cuts(recording: Recording, scratch: Path, count: int) -> Iterator[tuple[Path, int]]:
    """For so many moments: a folder as found after the cut, and how many frames were acknowledged by then."""
    chance = random.Random(count)
    moments = sorted(chance.sample(range(len(recording.events)), count))
    disk, acknowledged = Disk(recording.before), 0
    for moment, event in enumerate(recording.events):
        if moments and moments[0] == moment:
            moments.pop(0)
            folder = scratch / f"cut-{moment}"
            folder.mkdir()
            for name, image in disk.after_a_cut(chance).items():
                (folder / name).write_bytes(image)
            yield folder, acknowledged
            shutil.rmtree(folder)
        if event.kind == "acknowledged":
            acknowledged = event.at
        else:
            disk.take(event)


def outcome(recording: Recording, folder: Path, acknowledged: int) -> str:
    """What became of the log: `whole`, or what is wrong with it."""
    log = SqliteLog(str(folder))
    sqlite_open.SQL["connect"] = "PRAGMA synchronous = OFF"  # the remains need not survive another cut
    try:
        findings = list(log.verify())
        found = [frame.data["content"] for frame in log.read(recording.stream_id)]
    except Unavailable as fault:
        return fault.code
    finally:
        log.close()
    if findings:
        return findings[0].kind
    if found != recording.contents[: len(found)]:
        return "other content"
    if len(found) < acknowledged:
        return "acknowledged frames lost"
    if found and len(found) not in recording.ends:
        return "part of a batch"
    return "whole"


def outcomes(folder: Path, synchronous: str, count: int, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    recording = record(folder / "log", synchronous, monkeypatch)
    return Counter(outcome(recording, found, acked) for found, acked in cuts(recording, folder, count))


def test_no_power_cut_loses_an_acknowledged_frame_or_splits_a_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert outcomes(tmp_path, "FULL", 400, monkeypatch) == {"whole": 400}


def test_the_recording_has_checkpoints_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = record(tmp_path / "log", "FULL", monkeypatch)
    assert sum(event.kind == "sync" and event.file == "log.db" for event in recording.events) > 3


def test_with_fewer_syncs_the_simulated_cuts_do_lose_acknowledged_frames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = outcomes(tmp_path, "NORMAL", 100, monkeypatch)
    assert found["acknowledged frames lost"] > 10
    assert found.keys() == {"whole", "acknowledged frames lost"}


def test_without_syncs_the_simulated_cuts_do_damage_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = outcomes(tmp_path, "OFF", 100, monkeypatch)
    assert found["acknowledged frames lost"] > 0
    assert found["damaged"] > 10
