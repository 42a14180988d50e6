"""Work that no commit holds is told as such, and so is a commit or push that is due."""

from __future__ import annotations

import pytest

from segue.extract.carried_steps import steps_of
from segue.extract.facts import select

from .story import Story

COMMITTED = "[main 1a2b3c4] Add the header\n 1 file changed\n"


def pending(story: Story) -> list[str]:
    return [text for state, text in story.claims if state == "pending"]


def owed(story: Story) -> list[str]:
    chosen = select(story.index, "go on", budget=4000)[0].next_steps
    return [step.text for step in chosen if step.basis == "owed"]


def test_what_was_edited_after_the_last_commit_is_told_as_uncommitted(story: Story) -> None:
    story.edit("README.md")
    story.run("git commit -am 'Add the header'", COMMITTED)
    story.edit("docs/guide.md")
    assert pending(story) == ["no commit was seen since the last edits of docs/guide.md"]


def test_a_file_that_a_commit_was_not_given_is_uncommitted(story: Story) -> None:
    story.edit("release.yml", action="created")
    story.edit("main.go")
    story.run("git add main.go && git commit -m 'Add the header'", COMMITTED)
    assert pending(story) == ["no commit was seen since the last edits of release.yml"]


def test_a_session_that_only_looked_at_git_has_committed_nothing(story: Story) -> None:
    story.edit("src/app.go")
    story.run("git status --short", " M src/app.go")
    assert pending(story) == ["no commit was seen since the last edits of src/app.go"]


def test_where_all_is_committed_nothing_is_pending(story: Story) -> None:
    story.edit("src/app.go")
    story.run("git commit -am 'Add the header'", COMMITTED)
    assert pending(story) == []


def test_a_session_without_git_commits_nothing(story: Story) -> None:
    story.edit("src/app.go")
    story.run("go vet ./...", "")
    assert pending(story) == []


@pytest.mark.parametrize("path", ["/tmp/note.md", "/home/me/.agent/plans/a.md"])
def test_what_lies_outside_the_project_is_not_to_be_committed(story: Story, path: str) -> None:
    story.run("git status --short", "")
    story.edit(path)
    assert pending(story) == []


OFFERS = [
    "The icons are in. Shall I commit and push?",
    "Both checks pass. Do you want me to push it now?",
    "I can commit this as it is.",
]


@pytest.mark.parametrize("offer", OFFERS)
@pytest.mark.parametrize("answer", ["yes", "ok do it", "sure, go ahead"])
def test_an_offer_to_commit_or_push_that_the_person_took_is_owed(
    story: Story, offer: str, answer: str
) -> None:
    story.prompt("Put the icons in.")
    story.edit("src/icons.ts")
    story.says(offer)
    story.prompt(answer)
    story.call("Bash", "shell", command="npm test")
    assert any(step.startswith(("Commit the work", "Push the work")) for step in owed(story))


@pytest.mark.parametrize("answer", ["no", "not yet", "nope, wait", "nein"])
@pytest.mark.parametrize("offer", OFFERS)
def test_an_offer_that_the_person_declined_is_not_owed(story: Story, offer: str, answer: str) -> None:
    story.prompt("Put the icons in.")
    story.edit("src/icons.ts")
    story.says(offer)
    story.prompt(answer)
    story.says("All right.")
    assert owed(story) == []


def test_an_offer_that_was_carried_out_is_not_owed(story: Story) -> None:
    story.prompt("Put the icons in.")
    story.edit("src/icons.ts")
    story.says("The icons are in. Shall I commit it?")
    story.prompt("yes")
    story.run("git commit -am 'Add the header'", COMMITTED)
    story.says("Committed.")
    assert owed(story) == []


def test_edits_after_a_push_of_the_session_are_to_be_pushed_too(story: Story) -> None:
    story.prompt("Put the videos in and open a PR.")
    story.edit("README.md")
    story.run("git commit -am 'Add the header'", COMMITTED)
    story.run(
        "git push -u origin header",
        "To github.com:o/r.git\n * [new branch]      header -> header\n",
    )
    story.run("gh pr create --fill", "https://github.com/o/r/pull/31")
    story.says("Opened.")
    story.prompt("the videos do not show up")
    story.edit("README.md")
    assert owed(story) == [
        "Commit and push what no commit holds yet, once it is ready: the last edits of README.md."
    ]


