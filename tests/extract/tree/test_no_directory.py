"""A session that does not say in which directory it is works in the one that holds what it changed."""

from __future__ import annotations

import pytest

from ..story import Story


class Homeless(Story):
    """A session that tells of no directory."""

    def __init__(self) -> None:
        super().__init__()
        self.entries.clear()


def changed(*paths: str, looked_at: str = "") -> list[str]:
    story = Homeless()
    story.prompt("go on")
    if looked_at:
        story.read(looked_at)
    for path in paths:
        story.edit(path)
    story.run("git log -1", "")
    return story.uncommitted


def test_files_named_in_full_are_told_from_the_directory_that_holds_all() -> None:
    assert changed("/srv/app/src/a.py", "/srv/app/lib/b.py", looked_at="/srv/app/setup.py") == [
        "no commit was seen of the last edits of src/a.py, lib/b.py"
    ]


def test_a_look_elsewhere_does_not_move_it() -> None:
    assert changed("/srv/app/src/a.py", "/srv/app/lib/b.py", looked_at="/etc/hosts") == [
        "no commit was seen of the last edits of src/a.py, lib/b.py"
    ]


@pytest.mark.parametrize("path", ["/home/me/notes.py", "/etc/hosts.py", "/tmp/try/x.py"])
def test_what_lies_in_no_project_is_nobodys_to_commit(path: str) -> None:
    assert changed(path) == []
