"""Work that no commit holds is told as such, and so is a commit or push that is due."""

from __future__ import annotations

import pytest

from ..story import Story

COMMITTED = "[main 1a2b3c4] Add the header\n 1 file changed\n"


def test_what_was_edited_after_the_last_commit_is_told_as_uncommitted(story: Story) -> None:
    story.edit("README.md")
    story.run("git commit -am 'Add the header'", COMMITTED)
    story.edit("docs/guide.md")
    assert story.uncommitted == ["no commit was seen of the last edits of docs/guide.md"]


def test_a_file_that_a_commit_was_not_given_is_uncommitted(story: Story) -> None:
    story.edit("release.yml", action="created")
    story.edit("main.go")
    story.run("git add main.go && git commit -m 'Add the header'", COMMITTED)
    assert story.uncommitted == ["no commit was seen of the last edits of release.yml"]


def test_a_session_that_only_looked_at_git_has_committed_nothing(story: Story) -> None:
    story.edit("src/app.go")
    story.run("git status --short", " M src/app.go")
    assert story.uncommitted == ["no commit was seen of the last edits of src/app.go"]


def test_where_all_is_committed_nothing_is_pending(story: Story) -> None:
    story.edit("src/app.go")
    story.run("git commit -am 'Add the header'", COMMITTED)
    assert story.uncommitted == []


def test_a_session_without_git_commits_nothing(story: Story) -> None:
    story.edit("src/app.go")
    story.run("go vet ./...", "")
    assert story.uncommitted == []


@pytest.mark.parametrize("path", ["/tmp/note.md", "/home/me/.agent/plans/a.md"])
def test_what_lies_outside_the_project_is_not_to_be_committed(story: Story, path: str) -> None:
    story.run("git status --short", "")
    story.edit(path)
    assert story.uncommitted == []


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("git add -A && git cherry-pick --continue", "[main 1a2b3c4] Add the header\n 1 file changed"),
        ("git checkout -- .", "Updated 1 path from the index"),
    ],
)
def test_what_git_committed_or_put_back_otherwise_is_not_uncommitted(
    story: Story, command: str, printed: str
) -> None:
    story.edit("src/app.go")
    story.run(command, printed)
    assert story.uncommitted == []


def test_what_was_edited_turns_ago_is_uncommitted_as_long_as_no_commit_holds_it(story: Story) -> None:
    story.prompt("Move the package.")
    story.edit("src/app.go")
    story.run("git status --short", " M src/app.go")
    story.says("Moved.")
    for later in ("Now write the formula.", "And where does the binary go?"):
        story.prompt(later)
        story.says("Into bin.")
    assert story.uncommitted == ["no commit was seen of the last edits of src/app.go"]


@pytest.mark.parametrize(
    "command",
    [
        "git stash && make lint; git stash pop",
        "git checkout -b header",
        "git switch main",
        "git pull",
        "git worktree add ../other",
        "git reset HEAD~1",
    ],
)
def test_what_git_leaves_in_the_tree_is_uncommitted_as_before(story: Story, command: str) -> None:
    story.edit("src/app.go")
    story.run("make lint", "ok")
    story.run(command, "")
    assert story.uncommitted == ["no commit was seen of the last edits of src/app.go"]


def test_a_session_on_a_branch_that_never_calls_git_has_committed_nothing(story: Story) -> None:
    story.add("meta", by="harness", data={"branch": "header"})
    story.edit("src/app.go")
    assert story.uncommitted == ["no commit was seen of the last edits of src/app.go"]


def test_of_many_uncommitted_files_the_others_are_counted(story: Story) -> None:
    story.run("git log -1", "")
    for name in "abcdef":
        story.edit(f"src/{name}.go")
    assert story.uncommitted == [
        "no commit was seen of the last edits of src/c.go, src/d.go, src/e.go, src/f.go and 2 more"
    ]


def test_what_was_deleted_before_the_last_commit_is_not_to_be_committed(story: Story) -> None:
    story.edit("assets/demo.gif", action="created")
    story.run("rm assets/demo.gif")
    story.prompt("Only the text, please.")
    story.edit("README.md")
    story.prompt("And commit it.")
    story.run("git add README.md && git commit -m 'Add the header'", COMMITTED)
    assert story.uncommitted == []


def test_what_was_made_and_deleted_since_the_last_commit_is_not_to_be_committed(story: Story) -> None:
    story.run("git commit -am 'Add the header'", COMMITTED)
    story.edit("db/1_index.sql", action="created")
    story.run("rm db/1_index.sql")
    assert story.uncommitted == []


def test_the_deletion_of_what_was_read_before_is_uncommitted(story: Story) -> None:
    story.run("git log -1", "")
    story.read("src/old.go")
    story.run("rm src/old.go")
    assert story.uncommitted == ["no commit was seen of the last edits of src/old.go"]


def test_a_file_of_which_only_its_deletion_is_known_is_nobodys_to_commit(story: Story) -> None:
    story.run("git log -1", "")
    story.run("rm core.dump")
    assert story.uncommitted == []


def test_what_git_rm_was_given_is_in_the_commit_that_follows(story: Story) -> None:
    story.read("src/old.go")
    story.edit("src/app.go")
    story.run("git rm src/old.go")
    story.run("git add src/app.go && git commit -m 'Add the header'", COMMITTED)
    assert story.uncommitted == []


def test_an_amended_commit_holds_what_it_held(story: Story) -> None:
    story.edit("src/app.go")
    story.edit("README.md")
    story.run("git add src/app.go && git commit -m 'Add the header'", COMMITTED)
    story.run("git add README.md && git commit --amend --no-edit", COMMITTED.replace("1a2b3c4", "5d6e7f8"))
    assert story.uncommitted == []


def test_an_amended_message_commits_nothing_more(story: Story) -> None:
    story.edit("src/app.go")
    story.edit("README.md")
    story.run("git add src/app.go && git commit -m 'Add the header'", COMMITTED)
    story.run("git commit --amend -m 'Add a header'", COMMITTED.replace("1a2b3c4", "5d6e7f8"))
    assert story.uncommitted == ["no commit was seen of the last edits of README.md"]


def test_the_deletion_of_what_a_commit_held_is_uncommitted(story: Story) -> None:
    story.edit("db/1_index.sql", action="created")
    story.run(
        "git add -A && git commit -m 'Add the header'", "[main 1a2b3c4] Add the header\n 1 file changed"
    )
    story.run("rm db/1_index.sql")
    assert story.uncommitted == ["no commit was seen of the last edits of db/1_index.sql"]
