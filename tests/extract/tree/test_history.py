"""What git did to commits and files stands as its commands and their output leave it."""

from __future__ import annotations

import pytest

from ..story import Story

CORE, AUDIT = "src/core.py", "src/audit.py"


def two_commits(story: Story, *, quiet: bool = False) -> None:
    story.prompt("add an audit log")
    story.edit(CORE)
    story.run("git commit -am Core", "[main 1aaaaa1] Core\n 1 file changed, 1 insertion(+)")
    story.edit(AUDIT)
    told = "" if quiet else "[main 2bbbbb2] Audit log\n 1 file changed, 1 insertion(+)"
    story.run(f"git add -A && git commit {'-qm' if quiet else '-m'} 'Audit log'", told)


def done(story: Story) -> list[str]:
    return [claim.text for claim in story.index.claims if claim.state in ("done", "pushed")]


def action(story: Story, path: str = AUDIT) -> str:
    return next(file.action for file in story.index.files if file.path == path)


CORE_DONE, AUDIT_DONE = "commit 1aaaaa1 on main: Core", "commit 2bbbbb2 on main: Audit log"


@pytest.mark.parametrize(
    ("command", "printed", "stands", "file"),
    [
        ("git reset --hard HEAD~1", "HEAD is now at 1aaaaa1 Core", [CORE_DONE], "reverted"),
        ("git reset -q --hard 1aaaaa1", "", [CORE_DONE], "reverted"),
        ("git reset --soft HEAD~1", "", [CORE_DONE], "modified"),
        ("git checkout HEAD~1 -- src/audit.py", "", [CORE_DONE, AUDIT_DONE], "reverted"),
        ("git restore --source=1aaaaa1 src/audit.py", "", [CORE_DONE, AUDIT_DONE], "reverted"),
        ("git checkout src/audit.py", "Updated 0 paths from the index", [CORE_DONE, AUDIT_DONE], "modified"),
        (
            "git revert --no-edit HEAD >/dev/null",
            "",
            [CORE_DONE, 'commit (id not shown) on main: Revert "Audit log"'],
            "reverted",
        ),
    ],
)
def test_a_file_goes_the_way_of_the_commit_that_held_it(
    story: Story, command: str, printed: str, stands: list[str], file: str
) -> None:
    two_commits(story)
    story.run(command, printed)
    assert (done(story), action(story)) == (stands, file)


def test_a_commit_that_printed_no_id_is_one_and_can_be_taken_back(story: Story) -> None:
    two_commits(story, quiet=True)
    assert done(story) == [CORE_DONE, "commit (id not shown) on main: Audit log"]
    story.run("git reset --hard HEAD~1", "HEAD is now at 1aaaaa1 Core")
    assert (done(story), action(story)) == ([CORE_DONE], "reverted")


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("git log --oneline -2", "2bbbbb2 Audit log\n1aaaaa1 Core"),
        ("git rev-parse --short HEAD", "2bbbbb2"),
        ("git rev-parse --short HEAD", "2bbbbb2\n<exited with exit code 0>"),
        ("git log -1 --format=%h", "2bbbbb2"),
        ("git push", "   0000abc..2bbbbb2  main -> main"),
    ],
)
def test_a_commit_that_printed_no_id_gets_it_from_what_does(story: Story, command: str, printed: str) -> None:
    two_commits(story, quiet=True)
    story.run(command, printed)
    assert AUDIT_DONE in done(story)


def test_a_quiet_commit_whose_exit_nobody_knows_is_shown_by_the_id_after_it(story: Story) -> None:
    story.prompt("tidy")
    story.edit(CORE)
    story.run("git commit -qam Tidy && git rev-parse --short HEAD", "1aaaaa1", None)
    story.run("git commit -qam More && git status --short", "", None)
    assert done(story) == ["commit 1aaaaa1: Tidy"]


def test_what_was_taken_back_is_told(story: Story) -> None:
    two_commits(story)
    story.run("git reset --hard HEAD~1", "HEAD is now at 1aaaaa1 Core")
    told = [claim.text for claim in story.index.claims if claim.state == "inferred"]
    assert told == ["no longer there since `git reset`: commit 2bbbbb2 (Audit log)"]


def test_a_commit_that_another_branch_holds_is_not_lost(story: Story) -> None:
    two_commits(story)
    story.run("git branch keep")
    story.run("git reset --hard HEAD~1", "HEAD is now at 1aaaaa1 Core")
    assert AUDIT_DONE in done(story)


def on_a_branch(story: Story) -> None:
    two_commits(story)
    story.run("git checkout -b tmp", "Switched to a new branch 'tmp'")
    story.edit("src/x.py")
    story.run("git commit -am Tmp", "[tmp 4dddd44] Tmp\n 1 file changed")


def test_a_branch_that_was_deleted_takes_its_commits_with_it(story: Story) -> None:
    on_a_branch(story)
    story.run("git checkout main", "Switched to branch 'main'")
    story.run("git branch -D tmp", "Deleted branch tmp (was 4dddd44).")
    assert (done(story), action(story, "src/x.py")) == ([CORE_DONE, AUDIT_DONE], "reverted")


