"""`verify` names what is wrong with an embedded log, and `rebuild` mends what can be derived."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from segue.errors import Refused, Unavailable
from segue.model.frame import Draft
from segue.model.ids import new_id
from segue.stores.sqlite import SqliteLog

Say = Callable[[str], Draft]
Tamper = Callable[..., None]


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    opened = SqliteLog(str(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def streams(log: SqliteLog, say: Say) -> list[str]:
    """Two streams of five frames each, one of them made with a key."""
    ids = [new_id(), new_id()]
    log.append(ids[0], [say(f"{n}") for n in range(5)], key="k", request="r")
    log.append(ids[1], [say(f"{n}") for n in range(4)], stream_kind="session")
    log.append(ids[1], [say("4")], stream_kind="session")
    return ids


@pytest.fixture
def tamper(tmp_path: Path) -> Tamper:
    """Runs SQL against the file behind the log's back."""

    def run(sql: str, *bindings: object) -> None:
        db = apsw.Connection(str(tmp_path / "log.db"))
        db.execute(sql, bindings)
        db.close()

    return run


def found(log: SqliteLog) -> list[tuple[str, str]]:
    findings = list(log.verify())
    assert all(finding.message.endswith(".") and finding.hint for finding in findings)
    return [(finding.kind, finding.where) for finding in findings]


SECOND = 2 << 32
ACCEPTED = {"actor_id": "person", "origin": "test"}


def test_a_body_altered_by_one_byte_breaks_the_chain_there_and_only_there(
    log: SqliteLog, streams: list[str], tamper: Tamper
) -> None:
    (frame,) = log.read(streams[1], 2, 2)
    tamper("UPDATE frames SET body = ? WHERE place = ?", frame.body.replace(b"user", b"boss"), SECOND + 2)
    assert found(log) == [("hash_mismatch", f"{streams[1]}@2")]


def test_an_altered_hash_breaks_the_chain_on_both_sides(
    log: SqliteLog, streams: list[str], tamper: Tamper
) -> None:
    tamper("UPDATE frames SET hash = zeroblob(32) WHERE place = ?", SECOND + 2)
    assert found(log) == [("hash_mismatch", f"{streams[1]}@2"), ("hash_mismatch", f"{streams[1]}@3")]


def test_a_body_that_cannot_be_decoded_is_found(log: SqliteLog, streams: list[str], tamper: Tamper) -> None:
    tamper("UPDATE frames SET body = x'00ff' WHERE place = ?", SECOND + 2)
    where = f"{streams[1]}@2"
    assert found(log) == [("hash_mismatch", where), ("undecodable", where)]


@pytest.mark.parametrize("column", ["type", "id"])
def test_a_frame_filed_under_what_it_does_not_say_is_found(
    log: SqliteLog, streams: list[str], tamper: Tamper, column: str
) -> None:
    tamper(f"UPDATE frames SET {column} = 'other' WHERE place = ?", SECOND + 2)
    assert found(log) == [("envelope_mismatch", f"{streams[1]}@2")]


def test_a_missing_frame_is_a_gap(log: SqliteLog, streams: list[str], tamper: Tamper) -> None:
    tamper("DELETE FROM frames WHERE place IN (?, ?)", SECOND + 1, SECOND + 2)
    assert found(log) == [("gap", f"{streams[1]}@3")]


def test_missing_frames_at_the_end_are_a_loss_for_which_a_backup_is_advised(
    log: SqliteLog, streams: list[str], tamper: Tamper
) -> None:
    tamper("DELETE FROM frames WHERE place = ?", SECOND + 4)
    (finding,) = log.verify()
    assert (finding.kind, finding.where) == ("frames_lost", streams[1])
    assert "Frame 4 of" in finding.message
    assert "backup" in finding.hint


def test_rebuilding_does_not_lower_a_head_unless_the_loss_is_accepted_and_then_tells_it(
    log: SqliteLog, streams: list[str], tamper: Tamper, say: Say
) -> None:
    (lost,) = log.read(streams[1], 4)
    before = log.heads()
    tamper("DELETE FROM frames WHERE place >= ?", SECOND + 3)
    with pytest.raises(Refused, match="Frames 3 to 4") as caught:
        log.rebuild()
    assert caught.value.code == "frames_lost"
    assert log.heads() == before
    assert log.rebuild(ACCEPTED) == 2
    assert found(log) == []
    (told,) = log.read(streams[1], 3)
    assert (told.type, told.data["from_seq"], told.data["to_seq"]) == ("frames_lost", 3, 4)
    assert told.data["head_hash"] == lost.hash.hex()
    assert log.heads()[-1].touched > before[-1].touched
    assert log.append(streams[1], [say("next")], stream_kind="session")[0].seq == 4
    assert (log.rebuild(), found(log)) == (2, [])


