"""What git tracks is read from its index, whatever the form of that."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from segue.stores.git_index import tracks


def git(place: Path, *words: str) -> str:
    named = ("-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false")
    ran = subprocess.run(
        ["git", "-C", str(place), *named, *words], capture_output=True, text=True, check=True
    )
    return ran.stdout


def put(place: Path, *names: str) -> None:
    for name in names:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(name)


@pytest.fixture(params=["2", "3", "4", "split", "sha256"])
def repo(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A repository whose index has one of the forms that git writes."""
    hashes = ["--object-format=sha256"] if request.param == "sha256" else []
    git(tmp_path, "init", "-q", *hashes)
    put(tmp_path, ".github/a", ".segment/b", "src/.segue/c", "zz", ".segue-notes")
    git(tmp_path, "add", "-f", ".")
    if request.param in ("4", "sha256"):
        git(tmp_path, "update-index", "--index-version", "4")
    elif request.param == "split":
        git(tmp_path, "update-index", "--split-index")
    elif request.param == "3":
        git(tmp_path, "update-index", "--skip-worktree", "zz")
    return tmp_path


def test_a_tracked_folder_is_told_from_its_likes(repo: Path) -> None:
    put(repo, ".segue/workspace.json")
    assert not tracks(str(repo / ".segue")) and tracks(str(repo / "src" / ".segue"))
    git(repo, "add", "-f", ".segue")
    assert tracks(str(repo / ".segue"))
    git(repo, "rm", "-rq", "--cached", ".segue")
    assert not tracks(str(repo / ".segue"))


def test_a_shared_index_is_looked_at_too(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    put(tmp_path, ".segue/a")
    git(tmp_path, "add", "-f", ".segue")
    git(tmp_path, "update-index", "--split-index")
    assert tracks(str(tmp_path / ".segue"))


def test_a_worktree_has_an_index_of_its_own(tmp_path: Path) -> None:
    main, other = tmp_path / "main", tmp_path / "other"
    main.mkdir()
    git(main, "init", "-q")
    put(main, "a")
    git(main, "add", ".")
    git(main, "commit", "-qm", "a")
    git(main, "worktree", "add", "-q", str(other))
    put(other, ".segue/a")
    assert not tracks(str(other / ".segue"))
    git(other, "add", "-f", ".segue")
    assert tracks(str(other / ".segue")) and not tracks(str(main / ".segue"))


def test_a_folder_that_is_a_submodule_is_tracked(tmp_path: Path) -> None:
    inner = tmp_path / ".segue"
    git(tmp_path, "init", "-q")
    inner.mkdir()
    git(inner, "init", "-q")
    put(inner, "a")
    git(inner, "add", ".")
    git(inner, "commit", "-qm", "a")
    head = git(inner, "rev-parse", "HEAD").strip()
    git(tmp_path, "update-index", "--add", "--cacheinfo", f"160000,{head},.segue")
    assert tracks(str(inner))


def test_another_spelling_counts_where_a_disk_may_not_tell_them_apart(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    put(tmp_path, ".Segue/a")
    git(tmp_path, "add", "-f", ".")
    assert tracks(str(tmp_path / ".segue"))


@pytest.mark.parametrize("data", [b"", b"DIRC", b"DIRC\0\0\0\4\0\0\xff\xff" + b"\xff" * 70, b"x" * 100])
def test_an_index_that_is_none_holds_nothing(tmp_path: Path, data: bytes) -> None:
    put(tmp_path, ".git/HEAD", ".segue/a")
    (tmp_path / ".git" / "index").write_bytes(data)
    assert not tracks(str(tmp_path / ".segue"))


def test_without_a_repository_nothing_is_tracked(tmp_path: Path) -> None:
    assert not tracks(str(tmp_path / ".segue"))
