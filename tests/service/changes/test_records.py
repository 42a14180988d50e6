"""Change records on disk: made, updated, listed, closed, mended."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from segue.changes import record
from segue.errors import BadInput, NotFound, Refused, Unavailable
from segue.model.change_update import Update
from segue.model.thread import AGENT, PERSON, Provenance
from segue.service.changes import reading, records, sessions, upkeep
from segue.service.changes.files import Tree
from segue.service.workspace import Workspace

FIXTURES = Path(__file__).parents[2] / "changes" / "fixtures"
TEST = {"title": "It retries", "procedure": ["run it"], "expected_result": "works"}
SHOWN = {"test_id": "T1", "type": "command_output", "description": "run", "content": "1 passed"}


@pytest.fixture
def desk(workspace: Workspace) -> Workspace:
    """A workspace with change records."""
    upkeep.init(workspace, "desk", "maker")
    return workspace


def make(workspace: Workspace, title: str = "Retry uploads", **more: Any) -> str:
    tc_id: str = records.new(
        workspace, title, "feature", "Retry uploads that fail", "They fail at night", **more
    )["tc_id"]
    return tc_id


def update(workspace: Workspace, tc_id: str, reason: str = "", **values: Any) -> dict[str, Any]:
    return records.update(workspace, tc_id, msgspec.convert(values, Update), "fixer", reason)


def file_of(workspace: Workspace, tc_id: str) -> Path:
    return Path(workspace.root) / "docs" / "TC" / "records" / tc_id / "tc_record.json"


def registry_of(workspace: Workspace) -> Path:
    return Path(workspace.root) / "docs" / "TC" / "tc_registry.json"


def rows(workspace: Workspace) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(registry_of(workspace).read_text())["records"]
    return found


def problems(workspace: Workspace, *tc_ids: str) -> list[str]:
    return [finding["rule"] for finding in upkeep.lint_changes(workspace, tc_ids)["findings"]]


def walked(workspace: Workspace, status: str = "tested") -> str:
    """A change that has come as far as that."""
    tc_id = make(workspace)
    update(
        workspace, tc_id, status="in_progress", files=[{"path": "a.py"}], progress="Added `retry()` to a.py."
    )
    update(workspace, tc_id, status="implemented")
    update(
        workspace,
        tc_id,
        add_tests=[TEST],
        test_results=[{"test_id": "T1", "status": "pass"}],
        add_evidence=[SHOWN],
    )
    if status == "tested":
        update(workspace, tc_id, status="tested")
    return tc_id


def test_nothing_is_made_before_init_and_the_refusal_says_so(workspace: Workspace) -> None:
    assert reading.list_changes(workspace) == {"changes": []}
    with pytest.raises(NotFound) as refusal:
        make(workspace)
    assert refusal.value.hint == "`segue change init` starts them."
    assert not (Path(workspace.root) / "docs").exists()


def test_init_takes_the_name_from_the_project(workspace: Workspace) -> None:
    (Path(workspace.root) / "pyproject.toml").write_text('[project]\nname = "parcel"\n')
    assert upkeep.init(workspace)["project_name"] == "parcel"
    assert upkeep.init(workspace)["status"] == "already_initialized"


def test_init_by_force_keeps_records_registry_and_numbers(desk: Workspace) -> None:
    first = make(desk)
    shutil.rmtree(file_of(desk, make(desk)).parent)
    made = upkeep.init(desk, "dock", force=True)
    assert (made["status"], made["project_name"], made["records"]) == ("initialized", "dock", 1)
    assert [row["tc_id"] for row in rows(desk)] == [first]
    assert make(desk).startswith("TC-003-")


def test_a_new_record_is_sound_registered_and_in_its_place(desk: Workspace) -> None:
    made = records.new(desk, "Add 🚀 to uploads", "feature", "Retry uploads that fail", "They fail")
    path = Path(desk.root) / made["path"]
    document = json.loads(path.read_text())
    assert path == file_of(desk, made["tc_id"])
    assert record.findings(document) == []
    assert (document["title"], document["created_by"], document["project"]) == (
        "Add 🚀 to uploads",
        "maker",
        "desk",
    )
    assert rows(desk)[0]["tc_id"] == made["tc_id"]


def test_a_new_record_may_come_with_more_in_one_revision(desk: Workspace) -> None:
    tc_id = make(
        desk, more=msgspec.convert({"add_tags": ["net"], "add_next": ["Add a test for 503"]}, Update)
    )
    document = reading.show(desk, tc_id)
    assert (document["tags"], len(document["revision_history"])) == (["net"], 1)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"title": "abc"}, "The title has 3 characters; it needs 5 to 120"),
        ({"title": "x" * 121}, "The title has 121 characters"),
        ({"scope": "thing"}, "'thing' is not a scope"),
        ({"priority": "soon"}, "'soon' is not a priority"),
        ({"summary": "short"}, "The summary has 5 characters"),
    ],
)
def test_a_record_that_would_not_fit_is_refused(
    desk: Workspace, values: dict[str, str], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence):
        records.new(
            desk,
            **{"title": "Retry uploads", "summary": "Retry uploads that fail", "motivation": "m", **values},
        )
    assert rows(desk) == []


def test_what_is_not_told_yet_is_asked_for_by_lint(desk: Workspace) -> None:
    tc_id = records.new(desk, "Retry uploads")["tc_id"]
    assert problems(desk, tc_id) == ["motivation-missing"]


def test_the_thousandth_record_is_like_any_other(desk: Workspace) -> None:
    path = registry_of(desk)
    path.write_text(json.dumps({**json.loads(path.read_text()), "next_tc_number": 999}))
    made = [make(desk), make(desk)]
    assert [tc_id.split("-")[:2] for tc_id in made] == [["TC", "999"], ["TC", "1000"]]
    assert [row["tc_id"] for row in rows(desk)] == made
    assert problems(desk) == []
    assert update(desk, "1000", add_tags=["x"])["tc_id"] == made[1]


def test_an_update_is_one_revision_and_one_row(desk: Workspace) -> None:
    tc_id = make(desk)
    done = update(
        desk, tc_id, "we begin", status="in_progress", add_tags=["net"], progress="Added `retry()`."
    )
    document = reading.show(desk, tc_id)
    assert (done["revision"], done["status"], done["updated"]) == ("R2", "in_progress", True)
    assert [c["reason"] for c in document["revision_history"][-1]["field_changes"]] == ["we begin"] * 3
    assert document["metadata"]["last_modified_by"] == "fixer"
    assert (rows(desk)[0]["status"], rows(desk)[0]["tags"]) == ("in_progress", ["net"])


def test_an_update_that_changes_nothing_writes_nothing(desk: Workspace) -> None:
    tc_id = make(desk)
    before = file_of(desk, tc_id).read_bytes(), registry_of(desk).read_bytes()
    assert update(desk, tc_id, title="Retry uploads") == {
        "tc_id": tc_id,
        "updated": False,
        "status": "planned",
        "path": f"docs/TC/records/{tc_id}/tc_record.json",
    }
    assert (file_of(desk, tc_id).read_bytes(), registry_of(desk).read_bytes()) == before


@pytest.mark.parametrize("line", ["tc_tracker", "technical_change"])
def test_a_record_of_the_original_scripts_is_left_byte_for_byte_until_something_changes(
    workspace: Workspace, line: str
) -> None:
    shutil.copytree(FIXTURES / line, workspace.root, dirs_exist_ok=True)
    tc_id = "TC-003-04-03-26-print-labels"
    before = file_of(workspace, tc_id).read_bytes()
    assert not update(workspace, "TC-003", title="Print labels 📦 from the order page")["updated"]
    assert file_of(workspace, tc_id).read_bytes() == before
    update(workspace, "TC-003", add_tags=["new"])
    old, new = json.loads(before), json.loads(file_of(workspace, tc_id).read_text())
    kept = {
        k: v
        for k, v in new.items()
        if k not in ("tags", "updated", "metadata", "revision_history", "session_context")
    }
    assert kept == {k: old[k] for k in kept}
    assert new["revision_history"][:-1] == old["revision_history"]
    assert file_of(workspace, tc_id).read_bytes().isascii() == before.isascii()
    assert (b"\n" in file_of(workspace, tc_id).read_bytes()[-1:]) == (b"\n" in before[-1:])
    path = f"records/{tc_id}" if line == "technical_change" else f"records/{tc_id}/tc_record.json"
    assert rows(workspace)[0]["path"] == path
    assert make(workspace).startswith("TC-004-")


def test_an_unapproved_change_without_tests_does_not_get_to_deployed(desk: Workspace) -> None:
    tc_id = make(desk)
    update(desk, tc_id, status="in_progress", files=[{"path": "a.py"}])
    update(desk, tc_id, status="implemented")
    with pytest.raises(Refused, match="no test has passed with evidence"):
        update(desk, tc_id, status="tested")
    update(
        desk,
        tc_id,
        status="tested",
        add_tests=[TEST],
        test_results=[{"test_id": "T1", "status": "pass"}],
        add_evidence=[SHOWN],
    )
    with pytest.raises(Refused, match="it is not approved"):
        update(desk, tc_id, status="deployed")
    assert update(desk, tc_id, status="deployed", approve={"by": "approver"})["status"] == "deployed"
    assert problems(desk) == []


def test_a_bug_in_a_deployed_change_opens_it_again(desk: Workspace) -> None:
    tc_id = walked(desk)
    update(desk, tc_id, status="deployed", approve={"by": "approver"})
    assert (
        update(desk, tc_id, "a bug", status="in_progress", add_next=["Fix the retry loop in a.py"])["status"]
        == "in_progress"
    )
    document = reading.show(desk, tc_id)
    assert (document["approval"]["approved"], document["approval"]["approved_by"]) == (False, None)
    assert "approval taken back" in document["revision_history"][-1]["summary"]
    assert update(desk, tc_id, status="implemented")["status"] == "implemented"
    update(desk, tc_id, status="tested")
    with pytest.raises(Refused, match="it is not approved"):
        update(desk, tc_id, status="deployed")


def test_blocked_and_unblocked(desk: Workspace) -> None:
    tc_id = make(desk)
    with pytest.raises(Refused, match="no blocker is named"):
        update(desk, tc_id, status="blocked")
    update(desk, tc_id, status="blocked", add_blockers=["Waiting for the fixtures of `User`"])
    with pytest.raises(Refused, match="status is blocked, but no blocker is named") as refusal:
        update(desk, tc_id, resolve_blockers=[{"blocker": "1"}])
    assert refusal.value.hint.endswith("Or change the status in the same update.")
    done = update(desk, tc_id, resolve_blockers=[{"blocker": "1", "how": "they came"}], status="in_progress")
    assert done["status"] == "in_progress"
    assert "Resolved: Waiting for the fixtures" in reading.show(desk, tc_id)["notes"]


def test_cancelled_work_is_voided_with_a_reason_or_blocked_with_a_tag(desk: Workspace) -> None:
    first, second = make(desk), make(desk)
    with pytest.raises(Refused, match="no reason is given"):
        update(desk, first, status="voided")
    assert update(desk, first, "not wanted any more", status="voided")["status"] == "voided"
    assert update(
        desk, second, status="blocked", add_blockers=["Cancelled by product"], add_tags=["[CANCELLED]"]
    )["updated"]


def test_paths_with_colons_and_spaces_are_listed_as_they_are(desk: Workspace) -> None:
    tc_id = make(desk)
    update(
        desk, tc_id, files=[{"path": "src/a b:c.py", "action": "created"}, {"path": f"{desk.root}/x/y.py"}]
    )
    assert [f["path"] for f in reading.show(desk, tc_id)["files_affected"]] == ["src/a b:c.py", "x/y.py"]


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "a/../../b", "~/x", ""])
def test_paths_outside_the_project_are_refused(desk: Workspace, path: str) -> None:
    tc_id = make(desk)
    with pytest.raises((BadInput, msgspec.ValidationError)):
        update(desk, tc_id, files=[{"path": path}])


def test_steps_are_not_doubled_and_can_be_removed(desk: Workspace) -> None:
    tc_id = make(desk)
    update(desk, tc_id, add_next=["Add a test for 503", "add  a test for 503"])
    assert not update(desk, tc_id, add_next=["ADD A TEST FOR 503"])["updated"]
    update(desk, tc_id, complete_next=["1"])
    assert reading.show(desk, tc_id)["session_context"]["handoff"]["next_steps"] == []


@pytest.mark.parametrize("given", ["../TC-001", "TC-001/../x", "TC-001-04-05-26-x/../../y", "..", "/etc"])
def test_names_with_paths_in_them_are_refused(desk: Workspace, given: str) -> None:
    make(desk)
    for call in (reading.show, sessions.resume, sessions.promote):
        with pytest.raises((BadInput, NotFound)):
            call(desk, given, *([] if call is not sessions.promote else [[]]))


def test_a_beginning_that_fits_two_records_changes_neither(desk: Workspace) -> None:
    first = make(desk)
    twin = first.rsplit("-", 1)[0] + "-twin"
    copied = json.loads(file_of(desk, first).read_text())
    file_of(desk, twin).parent.mkdir()
    file_of(desk, twin).write_text(json.dumps({**copied, "tc_id": twin}))
    with pytest.raises(BadInput, match="names 2 changes"):
        update(desk, "TC-001", add_tags=["x"])
    assert "number-twice" in problems(desk)
    assert make(desk).startswith("TC-002-")


@pytest.mark.parametrize("what", ["record", "folder", "tree"])
def test_a_link_that_leads_out_of_the_tree_is_not_followed(
    desk: Workspace, tmp_path_factory: pytest.TempPathFactory, what: str
) -> None:
    tc_id = make(desk)
    outside = tmp_path_factory.mktemp("outside")
    inside = {
        "record": file_of(desk, tc_id),
        "folder": file_of(desk, tc_id).parent,
        "tree": Path(desk.root) / "docs",
    }[what]
    target = outside / inside.name
    shutil.move(inside, target)
    inside.symlink_to(target)
    before = sorted((path.name, path.read_bytes()) for path in outside.rglob("*.json"))
    with pytest.raises((Refused, NotFound)):
        update(desk, tc_id, add_tags=["x"])
    assert sorted((path.name, path.read_bytes()) for path in outside.rglob("*.json")) == before


def test_a_record_edited_by_hand_into_an_illegal_state_is_found_and_can_be_mended(desk: Workspace) -> None:
    tc_id = make(desk)
    path = file_of(desk, tc_id)
    path.write_text(path.read_text().replace('"status": "planned"', '"status": "deployed"', 1))
    assert {"status-approval", "status-history", "edited-by-hand", "registry"} <= set(problems(desk))
    assert not upkeep.lint_changes(desk)["pass"]
    with pytest.raises(Refused, match="cannot become tested directly"):
        update(desk, tc_id, status="tested")
    update(
        desk,
        tc_id,
        "edited by mistake",
        status="in_progress",
        progress="Nothing was done in a.py.",
        add_next=["Add `retry()`"],
    )
    assert reading.show(desk, tc_id)["revision_history"][-1]["summary"].startswith("edited by hand after R1")
    assert upkeep.lint_changes(desk)["pass"]


def test_a_record_that_does_not_fit_the_schema_is_listed_shown_and_linted_but_not_written(
    desk: Workspace,
) -> None:
    tc_id = make(desk)
    path = file_of(desk, tc_id)
    path.write_text(path.read_text().replace('"priority": "medium"', '"priority": "whenever"', 1))
    assert [row["priority"] for row in reading.list_changes(desk)["changes"]] == ["whenever"]
    assert reading.show(desk, tc_id)["priority"] == "whenever"
    assert problems(desk, tc_id) == ["shape"]
    with pytest.raises(BadInput, match="does not fit the schema at priority"):
        update(desk, tc_id, add_tags=["x"])


def test_a_fault_that_was_there_stays_and_a_new_one_is_refused(desk: Workspace) -> None:
    tc_id = make(desk)
    path = file_of(desk, tc_id)
    document = json.loads(path.read_text())
    document["created"] = "yesterday at noon"
    path.write_text(json.dumps(document))
    assert update(desk, tc_id, add_tags=["x"])["updated"]
    with pytest.raises(Refused, match="not a date and time"):
        update(desk, tc_id, approve={"by": "approver", "date": "next Tuesday"})


def test_secrets_do_not_reach_a_record(desk: Workspace) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    tc_id = make(desk, more=Update(notes=[f"the token is {secret}"]))
    update(desk, tc_id, f"because of {secret}", add_context=[f"use {secret}"], add_tests=[TEST])
    log = Path(desk.root) / "run.log"
    log.write_text(f"login with {secret}\n")
    records.update(desk, tc_id, Update(), evidence_files=[("T1", str(log), "the run")])
    written = b"".join(path.read_bytes() for path in (Path(desk.root) / "docs").rglob("*") if path.is_file())
    assert secret.encode() not in written
    assert b"login with" in written


def test_texts_keep_their_letters_and_emoji_and_lose_what_a_terminal_obeys(desk: Workspace) -> None:
    tc_id = make(desk, more=Update(notes=["a\u00a0b\u3000c \x1b[31mred\u202e 👩\u200d🔧 می\u200cروم"]))
    assert reading.show(desk, tc_id)["notes"].partition("] ")[2] == "a b c [31mred 👩\u200d🔧 می\u200cروم"


def test_an_evidence_file_is_copied_and_counts(desk: Workspace) -> None:
    tc_id = make(desk)
    log = Path(desk.root) / "run 1.log"
    log.write_text("1 passed\n")
    update(desk, tc_id, add_tests=[TEST])
    records.update(desk, tc_id, Update(), evidence_files=[("T1", str(log), "")])
    log.write_text("2 passed\n")
    records.update(desk, tc_id, Update(), evidence_files=[("T1", str(log), "again")])
    evidence = reading.show(desk, tc_id)["test_cases"][0]["evidence"]
    folder = Path(desk.root) / "docs" / "TC" / "evidence" / tc_id
    assert [(folder / item["path"]).read_text() for item in evidence] == ["1 passed\n", "2 passed\n"]
    assert evidence[0]["path"] == "T1-run-1.log"


def test_evidence_that_is_gone_is_found_and_deploys_nothing_until_it_is_back(desk: Workspace) -> None:
    tc_id = walked(desk)
    log = Path(desk.root) / "run.log"
    log.write_text("1 passed\n")
    records.update(desk, tc_id, Update(), evidence_files=[("T1", str(log), "the run")])
    (Path(desk.root) / "docs" / "TC" / "evidence" / tc_id / "T1-run.log").unlink()
    assert "evidence-missing" in problems(desk, tc_id)
    with pytest.raises(Refused, match=r"T1-run\.log of T1 is not there") as refusal:
        update(desk, tc_id, status="deployed", approve={"by": "approver"})
    assert f"change update {tc_id} --evidence-file T1" in refusal.value.hint
    with pytest.raises(Refused, match=r"T1-run\.log of T1 is not there"):
        records.close(desk, tc_id, "approver")
    records.update(desk, tc_id, Update(), evidence_files=[("T1", str(log), "again")])
    assert "evidence-missing" not in problems(desk, tc_id)
    update(desk, tc_id, status="deployed", approve={"by": "approver"})


@pytest.mark.parametrize("kind", ["file_reference", "screenshot"])
def test_a_file_that_is_referred_to_is_filed_or_refused(desk: Workspace, kind: str) -> None:
    tc_id = make(desk)
    update(desk, tc_id, add_tests=[TEST])
    said = {"test_id": "T1", "type": kind, "description": "the run", "content": "run.log"}
    with pytest.raises(NotFound, match=r"no file 'run\.log'"):
        update(desk, tc_id, add_evidence=[said])
    with pytest.raises(NotFound, match=r"There is no file gone\.log"):
        update(desk, tc_id, add_evidence=[{**said, "content": None, "path": "gone.log"}])
    (Path(desk.root) / "run.log").write_text("1 passed\n")
    update(desk, tc_id, add_evidence=[said])
    (item,) = reading.show(desk, tc_id)["test_cases"][0]["evidence"]
    assert (item["type"], item["content"], item["path"]) == (kind, None, "T1-run.log")


@pytest.mark.parametrize(
    "lost",
    [
        {"remove_files": ["a.py"]},
        {"test_results": [{"test_id": "T1", "status": "fail"}]},
    ],
)
def test_a_deployed_change_keeps_what_it_was_deployed_with(desk: Workspace, lost: dict[str, Any]) -> None:
    tc_id = walked(desk)
    with pytest.raises(Refused, match="cannot become deployed"):
        update(desk, tc_id, status="deployed", approve={"by": "approver"}, **lost)
    update(desk, tc_id, status="deployed", approve={"by": "approver"})
    with pytest.raises(Refused, match="invalid"):
        update(desk, tc_id, **lost)


def test_a_file_of_secrets_is_no_evidence(desk: Workspace) -> None:
    tc_id = make(desk)
    update(desk, tc_id, add_tests=[TEST])
    (Path(desk.root) / ".env").write_text("PASSWORD=x")
    with pytest.raises(Refused, match="holds secrets"):
        records.update(desk, tc_id, Update(), evidence_files=[("T1", str(Path(desk.root) / ".env"), "")])


@pytest.mark.parametrize(("kind", "taken"), [(AGENT, []), (PERSON, ["../outside.txt"])])
def test_a_file_outside_is_evidence_only_where_a_person_names_it_itself(
    desk: Workspace, monkeypatch: pytest.MonkeyPatch, kind: str, taken: list[str]
) -> None:
    tc_id = make(desk)
    update(desk, tc_id, add_tests=[TEST])
    root = Path(desk.root)
    outside = root.parent / "outside.txt"
    outside.write_text("of somebody else")
    (root / "lnk.txt").symlink_to("../outside.txt")
    (root / "folder").symlink_to("..")
    (root / "inside.txt").write_text("1 passed")
    (root / "own.txt").symlink_to("inside.txt")
    monkeypatch.chdir(root)
    by = Provenance("codex" if kind == AGENT else "user", "cli", kind)

    def is_taken(path: str) -> bool:
        try:
            records.update(desk, tc_id, Update(), evidence_files=[("T1", path, "")], by=by)
        except BadInput:
            return False
        return True

    named = ["lnk.txt", "folder/outside.txt", f"{root}/lnk.txt", "../outside.txt", "inside.txt", "own.txt"]
    assert [path for path in named if is_taken(path)] == [*taken, "inside.txt", "own.txt"]


def test_relations_are_whole_names_and_parents_make_no_circle(desk: Workspace) -> None:
    first, second, third = (make(desk, title) for title in ("First one", "Second one", "Third one"))
    update(desk, first, relate=["TC-002"], parent="2")
    update(desk, second, parent="3")
    assert reading.show(desk, first)["related_tcs"] == [second]
    with pytest.raises(BadInput, match="lies below"):
        update(desk, third, parent="TC-001")
    with pytest.raises(BadInput, match="cannot be related to itself"):
        update(desk, first, relate=["1"])
    with pytest.raises(NotFound):
        update(desk, first, relate=["9"])


@pytest.mark.parametrize(
    ("filters", "told"),
    [
        ({"status": ["tested", "blocked"]}, "Of 2 changes none fits: status tested or blocked."),
        ({"tag": "net"}, "Of 2 changes none fits: tag net."),
        ({"words": "uploads now"}, "Of 2 changes none fits: words 'uploads now'."),
        ({"status": ["voided"], "only_open": True}, "Of 1 change none fits: open."),
        ({"words": "uploads retry"}, None),
        ({}, None),
    ],
)
def test_a_list_that_filters_emptied_says_which_of_them_did(
    desk: Workspace, filters: dict[str, Any], told: str | None
) -> None:
    make(desk)
    update(desk, make(desk, "Retry downloads"), "not wanted", status="voided")
    assert reading.list_changes(desk, **filters).get("emptied_by") == told


def test_changes_are_listed_by_number_and_filtered(desk: Workspace) -> None:
    first = make(desk, "First one", priority="high")
    second = make(desk, "Second one", more=Update(add_tags=["net"]))
    update(desk, second, status="in_progress")

    def listed(**filters: Any) -> list[str]:
        return [row["tc_id"] for row in reading.list_changes(desk, **filters)["changes"]]

    assert listed() == [first, second]
    assert (
        listed(status=["in_progress"])
        == listed(tag="net")
        == listed(words="second")
        == listed(limit=1)
        == [second]
    )
    assert listed(priority=["high"]) == [first]
    update(desk, first, "no", status="voided")
    assert listed(only_open=True) == [second]
    with pytest.raises(BadInput, match="'done' is not a status"):
        listed(status=["done"])


def test_a_change_is_closed_with_approval_and_the_end_of_its_session(desk: Workspace) -> None:
    tc_id = walked(desk)
    with pytest.raises(Refused, match="it is not approved"):
        records.close(desk, tc_id)
    done = records.close(desk, tc_id, approve_by="approver", approval_notes="fine")
    document = reading.show(desk, tc_id)
    assert (done["status"], document["approval"]["approved_by"]) == ("deployed", "approver")
    assert [row["summary"] for row in document["session_context"]["session_history"]] == [
        "Added `retry()` to a.py."
    ]
    assert len(document["revision_history"]) == 6


@pytest.mark.parametrize(
    ("status", "reason", "message", "hint"),
    [
        ("planned", "", "is planned; only a tested", "planned → in_progress → implemented → tested"),
        ("in_progress", "", "is in_progress; only a tested", "--status implemented` takes the first step"),
        ("voided", "not wanted", "is voided; only a tested", "begin another with `segue change new`"),
    ],
)
def test_a_change_that_cannot_be_closed_yet_is_told_the_way(
    desk: Workspace, status: str, reason: str, message: str, hint: str
) -> None:
    tc_id = make(desk)
    update(desk, tc_id, reason, status=status)
    with pytest.raises(Refused, match=message) as refusal:
        records.close(desk, tc_id)
    assert hint in refusal.value.hint


def test_a_closed_change_is_not_closed_again(desk: Workspace) -> None:
    tc_id = walked(desk)
    records.close(desk, tc_id, "approver")
    with pytest.raises(Refused, match="is deployed already") as refusal:
        records.close(desk, tc_id, "approver")
    assert "--status in_progress --reason 'why'` opens it again" in refusal.value.hint


def test_an_unfinished_part_keeps_a_change_from_being_closed(desk: Workspace) -> None:
    tc_id = walked(desk)
    update(desk, tc_id, add_subs=[{"title": "A late part"}])
    assert "sub-change-open" in problems(desk, tc_id)
    with pytest.raises(Refused, match=r"its part TC-001\.A \(A late part\) is still planned") as refusal:
        records.close(desk, tc_id, "approver")
    assert f"`segue change update {tc_id} --sub-status TC-001.A in_progress" in refusal.value.hint


def test_a_change_whose_part_has_a_record_of_its_own_waits_for_it(desk: Workspace) -> None:
    tc_id = make(desk)
    part = make(desk, "A part of it", more=Update(parent=tc_id))
    update(desk, tc_id, status="in_progress", files=[{"path": "a.py"}])
    with pytest.raises(Refused, match=f"its part {part} is still planned") as refusal:
        update(desk, tc_id, status="implemented")
    assert f"`segue change update {part} --status in_progress` takes the first step" in refusal.value.hint
    update(desk, part, parent="")
    assert update(desk, tc_id, status="implemented")["status"] == "implemented"


def test_a_change_that_is_not_tested_or_still_blocked_or_badly_handed_over_is_not_closed(
    desk: Workspace,
) -> None:
    tc_id = walked(desk, "implemented")
    with pytest.raises(Refused, match="only a tested change can be closed"):
        records.close(desk, tc_id, approve_by="approver")
    update(desk, tc_id, status="tested", add_blockers=["Waiting for `ops` to free port 80"])
    with pytest.raises(Refused, match="still has a blocker"):
        records.close(desk, tc_id, approve_by="approver")
    update(desk, tc_id, resolve_blockers=[{"blocker": "1"}], add_next=["continue"])
    with pytest.raises(Refused, match="cannot be acted on"):
        records.close(desk, tc_id, approve_by="approver")
    update(desk, tc_id, remove_next=["continue"])
    assert records.close(desk, tc_id, approve_by="approver")["status"] == "deployed"


def test_a_history_rewritten_by_hand_is_refused_until_somebody_vouches_for_it(desk: Workspace) -> None:
    tc_id = make(desk)
    update(desk, tc_id, add_tags=["a"])
    path = file_of(desk, tc_id)
    path.write_text(path.read_text().replace('"author": "fixer"', '"author": "intruder"', 1))
    assert problems(desk, tc_id) == ["history-rewritten"]
    records.update(desk, tc_id, Update(), "approver", "merged by hand", seal_anew=True)
    assert problems(desk, tc_id) == ["history-vouched"]


def test_a_history_cut_short_is_found_by_the_registry_and_a_rebuild_does_not_hide_it(desk: Workspace) -> None:
    tc_id = make(desk)
    update(desk, tc_id, add_tags=["a"])
    path = file_of(desk, tc_id)
    document = json.loads(path.read_text())
    del document["revision_history"][1:]
    path.write_text(json.dumps(document))
    assert "history-rewritten" in problems(desk, tc_id)
    upkeep.rebuild(desk)
    assert "history-rewritten" in problems(desk, tc_id)
    records.update(desk, tc_id, Update(), "approver", "it had to be", seal_anew=True)
    assert problems(desk, tc_id) == ["history-vouched"]


def test_a_registry_that_disagrees_is_found_and_rebuilt(desk: Workspace) -> None:
    first, second = make(desk), make(desk)
    path = registry_of(desk)
    listed = json.loads(path.read_text())
    listed["records"] = [{**listed["records"][0], "status": "deployed"}]
    listed["next_tc_number"] = 1
    path.write_text(json.dumps(listed))
    assert problems(desk) == ["registry"] * 3
    done = upkeep.rebuild(desk)
    assert {row["tc_id"]: row["what"] for row in done["mended"]} == {
        first: "differs from its record in status",
        second: "is not listed",
    }
    assert problems(desk) == []
    assert not upkeep.rebuild(desk)["changed"]


@pytest.mark.parametrize("lie", [{"status": "deployed"}, {"title": "Another"}, {"tags": ["paid"]}])
def test_a_registry_edited_by_hand_is_not_believed_and_the_edit_is_told(
    desk: Workspace, lie: dict[str, Any]
) -> None:
    first, second = make(desk), make(desk)
    path = registry_of(desk)
    before = reading.list_changes(desk)["changes"]
    listed = json.loads(path.read_text())
    listed["records"][0] |= lie
    path.write_text(json.dumps(listed))
    os.utime(path, (2**33, 2**33))
    found = reading.list_changes(desk)
    assert found["changes"] == before
    (field,) = lie
    assert f"{first} differs from its record in {field}. `segue change rebuild`" in found["warning"]
    assert [row["tc_id"] for row in reading.list_changes(desk, status=["deployed"])["changes"]] == []
    update(desk, second, add_tags=["x"])
    assert "warning" not in reading.list_changes(desk)


def test_a_record_that_another_registry_came_with_is_listed_as_it_is(desk: Workspace) -> None:
    tc_id = make(desk)
    older = registry_of(desk).read_text()
    update(desk, tc_id, status="in_progress")
    registry_of(desk).write_text(older)
    os.utime(registry_of(desk), (2**33, 2**33))
    found = reading.list_changes(desk)
    assert [row["status"] for row in found["changes"]] == ["in_progress"]
    assert f"{tc_id} differs from its record in status" in found["warning"]


def test_rows_of_a_program_that_proves_nothing_are_taken_from_the_records(desk: Workspace) -> None:
    tc_id = make(desk)
    listed = json.loads(registry_of(desk).read_text())
    listed["records"] = [
        {k: v for k, v in listed["records"][0].items() if k != "check"} | {"status": "tested"}
    ]
    registry_of(desk).write_text(json.dumps(listed))
    os.utime(registry_of(desk), (2**33, 2**33))
    assert [(row["tc_id"], row["status"]) for row in reading.list_changes(desk)["changes"]] == [
        (tc_id, "planned")
    ]


def test_a_registry_with_conflict_markers_can_be_listed_around_is_not_written_over_and_is_rebuilt(
    desk: Workspace,
) -> None:
    tc_id = make(desk)
    path = registry_of(desk)
    path.write_text(
        '{\n<<<<<<< ours\n  "next_tc_number": 7,\n=======\n  "next_tc_number": 41,\n>>>>>>> theirs\n}\n'
    )
    found = reading.list_changes(desk)
    assert [row["tc_id"] for row in found["changes"]] == [tc_id]
    assert "merge-conflict markers" in found["warning"]
    with pytest.raises(BadInput, match="merge-conflict markers"):
        update(desk, tc_id, add_tags=["x"])
    assert len(reading.show(desk, tc_id)["revision_history"]) == 1
    upkeep.rebuild(desk)
    assert make(desk).startswith("TC-041-")


def test_a_record_with_conflict_markers_gets_a_sentence_and_hides_no_other(desk: Workspace) -> None:
    first, second = make(desk), make(desk)
    file_of(desk, first).write_text("<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n")
    with pytest.raises(BadInput, match="merge-conflict markers"):
        update(desk, first, add_tags=["x"])
    assert update(desk, second, add_tags=["x"])["updated"]
    assert [row["tc_id"] for row in reading.list_changes(desk)["changes"]] == [first, second]
    assert problems(desk, first) == ["unreadable"]


def test_a_lost_registry_is_derived_again(desk: Workspace) -> None:
    tc_id = make(desk)
    registry_of(desk).unlink()
    assert [row["tc_id"] for row in reading.list_changes(desk)["changes"]] == [tc_id]
    assert make(desk).startswith("TC-002-")
    assert problems(desk) == []


def test_a_folder_that_is_no_record_is_pointed_out(desk: Workspace) -> None:
    make(desk)
    (Path(desk.root) / "docs" / "TC" / "records" / "old stuff").mkdir()
    assert problems(desk) == ["stray"]


def test_a_full_disk_between_record_and_registry_says_what_is_written_and_how_to_go_on(
    desk: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    tc_id = make(desk)
    replace = Tree.replace

    def full(self: Tree, path: str, data: bytes) -> None:
        if path.endswith("tc_registry.json"):
            raise Unavailable(
                "The disk is full: docs/TC/tc_registry.json cannot be used.", "Free some space.", "full"
            )
        replace(self, path, data)

    monkeypatch.setattr(Tree, "replace", full)
    with pytest.raises(
        Unavailable, match=f"{tc_id} is written, but the registry is not: The disk is full"
    ) as fault:
        update(desk, tc_id, status="in_progress")
    assert "segue change rebuild" in fault.value.hint
    monkeypatch.undo()
    assert reading.show(desk, tc_id)["status"] == "in_progress"
    assert [row["status"] for row in reading.list_changes(desk)["changes"]] == ["in_progress"]
    upkeep.rebuild(desk)
    assert rows(desk)[0]["status"] == "in_progress"


def test_a_disk_that_takes_nothing_leaves_everything_as_it_was(
    desk: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    tc_id = make(desk)
    before = file_of(desk, tc_id).read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("segue.service.changes.files.os.replace", full)
    with pytest.raises(Unavailable, match="The disk is full"):
        update(desk, tc_id, add_tags=["x"])
    assert file_of(desk, tc_id).read_bytes() == before
    assert list(file_of(desk, tc_id).parent.iterdir()) == [file_of(desk, tc_id)]


def test_a_clock_that_went_back_does_not_turn_the_history_around(
    desk: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    tc_id = make(desk)
    monkeypatch.setattr("segue.service.changes.amend.now", lambda: "2020-01-01T00:00:00+00:00")
    update(desk, tc_id, add_tags=["x"])
    first, second = reading.show(desk, tc_id)["revision_history"]
    assert second["timestamp"] == first["timestamp"]


def test_a_new_record_is_linked_with_the_thread_that_is_named(desk: Workspace) -> None:
    from segue.service.threads import streams

    thread = streams.ensure(desk)["thread_id"]
    tc_id = make(desk, thread="default")
    assert reading.show(desk, tc_id)["session_context"]["threads"] == [thread]
    assert streams.show(desk, thread)["tags"] == [tc_id]
    assert "threads" not in reading.show(desk, make(desk, thread=None))["session_context"]
    with pytest.raises(NotFound):
        make(desk, thread="01234567")


def test_a_new_record_is_not_linked_with_a_thread_of_other_work(desk: Workspace) -> None:
    from segue.service.threads import streams

    first = streams.ensure(desk)["thread_id"]
    latest = streams.handoff(desk, first, summary_markdown="The latest packet")["thread_id"]
    assert "threads" not in reading.show(desk, make(desk))["session_context"]
    assert [streams.show(desk, thread)["tags"] for thread in (first, latest)] == [[], []]


def test_a_new_record_is_linked_with_the_thread_of_the_session_at_work(
    desk: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from segue.service.boundary.log import bound_thread
    from segue.service.threads import streams

    streams.handoff(desk, streams.ensure(desk)["thread_id"], summary_markdown="A packet")
    bound = bound_thread(desk, "claude-code", "s-1", Provenance("hook", "claude-code"))
    named = make(desk, platform="claude-code", session_id="s-1")
    assert reading.show(desk, named)["session_context"]["threads"] == [bound]
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s-1")
    context = reading.show(desk, make(desk))["session_context"]
    assert context["threads"] == [bound]
    session = context["current_session"]
    assert (session["platform"], session["session_id"]) == ("claude_code", "s-1")


def test_a_further_thread_is_linked_by_an_update_and_must_exist(desk: Workspace) -> None:
    from segue.service.threads import streams

    tc_id = make(desk)
    thread = streams.create(desk, "Another")["thread_id"]
    update(desk, tc_id, threads=[thread])
    assert reading.show(desk, tc_id)["session_context"]["threads"] == [thread]
    assert streams.show(desk, thread)["tags"] == [tc_id]
    with pytest.raises(NotFound):
        update(desk, tc_id, threads=["01234567"])


def test_a_record_with_conflict_markers_is_told_of_by_the_list(desk: Workspace) -> None:
    tc_id = make(desk)
    path = Path(desk.root) / "docs" / "TC" / "records" / tc_id / "tc_record.json"
    assert "warning" not in reading.list_changes(desk)
    path.write_text(f"<<<<<<< ours\n{path.read_text()}=======\n>>>>>>> theirs\n")
    listed = reading.list_changes(desk)
    assert [row["tc_id"] for row in listed["changes"]] == [tc_id]
    assert f"records/{tc_id}/tc_record.json holds merge-conflict markers (line 1)." in listed["warning"]


def test_closing_tells_of_the_steps_that_are_left(desk: Workspace) -> None:
    tc_id = walked(desk)
    update(desk, tc_id, add_next=["Add a test for 503", "Update README.md"])
    (told,) = records.close(desk, tc_id, approve_by="approver")["warnings"]
    assert told["message"] == "2 of the next steps are left: Add a test for 503"


def test_a_full_disk_leaves_no_empty_folder_of_a_record(
    desk: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(Unavailable):
        patch.setattr("segue.service.changes.files.os.fsync", full)
        make(desk)
    records = Path(desk.root) / "docs" / "TC" / "records"
    assert not records.exists() or list(records.iterdir()) == []
