"""Verify finds damage and says what it is; what can be derived is made again; nothing else is touched."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path
from typing import Any

import apsw
import pytest

from segue.errors import BadInput, NotFound, Refused, Unavailable
from segue.model.frame import MESSAGE, Draft
from segue.model.thread import Provenance
from segue.service import artifacts
from segue.service.health import checkup
from segue.service.threads import contexts, streams
from segue.service.workspace import Workspace
from segue.stores.catalog import Catalog


@pytest.fixture
def family(workspace: Workspace) -> dict[str, str]:
    parent = streams.create(workspace, "parent")["thread_id"]
    streams.post(workspace, parent, "one")
    child = streams.branch(workspace, parent)["thread_id"]
    handed = streams.handoff(workspace, parent, summary_markdown="s")
    contexts.checkpoint(workspace, parent)
    return {"parent": parent, "child": child, "bundle": handed["summary_artifact_id"]}


def kinds(workspace: Workspace, what: str = "all") -> set[str]:
    return {finding["kind"] for finding in checkup.verify(workspace, what)["findings"]}


def test_a_sound_workspace_has_no_findings(workspace: Workspace, family: dict[str, str]) -> None:
    assert checkup.verify(workspace) == {"ok": True, "findings": []}


def test_a_deleted_blob_is_missed_by_the_frame_that_names_it(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / ".segue" / "artifacts" / "blobs" / family["bundle"]).unlink()
    assert kinds(workspace) == {"missing_blob"}


def test_an_altered_frame_is_found(workspace: Workspace, family: dict[str, str], tmp_path: Path) -> None:
    workspace.close()
    db = apsw.Connection(str(tmp_path / ".segue" / "log.db"))
    db.execute("UPDATE frames SET body = CAST(replace(CAST(body AS TEXT), 'one', 'two') AS BLOB)")
    db.close()
    assert "hash_mismatch" in kinds(workspace, "log")


def damage(workspace: Workspace, sql: str) -> None:
    workspace.close()
    db = apsw.Connection(os.path.join(workspace.folder, "log.db"))
    db.execute(sql)
    db.close()


def test_a_frame_that_cannot_be_decoded_is_one_finding_and_the_other_checks_run(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / ".segue" / "artifacts" / "blobs" / family["bundle"]).write_bytes(b"nonsense")
    damage(workspace, "UPDATE frames SET body = CAST('{' AS BLOB) WHERE type = 'continuity_message_appended'")
    assert {"undecodable", "damaged_blob", "damaged"} <= kinds(workspace)


def test_a_link_of_the_wrong_kind_is_found(workspace: Workspace, family: dict[str, str]) -> None:
    damage(
        workspace,
        "UPDATE frames SET body = CAST(replace(CAST(body AS TEXT), '\"parent_seq\":1', '\"parent_seq\":[]')"
        " AS BLOB)",
    )
    assert "malformed" in kinds(workspace, "log")


@pytest.mark.parametrize("size", [0, 100, 5_000, 20_000])
def test_a_log_cut_short_is_a_finding_whose_hint_is_not_to_verify(
    workspace: Workspace, family: dict[str, str], size: int
) -> None:
    for number in range(300):
        streams.post(workspace, family["parent"], f"message {number}")
    workspace.close()
    os.truncate(os.path.join(workspace.folder, "log.db"), size)
    found = checkup.verify(workspace)["findings"]
    assert "damaged" in {finding["kind"] for finding in found}
    assert [finding for finding in found if "segue verify" in finding["hint"]] == []


def test_an_effect_of_the_wrong_kind_is_refused_and_one_already_written_harms_nobody(
    workspace: Workspace, family: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    effect = {"tool_id": "t", "tool_name": "n", "command": 5, "affected_paths": 5}
    with pytest.raises(BadInput, match="to be a list of texts"):
        streams.post(workspace, family["parent"], "x", run="r", effects=[effect])
    monkeypatch.setattr("segue.stores.seal.checked", lambda draft: draft)
    streams.post(workspace, family["parent"], "x", run="r", effects=[effect])
    assert len(streams.list_threads(workspace)["threads"]) == 3
    assert checkup.verify(workspace)["ok"]
    assert checkup.rebuild(workspace)["threads"] == 3


def test_a_lost_parent_leaves_dangling_links(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    workspace.close()
    db = apsw.Connection(str(tmp_path / ".segue" / "log.db"))
    row = db.execute("SELECT n FROM streams WHERE stream_id = ?", (family["parent"],)).get
    db.execute("DELETE FROM frames WHERE place >> 32 = ?", (row,))
    db.execute("DELETE FROM streams WHERE stream_id = ?", (family["parent"],))
    db.close()
    assert "dangling_link" in kinds(workspace, "log")


@pytest.mark.parametrize(
    "sql", ["UPDATE streams SET seq = 0", "UPDATE streams SET hash = x'00'", "DELETE FROM streams"]
)
def test_heads_that_lie_are_the_one_thing_said_and_rebuilding_mends_all(
    workspace: Workspace, family: dict[str, str], sql: str
) -> None:
    damage(workspace, sql)
    found = checkup.verify(workspace)["findings"]
    assert {(finding["kind"], "segue rebuild" in finding["hint"]) for finding in found} == {
        ("head_mismatch", True)
    }
    workspace.close()
    checkup.rebuild(workspace)
    assert checkup.verify(workspace) == {"ok": True, "findings": []}


def test_rebuilding_a_log_with_a_broken_chain_says_that_it_is_broken(
    workspace: Workspace, family: dict[str, str]
) -> None:
    damage(workspace, "UPDATE frames SET body = CAST(replace(CAST(body AS TEXT), 'one', 'two') AS BLOB)")
    done = checkup.rebuild(workspace)
    assert not done["ok"]
    assert "hash_mismatch" in {finding["kind"] for finding in done["findings"]}


def test_a_loss_is_said_with_a_backup_as_the_way_out_and_not_covered_up_by_rebuilding(
    workspace: Workspace, family: dict[str, str]
) -> None:
    damage(
        workspace, "DELETE FROM frames WHERE place = (SELECT max(place) FROM frames WHERE place < 2 << 32)"
    )
    (finding,) = checkup.verify(workspace)["findings"]
    assert (finding["kind"], "backup" in finding["hint"]) == ("frames_lost", True)
    with pytest.raises(Refused, match="lost"):
        checkup.rebuild(workspace)
    assert [finding["kind"] for finding in checkup.verify(workspace)["findings"]] == ["frames_lost"]


def test_an_accepted_loss_is_on_record_and_links_into_it_are_notes(workspace: Workspace) -> None:
    parent = streams.create(workspace)["thread_id"]
    for text in ("one", "two", "three"):
        streams.post(workspace, parent, text)
    streams.branch(workspace, parent)
    damage(workspace, f"DELETE FROM frames WHERE place BETWEEN {(1 << 32) + 2} AND {(1 << 32) + 3}")
    assert checkup.rebuild(workspace, accept_loss=True, by=Provenance("person", "cli"))["ok"]
    told = list(workspace.log.read(parent))[-1].data
    assert (told["type"], told["from_seq"], told["to_seq"], told["actor_id"]) == (
        "frames_lost",
        2,
        3,
        "person",
    )
    verdict = checkup.verify(workspace)
    assert [(f["kind"], f["severity"]) for f in verdict["findings"]] == [("dangling_link", "note")]
    assert verdict["ok"]


def test_a_catalog_that_lies_is_found_and_rebuilt(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    assert streams.show(workspace, family["parent"])["title"] == "parent"
    workspace.close()
    cache = apsw.Connection(str(tmp_path / ".segue" / "cache.db"))
    cache.execute("UPDATE threads SET state = replace(state, '\"parent\"', '\"liar\"')")
    cache.close()
    assert kinds(workspace) == {"stale_cache"}
    workspace.close()
    checkup.rebuild(workspace)
    workspace.close()
    assert checkup.verify(workspace)["ok"]
    assert streams.show(workspace, family["parent"])["title"] == "parent"


def lie(workspace: Workspace, sql: str) -> None:
    streams.list_threads(workspace)
    workspace.close()
    cache = apsw.Connection(os.path.join(workspace.folder, "cache.db"))
    cache.execute(sql)
    cache.close()


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM threads",
        "DELETE FROM threads WHERE parent_id IS NOT NULL",
        "DELETE FROM texts",
        "DELETE FROM natives",
        "INSERT INTO texts (body, thread_id, seq) SELECT 'more', thread_id, 0 FROM threads LIMIT 1",
        "INSERT INTO threads SELECT 'phantom', parent_id, created_at_ms, replace(state, thread_id, 'phantom')"
        " FROM threads LIMIT 1",
    ],
)
def test_a_catalog_that_leaves_out_or_makes_up_is_found_and_rebuilt(
    workspace: Workspace, family: dict[str, str], sql: str
) -> None:
    named = {"role": "user", "content": "two", "native_id": "n1", "actor_id": "user", "origin": "cli"}
    workspace.log.append(family["parent"], [Draft(MESSAGE, named)])
    lie(workspace, sql)
    assert kinds(workspace) == {"stale_cache"}
    workspace.close()
    checkup.rebuild(workspace)
    workspace.close()
    assert checkup.verify(workspace)["ok"]


@pytest.mark.parametrize("byte", [b"\0", b"\xa5"])
def test_a_catalog_damaged_behind_its_first_page_is_made_again(
    workspace: Workspace, family: dict[str, str], tmp_path: Path, byte: bytes
) -> None:
    streams.list_threads(workspace)
    workspace.close()
    cache = tmp_path / ".segue" / "cache.db"
    whole = cache.read_bytes()
    cache.write_bytes(whole[:4096] + byte * (len(whole) - 4096))
    assert len(streams.list_threads(workspace)["threads"]) == 3
    assert streams.search(workspace, "one")["hits"] != []
    assert checkup.verify(workspace)["ok"]


@pytest.mark.parametrize("table", ["threads", "texts", "natives", "runs", "position"])
def test_a_catalog_without_one_of_its_tables_is_made_again(
    workspace: Workspace, family: dict[str, str], table: str
) -> None:
    lie(workspace, f"DROP TABLE {table}")
    assert len(streams.list_threads(workspace)["threads"]) == 3
    assert streams.search(workspace, "one")["hits"] != []
    assert (
        streams.branch(
            workspace,
            family["parent"],
            from_message_id=streams.post(workspace, family["parent"], "last")["message_id"],
        )["parent_seq"]
        > 0
    )


def test_a_disk_without_room_for_the_catalog_leaves_every_answer(
    workspace: Workspace, family: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = streams.list_threads(workspace)
    workspace.close()
    Path(workspace.folder, "cache.db").unlink()
    put = Catalog.put

    def full(catalog: Catalog, state: dict[str, Any]) -> None:
        if catalog._db.filename:
            raise apsw.FullError("database or disk is full")
        put(catalog, state)

    monkeypatch.setattr(Catalog, "put", full)
    assert streams.list_threads(workspace) == expected
    assert list(Path(workspace.folder).glob("cache.db*")) == []


def test_a_catalog_that_is_no_database_is_made_again(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    streams.list_threads(workspace)
    workspace.close()
    for path in (tmp_path / ".segue").glob("cache.db*"):
        path.write_bytes(b"garbage" * 1000)
    assert len(streams.list_threads(workspace)["threads"]) == 3


def test_a_catalog_of_another_log_starts_over(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    streams.list_threads(workspace)
    workspace.close()
    (tmp_path / "elsewhere").mkdir()
    elsewhere = Workspace(str(tmp_path / "elsewhere"))
    other = streams.create(elsewhere, "other")["thread_id"]
    elsewhere.close()
    for path in (tmp_path / ".segue").glob("log.db*"):
        path.unlink()
    shutil.copy(tmp_path / "elsewhere" / ".segue" / "log.db", tmp_path / ".segue" / "log.db")
    assert [row["thread_id"] for row in streams.list_threads(workspace)["threads"]] == [other]


def test_a_log_that_is_gone_is_said_and_no_other_one_is_begun(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    streams.list_threads(workspace)
    workspace.close()
    for path in (tmp_path / ".segue").glob("log.db*"):
        path.unlink()
    for ask in (streams.list_threads, streams.ensure, checkup.verify):
        with pytest.raises(Unavailable) as told:
            ask(Workspace(workspace.root))
        assert told.value.code == "log_missing"
    assert not checkup.doctor(Workspace(workspace.root))["ok"]
    assert not (tmp_path / ".segue" / "log.db").exists()


def test_a_workspace_that_cannot_be_written_can_still_be_read(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    if os.geteuid() == 0:
        pytest.skip("root writes everywhere")
    workspace.close()
    os.chmod(tmp_path / ".segue", 0o500)
    try:
        assert len(streams.list_threads(workspace)["threads"]) == 3
    finally:
        os.chmod(tmp_path / ".segue", 0o700)


@pytest.mark.parametrize(
    ("flags", "why"), [(os.ST_RDONLY, "is on a read-only disk"), (0, "may not be written by you")]
)
def test_doctor_and_status_say_that_a_workspace_cannot_be_written_and_mend_nothing_there(
    workspace: Workspace, family: dict[str, str], monkeypatch: pytest.MonkeyPatch, flags: int, why: str
) -> None:
    assert "unwritable" not in checkup.status(workspace)
    ignored = Path(workspace.folder, ".gitignore")
    ignored.unlink()
    disk = os.statvfs(workspace.folder)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    monkeypatch.setattr(
        os, "statvfs", lambda path: os.statvfs_result([*disk[:8], flags, disk[9], disk.f_fsid])
    )
    sentence = f"{workspace.folder} {why}: nothing can be recorded."
    assert checkup.status(workspace)["unwritable"] == sentence
    found = next(c for c in checkup.doctor(workspace, fix=True)["checks"] if c["check"] == "writing")
    assert (found["ok"], found["message"]) == (False, sentence)
    assert not ignored.exists()


@pytest.mark.parametrize(("place", "what"), [(4, "room"), (7, "files")])
def test_doctor_and_status_say_that_the_disk_is_full(
    workspace: Workspace, family: dict[str, str], monkeypatch: pytest.MonkeyPatch, place: int, what: str
) -> None:
    disk = list(os.statvfs(workspace.folder))
    disk[place] = 0
    disk[5] = disk[5] or 1000
    full = os.statvfs_result([*disk, os.statvfs(workspace.folder).f_fsid])
    monkeypatch.setattr(os, "statvfs", lambda path: full)
    told = checkup.status(workspace)["unwritable"]
    assert told == f"{workspace.folder} is on a full disk: nothing can be recorded."
    found = [check for check in checkup.doctor(workspace)["checks"] if not check["ok"]]
    assert [(check["check"], check["message"]) for check in found] == [("writing", told)]


def test_doctor_mends_permissions_and_leftovers(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    os.chmod(tmp_path / ".segue" / "workspace.json", 0o644)
    (tmp_path / ".segue" / "workspace.json.1.tmp").write_text("half")
    (tmp_path / ".segue" / ".gitignore").unlink()
    broken = {check["check"] for check in checkup.doctor(workspace)["checks"] if not check["ok"]}
    assert broken == {"permissions", "gitignore"}
    assert checkup.doctor(workspace, fix=True)["ok"]
    assert checkup.doctor(workspace)["ok"]
    assert not (tmp_path / ".segue" / "workspace.json.1.tmp").exists()
    assert (tmp_path / ".segue" / "workspace.json").stat().st_mode & 0o777 == 0o600


def test_doctor_removes_what_interrupted_writes_left_and_nothing_that_is_being_written(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    workspace.close()
    folder = tmp_path / ".segue"
    left = [
        folder / "artifacts" / "blobs" / ".partial-1",
        folder / "log.db.new",
        folder / "log.db.new-journal",
    ]
    for path in left:
        path.touch(0o600)
    busy = folder / "artifacts" / "blobs" / ".partial-2"
    busy.touch(0o600)
    with open(busy) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        found = next(c for c in checkup.doctor(workspace)["checks"] if c["check"] == "leftovers")
        assert (found["ok"], found["message"][:2]) == (True, "3 ")
        assert checkup.doctor(workspace, fix=True)["ok"]
        assert [path.exists() for path in (*left, busy)] == [False, False, False, True]


def test_what_an_interrupted_put_left_is_a_note_and_no_damage(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / ".segue" / "artifacts" / "blobs" / ".partial-1").touch(0o600)
    verdict = checkup.verify(workspace)
    assert [(finding["kind"], finding["severity"]) for finding in verdict["findings"]] == [
        ("leftover", "note")
    ]
    assert verdict["ok"]
    assert checkup.doctor(workspace)["ok"]


def test_pipes_and_links_among_the_artifacts_are_reported_and_nothing_waits_for_them(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    blobs = tmp_path / ".segue" / "artifacts" / "blobs"
    (tmp_path / "elsewhere").write_bytes((blobs / family["bundle"]).read_bytes())
    os.mkfifo(blobs / ("0" * 64), 0o600)
    os.mkfifo(blobs / ".partial-1", 0o600)
    (blobs / ("1" * 64)).symlink_to(tmp_path / "elsewhere")
    known = {row["artifact_id"] for row in artifacts.list_artifacts(workspace)["artifacts"]}
    assert not {"0" * 64, "1" * 64} & known
    assert checkup.status(workspace)["artifacts"] == len(known)
    found = [finding for finding in checkup.verify(workspace)["findings"] if finding["kind"] == "foreign"]
    assert {finding["where"] for finding in found} == {"0" * 64, "1" * 64, ".partial-1"}
    assert "foreign" in {check["check"] for check in checkup.doctor(workspace)["checks"] if not check["ok"]}


def test_a_log_being_made_is_not_a_leftover(workspace: Workspace, family: dict[str, str]) -> None:
    workspace.close()
    making = Path(workspace.folder, "log.db.new")
    making.touch(0o600)
    with open(os.path.join(workspace.folder, "log.lock")) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert next(c for c in checkup.doctor(workspace, fix=True)["checks"] if c["check"] == "leftovers")[
            "ok"
        ]
    assert making.exists()


def test_doctor_names_the_source_of_each_setting(workspace: Workspace, family: dict[str, str]) -> None:
    (Path(workspace.folder) / "config.json").write_text('{"compile": {"budget": 99}, "typo": {"x": 1}}')
    found = checkup.doctor(Workspace(workspace.root))
    assert found["settings"]["compile.budget"] == {
        "value": 99,
        "source": os.path.join(workspace.folder, "config.json"),
    }
    assert found["settings"]["compaction.stride_messages"]["source"] == "default"
    assert next(c["message"] for c in found["checks"] if c["check"] == "settings").endswith("nobody reads.")


def test_there_is_nothing_to_rebuild_without_a_workspace(workspace: Workspace) -> None:
    with pytest.raises(NotFound):
        checkup.rebuild(workspace)
