"""Many processes at once lose nothing, and one that is killed leaves what can be mended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from segue.model.change_update import Update
from segue.service.changes import reading, records, upkeep
from segue.service.workspace import Workspace

WORKERS, EACH = 8, 50

WORK = """
import os, sys
os.fsync = lambda file: None  # what is tried here is not a power cut, and the disk is slow
from segue.model.change_update import Update
from segue.service import workspace
from segue.service.changes import reading, records
here, worker, each, shared = workspace.find(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4:]
for number in range(each):
    title = f"Change {number} of worker {worker}"
    made = records.new(here, title, "feature", "One of many at once", "To see")
    records.update(here, shared[number % len(shared)], Update(add_tags=[f"w{worker}-{number}"]), f"worker {worker}")
"""

KILLED = """
import os, signal, sys
from segue.model.change_update import Update
from segue.service import workspace
from segue.service.changes import reading, records
from segue.service.changes.files import Tree
def dies(*_):
    os.kill(os.getpid(), signal.SIGKILL)
Tree.write_registry = dies
here = workspace.find(sys.argv[1])
if sys.argv[2] == "new":
    records.new(here, "Made and killed", "feature", "Never registered", "To see")
else:
    records.update(here, sys.argv[2], Update(add_tags=["killed"], status="in_progress"))
"""


@pytest.fixture
def desk(workspace: Workspace) -> Workspace:
    upkeep.init(workspace, "desk", "maker")
    return workspace


def start(code: str, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", code, *words], stderr=subprocess.PIPE)


def test_eight_processes_make_and_update_at_once_and_nothing_is_lost(desk: Workspace) -> None:
    shared = [
        records.new(desk, f"Shared by all {n}", "feature", "All of them update it")["tc_id"] for n in range(5)
    ]
    workers = [start(WORK, desk.root, str(n), str(EACH), *shared) for n in range(WORKERS)]
    assert [(w.communicate()[1].decode()[-500:], w.returncode) for w in workers] == [("", 0)] * WORKERS
    listed = json.loads((Path(desk.root) / "docs" / "TC" / "tc_registry.json").read_text())
    names = [row["tc_id"] for row in listed["records"]]
    assert [int(name.split("-")[1]) for name in names] == list(range(1, WORKERS * EACH + len(shared) + 1))
    assert listed["next_tc_number"] == WORKERS * EACH + len(shared) + 1
    assert sorted(path.name for path in (Path(desk.root) / "docs" / "TC" / "records").iterdir()) == sorted(
        names
    )
    documents = [reading.show(desk, name) for name in shared]
    tags = [tag for document in documents for tag in document["tags"]]
    assert sorted(tags) == sorted(f"w{w}-{n}" for w in range(WORKERS) for n in range(EACH))
    assert [len(d["revision_history"]) for d in documents] == [WORKERS * EACH // len(shared) + 1] * len(
        shared
    )
    assert {f["rule"] for f in upkeep.lint_changes(desk)["findings"]} == {"motivation-missing"}


def test_a_process_killed_between_record_and_registry_loses_no_record_and_no_number(desk: Workspace) -> None:
    tc_id = records.new(desk, "Here before", "feature", "Made before the kill", "To see")["tc_id"]
    registry = Path(desk.root) / "docs" / "TC" / "tc_registry.json"
    before = json.loads(registry.read_text())
    for what in ("new", tc_id):
        killed = start(KILLED, desk.root, what)
        killed.communicate()
        assert killed.returncode == -9
    assert json.loads(registry.read_text()) == before
    found = [finding["rule"] for finding in upkeep.lint_changes(desk)["findings"]]
    assert found.count("registry") == 3
    done = upkeep.rebuild(desk)
    # Within one second of its making a record's `updated` may not have moved yet.
    mended = sorted(row["what"].replace(", updated", "") for row in done["mended"])
    assert mended == ["differs from its record in status, tags", "is not listed"]
    after = json.loads(registry.read_text())
    assert [(row["title"], row["status"]) for row in after["records"]] == [
        ("Here before", "in_progress"),
        ("Made and killed", "planned"),
    ]
    assert after["next_tc_number"] == 3


def test_after_a_kill_the_next_command_goes_on_without_a_rebuild(desk: Workspace) -> None:
    start(KILLED, desk.root, "new").communicate()
    made = records.new(desk, "Made after the kill", "feature", "The next number is free", "To see")["tc_id"]
    assert made.startswith("TC-002-")
    assert [row["title"] for row in reading.list_changes(desk)["changes"]] == [
        "Made and killed",
        "Made after the kill",
    ]
    assert upkeep.lint_changes(desk)["findings"] == []


def test_a_lock_that_is_not_freed_in_time_gets_a_sentence(
    desk: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    from segue.errors import Unavailable

    monkeypatch.setenv("SEGUE_STORE_LOCK_WAIT_S", "1")
    made = records.new(desk, "Held by another", "feature", "While somebody writes", "To see")["tc_id"]
    with open(Path(desk.folder) / "changes.lock") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        desk._config = None
        with pytest.raises(Unavailable, match="did not finish within 1 seconds"):
            records.update(desk, made, Update(add_tags=["x"]))
