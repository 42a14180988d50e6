"""Nothing in a workspace's folder is opened that is not the user's own regular file behind real folders."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from segue.stores import private_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / ".segue"
    made.mkdir()
    return made


def link(path: Path) -> None:
    target = path.parent.parent / "elsewhere"
    target.write_text("theirs")
    path.symlink_to(target)


MISPLACED: dict[str, Callable[[Path], None]] = {
    "a link": link,
    "a link to nothing": lambda path: path.symlink_to(path.parent / "absent"),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a pipe": lambda path: os.mkfifo(path),
    "a folder": lambda path: path.mkdir(),
}


@pytest.mark.parametrize("what", MISPLACED)
def test_what_is_no_file_is_neither_read_nor_written_nor_waited_for(folder: Path, what: str) -> None:
    path = folder / "config.json"
    MISPLACED[what](path)
    for flags in (os.O_RDONLY, os.O_RDWR | os.O_CREAT | os.O_APPEND, os.O_WRONLY | os.O_CREAT | os.O_TRUNC):
        with pytest.raises(OSError):
            private_files.open_file(str(path), flags)
    with pytest.raises(OSError):
        private_files.require_file(str(path))
    assert not private_files.is_file(str(path))
    if what == "a link":
        assert (folder.parent / "elsewhere").read_text() == "theirs"


@pytest.mark.parametrize("linked", ["transcripts", "transcripts/deep"])
def test_a_folder_that_is_a_link_is_not_gone_through(folder: Path, linked: str) -> None:
    public = folder.parent / "public"
    public.mkdir()
    (folder / linked).parent.mkdir(exist_ok=True)
    (folder / linked).symlink_to(public)
    for act in (
        lambda: private_files.make_folder(str(folder / "transcripts" / "deep" / "er")),
        lambda: private_files.write_private(str(folder / linked / "x"), b"x"),
        lambda: private_files.open_file(str(folder / linked / "x"), os.O_WRONLY | os.O_CREAT),
    ):
        with pytest.raises(OSError, match="It is a link"):
            act()
    assert list(public.iterdir()) == []


def test_a_file_without_end_is_not_read_to_its_end(folder: Path) -> None:
    with (folder / "spool.json").open("wb") as file:
        file.truncate(private_files.LARGEST + 1)
    with pytest.raises(OSError, match="larger than"):
        private_files.read(str(folder / "spool.json"))


def test_a_link_in_the_place_of_a_file_is_replaced_and_not_followed(folder: Path) -> None:
    link(folder / "workspace.json")
    private_files.write_private(str(folder / "workspace.json"), b"ours")
    assert (folder / "workspace.json").read_text() == "ours" and not (folder / "workspace.json").is_symlink()
    assert (folder.parent / "elsewhere").read_text() == "theirs"


def test_folders_are_made_for_their_owner_alone_but_never_the_workspaces_own(folder: Path) -> None:
    private_files.make_folder(str(folder / "a" / "b"))
    assert [(folder / name).stat().st_mode & 0o777 for name in ("a", "a/b")] == [0o700, 0o700]
    with pytest.raises(FileNotFoundError):
        private_files.make_folder(str(folder.parent / "other" / ".segue" / "boundary"))


def test_what_works_in_the_folder_opens_nothing_by_itself() -> None:
    source = Path(private_files.__file__).parent.parent
    opening = {"open", "os.open", "os.makedirs", "Path"}
    modules = [
        *(source / "service" / "boundary").glob("*.py"),
        *(source / "service" / "removal").glob("*.py"),
        *(source / "stores" / name for name in ("traces.py", "marks.py", "writer_queue.py", "blobs.py")),
        source / "service" / "workspace.py",
        source / "surfaces" / "hooks" / "call.py",
    ]
    found = {
        (module.name, ast.unparse(call))
        for module in modules
        for call in ast.walk(ast.parse(module.read_text()))
        if isinstance(call, ast.Call) and ast.unparse(call.func) in opening
    }
    assert {name for name, call in found if "private_files." not in call} == {
        "archive.py",
        "blobs.py",
        "documents.py",
    }, "an agent's transcript, a blob that is new, and a folder that was looked at"


def test_a_file_of_another_user_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "id").write_text("x")
    assert private_files.read(str(folder / "id")) == b"x"
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(OSError, match="another user"):
        private_files.read(str(folder / "id"))
