"""A session that touches thousands of files: the latest are known, and no file is lost while it is being edited."""

from __future__ import annotations

from segue.extract.tree import files

from ..story import Story


def test_of_more_edited_files_than_are_kept_the_latest_are_known() -> None:
    story = Story()
    many = 2 * files._FILES + 10
    for number in range(many):
        story.edit(f"src/part_{number}.py")
    known = {file.path: file.edits for file in story.index.files}
    assert [known.get(f"src/part_{number}.py") for number in range(many - 20, many)] == [1] * 20


def test_what_was_only_looked_at_is_let_go_before_what_was_edited() -> None:
    story = Story()
    story.edit("src/first.py")
    for number in range(2 * files._FILES):
        story.read(f"src/part_{number}.py")
    assert "src/first.py" in {file.path for file in story.index.files}
