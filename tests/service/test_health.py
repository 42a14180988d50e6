"""Verify finds damage and says what it is; what can be derived is made again; nothing else is touched."""

from __future__ import annotations

import os
from pathlib import Path

import apsw
import pytest

from segue.errors import NotFound
from segue.service import contexts, health, threads
from segue.service.workspace import Workspace


@pytest.fixture
def family(workspace: Workspace) -> dict[str, str]:
    parent = threads.create(workspace, "parent")["thread_id"]
    threads.post(workspace, parent, "one")
    child = threads.branch(workspace, parent)["thread_id"]
    handed = threads.handoff(workspace, parent, summary_markdown="s")
    contexts.checkpoint(workspace, parent)
    return {"parent": parent, "child": child, "bundle": handed["summary_artifact_id"]}


def kinds(workspace: Workspace, what: str = "all") -> set[str]:
    return {finding["kind"] for finding in health.verify(workspace, what)["findings"]}


def test_a_sound_workspace_has_no_findings(workspace: Workspace, family: dict[str, str]) -> None:
    assert health.verify(workspace) == {"ok": True, "findings": []}


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


def test_a_catalog_that_lies_is_found_and_rebuilt(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    assert threads.show(workspace, family["parent"])["title"] == "parent"
    workspace.close()
    cache = apsw.Connection(str(tmp_path / ".segue" / "cache.db"))
    cache.execute("UPDATE threads SET state = replace(state, '\"parent\"', '\"liar\"')")
    cache.close()
    assert kinds(workspace) == {"stale_cache"}
    workspace.close()
    health.rebuild(workspace)
    workspace.close()
    assert health.verify(workspace)["ok"]
    assert threads.show(workspace, family["parent"])["title"] == "parent"


def test_a_catalog_that_is_no_database_is_made_again(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    threads.list_threads(workspace)
    workspace.close()
    for path in (tmp_path / ".segue").glob("cache.db*"):
        path.write_bytes(b"garbage" * 1000)
    assert len(threads.list_threads(workspace)["threads"]) == 3


def test_a_catalog_of_another_log_starts_over(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    threads.list_threads(workspace)
    workspace.close()
    for path in (tmp_path / ".segue").glob("log.db*"):
        path.unlink()
    other = threads.create(workspace, "other")["thread_id"]
    assert [row["thread_id"] for row in threads.list_threads(workspace)["threads"]] == [other]


def test_a_workspace_that_cannot_be_written_can_still_be_read(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    if os.geteuid() == 0:
        pytest.skip("root writes everywhere")
    workspace.close()
    os.chmod(tmp_path / ".segue", 0o500)
    try:
        assert len(threads.list_threads(workspace)["threads"]) == 3
    finally:
        os.chmod(tmp_path / ".segue", 0o700)


def test_doctor_mends_permissions_and_leftovers(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
) -> None:
    os.chmod(tmp_path / ".segue" / "workspace.json", 0o644)
    (tmp_path / ".segue" / "workspace.json.1.tmp").write_text("half")
    (tmp_path / ".segue" / ".gitignore").unlink()
    broken = {check["check"] for check in health.doctor(workspace)["checks"] if not check["ok"]}
    assert broken == {"permissions", "leftovers", "gitignore"}
    assert health.doctor(workspace, fix=True)["ok"]
    assert health.doctor(workspace)["ok"]
    assert (tmp_path / ".segue" / "workspace.json").stat().st_mode & 0o777 == 0o600


def test_doctor_names_the_source_of_each_setting(workspace: Workspace, family: dict[str, str]) -> None:
    (Path(workspace.folder) / "config.json").write_text('{"compile": {"budget": 99}, "typo": {"x": 1}}')
    found = health.doctor(Workspace(workspace.root))
    assert found["settings"]["compile.budget"] == {
        "value": 99,
        "source": os.path.join(workspace.folder, "config.json"),
    }
    assert found["settings"]["compaction.stride_messages"]["source"] == "default"
    assert next(c["message"] for c in found["checks"] if c["check"] == "settings").endswith("nobody reads.")


def test_there_is_nothing_to_rebuild_without_a_workspace(workspace: Workspace) -> None:
    with pytest.raises(NotFound):
        health.rebuild(workspace)
