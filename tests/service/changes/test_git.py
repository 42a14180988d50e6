"""Change records and git: links, drift, the past, merges."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from segue.changes.retro import read_file
from segue.errors import BadInput, Conflict, NotFound, Refused
from segue.model.change_registry import RetroFile
from segue.model.change_update import Update
from segue.service import workspace as workspaces
from segue.service.changes import links, reading, records, retro, sessions, upkeep
from segue.service.handoffs import reviews
from segue.service.workspace import Workspace

WHO = {
    "GIT_AUTHOR_NAME": "maker",
    "GIT_AUTHOR_EMAIL": "a@x",
    "GIT_COMMITTER_NAME": "maker",
    "GIT_COMMITTER_EMAIL": "a@x",
}


class Repo:
    """A repository to play with."""

    def __init__(self, root: str) -> None:
        self.root = Path(root)
        self("init", "-q", "-b", "main")

    def __call__(self, *words: str, date: str | None = None, fails: bool = False) -> str:
        env = {**os.environ, **WHO, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        if date:
            env |= {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        done = subprocess.run(["git", "-C", str(self.root), *words], capture_output=True, text=True, env=env)
        assert (done.returncode != 0) == fails, done.stderr
        return done.stdout.strip()

    def commit(self, subject: str, date: str | None = None, **files: str) -> str:
        for name, text in files.items():
            path = self.root / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self("add", "-A")
        self("commit", "-q", "-m", subject, date=date)
        return self("rev-parse", "HEAD")


@pytest.fixture
def repo(workspace: Workspace) -> Repo:
    return Repo(workspace.root)


@pytest.fixture
def desk(workspace: Workspace, repo: Repo) -> Workspace:
    upkeep.init(workspace, "desk", "maker")
    repo.commit("Start", readme="x")
    return workspace


def make(workspace: Workspace, title: str = "Retry uploads", **values: Any) -> str:
    more = msgspec.convert(values, Update)
    tc_id: str = records.new(
        workspace, title, summary="Retry uploads that fail", motivation="They fail", more=more
    )["tc_id"]
    return tc_id


def test_head_is_linked_to_the_only_change_in_progress(desk: Workspace, repo: Repo) -> None:
    tc_id = make(desk, status="in_progress")
    sha = repo.commit("Add retry", a_dot_py="1", src__b_dot_py="2")
    done = links.link(desk, None)
    document = reading.show(desk, tc_id)
    (commit,) = document["git"]["commits"]
    assert (done["tc_id"], commit["sha"], commit["branch"], commit["link_source"]) == (
        tc_id,
        sha,
        "main",
        "manual",
    )
    assert [(f["path"], f["action"]) for f in document["files_affected"]] == [
        ("a.py", "created"),
        ("src/b.py", "created"),
    ]
    assert not links.link(desk, None)["updated"]
    make(desk, status="in_progress")
    with pytest.raises(BadInput, match="2 changes are in progress"):
        links.link(desk, None)


def test_ranges_pull_requests_and_releases_are_linked_in_one_revision(desk: Workspace, repo: Repo) -> None:
    tc_id = make(desk)
    start = repo("rev-parse", "HEAD")
    shas = [repo.commit(f"Step {n}", a_dot_py=str(n)) for n in range(3)]
    repo("remote", "add", "origin", "https://user:secret@github.com/o/n.git")
    done = links.link(desk, tc_id, ranges=[f"{start}..HEAD"], pulls=["7"], pull_state="open", releases=["v1"])
    document = reading.show(desk, tc_id)
    assert [commit["sha"] for commit in document["git"]["commits"]] == shas
    assert document["git"]["remotes"][0]["pr"]["url"] == "https://github.com/o/n/pull/7"
    assert "secret" not in json.dumps(document)
    assert (document["git"]["release_tags"], done["revision"]) == (["v1"], "R2")


@pytest.mark.parametrize("revision", ["no-such-thing", "--all", "", "HEAD..HEAD~1 --help"])
def test_a_commit_that_is_none_gets_a_sentence(desk: Workspace, revision: str) -> None:
    tc_id = make(desk)
    with pytest.raises(BadInput):
        links.link(desk, tc_id, commits=[revision])
    with pytest.raises(BadInput):
        links.link(desk, tc_id, ranges=[revision])


def test_without_a_repository_linking_says_so(workspace: Workspace) -> None:
    upkeep.init(workspace)
    tc_id = make(workspace)
    with pytest.raises(NotFound, match="is not in a git repository"):
        links.link(workspace, tc_id)
    assert sessions.resume(workspace, tc_id)["drift"] == []


def test_resume_tells_what_moved_on_in_the_repository(
    desk: Workspace, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    tc_id = make(
        desk,
        status="in_progress",
        files=[{"path": "a.py"}, {"path": "gone.py"}, {"path": "dirty.py"}],
        files_in_progress=[{"path": "a.py", "state": "editing"}],
    )
    repo.commit("Rewrite a", date="2030-01-01T00:00:00Z", a_dot_py="1", dirty_dot_py="1")
    (repo.root / "dirty.py").write_text("2")
    drift = sessions.resume(desk, tc_id, dry_run=True)["drift"]
    assert {(f["rule"], f["where"]) for f in drift} >= {
        ("file-missing", "files_affected[gone.py]"),
        ("file-unlisted", "session_context.handoff.files_in_progress"),
        ("file-moved-on", "a.py"),
    }
    monkeypatch.setattr("segue.service.changes.amend.now", lambda: "2031-01-01T00:00:00+00:00")
    assert sessions.resume(desk, tc_id)["drift"] == drift


def test_what_moved_on_is_told_until_the_block_is_written_again(
    desk: Workspace, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    tc_id = make(desk, status="in_progress", files=[{"path": "a.py"}])
    repo.commit("Rewrite a", date="2030-01-01T00:00:00Z", a_dot_py="1")
    monkeypatch.setattr("segue.service.changes.amend.now", lambda: "2031-01-01T00:00:00+00:00")
    records.update(desk, tc_id, Update(add_tags=["foo"]))
    assert moved_on(desk, tc_id) == ["a.py"]
    records.update(desk, tc_id, Update(progress="Rewrote a.py."))
    assert moved_on(desk, tc_id) == []


def test_a_commit_is_linked_by_its_id_and_not_by_its_subject(desk: Workspace, repo: Repo) -> None:
    tc_id = make(desk, status="in_progress", files=[{"path": "a.py"}])
    repo.commit("Rewrite a", date="2030-01-01T00:00:00Z", a_dot_py="1")
    links.link(desk, tc_id)
    assert moved_on(desk, tc_id) == []
    repo.commit("Rewrite a", date="2030-01-02T00:00:00Z", a_dot_py="2")
    assert moved_on(desk, tc_id) == ["a.py"]


def moved_on(workspace: Workspace, tc_id: str) -> list[str]:
    drift = sessions.resume(workspace, tc_id, dry_run=True)["drift"]
    return [finding["where"] for finding in drift if finding["rule"] == "file-moved-on"]


CLAIMS = [
    *(({"progress": words}, [("claim-commit", "progress_summary", "There is no commit deadbee1234 here.")])
      for words in ("Committed deadbee1234 with it.", "It is committed as `deadbee1234`.", "Done (commit deadbee1234).")),
    ({"progress": "Added frob() to a.py in commit deadbee1234; wrote docs/none.md."}, [
        ("claim-file", "progress_summary", "docs/none.md is not there."),
        ("claim-commit", "progress_summary", "There is no commit deadbee1234 here."),
        ("claim-name", "progress_summary", "Nothing in the repository is called frob."),
    ]),
    ({"add_next": ["Fix the pause", "Run `pytest tests/nothere.py::test_frob`"]}, [
        ("claim-file", "next_steps, item 2", "tests/nothere.py is not there."),
        ("claim-name", "next_steps, item 2", "Nothing in the repository is called test_frob."),
    ]),
    ({"add_context": ["Always call guard() first"]}, [
        ("claim-name", "key_context, item 1", "Nothing in the repository is called guard."),
    ]),
    ({"progress": "Added retry() to upload.py and src/net/upload.py in commit {head}."}, []),
    ({"progress": "Deleted docs/none.md. Did not touch frob() yet. Read https://host/none.md and /etc/none.sh."}, []),
    ({"progress": 'Asked "where is frob() of none.py?" and moved to Node.js and/or 3.11.'}, []),
    ({"add_next": ["Add a test to tests/nothere.py", "Write frob() in none.py"]}, []),
    ({"add_context": ["New code goes in src/auth/login.py", "Never call frob()"]}, []),
]  # fmt: skip


@pytest.mark.parametrize(("block", "expected"), CLAIMS)
def test_resume_tells_which_commits_files_and_names_of_the_block_are_not_there(
    desk: Workspace, repo: Repo, block: dict[str, Any], expected: list[tuple[str, str, str]]
) -> None:
    head = repo.commit("Add retry", a_dot_py="1", src__net__upload_dot_py="def retry(): ...")
    told = json.loads(json.dumps(block).replace("{head}", head[:9]))
    tc_id = make(desk, status="in_progress", **told)
    repo.commit("Record it")
    drift = sessions.resume(desk, tc_id, dry_run=True)["drift"]
    assert [
        (f["rule"], f["where"].removeprefix("session_context.handoff."), f["message"]) for f in drift
    ] == expected


def test_claims_of_a_project_without_a_repository_are_looked_up_as_far_as_that_goes(
    workspace: Workspace,
) -> None:
    upkeep.init(workspace)
    tc_id = make(workspace, progress="Added frob() to a.py in commit deadbee1234; wrote docs/none.md.")
    drift = sessions.resume(workspace, tc_id, dry_run=True)["drift"]
    assert [f["message"] for f in drift] == ["docs/none.md is not there."]


def test_a_linked_commit_that_was_rebased_away_is_told(desk: Workspace, repo: Repo) -> None:
    tc_id = make(desk, status="in_progress")
    repo.commit("To be lost", b_dot_py="1")
    links.link(desk, tc_id)
    repo("commit", "-q", "--amend", "-m", "Another")
    assert "commit-lost" in [f["rule"] for f in sessions.resume(desk, tc_id)["drift"]]


def test_a_history_that_does_not_begin_with_the_committed_one_is_found(desk: Workspace, repo: Repo) -> None:
    tc_id = make(desk)
    records.update(desk, tc_id, Update(add_tags=["a"]))
    repo.commit("Record it")
    path = repo.root / "docs" / "TC" / "records" / tc_id / "tc_record.json"
    document = json.loads(path.read_text())
    assert upkeep.lint_changes(desk)["findings"] == []
    records.update(desk, tc_id, Update(add_tags=["b"]))
    assert upkeep.lint_changes(desk)["findings"] == []
    for revision in document["revision_history"]:
        revision.pop("seal")
        revision.pop("content")
    document["revision_history"][1]["author"] = "intruder"
    path.write_text(json.dumps(document))
    found = [f for f in upkeep.lint_changes(desk, [tc_id])["findings"] if f["rule"] == "history-rewritten"]
    assert [f["severity"] for f in found] == ["error"]
    commit = repo("rev-parse", "HEAD")
    assert f"git checkout {commit} -- docs/TC/records/{tc_id}/tc_record.json" in found[0]["hint"]


def _truncated(document: dict[str, Any]) -> None:
    del document["revision_history"][1:]


def _unsealed(document: dict[str, Any]) -> None:
    for revision in document["revision_history"]:
        del revision["seal"], revision["content"]


@pytest.mark.parametrize("rewrite", [_truncated, _unsealed])
def test_a_rewritten_history_is_an_error_also_once_it_is_committed(
    desk: Workspace, repo: Repo, rewrite: Callable[[dict[str, Any]], None]
) -> None:
    tc_id = make(desk)
    records.update(desk, tc_id, Update(add_tags=["a"]))
    good = repo.commit("Record it")
    path = repo.root / "docs" / "TC" / "records" / tc_id / "tc_record.json"
    document = json.loads(path.read_text())
    rewrite(document)
    path.write_text(json.dumps(document))
    (repo.root / "docs" / "TC" / "tc_registry.json").unlink()
    upkeep.rebuild(desk)
    repo.commit("Rewrite it")
    assert _rewritten(desk) == ["error"]
    records.update(desk, tc_id, Update(add_tags=["b"]))
    repo.commit("Go on")
    assert _rewritten(desk) == ["error"]
    records.update(desk, tc_id, Update(), "approver", "it had to be", seal_anew=True)
    repo.commit("Vouch for it")
    assert _rewritten(desk) == []
    repo("checkout", "-q", good, "--", str(path))
    assert _rewritten(desk) == ["error"]


def test_a_history_that_was_restored_is_right_again(desk: Workspace, repo: Repo) -> None:
    tc_id = make(desk)
    records.update(desk, tc_id, Update(add_tags=["a"]))
    repo.commit("Record it")
    path = repo.root / "docs" / "TC" / "records" / tc_id / "tc_record.json"
    good = path.read_text()
    document = json.loads(good)
    document["revision_history"][1] = {**document["revision_history"][1], "author": "intruder"}
    path.write_text(json.dumps(document))
    repo.commit("Rewrite it")
    assert _rewritten(desk) == ["error"]
    path.write_text(good)
    repo.commit("Restore it")
    assert _rewritten(desk) == []


def _rewritten(desk: Workspace) -> list[str]:
    found = upkeep.lint_changes(desk)["findings"]
    return [finding["severity"] for finding in found if finding["rule"] == "history-rewritten"]


def test_a_file_that_is_being_edited_without_the_block_saying_so_is_found(
    desk: Workspace, repo: Repo
) -> None:
    tc_id = make(
        desk,
        status="in_progress",
        progress="Added `retry()`.",
        add_next=["Add a test for 503"],
        files=[{"path": "a.py"}],
    )
    repo.commit("Add a", a_dot_py="1")
    assert upkeep.lint_changes(desk)["findings"] == []
    (repo.root / "a.py").write_text("2")
    assert [f["rule"] for f in upkeep.lint_changes(desk)["findings"]] == ["file-unlisted"]
    records.update(
        desk, tc_id, msgspec.convert({"files_in_progress": [{"path": "a.py", "state": "editing"}]}, Update)
    )
    assert upkeep.lint_changes(desk)["findings"] == []


def found_by_lint(workspace: Workspace, tc_id: str) -> list[str]:
    """What `segue lint` says of the record's file."""
    path = Path(workspace.root) / "docs" / "TC" / "records" / tc_id / "tc_record.json"
    found = reviews.lint_text(path.read_bytes(), path=str(path))["findings"]
    return [finding["rule"] for finding in found]