@pytest.mark.parametrize("between", ["git merge tmp", "git push -u origin tmp"])
def test_a_branch_that_was_merged_or_pushed_lives_on(story: Story, between: str) -> None:
    on_a_branch(story)
    story.run("git checkout main", "Switched to branch 'main'")
    printed = (
        " * [new branch]      tmp -> tmp" if "push" in between else "Updating 2bbbbb2..4dddd44\nFast-forward"
    )
    story.run(between, printed)
    story.run("git branch -D tmp", "Deleted branch tmp (was 4dddd44).")
    assert "commit 4dddd44 on tmp: Tmp" in done(story)


def test_a_rebase_gives_commits_other_ids_until_a_list_shows_them(story: Story) -> None:
    two_commits(story)
    story.run("git pull --rebase", "Successfully rebased and updated refs/heads/main.")
    assert done(story)[-1] == "commit (another id since a rebase, was 2bbbbb2) on main: Audit log"
    story.run("git log --oneline -3", "8888888 Audit log\n7777777 Core\n0000abc init")
    assert done(story)[-1] == "commit 8888888 (2bbbbb2 when it was made) on main: Audit log"


def test_fixups_are_folded_and_squashed_commits_are_gone_once_a_list_shows_it(story: Story) -> None:
    two_commits(story)
    story.edit(AUDIT)
    story.run("git commit -am 'fixup! Audit log'", "[main 5eeee55] fixup! Audit log\n 1 file changed")
    story.run("git rebase -i --autosquash HEAD~3", "Successfully rebased and updated refs/heads/main.")
    assert [text.rpartition(": ")[2] for text in done(story)] == ["Core", "Audit log"]
    story.run("git log --oneline -3", "6fffff6 Core with audit\n0000abc init")
    assert done(story) == ["commit 6fffff6 on main: Core with audit"]


def squashed(story: Story) -> None:
    two_commits(story)
    story.run("git push", "   0000abc..2bbbbb2  main -> main")
    story.run("git reset --soft HEAD~2")
    story.run("git commit -m All", "[main 7777777] All\n 2 files changed")


def test_a_push_before_the_branch_was_rewritten_is_told_as_such(story: Story) -> None:
    squashed(story)
    assert done(story) == [
        "pushed main -> main (0000abc..2bbbbb2); the branch was rewritten since [#14] and not pushed again",
        "commit 7777777 on main: All",
    ]


def test_a_push_that_replaced_what_was_there_is_told_as_forced(story: Story) -> None:
    squashed(story)
    story.run("git push --force-with-lease", " + 2bbbbb2...7777777 main -> main (forced update)")
    assert done(story)[-1] == "pushed main -> main (2bbbbb2...7777777, forced)"


def test_an_edit_is_thrown_away_only_since_the_last_commit(story: Story) -> None:
    two_commits(story)
    story.edit(AUDIT)
    story.run("git checkout -- src/audit.py")
    audit = next(file for file in story.index.files if file.path == AUDIT)
    assert (audit.action, audit.edits) == ("modified", 1)


@pytest.mark.parametrize(
    ("command", "file"), [("git reset --hard", "created"), ("git clean -fd", "reverted")]
)
def test_what_git_does_not_know_is_only_cleaned_away(story: Story, command: str, file: str) -> None:
    two_commits(story)
    story.edit("src/new.py", action="created")
    story.run(command)
    assert action(story, "src/new.py") == file


def stashed(story: Story) -> None:
    two_commits(story)
    story.edit("src/x.py")
    story.run("git stash", "Saved working directory and index state WIP on main: 2bbbbb2 Audit log")


def test_work_in_a_stash_is_not_in_the_files(story: Story) -> None:
    stashed(story)
    told = [claim.text for claim in story.index.claims if claim.state == "inferred"]
    assert (action(story, "src/x.py"), told) == (
        "stashed",
        ["uncommitted changes lie in a stash since `git stash`, not in the files"],
    )


def test_work_that_came_back_from_a_stash_is_in_the_files(story: Story) -> None:
    stashed(story)
    story.run("git stash pop", "Dropped refs/stash@{0}")
    story.says("Done.")
    file = next(file for file in story.index.files if file.path == "src/x.py")
    assert (file.action, file.work_state) == ("modified", "needs_review")


def test_a_reset_that_failed_moves_nothing(story: Story) -> None:
    two_commits(story)
    story.run("git reset --hard HEAD~1", "fatal: Unable to create '.git/index.lock': File exists.", 128)
    assert (done(story), action(story)) == ([CORE_DONE, AUDIT_DONE], "modified")


def test_taking_a_revert_back_brings_back_what_it_reverted(story: Story) -> None:
    two_commits(story)
    story.run("git revert --no-edit HEAD", '[main 3cccc33] Revert "Audit log"\n 1 file changed')
    story.run("git reset --hard HEAD~1", "HEAD is now at 2bbbbb2 Audit log")
    assert (done(story), action(story)) == ([CORE_DONE, AUDIT_DONE], "modified")