def test_keys_of_lost_frames_go_when_the_loss_is_accepted(
    log: SqliteLog, streams: list[str], tamper: Tamper, say: Say
) -> None:
    tamper("DELETE FROM frames WHERE place BETWEEN ? AND ?", (1 << 32) + 2, (1 << 32) + 4)
    log.rebuild(ACCEPTED)
    assert (found(log), log.keyed("k")) == ([], None)


def test_a_key_whose_frames_are_missing_is_found(log: SqliteLog, streams: list[str], tamper: Tamper) -> None:
    tamper("DELETE FROM frames WHERE place = ?", (1 << 32) + 4)
    assert found(log) == [("frames_lost", streams[0]), ("dangling_key", "k")]


def test_a_stream_that_lost_all_its_frames_begins_with_the_record_of_that(
    log: SqliteLog, streams: list[str], tamper: Tamper
) -> None:
    tamper("DELETE FROM frames WHERE place >= ?", SECOND)
    assert found(log) == [("frames_lost", streams[1])]
    assert log.rebuild(ACCEPTED) == 2
    assert [frame.type for frame in log.read(streams[1])] == ["frames_lost"]
    assert found(log) == []


COLUMNS = {
    "frames": ("place", "commit_no", "id", "type", "hash", "body", "sum"),
    "streams": ("n", "stream_id", "stream_kind", "seq", "hash", "touched"),
    "keys": ("key", "request", "first", "last", "sum"),
}


@pytest.mark.parametrize("table, column", [(t, c) for t, columns in COLUMNS.items() for c in columns])
def test_a_change_of_any_column_of_any_row_is_found(
    log: SqliteLog, streams: list[str], tamper: Tamper, tmp_path: Path, table: str, column: str
) -> None:
    db = apsw.Connection(str(tmp_path / "log.db"))
    kinds = dict(db.execute("SELECT name, type FROM pragma_table_info(?)", (table,)))
    assert tuple(kinds) == COLUMNS[table]
    one = {"frames": f"place = {SECOND + 1}", "streams": "n = 2", "keys": "key = 'k'"}[table]
    db.close()
    change = {
        "INTEGER": f"{column} + 7",
        "TEXT": f"substr({column}, 1, length({column}) - 1) || 'x'",
        "BLOB": f"CAST(substr({column}, 1, length({column}) - 1) || x'00' AS BLOB)",
    }[kinds[column]]
    assert found(log) == []
    tamper(f"UPDATE {table} SET {column} = {change} WHERE {one}")
    assert found(log) != []


@pytest.mark.parametrize(
    "damage",
    [
        f"UPDATE frames SET sum = NULL, commit_no = 3 WHERE place = {SECOND}",
        "UPDATE keys SET sum = NULL, request = 'other'",
        "ALTER TABLE keys DROP COLUMN sum",
    ],
)
def test_a_checksum_that_was_taken_away_is_damage_also_after_rebuilding(
    log: SqliteLog, streams: list[str], tamper: Tamper, damage: str
) -> None:
    log.close()
    tamper(damage)
    assert [finding.severity for finding in log.verify()] == ["error"]
    log.rebuild()
    assert [finding.severity for finding in log.verify()] == ["error"]


OLDER = "ALTER TABLE frames DROP COLUMN sum; ALTER TABLE keys DROP COLUMN sum; PRAGMA user_version = 1"


def test_rows_of_an_older_version_are_said_not_to_be_covered_until_the_log_is_rebuilt(
    log: SqliteLog, streams: list[str], tamper: Tamper, say: Say
) -> None:
    log.close()
    tamper(OLDER)
    notes = list(log.verify())
    log.append(streams[0], [say("more")])
    notes += log.verify()
    assert [(note.kind, note.severity) for note in notes] == [("not_covered", "note")] * 2
    assert all(note.message.startswith("11 rows") and "rebuild" in note.hint for note in notes)
    log.rebuild()
    assert found(log) == []


def test_a_log_without_checksums_is_read_and_gets_them_with_the_next_append(
    log: SqliteLog, streams: list[str], tamper: Tamper, say: Say
) -> None:
    log.close()
    tamper(OLDER)
    log.append(streams[0], [say("more")])
    tamper("UPDATE frames SET commit_no = 3 WHERE place = ?", (1 << 32) + 5)
    assert ("row_mismatch", "stream 1, frame 5") in found(log)


def test_rebuilding_gives_the_rows_of_an_older_version_their_checksums(
    log: SqliteLog, streams: list[str], tamper: Tamper, say: Say
) -> None:
    log.close()
    tamper(OLDER)
    log.append(streams[0], [say("more")])
    log.rebuild()
    assert found(log) == []
    tamper("UPDATE frames SET commit_no = 3 WHERE place = ?", SECOND)
    assert ("row_mismatch", "stream 2, frame 0") in found(log)


