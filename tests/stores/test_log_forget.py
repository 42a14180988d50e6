"""Forgetting: the content of a frame goes for good, the chain stays verifiable, and nothing else passes for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from segue.errors import BadInput, Conflict
from segue.model.frame import FORGOTTEN, MESSAGE, Draft, Frame
from segue.model.ids import new_id
from segue.model.tombstone import GONE, forgotten_draft, is_forgotten, tombstone
from segue.stores.contract import Log
from segue.stores.registry import open_log
from segue.stores.sqlite import SqliteLog

Say = Callable[[str], Draft]
OpenAt = Callable[[Path], Log]
BY = {"actor_id": "person", "origin": "test"}
SECRET = "the quick brown fox has the password"


def forget(log: Log, stream_id: str, *seqs: int) -> Frame:
    stones = [stone for seq in seqs for frame in log.read(stream_id, seq, seq) if (stone := tombstone(frame))]
    return log.forget(stones, forgotten_draft(stones, "by mistake", BY))


def kinds(log: Log) -> list[tuple[str, str]]:
    return [(finding.kind, finding.where) for finding in log.verify()]


def test_the_content_is_gone_and_all_else_is_as_it_was(log: Log, say: Say) -> None:
    stream = new_id()
    before = log.append(stream, [say("one"), say(SECRET), say("three")], key="k", request="r")
    note = forget(log, stream, 1)
    assert (note.type, note.seq) == (FORGOTTEN, 3)
    after = list(log.read(stream, 0, 2))
    assert [(f.id, f.seq, f.type, f.hash) for f in after] == [(f.id, f.seq, f.type, f.hash) for f in before]
    assert after[1].data["content"] == GONE
    assert after[1].data["timestamp_ms"] == before[1].data["timestamp_ms"]
    assert is_forgotten(after[1])
    assert [after[0], after[2]] == [before[0], before[2]]
    assert log.frame(before[1].id) == log.keyed("k")[1] == after[1]  # type: ignore[index]
    assert kinds(log) == []


def test_the_chain_goes_on_after_it(log: Log, say: Say) -> None:
    stream = new_id()
    log.append(stream, [say("one"), say(SECRET)])
    forget(log, stream, 0, 1)
    log.append(stream, [say("three")])
    assert kinds(log) == []
    assert [frame.seq for frame in log.read(stream, types=[MESSAGE])] == [0, 1, 3]
    assert (log.rebuild(), kinds(log)) == (1, [])


def test_streams_of_every_kind_can_be_forgotten(log: Log) -> None:
    stream = new_id()
    log.append(stream, [Draft("request_answered", {"answer": SECRET})], stream_kind="session")
    note = forget(log, stream, 0)
    assert note.data["stream_kind"] == "session"
    assert kinds(log) == []


def test_a_frame_that_is_not_there_as_it_was_read_is_not_forgotten(log: Log, say: Say) -> None:
    stream = new_id()
    (frame,) = log.append(stream, [say(SECRET)])
    stone = tombstone(frame)
    assert stone is not None
    for wrong in (stone._replace(hash=bytes(32)), stone._replace(seq=7), stone._replace(stream_id=new_id())):
        with pytest.raises(Conflict):
            log.forget([wrong], forgotten_draft([wrong], "", BY))
    with pytest.raises(BadInput):
        log.forget([], forgotten_draft([], "", BY))
    assert list(log.read(stream)) == [frame]


def test_what_was_forgotten_before_and_what_tells_of_it_is_left_alone(log: Log, say: Say) -> None:
    stream = new_id()
    log.append(stream, [say(SECRET)])
    forget(log, stream, 0)
    assert [tombstone(frame) for frame in log.read(stream)] == [None, None]


def test_a_log_with_tombstones_is_copied_as_it_is(
    log: Log, say: Say, open_at: OpenAt, tmp_path: Path
) -> None:
    stream = new_id()
    log.append(stream, [say("one"), say(SECRET), say("three")])
    forget(log, stream, 1)
    frames = list(log.read(stream))
    named = [one for frame in frames if frame.type == FORGOTTEN for one in _records(frame)]
    other = open_at(tmp_path / "other")
    with pytest.raises(Conflict):
        other.adopt(frames[:2])
    for frame in frames:
        other.adopt([frame], named)
    assert list(other.read(stream)) == frames
    assert kinds(other) == []
    other.close()


def _records(frame: Frame) -> list[object]:
    from segue.model.tombstone import records

    return list(records(frame))


@pytest.fixture
def folder(tmp_path: Path, say: Say) -> tuple[Path, str]:
    """A log of a few hundred frames in which one message was forgotten."""
    stream = new_id()
    log = open_log("sqlite", str(tmp_path))
    for number in range(40):
        log.append(stream, [say(f"{number} " * 50 + (SECRET if number == 7 else ""))])
        log.append(new_id(), [say("other " * 200)])
    forget(log, stream, 7)
    log.wipe()
    log.close()
    return tmp_path, stream


def test_no_byte_of_it_is_left_in_the_files(folder: tuple[Path, str]) -> None:
    left = {path.name: path.read_bytes() for path in folder[0].iterdir()}
    assert "log.db" in left
    assert [name for name, data in left.items() if SECRET.encode() in data] == []


def tamper(folder: Path, sql: str, *bindings: object) -> None:
    db = apsw.Connection(str(folder / "log.db"))
    db.execute(sql, bindings)
    db.close()


def test_a_tombstone_that_no_frame_names_is_damage(tmp_path: Path, say: Say) -> None:
    stream, log = new_id(), SqliteLog(str(tmp_path))
    _, frame = log.append(stream, [say("one"), say(SECRET)])
    stone = tombstone(frame)
    assert stone is not None
    tamper(tmp_path, "UPDATE frames SET body = ? WHERE id = ?", stone.body, frame.id)
    assert kinds(log) == [("unrecorded_tombstone", f"{stream}@1")]
    log.close()


@pytest.mark.parametrize(
    "change",
    [
        'body = CAST(replace(CAST(body AS TEXT), \'"role":"user"\', \'"role":"boss"\') AS BLOB)',
        "hash = zeroblob(32)",
    ],
)
def test_a_tombstone_that_was_altered_is_damage(folder: tuple[Path, str], change: str) -> None:
    path, stream = folder
    tamper(path, f"UPDATE frames SET {change} WHERE place = (1 << 32) + 7")
    log = SqliteLog(str(path))
    assert ("unrecorded_tombstone", f"{stream}@7") in kinds(log)
    log.close()


def test_a_record_whose_own_chain_is_broken_vouches_for_nothing(folder: tuple[Path, str]) -> None:
    path, stream = folder
    tamper(
        path,
        "UPDATE frames SET body = CAST(replace(CAST(body AS TEXT), 'by mistake', 'by design') AS BLOB)"
        f" WHERE type = '{FORGOTTEN}'",
    )
    log = SqliteLog(str(path))
    assert set(kinds(log)) == {("hash_mismatch", f"{stream}@40"), ("unrecorded_tombstone", f"{stream}@7")}
    log.close()
