"""goose's database, also one of a version that named something else."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from segue.agents import goose, locate

FIXTURE = Path(__file__).parent.parent / "fixtures" / "agents" / "goose" / "database" / "input.sql"


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE messages RENAME COLUMN content_json TO body_json",
        "ALTER TABLE messages RENAME COLUMN created_timestamp TO created",
        "ALTER TABLE sessions RENAME COLUMN updated_at TO touched_at",
        "ALTER TABLE messages RENAME TO turns",
    ],
)
def test_a_database_with_another_name_in_it_is_gooses_and_said_to_differ(tmp_path: Path, change: str) -> None:
    path = tmp_path / "copied.db"
    connection = apsw.Connection(str(path))
    connection.execute(FIXTURE.read_text("utf-8")).fetchall()
    connection.execute(change)
    connection.execute("VACUUM")
    connection.close()
    assert locate.identify(str(path))[0] == "goose"
    meta, unreadable = goose.read(str(path))
    assert (meta.kind, unreadable.kind) == ("meta", "unreadable")
    assert "another layout" in unreadable.reason


def test_a_database_that_calls_the_working_directory_something_else_is_read_without_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "copied.db"
    connection = apsw.Connection(str(path))
    connection.execute(FIXTURE.read_text("utf-8")).fetchall()
    whole = list(goose.read(str(path)))
    connection.execute("ALTER TABLE sessions RENAME COLUMN working_dir TO root")
    connection.close()
    assert locate.identify(str(path))[0] == "goose"
    assert list(goose.read(str(path)))[1:] == whole[1:]