def test_strict_and_lint_of_the_file_find_an_edited_file_that_the_block_does_not_list(
    desk: Workspace, repo: Repo
) -> None:
    repo.commit("Add a", a_dot_py="1")
    block = {"progress": "Added `retry()` to a.py.", "add_next": ["Add a test for 503"]}
    tc_id = make(desk, status="in_progress", files=[{"path": "a.py"}], **block)
    records.update(desk, tc_id, Update(add_tags=["one"]), strict=True)
    (repo.root / "a.py").write_text("2")
    assert found_by_lint(desk, tc_id) == ["file-unlisted"]
    with pytest.raises(Refused, match=r"a\.py has changes that are not committed"):
        records.update(desk, tc_id, Update(add_tags=["two"]), strict=True)
    listed = msgspec.convert({"files_in_progress": [{"path": "a.py", "state": "editing"}]}, Update)
    records.update(desk, tc_id, listed, strict=True)
    assert found_by_lint(desk, tc_id) == []


def test_closing_warns_of_a_file_of_the_change_that_is_not_committed(desk: Workspace, repo: Repo) -> None:
    repo.commit("Add a", a_dot_py="1")
    test = {"title": "It retries", "procedure": ["run it"], "expected_result": "works"}
    tc_id = make(desk, status="in_progress", files=[{"path": "a.py"}], add_tests=[test])
    records.update(desk, tc_id, Update(status="implemented"))
    skipped = {"test_results": [{"test_id": "T1", "status": "skip", "actual_result": "no device"}]}
    records.update(desk, tc_id, msgspec.convert({**skipped, "status": "tested"}, Update))
    (repo.root / "a.py").write_text("2")
    warnings = records.close(desk, tc_id, approve_by="lead")["warnings"]
    assert [finding["rule"] for finding in warnings] == ["file-unlisted"]


