"""What git lists as staged, changed or untracked is told as such."""

from __future__ import annotations

import pytest

from ..story import Story

STAGED = """On branch header
Changes to be committed:
  (use "git restore --staged <file>..." to unstage)
\tnew file:   src/app.go
\tmodified:   .gitignore

Untracked files:
\tnotes.md
\t.cache/
"""
UNSTAGED = """On branch header
Changes not staged for commit:
        modified:   src/app.go

no changes added to commit (use "git add" and/or "git commit -a")
"""
COMMITTED = "[main 1a2b3c4] Add the header\n 1 file changed\n"


def test_what_a_status_lists_as_staged_is_told_as_such(story: Story) -> None:
    story.edit("src/app.go", action="created")
    story.run("git add src/app.go .gitignore && git status", STAGED)
    assert story.uncommitted == ["no commit was seen of the last edits of src/app.go (staged)"]
    assert story.index.source.branch == "header"


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        ("?? src/app.go", " (untracked)"),
        ("?? src/", " (untracked)"),
        ("A  src/app.go", " (staged)"),
        ("AM src/app.go", " (staged in part)"),
        (" M src/app.go", ""),
        ("M src/app.go", ""),
    ],
)
def test_a_short_status_tells_the_same(story: Story, printed: str, told: str) -> None:
    story.edit("src/app.go")
    story.run("git status -s", printed)
    assert story.uncommitted == [f"no commit was seen of the last edits of src/app.go{told}"]


def test_what_was_added_and_not_edited_since_is_staged(story: Story) -> None:
    story.edit("src/app.go")
    story.run("git status", UNSTAGED)
    story.run("git add src/app.go")
    story.edit("src/main.go")
    assert story.uncommitted == ["no commit was seen of the last edits of src/app.go (staged), src/main.go"]


@pytest.mark.parametrize(
    "command", ["git reset", "git restore --staged src/app.go", "git reset -- src/app.go"]
)
def test_what_was_unstaged_again_is_not_staged(story: Story, command: str) -> None:
    story.edit("src/app.go")
    story.run("git add src/app.go")
    story.run(command)
    assert story.uncommitted == ["no commit was seen of the last edits of src/app.go"]


def test_an_edited_file_that_a_whole_status_does_not_list_was_committed_by_somebody(story: Story) -> None:
    story.edit("src/main.go")
    story.edit("src/app.go")
    story.run("git status", UNSTAGED)
    assert story.uncommitted == ["no commit was seen of the last edits of src/app.go"]


def test_an_empty_short_status_leaves_nothing_to_commit(story: Story) -> None:
    story.edit("src/main.go")
    story.run("git status --short", "")
    assert story.uncommitted == []


@pytest.mark.parametrize("command", ["git status | head -5", "git status src/app.go", "git status -uno"])
def test_a_status_of_some_files_tells_nothing_of_others(story: Story, command: str) -> None:
    story.edit("src/main.go")
    story.edit("src/app.go")
    story.run(command, UNSTAGED)
    assert story.uncommitted == ["no commit was seen of the last edits of src/main.go, src/app.go"]


def test_what_a_status_listed_and_a_commit_took_is_committed(story: Story) -> None:
    story.edit("src/app.go")
    story.run("git add src/app.go .gitignore && git status", STAGED)
    story.run("git commit -m 'Add the header'", COMMITTED)
    assert story.uncommitted == []


def test_a_file_that_a_status_shows_after_a_commit_is_not_in_it(story: Story) -> None:
    story.edit("src/app.go")
    story.edit("src/main.go")
    story.run("git commit -m 'Add the header'", COMMITTED)
    story.run("git status", UNSTAGED)
    assert story.uncommitted == ["no commit was seen of the last edits of src/app.go"]
    story.run("git commit -am 'Add the rest'", COMMITTED)
    assert story.uncommitted == []


def test_a_status_on_the_line_of_a_commit_tells_of_the_tree_before_or_after_it(story: Story) -> None:
    story.edit("src/app.go")
    story.run("git status --short && git commit -m 'Add the header'", f"M  src/app.go\n{COMMITTED}")
    assert story.uncommitted == []
    story.edit("src/app.go")
    story.run("git commit -m 'Add the rest' && git status --short", f"{COMMITTED} M src/app.go")
    assert story.uncommitted == ["no commit was seen of the last edits of src/app.go"]


@pytest.mark.parametrize(
    ("command", "left"),
    [("git checkout src/app.go", 0), ("git stash", 0), ("git checkout src/main.go", 1)],
)
def test_what_a_status_showed_and_git_took_away_since_is_not_to_be_committed(
    story: Story, command: str, left: int
) -> None:
    story.edit("src/app.go")
    story.run("git commit -m 'Add the header'", COMMITTED)
    story.run("git status", UNSTAGED)
    story.run(command)
    told = [text for text in story.uncommitted if text.startswith("no commit")]
    assert told == ["no commit was seen of the last edits of src/app.go"][:left]
