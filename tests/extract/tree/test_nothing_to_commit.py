"""Where git says that the tree is clean, nothing is left to be committed."""

from __future__ import annotations

import pytest

from ..story import Story

CLEAN = "On branch main\nnothing to commit, working tree clean"
UNCOMMITTED = "no commit was seen of the last edits of src/app.go"


@pytest.mark.parametrize(
    ("command", "output", "code"),
    [
        ("git status", CLEAN, 0),
        ("git stash", "No local changes to save", 0),
    ],
)
def test_where_the_tree_is_clean_nothing_is_uncommitted(
    story: Story, command: str, output: str, code: int
) -> None:
    story.prompt("Add the header.")
    story.edit("src/app.go")
    story.run(command, output, code)
    assert story.uncommitted == []


def test_a_clean_tree_elsewhere_says_nothing_of_this_one(story: Story) -> None:
    story.prompt("Add the header.")
    story.edit("src/app.go")
    story.run("cd ../site && git status", CLEAN)
    story.run("git -C ../docs status", CLEAN)
    assert story.uncommitted == [UNCOMMITTED]


def test_what_came_back_from_a_stash_is_uncommitted(story: Story) -> None:
    story.prompt("Add the header.")
    story.edit("src/app.go")
    story.run("git stash", "Saved working directory and index state WIP on main: bbb2222 x")
    story.run("git stash pop", "On branch main\n\tmodified:   src/app.go\nDropped refs/stash@{0} (abc)")
    assert story.uncommitted == [UNCOMMITTED]


def test_what_lies_in_a_stash_is_told_as_such_alone(story: Story) -> None:
    story.prompt("Add the header.")
    story.edit("src/app.go")
    story.run("git stash", "Saved working directory and index state WIP on main: bbb2222 x")
    assert story.uncommitted == []


def test_a_commit_of_nothing_shows_that_the_tree_is_clean(story: Story) -> None:
    story.prompt("Add the header.")
    story.edit("src/app.go")
    story.run("git commit -am Header", "On branch main\nnothing to commit, working tree clean", 1)
    assert story.uncommitted == []
