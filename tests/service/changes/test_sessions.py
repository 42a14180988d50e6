"""The bridge between sessions and records."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from segue.errors import BadInput, Refused
from segue.model.change_update import Update
from segue.service.changes import reading, records, sessions, upkeep
from segue.service.changes.report import session_start_report
from segue.service.workspace import Workspace

BLOCK: dict[str, Any] = {
    "progress_summary": "Modified `a.py`. Tool results showed: 3 tests passed.",
    "next_steps": ["Add a test for 503"],
    "blockers": [],
    "key_context": ["Do not redo: threads"],
    "files_in_progress": [{"path": "a.py", "state": "editing", "notes": None}],
    "decisions_made": [{"decision": "Use x", "rationale": "It is there", "timestamp": None}],
}


@pytest.fixture
def desk(workspace: Workspace) -> Workspace:
    upkeep.init(workspace, "desk", "maker")
    return workspace


def make(workspace: Workspace, **values: Any) -> str:
    more = msgspec.convert(values, Update)
    tc_id: str = records.new(
        workspace,
        "Retry uploads",
        summary="Retry uploads that fail",
        motivation="They fail",
        session_id="s-1",
        platform="claude-code",
        model="opus",
        more=more,
    )["tc_id"]
    return tc_id


def test_resume_archives_the_session_before_opens_a_new_one_and_hands_over_the_packet(
    desk: Workspace,
) -> None:
    tc_id = make(desk, progress="Added `retry()`.", add_next=["Add a test for 503", "Update the README"])
    done = sessions.resume(desk, "TC-001", platform="codex", model="gpt", session_id="s-2")
    context = reading.show(desk, tc_id)["session_context"]
    (past,) = context["session_history"]
    assert (past["session_id"], past["platform"], past["model"], past["summary"]) == (
        "s-1",
        "claude_code",
        "opus",
        "Added `retry()`.",
    )
    assert past["changes_made"] == [
        "Created: Retry uploads; progress: 'Added `retry()`.'; +next step 'Add a test for 503'; +next step 'Update the README'"
    ]
    assert {
        name: context["current_session"][name] for name in ("session_id", "platform", "agent", "model")
    } == {
        "session_id": "s-2",
        "platform": "other",
        "agent": "codex",
        "model": "gpt",
    }
    assert reading.show(desk, tc_id)["revision_history"][-1]["summary"].startswith(
        "Session resumed by codex/gpt"
    )
    assert done["status"] == "in_progress"
    assert "1. Add a test for 503\n2. Update the README" in done["packet"]


def test_a_dry_run_shows_and_writes_nothing(desk: Workspace) -> None:
    tc_id = make(desk, files_in_progress=[{"path": "lost.py", "state": "editing"}])
    before = reading.show(desk, tc_id)
    done = sessions.resume(desk, tc_id, dry_run=True)
    assert [finding["rule"] for finding in done["drift"]] == ["file-missing"]
    assert not done["updated"]
    assert reading.show(desk, tc_id) == before


@pytest.mark.parametrize(
    ("status", "hint"), [("deployed", "--status in_progress"), ("voided", "segue change new")]
)
def test_what_is_over_is_not_resumed(desk: Workspace, status: str, hint: str) -> None:
    tc_id = make(desk, approve={"by": "approver"})
    path = Path(desk.root) / "docs" / "TC" / "records" / tc_id / "tc_record.json"
    path.write_text(path.read_text().replace('"status": "planned"', f'"status": "{status}"', 1))
    with pytest.raises(Refused, match="nobody works on it any more") as refusal:
        sessions.resume(desk, tc_id)
    assert hint in refusal.value.hint


def test_a_block_from_a_session_is_proposed_and_then_applied_as_one_revision(desk: Workspace) -> None:
    tc_id = make(desk, add_next=["Update the README"], add_context=["Mind y"], status="in_progress")
    before = reading.show(desk, tc_id)
    proposal = sessions.propose_handoff(desk, tc_id, BLOCK)
    assert reading.show(desk, tc_id) == before
    assert proposal["block"]["next_steps"] == ["Add a test for 503", "Update the README"]
    assert {change["field"] for change in proposal["changes"]} == {
        f"handoff.{name}"
        for name in ("progress_summary", "next_steps", "key_context", "files_in_progress", "decisions_made")
    }
    done = sessions.apply_handoff(desk, tc_id, proposal["block"], "fixer", "end of the day")
    after = reading.show(desk, tc_id)
    assert done["revision"] == "R2"
    assert after["session_context"]["handoff"] == proposal["block"]
    assert {c["reason"] for c in after["revision_history"][-1]["field_changes"]} == {"end of the day"}
    assert not sessions.apply_handoff(desk, tc_id, proposal["block"])["updated"]


def test_a_block_from_a_session_passes_strict_and_says_whose_it_is_and_what_became_of_the_old(
    desk: Workspace,
) -> None:
    tc_id = make(desk, add_next=["Update the README"], status="in_progress")
    first = reading.show(desk, tc_id)["session_context"]["current_session"]["session_id"]
    block = sessions.propose_handoff(desk, tc_id, {**BLOCK, "decisions_made": []})["block"]
    done = sessions.apply_handoff(desk, tc_id, block, source=("codex", "s-9", "gpt-5"))
    after = reading.show(desk, tc_id)
    paths = [file["path"] for file in BLOCK["files_in_progress"]]
    assert [file["path"] for file in after["files_affected"]] == paths
    session = after["session_context"]["current_session"]
    assert [session[name] for name in ("session_id", "agent", "model")] == ["s-9", "codex", "gpt-5"]
    assert [past["session_id"] for past in after["session_context"]["session_history"]] == [first]
    assert "told by codex session 's-9'; handoff block merged; +file" in done["summary"]
    assert records.update(desk, tc_id, Update(add_tags=["x"]), strict=True)["updated"]
    replaced = sessions.apply_handoff(desk, tc_id, {**block, "next_steps": ["Run `make`"]})
    assert replaced["summary"] == "handoff block replaced"


def test_what_was_settled_in_the_record_stays_so_whatever_an_older_session_says(desk: Workspace) -> None:
    tc_id = make(desk, status="in_progress")
    sessions.apply_handoff(desk, tc_id, {**BLOCK, "key_context": ["Mind x"], "blockers": ["No device"]})
    settled = {
        "complete_next": ["Add a test"],
        "remove_context": ["Mind x"],
        "resolve_blockers": [{"blocker": "No device"}],
        "progress": "Tested `retry()` against 503.",
    }
    records.update(desk, tc_id, msgspec.convert(settled, Update))
    again = {**BLOCK, "key_context": ["Mind x", "Mind z"], "blockers": ["No device"]}
    block = sessions.propose_handoff(desk, tc_id, again, ended_ms=1)["block"]
    assert [block[name] for name in ("next_steps", "blockers", "key_context", "progress_summary")] == [
        [],
        [],
        ["Mind z"],
        "Tested `retry()` against 503.",
    ]
    newer = sessions.propose_handoff(desk, tc_id, again, ended_ms=1 << 43)["block"]
    assert newer["progress_summary"] == BLOCK["progress_summary"]
    assert newer["next_steps"] == []


def test_the_session_of_a_block_began_when_it_says(desk: Workspace) -> None:
    tc_id = make(desk, status="in_progress")
    sessions.apply_handoff(desk, tc_id, BLOCK, source=("codex", "s-9", "gpt-5"), started_ms=1_790_000_000_000)
    session = reading.show(desk, tc_id)["session_context"]["current_session"]
    assert session["started"] == "2026-09-21T14:13:20+00:00"


def test_a_block_may_replace_what_was_there(desk: Workspace) -> None:
    tc_id = make(desk, add_next=["Update the README"])
    assert sessions.propose_handoff(desk, tc_id, BLOCK, replace=True)["block"]["next_steps"] == [
        "Add a test for 503"
    ]


def test_a_block_that_does_not_fit_is_refused_and_files_outside_the_project_are_left_out(
    desk: Workspace,
) -> None:
    tc_id = make(desk)
    with pytest.raises(BadInput, match="The handoff block does not fit"):
        sessions.apply_handoff(desk, tc_id, {**BLOCK, "next_steps": "continue"})
    outside = [{"path": "/etc/hosts", "state": "ready"}, {"path": f"{desk.root}/a.py", "state": "ready"}]
    sessions.apply_handoff(desk, tc_id, {**BLOCK, "files_in_progress": outside})
    kept = reading.show(desk, tc_id)["session_context"]["handoff"]["files_in_progress"]
    assert [file["path"] for file in kept] == ["a.py"]


def test_decisions_are_promoted_to_the_projects_log(desk: Workspace) -> None:
    decisions = [
        {"decision": "Use x", "rationale": "It is there"},
        {"decision": "Drop y", "rationale": "Nobody uses it"},
    ]
    tc_id = make(desk, decisions=decisions)
    log = Path(desk.root) / "docs" / "decisions.md"
    log.write_text("# How we decide\n\nWords.\n")
    assert sessions.promote(desk, tc_id, ["2"])["added"] == ["Drop y"]
    assert sessions.promote(desk, tc_id, [])["added"] == ["Use x"]
    assert sessions.promote(desk, tc_id, [])["added"] == []
    assert [line for line in log.read_text().splitlines() if line.startswith("#")] == [
        "# How we decide",
        "## Drop y",
        "## Use x",
    ]


def test_the_start_of_a_session_is_told_in_two_lines_what_is_at_work(desk: Workspace) -> None:
    assert session_start_report(desk.root) == []
    make(desk)
    assert session_start_report(desk.root) == []
    make(desk, status="in_progress", add_next=["Add a test for 503"])
    make(desk, status="blocked", add_blockers=["Waiting for\nthe fixtures"])
    assert session_start_report(desk.root) == [
        'Changes at work, as their records say: TC-003 blocked: "Retry uploads" '
        '(blocker: "Waiting for the fixtures"); TC-002 in_progress: "Retry uploads" (next: "Add a test for 503").',
        "Resume one with `segue change resume TC-002`; `segue change list --open` shows all.",
    ]


def test_the_report_is_short_and_silent_about_what_it_cannot_read(desk: Workspace, tmp_path: Path) -> None:
    for _ in range(5):
        make(desk, status="in_progress")
    first, _ = session_start_report(desk.root)
    assert first.endswith("; and 2 more.")
    registry = Path(desk.root) / "docs" / "TC" / "tc_registry.json"
    rows = json.loads(registry.read_text())
    for row in rows["records"]:
        row["tc_id"] = "TC-009-../../../../etc"
    registry.write_text(json.dumps(rows))
    assert len(session_start_report(desk.root)) == 2
    registry.write_text("<<<<<<< HEAD")
    assert session_start_report(desk.root)[0] == first
    registry.unlink()
    assert session_start_report(desk.root)[0] == first
    assert session_start_report(str(tmp_path / "nowhere")) == []


def test_the_report_starts_no_process_and_opens_no_log(desk: Workspace) -> None:
    make(desk, status="in_progress")
    code = (
        "import sys; from segue.service.changes.report import session_start_report as report; "
        "assert len(report(sys.argv[1])) == 2; "
        "print(sorted(set(sys.modules) & {'subprocess', 'argparse', 'apsw', 'logging', 'hypothesis'}))"
    )
    done = subprocess.run([sys.executable, "-c", code, desk.root], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
