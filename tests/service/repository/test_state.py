"""The repository is looked at, never touched, in whatever state it is."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from segue.agents import integrations
from segue.service.repository import state as states
from segue.service.repository.state import asked_of_git, repo_state

IDENTITY = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
}


def git(at: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=at, env=IDENTITY, capture_output=True, check=False)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "a.txt").write_text("one\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "First")
    return tmp_path


def test_branch_head_changes_and_log_are_told(repository: Path) -> None:
    (repository / "a.txt").write_text("two\n")
    (repository / "näu.txt").write_text("new\n")
    state = repo_state(str(repository))
    assert (state.branch, state.status, state.operation, state.note) == (
        "main",
        (" M a.txt", "?? näu.txt"),
        "",
        "",
    )
    assert state.log == (f"{state.head} First",)
    assert state.diff_stat[-1].strip() == "1 file changed, 1 insertion(+), 1 deletion(-)"
    assert Path(state.root) == repository.resolve()


def test_a_rebase_in_the_middle_is_told(repository: Path) -> None:
    git(repository, "checkout", "-qb", "topic")
    (repository / "a.txt").write_text("topic\n")
    git(repository, "commit", "-qam", "Topic")
    git(repository, "checkout", "-q", "main")
    (repository / "a.txt").write_text("main\n")
    git(repository, "commit", "-qam", "Main")
    git(repository, "rebase", "topic")
    state = repo_state(str(repository))
    assert (state.operation, state.branch) == ("rebase", "HEAD (no branch)")
    assert "UU a.txt" in state.status


def test_a_repository_without_a_commit_is_one(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    state = repo_state(str(tmp_path))
    assert (state.branch, state.head, state.log) == ("main", "", ())


def test_a_place_that_is_no_repository_leaves_a_note(tmp_path: Path) -> None:
    assert repo_state(str(tmp_path)).note == "not a git repository"
    assert repo_state(str(tmp_path / "gone")).note == "the session's working directory is not here"


def test_a_folder_below_is_in_the_repository_and_the_environment_names_no_other(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "deep" / "er").mkdir(parents=True)
    assert repo_state(str(repository / "deep" / "er")).branch == "main"
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.setenv("GIT_DIR", str(repository / ".git"))
    assert repo_state(str(elsewhere)).note == "not a git repository"


def test_what_was_asked_in_the_background_is_what_git_says(repository: Path) -> None:
    (repository / "a.txt").write_text("two\n")
    assert asked_of_git(str(repository))() == repo_state(str(repository))


def test_looking_does_not_refresh_the_index_on_disk(repository: Path) -> None:
    (repository / "a.txt").write_text("two\n")
    before = (repository / ".git" / "index").stat().st_mtime_ns
    assert repo_state(str(repository)).status
    assert (repository / ".git" / "index").stat().st_mtime_ns == before


def test_without_git_or_without_time_the_handoff_goes_on(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert repo_state(str(repository), seconds=0).note == "git took too long"
    monkeypatch.setenv("PATH", "")
    assert states.repo_state(str(repository)).note == "git is not installed"


def test_what_installing_put_there_is_no_change_of_the_project(repository: Path, segue: Any) -> None:
    (repository / "home").mkdir()
    (repository / ".git" / "info" / "exclude").write_text("home/\n")
    for agent in integrations.agents():
        assert segue("install", agent).code == 0
    assert repo_state(str(repository)).status == ()
    (repository / "src").mkdir()
    assert repo_state(str(repository / "src")).status == ()


def test_what_a_person_put_beside_it_is_one(repository: Path, segue: Any) -> None:
    (repository / ".git" / "info" / "exclude").write_text("home/\n")
    for agent in ("claude-code", "pi"):
        assert segue("install", agent).code == 0
    settings = json.loads((repository / ".mcp.json").read_text())
    settings["mcpServers"]["mine"] = {"command": "mine"}
    (repository / ".mcp.json").write_text(json.dumps(settings))
    (repository / ".pi" / "notes.md").write_text("mine\n")
    assert set(repo_state(str(repository)).status) == {"?? .mcp.json", "?? .pi/"}
