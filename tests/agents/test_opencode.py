"""OpenCode's three stores tell the same, children and undone turns can be asked for."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

from segue.agents import locate
from segue.agents.opencode import reader as opencode
from segue.errors import NotFound
from segue.model.entry import Entry

FIXTURES = Path(__file__).parent.parent / "fixtures" / "agents" / "opencode"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "opencode.db"
    connection = apsw.Connection(str(path))
    connection.execute((FIXTURES / "database" / "input.sql").read_text("utf-8")).fetchall()
    connection.close()
    return path


def told(path: Path, session: str | None = None, branch: str | None = None) -> list[Entry]:
    return [replace(entry, file="") for entry in opencode.read(str(path), session, branch)]


def test_the_database_and_an_export_of_it_tell_the_same(database: Path) -> None:
    assert told(database) == told(FIXTURES / "export" / "input.json")


def test_the_newest_session_is_read_unless_it_is_a_sub_agents(database: Path) -> None:
    assert list(opencode.sessions(str(database))) == ["ses_old", "ses_main", "ses_child"]
    assert told(database)[0].data["id"] == "ses_main"


def test_a_sub_agents_session_names_its_parent_and_is_prompted_by_the_agent(database: Path) -> None:
    meta, prompt, *_ = told(database, "ses_child")
    assert meta.data["parent"] == "ses_main"
    assert (prompt.kind, prompt.by) == ("user", "agent")


def test_a_row_that_is_no_json_is_reported_with_its_id(database: Path) -> None:
    assert [
        (entry.native_id, entry.line) for entry in told(database, "ses_child") if entry.kind == "unreadable"
    ] == [("prt_c3", 5)]


def test_undone_turns_are_left_out_unless_everything_is_wanted() -> None:
    path = FIXTURES / "undone" / "input.json"
    assert [entry.text for entry in told(path) if entry.kind == "user"] == ["Keep this."]
    assert [entry.text for entry in told(path, branch="all") if entry.kind == "user"] == [
        "Keep this.",
        "This was taken back.",
    ]


def test_a_session_file_of_the_storage_folder_names_its_session() -> None:
    path = FIXTURES / "storage" / "input" / "session" / "p1" / "ses_a.json"
    assert [entry.text for entry in told(path) if entry.kind == "user"] == ["First question."]


def test_asking_for_a_session_that_is_not_there_is_answered_in_a_sentence(database: Path) -> None:
    with pytest.raises(NotFound, match="no OpenCode session 'ses_none'"):
        told(database, "ses_none")


def test_a_locked_database_is_an_unreadable_entry(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.agents._sqlite._BUSY_MS", 0)
    holder = apsw.Connection(str(database))
    holder.execute("BEGIN EXCLUSIVE")
    meta, unreadable = told(database)
    holder.close()
    assert (meta.kind, meta.data) == ("meta", {"id": "opencode"})
    assert "locked by another program" in unreadable.reason
    assert list(opencode.sessions(str(database))) != []


def test_a_layout_of_another_version_is_an_unreadable_entry(database: Path) -> None:
    connection = apsw.Connection(str(database))
    connection.execute("ALTER TABLE part RENAME COLUMN data TO payload")
    connection.close()
    *before, last = told(database)
    assert before[0].kind == "meta"
    assert last.kind == "unreadable" and "another layout" in last.reason


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE message; DROP TABLE part",
        "ALTER TABLE message RENAME TO messages",
        "ALTER TABLE message RENAME TO turn; ALTER TABLE part RENAME TO piece",
        "ALTER TABLE session RENAME TO chat",
        "ALTER TABLE session RENAME TO chat; ALTER TABLE message RENAME TO turn; ALTER TABLE part RENAME TO piece",
    ],
)
def test_tables_of_another_version_are_not_taken_for_an_empty_session(database: Path, change: str) -> None:
    connection = apsw.Connection(str(database))
    connection.execute(change).fetchall()
    connection.execute("VACUUM")
    connection.close()
    assert locate.identify(str(database))[0] == "opencode"
    meta, unreadable = told(database)
    assert (meta.kind, unreadable.kind) == ("meta", "unreadable")
    assert "another layout" in unreadable.reason


def test_a_database_damaged_in_the_middle_is_read_up_to_the_damage(database: Path) -> None:
    pages = bytearray(database.read_bytes())
    whole = told(database)
    pages[4096 * 2 : 4096 * 3] = b"\xff" * 4096
    database.write_bytes(bytes(pages))
    entries = told(database)
    assert entries[0].kind == "meta"
    assert entries[-1].kind == "unreadable"
    assert len(entries) < len(whole)


def test_of_a_session_in_both_tables_only_what_is_new_is_read_from_the_newer(database: Path) -> None:
    connection = apsw.Connection(str(database))
    connection.execute(
        "CREATE TABLE session_message (id text, session_id text, type text, time_created integer, data text)"
    )
    for name, created, text in (
        ("msg_old1", 1789999100000, "again"),
        ("msg_new", 1789999300000, "A newer one."),
    ):
        values = (name, "ses_old", "user", created, f'{{"text":"{text}"}}')
        connection.execute("INSERT INTO session_message VALUES (?, ?, ?, ?, ?)", values)
    connection.close()
    said = [(entry.native_id, entry.text) for entry in told(database, "ses_old") if entry.kind == "user"]
    assert said == [("prt_old1", "An older question."), ("msg_new", "A newer one.")]


def test_a_session_that_a_damaged_database_lists_and_does_not_find_is_told_so(database: Path) -> None:
    connection = apsw.Connection(str(database))
    connection.execute("UPDATE session SET id = CAST(12 AS BLOB), time_updated = 9e15 WHERE id = 'ses_old'")
    connection.execute("DELETE FROM session WHERE id <> CAST(12 AS BLOB)")
    connection.close()
    assert [entry.kind for entry in told(database)] == ["meta", "unreadable"]