@pytest.mark.parametrize(
    "command", ["git add -A && git rebase --continue", "git -C . cherry-pick --continue", "git checkout -- ."]
)
def test_what_git_may_have_committed_or_put_back_is_not_told_as_uncommitted(
    story: Story, command: str
) -> None:
    story.edit("src/app.go")
    story.run(command, "")
    assert pending(story) == []


def test_what_was_edited_turns_ago_is_uncommitted_as_long_as_no_commit_holds_it(story: Story) -> None:
    story.prompt("Move the package.")
    story.edit("src/app.go")
    story.run("git status --short", " M src/app.go")
    story.says("Moved.")
    for later in ("Now write the formula.", "And where does the binary go?"):
        story.prompt(later)
        story.says("Into bin.")
    assert pending(story) == ["no commit was seen since the last edits of src/app.go"]


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
    assert pending(story) == ["no commit was seen since the last edits of src/app.go"]


def test_a_session_on_a_branch_that_never_calls_git_has_committed_nothing(story: Story) -> None:
    story.add("meta", by="harness", data={"branch": "header"})
    story.edit("src/app.go")
    assert pending(story) == ["no commit was seen since the last edits of src/app.go"]


def test_of_many_uncommitted_files_the_others_are_counted(story: Story) -> None:
    story.run("git log -1", "")
    for name in "abcdef":
        story.edit(f"src/{name}.go")
    assert pending(story) == [
        "no commit was seen since the last edits of src/c.go, src/d.go, src/e.go, src/f.go and 2 more"
    ]


def test_what_was_deleted_before_the_last_commit_is_not_to_be_committed(story: Story) -> None:
    story.edit("assets/demo.gif", action="created")
    story.run("rm assets/demo.gif")
    story.prompt("Only the text, please.")
    story.edit("README.md")
    story.prompt("And commit it.")
    story.run("git add README.md && git commit -m 'Add the header'", COMMITTED)
    assert pending(story) == []


def test_what_was_made_and_deleted_since_the_last_commit_is_not_to_be_committed(story: Story) -> None:
    story.run("git commit -am 'Add the header'", COMMITTED)
    story.edit("db/1_index.sql", action="created")
    story.run("rm db/1_index.sql")
    assert pending(story) == []


def test_the_deletion_of_what_a_commit_held_is_told_as_one(story: Story) -> None:
    story.edit("db/1_index.sql", action="created")
    story.run("git add -A && git commit -m 'Add the header'", COMMITTED)
    story.run("rm db/1_index.sql")
    story.edit("src/app.go")
    assert pending(story) == [
        "no commit was seen since the last edits of src/app.go and the deletion of db/1_index.sql"
    ]


def test_the_deletion_of_what_was_read_before_is_told_as_one(story: Story) -> None:
    story.run("git log -1", "")
    story.read("src/old.go")
    story.run("rm src/old.go")
    assert pending(story) == ["no commit was seen since the deletion of src/old.go"]


def test_a_file_of_which_only_its_deletion_is_known_is_nobodys_to_commit(story: Story) -> None:
    story.run("git log -1", "")
    story.run("rm core.dump")
    assert pending(story) == []


def test_what_git_rm_was_given_is_in_the_commit_that_follows(story: Story) -> None:
    story.read("src/old.go")
    story.edit("src/app.go")
    story.run("git rm src/old.go")
    story.run("git add src/app.go && git commit -m 'Add the header'", COMMITTED)
    assert pending(story) == []


def test_an_amended_commit_holds_what_it_held(story: Story) -> None:
    story.edit("src/app.go")
    story.edit("README.md")
    story.run("git add src/app.go && git commit -m 'Add the header'", COMMITTED)
    story.run("git add README.md && git commit --amend --no-edit", COMMITTED.replace("1a2b3c4", "5d6e7f8"))
    assert pending(story) == []


def test_an_amended_message_commits_nothing_more(story: Story) -> None:
    story.edit("src/app.go")
    story.edit("README.md")
    story.run("git add src/app.go && git commit -m 'Add the header'", COMMITTED)
    story.run("git commit --amend -m 'Add a header'", COMMITTED.replace("1a2b3c4", "5d6e7f8"))
    assert pending(story) == ["no commit was seen since the last edits of README.md"]


def test_a_commit_that_was_due_in_an_earlier_session_is_told_by_its_claim_alone() -> None:
    rows = ["1. Commit and push what no commit holds yet, once it is ready: the last edits of a.py. [#4]"]
    assert list(steps_of(rows, "s-1")) == []