def test_an_edited_file_that_no_record_names_is_noted_by_lint_and_resume(desk: Workspace, repo: Repo) -> None:
    block = {"progress": "Added `frob` to a.py.", "add_next": ["Add a test for 503"]}
    repo.commit("Add a", a_dot_py="1")
    tc_id = make(desk, status="in_progress", files=[{"path": "a.py"}], **block)
    (repo.root / "stray.py").write_text("1")
    message = "stray.py: not committed, and the record does not name it."
    resumed = sessions.resume(desk, tc_id, dry_run=True)["drift"]
    for found in (upkeep.lint_changes(desk)["findings"], resumed):
        assert [(f["rule"], f["severity"], f["message"]) for f in found] == [
            ("file-unnamed", "note", message)
        ]


def test_a_repository_without_commits_has_nothing_to_link_or_record(workspace: Workspace, repo: Repo) -> None:
    upkeep.init(workspace, "desk", "maker")
    tc_id = make(workspace)
    with pytest.raises(NotFound, match="no commit yet"):
        links.link(workspace, tc_id)
    with pytest.raises(NotFound, match="no commit yet"):
        retro.history_as_changes(workspace)


def test_files_of_commits_are_those_of_the_project_when_it_is_a_folder_of_the_repository(
    tmp_path: Path,
) -> None:
    repo = Repo(str(tmp_path))
    inside = tmp_path / "desk"
    inside.mkdir()
    project = workspaces.named(str(inside)).establish()
    upkeep.init(project, "desk", "maker")
    tc_id = make(project)
    repo.commit("Add retry", desk__src__a_dot_py="1", other__b_dot_py="2")
    links.link(project, tc_id)
    assert [file["path"] for file in reading.show(project, tc_id)["files_affected"]] == ["src/a.py"]


