"""What the embedded log says when the world fails it: one sentence, one hint, nothing half-written."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from segue.errors import Unavailable
from segue.model.frame import Draft
from segue.model.ids import new_id
from segue.stores.contract import FORMAT
from segue.stores.sqlite import SqliteLog
from segue.stores.writer_queue import Gate

Say = Callable[[str], Draft]
NOBODY = 65534


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def log(folder: Path) -> Iterator[SqliteLog]:
    opened = SqliteLog(str(folder), wait=0.05)
    yield opened
    opened.close()


@pytest.fixture
def stream(folder: Path, say: Say) -> str:
    """A stream of three frames, in a log that nobody holds open."""
    stream_id = new_id()
    writer = SqliteLog(str(folder))
    writer.append(stream_id, [say("a"), say("b"), say("c")])
    writer.close()
    return stream_id


def refusal(act: Callable[[], object]) -> Unavailable:
    with pytest.raises(Unavailable) as caught:
        act()
    assert caught.value.exit_code == 5
    assert caught.value.message.endswith(".")
    assert caught.value.hint
    return caught.value


def test_reading_a_log_that_does_not_exist_makes_no_file(folder: Path, log: SqliteLog) -> None:
    assert log.heads() == []
    assert list(log.verify()) == []
    assert log.rebuild() == 0
    assert not folder.exists()


def test_files_are_for_the_owner_alone_even_under_a_generous_umask(
    folder: Path, log: SqliteLog, say: Say
) -> None:
    before = os.umask(0)
    try:
        log.append(new_id(), [say("x")])
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
        assert modes == dict.fromkeys(("log.db", "log.db-wal", "log.db-shm", "log.lock"), 0o600)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    finally:
        os.umask(before)


def test_the_log_keeps_a_write_ahead_file_and_syncs_fully(log: SqliteLog, say: Say) -> None:
    log.append(new_id(), [say("x")])
    assert log._file.rows("PRAGMA journal_mode") == [("wal",)]
    assert log._file.rows("PRAGMA synchronous") == [(2,)]
    assert log._file.rows("PRAGMA mmap_size") == [(0,)]


def test_at_rest_the_log_is_one_file(folder: Path, stream: str) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["log.db", "log.lock"]


def test_a_log_whose_gate_another_process_holds_can_be_read_but_not_written(
    folder: Path, log: SqliteLog, stream: str, say: Say
) -> None:
    with Gate(str(folder / "log.lock"), 1):
        fault = refusal(lambda: log.append(stream, [say("d")]))
        assert fault.code == "locked"
        assert len(list(log.read(stream))) == 3
    assert log.append(stream, [say("d")])[0].seq == 3


def test_a_database_locked_by_another_program_is_unavailable(
    folder: Path, log: SqliteLog, stream: str, say: Say
) -> None:
    other = apsw.Connection(str(folder / "log.db"))
    other.execute("BEGIN IMMEDIATE")
    fault = refusal(lambda: log.append(stream, [say("d")]))
    assert fault.code == "locked"
    assert len(list(log.read(stream))) == 3
    other.execute("ROLLBACK")
    assert log.append(stream, [say("d")])[0].seq == 3
    other.close()


def test_a_newer_format_is_refused_and_left_alone(
    folder: Path, log: SqliteLog, stream: str, say: Say
) -> None:
    path = folder / "log.db"
    newer = apsw.Connection(str(path))
    newer.execute(f"PRAGMA user_version = {FORMAT + 1}")
    newer.close()
    before = path.read_bytes()
    for act in (log.heads, lambda: log.append(stream, [say("d")]), lambda: list(log.verify()), log.rebuild):
        fault = refusal(act)
        assert fault.code == "newer_format"
        assert f"format {FORMAT + 1}" in fault.message
        assert "Upgrade" in fault.hint
    assert path.read_bytes() == before


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "text": lambda data: b"this is not a database, it is a sentence that goes on and on" * 100,
    "empty": lambda data: b"",
    "half a header": lambda data: data[:50],
    "torn after one page": lambda data: data[:4096],
    "torn in the middle of a page": lambda data: data[: len(data) // 2 + 100],
    "zeroed": lambda data: bytes(len(data)),
    "zeroed after the first page": lambda data: data[:4096] + bytes(len(data) - 4096),
    "another program's database": lambda data: data[:68] + b"abcd" + data[72:],
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_file_is_said_to_be_damaged(
    folder: Path, log: SqliteLog, stream: str, say: Say, name: str
) -> None:
    path = folder / "log.db"
    path.write_bytes(DAMAGES[name](path.read_bytes()))
    for act in (lambda: list(log.read(stream)), lambda: log.append(stream, [say("d")])):
        fault = refusal(act)
        assert fault.code == "damaged"
        assert "segue verify log" in fault.hint
    findings = list(log.verify())
    assert "damaged" in [finding.kind for finding in findings]
    assert all(finding.message and finding.hint for finding in findings)


def test_a_log_without_its_main_file_is_not_begun_anew_over_what_is_left(folder: Path, say: Say) -> None:
    writer = SqliteLog(str(folder))
    writer.append(new_id(), [say("x")])
    (folder / "log.db").rename(folder / "moved away")
    later = SqliteLog(str(folder))
    fault = refusal(lambda: later.append(new_id(), [say("y")]))
    assert fault.code == "damaged"
    assert "log.db-wal" in fault.hint
    assert not (folder / "log.db").exists()
    (folder / "moved away").rename(folder / "log.db")
    writer.close()
    later.close()


def test_the_remains_of_a_log_that_was_being_made_do_not_matter(
    folder: Path, log: SqliteLog, say: Say
) -> None:
    folder.mkdir()
    for name in ("log.db.new", "log.db.new-journal", "log.db.new-wal"):
        (folder / name).write_bytes(b"left behind")
    log.append(new_id(), [say("x")])
    assert list(log.verify()) == []
    assert not list(folder.glob("log.db.new*"))


class Narrow(apsw.VFS):
    """A disk on which so many bytes can still be written."""

    def __init__(self, name: str) -> None:
        self.name, self.room = name, 1 << 40
        super().__init__(name, base="")

    def xOpen(self, name: Any, flags: list[int]) -> NarrowFile:
        return NarrowFile(self, name, flags)


class NarrowFile(apsw.VFSFile):
    def __init__(self, disk: Narrow, name: Any, flags: list[int]) -> None:
        self._disk = disk
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.room -= len(data)
        if self._disk.room < 0:
            raise apsw.FullError("no room left")
        super().xWrite(data, offset)


@pytest.mark.parametrize("room", [0, 100, 5000, 30_000])
def test_on_a_full_disk_an_append_fails_whole_and_succeeds_later(
    folder: Path, stream: str, say: Say, room: int
) -> None:
    disk = Narrow(f"narrow-{new_id()}")
    log = SqliteLog(str(folder), vfs=disk.name)
    disk.room = room
    fault = refusal(lambda: log.append(stream, [say("x" * 3000)] * 100))
    assert fault.code == "full"
    assert len(list(log.read(stream))) == 3
    disk.room = 1 << 40
    assert log.append(stream, [say("d")])[0].seq == 3
    assert list(log.verify()) == []
    log.close()
    disk.unregister()


def test_a_file_that_may_not_grow_gives_a_sentence_and_keeps_what_was_there(
    folder: Path, stream: str
) -> None:
    script = """
