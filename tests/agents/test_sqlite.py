"""Foreign databases are read without leaving a trace, or explained."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from segue.agents import _sqlite
from segue.errors import NotFound


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_sqlite, "_BUSY_MS", 0)


WRITER = """
import apsw, sys
connection = apsw.Connection(sys.argv[1])
connection.execute("PRAGMA journal_mode = wal").fetchall()
connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
print("ready", flush=True)
sys.stdin.read()
connection.close()
"""


class Agent:
    """A program with its database open in WAL mode and one row not checkpointed."""

    def __init__(self, path: Path) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdin=pipe, stdout=pipe, text=True
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    def leave(self) -> None:
        self.process.communicate()


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    agent = Agent(tmp_path / "live.db")
    yield agent
    if agent.process.returncode is None:
        agent.leave()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def rows(path: Path) -> list[tuple[object, ...]]:
    with _sqlite.opened(str(path)) as connection:
        return [tuple(row) for row in connection.execute("SELECT a FROM t")]


def why(path: Path) -> str:
    with pytest.raises(_sqlite.FAULTS) as caught, _sqlite.opened(str(path)):
        pass
    return _sqlite.explain(caught.value)


def test_a_database_in_use_shows_its_newest_rows_and_is_left_as_it_was(agent: Agent, tmp_path: Path) -> None:
    before = contents(tmp_path)
    assert rows(tmp_path / "live.db") == [(1,)]
    assert contents(tmp_path) == before


def test_a_database_at_rest_gets_no_side_files(agent: Agent, tmp_path: Path) -> None:
    agent.leave()
    before = contents(tmp_path)
    assert list(before) == ["live.db"]
    assert rows(tmp_path / "live.db") == [(1,)]
    assert contents(tmp_path) == before


def test_a_database_whose_program_crashed_is_read_with_its_last_writes(agent: Agent, tmp_path: Path) -> None:
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(tmp_path / f"live.db{suffix}", crashed / f"it.db{suffix}")
    before = contents(crashed)
    assert rows(crashed / "it.db") == [(1,)]
    assert contents(crashed) == before


def test_a_path_may_hold_characters_that_mean_something_in_addresses(tmp_path: Path) -> None:
    path = tmp_path / "a?b#c %41.db"
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (2)")
    connection.close()
    assert rows(path) == [(2,)]


def test_a_locked_database_is_explained(tmp_path: Path) -> None:
    holder = apsw.Connection(str(tmp_path / "locked.db"))
    holder.execute("CREATE TABLE t (a)")
    holder.execute("BEGIN EXCLUSIVE")
    assert "locked by another program" in why(tmp_path / "locked.db")
    holder.close()


def test_a_database_left_in_mid_write_is_explained_and_not_rolled_back(tmp_path: Path) -> None:
    writer = apsw.Connection(str(tmp_path / "hot.db"))
    writer.execute("CREATE TABLE t (a); PRAGMA cache_size = 1; PRAGMA cache_spill = 1").fetchall()
    writer.execute("BEGIN")
    for _ in range(200):
        writer.execute("INSERT INTO t VALUES (randomblob(1000))")
    hot = tmp_path / "hot"
    hot.mkdir()
    for suffix in ("", "-journal"):
        shutil.copy(tmp_path / f"hot.db{suffix}", hot / f"it.db{suffix}")
    writer.close()
    before = contents(hot)
    assert "left in mid-write" in why(hot / "it.db")
    assert contents(hot) == before


@pytest.mark.parametrize("damage", [b"not a database at all" * 300, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_database_is_explained(damage: bytes, tmp_path: Path) -> None:
    path = tmp_path / "damaged.db"
    path.write_bytes(damage)
    assert "no SQLite database known here" in why(path)


def test_a_missing_database_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound), _sqlite.opened(str(tmp_path / "none.db")):
        pass
    assert list(tmp_path.iterdir()) == []