def test_the_past_is_recorded_from_git_once(desk: Workspace, repo: Repo) -> None:
    repo.commit("feat: add retry", "2026-04-01T09:00:00Z", src__a_dot_py="1")
    repo.commit("feat: test retry", "2026-04-01T10:00:00Z", src__a_dot_py="2")
    repo("checkout", "-q", "-b", "topic")
    repo.commit("Fix the crash", "2026-04-02T09:00:00Z", b_dot_py="1")
    repo("checkout", "-q", "main")
    repo("merge", "-q", "--no-ff", "-m", "Merge branch 'topic'", "topic", date="2026-04-02T12:00:00Z")
    past = retro.history_as_changes(desk, since="2026-03-01", until="2026-04-30")
    assert [(change.title, change.scope, change.date) for change in past.changes] == [
        ("Add retry", "feature", "2026-04-01"),
        ("Fix the crash", "bugfix", "2026-04-02"),
    ]
    made = retro.record_past(desk, past)["changes"]
    assert [row["tc_id"] for row in made] == ["TC-001-04-01-26-add-retry", "TC-002-04-02-26-fix-the-crash"]
    document = reading.show(desk, made[0]["tc_id"])
    assert (
        document["status"],
        len(document["git"]["commits"]),
        document["git"]["commits"][0]["link_source"],
    ) == ("deployed", 2, "retro")
    assert (document["approval"]["approval_notes"], document["tags"]) == (
        "Recorded after the fact.",
        ["retro"],
    )
    assert upkeep.lint_changes(desk)["pass"]
    with pytest.raises(NotFound, match="No commit is left to record"):
        retro.history_as_changes(desk, since="2026-03-01", until="2026-04-30")


