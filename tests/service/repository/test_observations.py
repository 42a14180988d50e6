"""Looking at the world: only inside the root, only reading, whatever is there."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from segue.handoff.verify.verdict import SeenFile, Wanted
from segue.service.git import Git
from segue.service.repository.observations import _commits, observe


def git(directory: Path, *words: str) -> str:
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b.invalid",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b.invalid",
    }
    done = subprocess.run(
        ["git", *words], cwd=directory, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").write_text("a")
    (tmp_path / "outside.txt").write_text("secret")
    (root / "link").symlink_to(tmp_path / "outside.txt")
    git(root, "init", "-q", "-b", "retry")
    git(root, "add", "a.py")
    git(root, "commit", "-q", "-m", "first")
    return root


def test_files_are_hashed_inside_the_root_and_not_looked_at_outside(project: Path) -> None:
    paths = ("a.py", str(project / "a.py"), "b.py", "link", "../outside.txt", "/etc/hostname", ".", "a\0b")
    seen = observe(str(project), Wanted(paths, (), ())).files
    whole = SeenFile(exists=True, sha256=hashlib.sha256(b"a").hexdigest())
    outside = SeenFile(exists=None, why="it is outside the workspace")
    assert seen == {
        "a.py": whole,
        str(project / "a.py"): whole,
        "b.py": SeenFile(exists=False),
        "link": outside,
        "../outside.txt": outside,
        "/etc/hostname": outside,
        ".": SeenFile(exists=True),
        "a\0b": SeenFile(exists=None, why="it is no path"),
    }


def test_git_says_where_it_stands_and_which_commits_exist(project: Path) -> None:
    head = git(project, "rev-parse", "HEAD")
    tree = git(project, "rev-parse", "HEAD^{tree}")
    seen = observe(str(project), Wanted((), (head[:7], tree, "0" * 40), ()))
    assert (seen.repository, seen.branch, head.startswith(seen.head)) == (True, "retry", True)
    assert seen.commits == {head[:7]: True, tree: False, "0" * 40: False}


def test_a_repository_named_by_the_environment_is_not_asked(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    head = git(project, "rev-parse", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert _commits(Git(str(project), 60), (head,)) == {head: True}


def test_without_a_repository_nothing_is_claimed_about_commits(tmp_path: Path) -> None:
    seen = observe(str(tmp_path), Wanted((), ("0" * 40,), ()))
    assert (seen.repository, seen.commits, seen.head) == (False, {}, "")
    assert seen.note.startswith("Git says nothing")


def test_programs_are_looked_up_on_the_path_and_in_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "mytool"
    tool.write_text("#!/bin/sh\nexit 3\n")
    tool.chmod(0o755)
    own = tmp_path / ".venv" / "bin"
    own.mkdir(parents=True)
    (own / "own-tool").symlink_to(tool)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert observe(str(tmp_path), Wanted((), (), ("mytool", "own-tool", "no-such-tool"))).tools == {
        "mytool": True,
        "own-tool": True,
        "no-such-tool": False,
    }


def test_out_of_time_means_unknown_contents(project: Path) -> None:
    seen = observe(str(project), Wanted(("a.py",), ("0" * 40,), ()), seconds=0.0)
    assert seen.files["a.py"] == SeenFile(exists=True)
    assert seen.commits == {}


def test_a_commit_that_nothing_leads_to_is_left_behind(project: Path) -> None:
    first = git(project, "rev-parse", "HEAD")
    git(project, "commit", "-q", "--allow-empty", "-m", "second")
    git(project, "commit", "-q", "--allow-empty", "-m", "third")
    second, third = git(project, "rev-parse", "HEAD~1"), git(project, "rev-parse", "HEAD")
    asked = Wanted((), (first[:7], second[:9], third), ())
    assert observe(str(project), asked).left_behind == ()
    git(project, "reset", "-q", "--hard", first)
    assert observe(str(project), asked).left_behind == (second[:9], third)
    git(project, "tag", "kept", second)
    assert observe(str(project), asked).left_behind == (third,)
    git(project, "checkout", "-q", "--detach", third)
    assert observe(str(project), asked).left_behind == ()


def test_branches_are_looked_for_here_and_at_what_was_fetched(project: Path) -> None:
    git(project, "update-ref", "refs/remotes/origin/theirs", "HEAD")
    seen = observe(str(project), Wanted((), (), (), ("retry", "theirs", "gone")))
    assert seen.branches == {"retry": True, "theirs": True, "gone": False}