def test_a_stream_that_lost_its_frames_does_not_get_those_of_the_next_new_one(
    log: SqliteLog, streams: list[str], tamper: Tamper, say: Say
) -> None:
    tamper("DELETE FROM frames WHERE place >= ?", SECOND)
    newcomer = new_id()
    log.append(newcomer, [say("mine")])
    assert [frame.data["stream_id"] for frame in log.read(newcomer)] == [newcomer]
    assert list(log.read(streams[1])) == []


@pytest.mark.parametrize(
    "change",
    ["seq = 3", "hash = zeroblob(32)", "touched = 99"],
)
def test_a_head_that_lies_is_found_and_mended(
    log: SqliteLog, streams: list[str], tamper: Tamper, change: str
) -> None:
    before = log.heads()
    tamper(f"UPDATE streams SET {change} WHERE n = 2")
    assert found(log) == [("head_mismatch", streams[1])]
    assert log.rebuild() == 2
    assert (found(log), log.heads()) == ([], before)


def test_a_stream_filed_under_another_kind_is_found_and_mended(
    log: SqliteLog, streams: list[str], tamper: Tamper
) -> None:
    tamper("UPDATE streams SET stream_kind = 'artifact' WHERE n = 2")
    assert found(log) == [("envelope_mismatch", f"{streams[1]}@{n}") for n in range(5)]
    log.rebuild()
    assert found(log) == []


def test_a_lost_head_is_found_and_made_again_from_the_frames(
    log: SqliteLog, streams: list[str], tamper: Tamper
) -> None:
    before = log.heads()
    tamper("DELETE FROM streams")
    assert found(log) == [("head_mismatch", "stream 1"), ("head_mismatch", "stream 2")]
    assert log.rebuild() == 2
    assert (found(log), log.heads()) == ([], before)


@pytest.mark.parametrize("index", ["frames_by_id", "frames_by_type"])
def test_a_lost_index_is_found_and_mended(
    log: SqliteLog, streams: list[str], tamper: Tamper, index: str
) -> None:
    tamper(f"DROP INDEX {index}")
    assert [kind for kind, _ in found(log)] == ["damaged"]
    log.rebuild()
    assert found(log) == []
    (frame,) = log.read(streams[0], 3, 3)
    assert log.frame(frame.id) == frame


def test_an_index_that_misses_entries_is_found_and_mended(
    log: SqliteLog, streams: list[str], tamper: Tamper, tmp_path: Path
) -> None:
    tamper(
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = sql || ' WHERE type = ''x''' WHERE name = 'frames_by_id'"
    )
    tamper("REINDEX frames_by_id")
    tamper(
        "PRAGMA writable_schema = ON;"
        "UPDATE sqlite_schema SET sql = replace(sql, ' WHERE type = ''x''', '') WHERE name = 'frames_by_id'"
    )
    log.close()
    reopened = SqliteLog(str(tmp_path))
    assert ("index_mismatch", "frames_by_id") in found(reopened)
    reopened.rebuild()
    assert found(reopened) == []
    reopened.close()


def test_rebuilding_reads_the_id_of_a_stream_from_any_frame_that_can_be_decoded(
    log: SqliteLog, streams: list[str], tamper: Tamper
) -> None:
    tamper("UPDATE frames SET body = x'00' WHERE place > ?", SECOND)
    assert log.rebuild() == 2
    assert {head.stream_id for head in log.heads()} == set(streams)


def test_rebuilding_a_stream_of_which_nothing_can_be_decoded_changes_nothing(
    log: SqliteLog, streams: list[str], tamper: Tamper
) -> None:
    before = log.heads()
    tamper("UPDATE frames SET body = x'00' WHERE place >= ?", SECOND)
    with pytest.raises(Unavailable, match="can be decoded") as caught:
        log.rebuild()
    assert caught.value.code == "damaged"
    assert log.heads() == before


def test_a_frame_that_lost_its_body_is_damage_not_a_crash(
    log: SqliteLog, streams: list[str], tamper: Tamper
) -> None:
    tamper(
        "PRAGMA writable_schema = ON;"
        "UPDATE sqlite_schema SET sql = replace(replace(sql, 'body      BLOB NOT NULL', 'body BLOB'), 'STRICT', '')"
        " WHERE name = 'frames'"
    )
    tamper("UPDATE frames SET body = NULL WHERE place = ?", SECOND + 2)
    log.close()
    with pytest.raises(Unavailable) as caught:
        list(log.read(streams[1]))
    assert caught.value.code == "damaged"
    assert "damaged" in [kind for kind, _ in found(log)]


def test_verifying_holds_no_lock_between_streams(log: SqliteLog, streams: list[str], say: Say) -> None:
    findings = log.verify()
    log.append(streams[0], [say("meanwhile")])
    assert list(findings) == []
