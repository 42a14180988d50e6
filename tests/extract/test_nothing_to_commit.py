"""That there is nothing to commit is no failure, and that the tree is clean leaves nothing to be committed."""

from __future__ import annotations

import pytest

from .story import Story

COMMITTED = "[main 1a2b3c4] Add the header\n 1 file changed\n"
CLEAN = "On branch main\nnothing to commit, working tree clean"
UNCOMMITTED = "no commit was seen since the last edits of src/app.go"


def pending(story: Story) -> list[str]:
    return [text for state, text in story.claims if state == "pending"]


@pytest.mark.parametrize("command", ["git commit -am 'Add the header'", "git add -A && git commit -m Header"])
def test_a_commit_of_nothing_has_not_failed(story: Story, command: str) -> None:
    story.prompt("Add the header and commit.")
    story.edit("src/app.go")
    story.run("git commit -am 'Add the header'", COMMITTED)
    story.run(command, CLEAN, 1)
    assert set(story.states.values()) <= {"ok"}


def test_a_push_that_a_commit_of_nothing_kept_back_is_open(story: Story) -> None:
    story.prompt("Commit and push.")
    story.run("git commit -am Header && git push", CLEAN, 1)
    assert story.states == {"git push": "open"}


def test_a_commit_to_which_nothing_was_added_is_open(story: Story) -> None:
    story.prompt("Add the header and commit.")
    story.edit("src/app.go")
    story.run("git commit -m Header", 'no changes added to commit (use "git add" and/or "git commit -a")', 1)
    assert story.states == {"git commit": "open"}


@pytest.mark.parametrize(
    ("command", "output", "code"),
    [
        ("git commit -am Header", CLEAN, 1),
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
    assert pending(story) == []


def test_a_clean_tree_elsewhere_says_nothing_of_this_one(story: Story) -> None:
    story.prompt("Add the header.")
    story.edit("src/app.go")
    story.run("cd ../site && git status", CLEAN)
    story.run("git -C ../docs status", CLEAN)
    assert pending(story) == [UNCOMMITTED]


def test_what_came_back_from_a_stash_is_uncommitted(story: Story) -> None:
    story.prompt("Add the header.")
    story.edit("src/app.go")
    story.run("git stash", "Saved working directory and index state WIP on main: bbb2222 x")
    story.run("git stash pop", "On branch main\n\tmodified:   src/app.go\nDropped refs/stash@{0} (abc)")
    assert pending(story) == [UNCOMMITTED]


def test_what_lies_in_a_stash_is_told_as_such_alone(story: Story) -> None:
    story.prompt("Add the header.")
    story.edit("src/app.go")
    story.run("git stash", "Saved working directory and index state WIP on main: bbb2222 x")
    assert pending(story) == []