import resource, sys
from segue.errors import Unavailable
from segue.model.frame import Draft
from segue.stores.sqlite import SqliteLog
log = SqliteLog(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    log.append(sys.argv[2], [Draft("note", {"text": "x" * 1000})] * 1000)
except Unavailable as fault:
    print(fault.exit_code, fault.message, fault.hint)
print(len(list(log.read(sys.argv[2]))))
"""
    run = subprocess.run(
        [sys.executable, "-c", script, str(folder), stream], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    sentence, frames = run.stdout.splitlines()
    assert sentence.startswith("5 The log ")
    assert frames == "3"
    reopened = SqliteLog(str(folder))
    assert list(reopened.verify()) == []
    reopened.close()


def as_nobody(act: Callable[[], str]) -> str:
    """What `act` returns in a child that owns nothing, or in this process when it is not root."""
    if os.geteuid() != 0:
        return act()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        try:
            os.write(writer, act().encode())
        except BaseException as fault:
            os.write(writer, repr(fault).encode())
        os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


@pytest.fixture
def read_only(folder: Path, stream: str) -> Iterator[Path]:
    """The log's folder, readable by all and writable by nobody, down from the root."""
    parents = [
        parent for parent in folder.parents if parent.owner() == folder.owner() and parent != Path("/")
    ]
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (*parents, folder)}
    for path in parents:
        path.chmod(modes[path] | 0o055)
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    yield folder
    for path, mode in modes.items():
        path.chmod(mode)


def test_a_log_on_a_read_only_disk_can_be_read_but_not_written(
    read_only: Path, stream: str, say: Say
) -> None:
    def act() -> str:
        log = SqliteLog(str(read_only), wait=0.05)
        frames = len(list(log.read(stream)))
        try:
            log.append(stream, [say("d")])
        except Unavailable as fault:
            return f"{frames} {fault.exit_code} {fault.code} {fault.message} {fault.hint}"
        return "written"

    said = as_nobody(act)
    assert said.startswith("3 5 read_only ")
    assert "Check" in said


def test_a_folder_that_cannot_be_made_gives_a_sentence(read_only: Path, say: Say) -> None:
    def act() -> str:
        try:
            SqliteLog(str(read_only / "below")).append(new_id(), [say("x")])
        except Unavailable as fault:
            return f"{fault.exit_code} {fault.code} {fault.message}"
        return "made"

    assert as_nobody(act).startswith("5 read_only Permission is denied")


def test_a_workspace_path_that_is_a_file_gives_a_sentence(tmp_path: Path, say: Say) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    log = SqliteLog(str(tmp_path / "file"))
    refusal(lambda: log.append(new_id(), [say("x")]))
    refusal(log.heads)


def test_paths_with_question_marks_and_hashes_are_only_paths(tmp_path: Path, say: Say) -> None:
    log = SqliteLog(str(tmp_path / "what? #1 100%41"))
    log.append(new_id(), [say("x")])
    assert (tmp_path / "what? #1 100%41" / "log.db").exists()
    log.close()


def test_a_slow_reader_does_not_hold_back_a_checkpoint(folder: Path, stream: str, say: Say) -> None:
    reader, writer = SqliteLog(str(folder)), SqliteLog(str(folder))
    writer.append(stream, [say("x")] * 2000)
    frames = reader.read(stream)
    for _ in range(5):
        next(frames)
    assert writer._file.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0][0] == 0
    assert (folder / "log.db-wal").stat().st_size == 0
    assert len(list(frames)) == 1998
    reader.close()
    writer.close()