def test_the_past_is_recorded_from_a_changelog_file_that_a_dry_run_wrote(desk: Workspace, repo: Repo) -> None:
    repo.commit("Add retry", "2026-04-01T09:00:00Z", a_dot_py="1")
    text = retro.written_past(retro.history_as_changes(desk, since="2026-03-01", until="2026-04-30"))
    past = read_file(text.encode(), "x.json")
    assert past.project == "desk"
    assert len(retro.record_past(desk, past)["changes"]) == 1


def test_a_changelog_file_may_tell_everything(desk: Workspace) -> None:
    changes_told = [
        {"title": "First thing", "scope": "feature", "description": "The first thing", "date": "2025-12-31", "files": ["a.py", "a.py"], "version": "v1", "tags": ["old"], "breaking_changes": ["x"]},
        {"title": "Second thing", "scope": "bugfix", "description": "The second thing", "status": "planned", "related_indices": [0]},
    ]  # fmt: skip
    past = msgspec.convert({"project": "desk", "changes": changes_told}, RetroFile)
    first, second = (row["tc_id"] for row in retro.record_past(desk, past)["changes"])
    document = reading.show(desk, first)
    assert first == "TC-001-12-31-25-first-thing"
    assert (
        document["git"]["release_tags"],
        document["tags"],
        [f["path"] for f in document["files_affected"]],
    ) == (["v1"], ["old", "retro"], ["a.py"])
    assert (reading.show(desk, second)["related_tcs"], reading.show(desk, second)["status"]) == (
        [first],
        "planned",
    )
    assert upkeep.lint_changes(desk)["pass"]


