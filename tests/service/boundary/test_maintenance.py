"""Maintenance that fails, dies or meets a locked log is told in `status` and `doctor`."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from segue.handoff.headings import DOCUMENT
from segue.model.frame import MAINTAINED
from segue.model.moment import BEFORE, COMPACT, START, Moment
from segue.service.boundary import drafts, maintenance, moments, outcomes
from segue.service.health import checkup
from segue.service.workspace import Workspace

RICH = "\n".join(
    f"## {name}\n\n- Ported the retry loop in uploader.py; `pytest -q` printed 4 passed [#19].\n"
    for name in DOCUMENT
)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace(str(tmp_path), 0.1).establish()
    yield opened
    opened.close()


@pytest.fixture
def moment(workspace: Workspace) -> Moment:
    return Moment("codex", "SessionStart", START, "s1", workspace.root)


def told(workspace: Workspace) -> list[list[str]]:
    checks = checkup.doctor(workspace)["checks"]
    return [
        checkup.status(workspace).get("maintenance", []),
        [check["message"] for check in checks if check["check"] == "maintenance"],
    ]


def test_a_part_with_a_defect_is_told_and_the_others_run(
    workspace: Workspace, moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maintenance, "_backfill", lambda *given: {}["gone"])
    done = maintenance.run(workspace, moment)
    assert done["backfill"] == {"status": "failed", "reason": "KeyError: 'gone'"}
    assert done["consolidation"]["status"] == "skipped"
    for sentences in told(workspace):
        assert [sentence.endswith("failed: KeyError: 'gone'") for sentence in sentences] == [True]


def test_a_run_that_died_is_told_with_the_last_it_wrote(workspace: Workspace, moment: Moment) -> None:
    outcomes.begin(workspace, moment)
    assert told(workspace) == [[], []]
    log = Path(outcomes.log_path(workspace))
    log.write_text("Traceback (most recent call last):\nMemoryError: none left\n")
    os.utime(log, (log.stat().st_mtime + 1, log.stat().st_mtime + 1))
    said = "The maintenance after a compaction of codex-s1 died: MemoryError: none left"
    assert told(workspace) == [[said], [said]]
    maintenance.run(workspace, moment)
    assert told(workspace) == [[], []]


def test_a_run_that_never_ended_is_told(workspace: Workspace, moment: Moment) -> None:
    outcomes.begin(workspace, moment)
    mark = Path(workspace.folder, "boundary", "maintaining-codex-s1")
    then = mark.stat().st_mtime - outcomes.LONGEST_S - 1
    os.utime(mark, (then, then))
    said = "The maintenance after a compaction of codex-s1 died: it left no word"
    assert told(workspace) == [[said], [said]]


def test_what_maintenance_cannot_record_is_spooled_and_taken_up(workspace: Workspace, moment: Moment) -> None:
    maintenance.run(workspace, moment)
    outcomes.begin(workspace, moment)
    with open(Path(workspace.folder, "log.lock")) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = maintenance.run(workspace, moment)
    (waiting,) = Path(workspace.folder, "spool").iterdir()
    assert json.loads(waiting.read_text())["maintained"] == done and told(workspace) == [[], []]
    assert moments.drain(workspace) == [] and not waiting.exists()
    rows = [f for h in workspace.log.heads() for f in workspace.log.read(h.stream_id, types=(MAINTAINED,))]
    assert len(rows) == 2


@pytest.mark.parametrize("why", ["no handoff", "clearance"])
def test_maintenance_runs_once_after_a_compaction_where_nothing_is_replayed(
    workspace: Workspace, moment: Moment, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    started: list[Moment] = []
    monkeypatch.setattr(maintenance, "start", lambda _, moment: started.append(moment))
    if why == "clearance":
        Path(workspace.folder, "config.json").write_text('{"clearance": {"codex": "public"}}')
        drafts.write(workspace, RICH, "codex", "s1")
        drafts.approve(workspace)
    before = moment._replace(kind=BEFORE, event="PreCompact")
    compacted = moment._replace(source=COMPACT)
    for boundaries in (1, 2):
        moments.on_moment(workspace, before)
        told = [moments.on_moment(workspace, compacted) for _ in range(2)]
        assert [reply.inject for reply, _ in told] == ["", ""]
        assert started == [compacted] * boundaries