@pytest.mark.parametrize("place", ["ORIG_HEAD", "HEAD@{1}", "2bbbbb2"])
def test_a_reset_that_was_taken_back_leaves_everything_as_it_was(story: Story, place: str) -> None:
    two_commits(story)
    story.run("git reset --hard HEAD~1", "HEAD is now at 1aaaaa1 Core")
    story.run(f"git reset --hard {place}")
    assert (done(story), action(story)) == ([CORE_DONE, AUDIT_DONE], "modified")


def test_a_stash_whose_pop_was_never_reached_still_holds_the_work(story: Story) -> None:
    two_commits(story)
    story.edit("src/x.py")
    story.run(
        "git stash && pytest && git stash pop",
        "Saved working directory and index state WIP on main\n1 failed in 0.1s",
        1,
    )
    assert action(story, "src/x.py") == "stashed"


def test_work_in_a_stash_that_was_dropped_is_gone(story: Story) -> None:
    stashed(story)
    story.run("git stash drop", "Dropped refs/stash@{0}")
    assert action(story, "src/x.py") == "reverted"


def test_a_push_after_a_rebase_tells_the_id_of_the_last_commit(story: Story) -> None:
    two_commits(story)
    story.run("git rebase topic", "Successfully rebased and updated refs/heads/main.")
    story.run("git push -f", " + 2bbbbb2...9999999 main -> main (forced update)")
    assert "commit 9999999 (2bbbbb2 when it was made) on main: Audit log" in done(story)


def test_a_stash_of_some_files_names_them(story: Story) -> None:
    two_commits(story)
    story.edit("src/x.py")
    story.run("git stash push -m later -- src/x.py", "Saved working directory and index state On main: later")
    told = [claim.text for claim in story.index.claims if claim.state == "inferred"]
    assert told == ["uncommitted changes of src/x.py lie in a stash since `git stash`, not in the files"]


def test_a_branch_whose_work_was_squashed_into_another_leaves_its_files_as_they_are(story: Story) -> None:
    on_a_branch(story)
    story.run("git checkout main", "Switched to branch 'main'")
    story.run("git merge --squash tmp", "Squash commit -- not updating HEAD")
    story.run("git commit -m All", "[main 7777777] All\n 1 file changed")
    story.run("git branch -D tmp", "Deleted branch tmp (was 4dddd44).")
    assert (done(story)[-1], action(story, "src/x.py")) == ("commit 7777777 on main: All", "modified")


def test_a_commit_that_a_rebase_left_out_is_gone(story: Story) -> None:
    two_commits(story)
    story.run("git rebase --onto HEAD~2 HEAD~1", "Successfully rebased and updated refs/heads/main.")
    assert [text.rpartition(": ")[2] for text in done(story)] == ["Audit log"]


@pytest.mark.parametrize(
    "log",
    [
        "c97fa77 Add retries\n834619c Before",
        "commit c97fa7712345678901234567890123456789abcd\nAuthor: A\nDate: now\n\n    Add retries\n\n    Body\n",
    ],
)
def test_a_later_log_tells_the_id_a_commit_has_now(story: Story, log: str) -> None:
    story.prompt("go")
    story.run("git commit -m x", "[main d4cca23] Add retries")
    story.run("git log -3", log)
    (claim,) = [text for _, text in story.claims]
    assert claim.startswith("commit c97fa77") and claim.endswith("on main: Add retries")


def test_a_later_log_tells_which_commits_are_gone(story: Story) -> None:
    story.prompt("go")
    story.run("git commit -m x", "[main d4cca23] Add retries")
    story.run("git commit -m y", "[main d4cca24] Add a queue")
    story.run("git log --oneline -5", "d4cca23 Add retries\n834619c Before")
    assert [text for _, text in story.claims] == ["commit d4cca23 on main: Add retries"]


@pytest.mark.parametrize(
    "command",
    [
        "git log --oneline origin/main",
        "git log --oneline -- src",
        "git log --oneline --author=me",
        "git log main..dev",
    ],
)
def test_a_log_of_something_else_tells_nothing_of_the_branch(story: Story, command: str) -> None:
    story.prompt("go")
    story.run("git commit -m x", "[main d4cca23] Add retries")
    story.run("git commit -m y", "[main d4cca24] Add a queue")
    story.run(command, "d4cca23 Add retries\n834619c Before")
    assert [text for _, text in story.claims] == [
        "commit d4cca23 on main: Add retries",
        "commit d4cca24 on main: Add a queue",
    ]


def test_a_commit_of_which_no_branch_is_told_is_on_none(story: Story) -> None:
    story.prompt("go")
    story.run("git commit", "[HEAD 1bfef28] Use a spinner")
    made = story.index
    assert made.source.branch == ""
    assert [claim.text for claim in made.claims if claim.act == "commit"] == ["commit 1bfef28: Use a spinner"]