def test_two_branches_that_make_and_update_changes_merge_without_a_conflict(
    desk: Workspace, repo: Repo
) -> None:
    first = make(desk)
    assert links.install_merge_driver(desk)["added"]
    assert not links.install_merge_driver(desk)["added"]
    repo.commit("One change")
    repo("checkout", "-q", "-b", "topic")
    theirs = make(desk, "On the topic")
    records.update(desk, first, Update(add_tags=["topic"]))
    repo.commit("Two changes")
    repo("checkout", "-q", "main")
    ours = make(desk, "On main too")
    records.update(desk, first, Update(add_tags=["main"]))
    repo.commit("Another change")
    repo("merge", "-q", "-m", "Merge", "topic")
    listed = json.loads((repo.root / "docs" / "TC" / "tc_registry.json").read_text())
    assert [row["tc_id"] for row in listed["records"]] == sorted([first, ours, theirs])
    assert listed["next_tc_number"] == 3
    assert reading.show(desk, first)["tags"] == ["main", "topic"]
    upkeep.rebuild(desk)
    assert [f["rule"] for f in upkeep.lint_changes(desk)["findings"]] == ["number-twice"]
    assert make(desk).startswith("TC-003-")


def test_two_branches_that_disagree_leave_a_conflict_that_is_seen(desk: Workspace, repo: Repo) -> None:
    tc_id = make(desk)
    links.install_merge_driver(desk)
    repo.commit("One change")
    for branch, title in (("topic", "Another title"), ("main", "Yet another title")):
        repo("checkout", "-q", *(["-b"] if branch == "topic" else []), branch)
        records.update(desk, tc_id, Update(title=title))
        repo.commit(f"On {branch}")
    repo("merge", "-q", "-m", "Merge", "topic", fails=True)
    with pytest.raises(BadInput, match="merge-conflict markers"):
        reading.show(desk, tc_id)
    assert "unreadable" in [f["rule"] for f in upkeep.lint_changes(desk)["findings"]]


def test_without_the_driver_the_conflict_is_mended_by_a_rebuild(desk: Workspace, repo: Repo) -> None:
    repo("checkout", "-q", "-b", "topic")
    make(desk, "On the topic")
    repo.commit("One change")
    repo("checkout", "-q", "main")
    make(desk, "On main too")
    repo.commit("Another change")
    repo("merge", "-q", "-m", "Merge", "topic", fails=True)
    assert "warning" in reading.list_changes(desk)
    upkeep.rebuild(desk)
    assert len(reading.list_changes(desk)["changes"]) == 2
    assert [f["rule"] for f in upkeep.lint_changes(desk)["findings"]] == ["number-twice"]


def test_a_merge_of_what_is_no_registry_fails_and_leaves_ours(tmp_path: Path) -> None:
    sides = [tmp_path / name for name in ("base", "ours", "theirs")]
    for side in sides:
        side.write_text('{"records": 3}')
    with pytest.raises(Conflict, match="this is no registry"):
        links.merge_files(*map(str, sides))
    assert sides[1].read_text() == '{"records": 3}'


def test_an_empty_base_is_the_first_merge_of_two_registries(tmp_path: Path) -> None:
    sides = [tmp_path / name for name in ("base", "ours", "theirs")]
    sides[0].write_text("")
    for side, name in zip(sides[1:], ("TC-001-01-01-26-a", "TC-002-01-01-26-b"), strict=True):
        side.write_text(json.dumps({"records": [{"tc_id": name}], "next_tc_number": 3}))
    assert links.merge_files(*map(str, sides)) == {"records": 2, "next_tc_number": 3}
