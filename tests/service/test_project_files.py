"""A file of the project is read because somebody named it, and the name leads nowhere else."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from segue.errors import BadInput, NotFound
from segue.service import project_files
from segue.service.project_files import Content

KIB = 1024


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for folder in (
        root / "src",
        root / ".segue",
        root / ".git",
        root / "deep" / ".git",
        tmp_path / "outside",
    ):
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text(f"in {folder.name}\n")
    return root


@pytest.mark.parametrize(
    "path",
    [
        "../outside/a.txt",
        "/etc/hostname",
        "~/a.txt",
        "src/../../outside/a.txt",
        "out.txt",
        "folder/a.txt",
        "loop/outside/a.txt",
        ".segue/a.txt",
        ".SEGUE/a.txt",
        "./.git/a.txt",
        "deep/.git/a.txt",
        "private.txt",
        "private/a.txt",
        "",
        "a\0b",
        None,
        "src",
    ],
)
def test_a_name_that_leads_out_or_to_what_is_private_is_refused(project: Path, path: object) -> None:
    (project / "out.txt").symlink_to(project.parent / "outside" / "a.txt")
    (project / "folder").symlink_to(project.parent / "outside")
    (project / "loop").symlink_to(project.parent)
    (project / "private.txt").symlink_to(".segue/a.txt")
    (project / "private").symlink_to(".git")
    with pytest.raises(BadInput):
        project_files.read(str(project), path, KIB)


def test_a_file_is_read_with_its_permissions_also_by_a_link_that_stays_inside(project: Path) -> None:
    (project / "src" / "a.txt").chmod(0o640)
    (project / "link.txt").symlink_to("src/a.txt")
    for path in ("src/a.txt", "./src//a.txt", "link.txt"):
        assert project_files.read(str(project), path, KIB) == Content(b"in src\n", 0o640)
    assert project_files.locate(str(project), "link.txt") == os.path.join("src", "a.txt")


def test_what_is_no_regular_file_too_large_or_secret_is_withheld(project: Path, tmp_path: Path) -> None:
    os.mkfifo(project / "pipe")
    bound = socket.socket(socket.AF_UNIX)
    place = os.open(project, os.O_RDONLY)
    bound.bind(f"/proc/self/fd/{place}/socket")
    os.close(place)
    (project / "exact").write_bytes(b"x" * KIB)
    (project / "large").write_bytes(b"x" * (KIB + 1))
    (project / ".env").write_text("A=b")
    (project / "notes.txt").symlink_to(".env")
    (project / "circle").symlink_to("circle")
    told = {
        path: project_files.read(str(project), path, KIB).withheld
        for path in ("pipe", "socket", "exact", "large", ".env", "notes.txt", "circle")
    }
    bound.close()
    assert told == {
        "pipe": "is not a regular file",
        "socket": "cannot be read (No such device or address)",
        "exact": "",
        "large": "is larger than 1 KiB",
        ".env": "is a file that holds secrets",
        "notes.txt": "is a file that holds secrets",
        "circle": "cannot be read (Too many levels of symbolic links)",
    }
    with pytest.raises(NotFound):
        project_files.read(str(project), "gone.txt", KIB)


def test_a_folder_that_became_a_link_since_is_not_followed(project: Path) -> None:
    place = project_files.locate(str(project), "src/a.txt")
    os.rename(project / "src", project / "before")
    (project / "src").symlink_to(project.parent / "outside")
    with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
        project_files.open_inside(str(project), place)


def test_a_record_is_neither_read_through_a_link_nor_from_a_pipe(project: Path) -> None:
    (project / "record").symlink_to("src/a.txt")
    os.mkfifo(project / "pipe")
    for name in ("record", "pipe"):
        with pytest.raises(OSError, match=r"symbolic links|not a regular file"):
            project_files.read_plain(str(project / name), KIB)
