"""Claims rest on what programs printed."""

from __future__ import annotations

import pytest

from ..story import Story

pytestmark = pytest.mark.usefixtures("asked")


def test_commits_pushes_and_pull_requests_are_read_from_their_output(story: Story) -> None:
    story.run("git commit -m x", "[main 3f9c2d1] Add retries\n 1 file changed")
    story.run("git push", "To example.com:app.git\n   1111111..3f9c2d1  main -> main\n")
    story.run("gh pr create --fill", "https://example.com/o/r/pull/7\n")
    assert story.claims == [
        ("done", "commit 3f9c2d1 on main: Add retries"),
        ("pushed", "pushed main -> main (1111111..3f9c2d1)"),
        ("done", "opened https://example.com/o/r/pull/7"),
    ]


def test_a_printed_commit_outside_of_git_is_no_commit(story: Story) -> None:
    story.run("cat notes.txt", "[main 3f9c2d1] Add retries")
    story.run("git commit -m y", "[main 4a9c2d1] Add a cap")
    assert story.claims == [("done", "commit 4a9c2d1 on main: Add a cap")]


def test_of_a_commit_that_was_made_again_the_last_one_stands(story: Story) -> None:
    for sha in ("1111111", "2222222"):
        story.run("git commit --amend --no-edit", f"[main {sha}] Retry uploads\n 1 file changed")
    story.run("git commit -m 'Test retries'", "[main 3333333] Test retries\n 1 file changed")
    assert [text for _, text in story.claims] == [
        "commit 2222222 on main: Retry uploads",
        "commit 3333333 on main: Test retries",
    ]


def _three_commits(story: Story) -> None:
    for number, subject in enumerate(("One", "Two", "Three"), 1):
        story.run("git commit -am x", f"[main {number}aaaaaa] {subject}\n 1 file changed")


def _standing(story: Story) -> list[str]:
    return [claim.text.rpartition(": ")[2] for claim in story.index.claims if claim.state == "done"]


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("git reset --hard HEAD~1", ["One", "Two"]),
        ("git reset --soft HEAD^", ["One", "Two"]),
        ("git reset HEAD~2", ["One"]),
        ("git reset --hard 1aaaaaa", ["One"]),
        ("git reset --hard 9bbbbbbb", []),
        ("git -C /other reset --hard HEAD~1", ["One", "Two", "Three"]),
        ("git revert --no-edit 2aaaaaa", ["One", "Three", 'Revert "Two"']),
        ("git reset", ["One", "Two", "Three"]),
        ("git reset --hard", ["One", "Two", "Three"]),
        ("git reset HEAD~1 -- a.py", ["One", "Two", "Three"]),
        ("git reset HEAD a.py", ["One", "Two", "Three"]),
        ("cd ../other && git reset --hard HEAD~1", ["One", "Two", "Three"]),
    ],
)
def test_a_commit_that_was_taken_back_is_not_told_as_done(
    story: Story, command: str, left: list[str]
) -> None:
    _three_commits(story)
    story.run(command, "")
    assert _standing(story) == left


def test_a_reset_to_what_was_pushed_leaves_it(story: Story) -> None:
    _three_commits(story)
    story.run("git push", "   1111111..3aaaaaa  main -> main\n")
    story.run("git commit -am x", "[main 4aaaaaa] Four\n 1 file changed")
    story.run("git reset --hard origin/main")
    assert _standing(story) == ["One", "Two", "Three"]


def test_commits_that_were_squashed_are_told_as_one(story: Story) -> None:
    _three_commits(story)
    story.run("git reset --soft 0aaaaaa && git commit -m All", "[main 4aaaaaa] All\n 3 files changed")
    assert _standing(story) == ["All"]


@pytest.mark.parametrize(
    "command",
    [
        'cd $(mktemp -d) && git init -q -b main && git commit --allow-empty -m "seed"',
        'D=$(mktemp -d); cd "$D"; git init; git commit -m "seed"',
        'work="$(mktemp -d)"\ncd "$work"\ngit init\ngit commit -m seed',
        "mkdir -p /tmp/fx && cd /tmp/fx && git init && git commit -m seed",
        "git -C /var/folders/ab/x commit -m seed",
        'git -C "$TMPDIR/work" commit -m seed',
        '(cd "${TMPDIR:-/tmp}/fix" && git init && git commit -m seed)',
        "mkdir testdata/repo && cd testdata/repo && git init && git commit -m seed",
        "git init fixtures/one && cd fixtures/one && git commit -m seed",
    ],
)
def test_a_commit_in_a_repository_made_to_be_thrown_away_is_none_of_the_project(
    story: Story, command: str
) -> None:
    story.run(command, "[main (root-commit) 1a2b3c4] seed")
    assert story.claims == []


@pytest.mark.parametrize(
    "command",
    ["git init && git commit -m seed", 'cd "$REPO" && git commit -m seed', "git -C sub commit -m seed"],
)
def test_a_commit_in_the_directory_of_the_session_is_the_project_s(story: Story, command: str) -> None:
    story.run(command, "[main 1a2b3c4] seed")
    assert story.claims == [("done", "commit 1a2b3c4 on main: seed")]


def test_a_commit_in_a_tree_of_the_repository_that_lies_elsewhere_is_the_project_s(story: Story) -> None:
    story.run("git worktree add /tmp/tree main", "Preparing worktree")
    story.run("cd /tmp/tree && git commit -m x", "[fix 1a2b3c4] Fix it")
    assert story.claims == [("done", "commit 1a2b3c4 on fix: Fix it")]


def test_a_session_in_a_temporary_directory_has_its_repository_there(story: Story) -> None:
    story.entries.clear()
    story.add("meta", by="harness", cwd="/tmp/app", data={"id": "s", "cwd": "/tmp/app"})
    story.run("cd /tmp/app && git commit -m x", "[main 1a2b3c4] Fix it")
    story.run("cd /tmp/other && git commit -m x", "[main 1a2b3c5] seed")
    assert story.claims == [("done", "commit 1a2b3c4 on main: Fix it")]


@pytest.mark.parametrize(
    ("command", "remote"),
    [
        ("git push --dry-run origin main", "github.com:acme/app.git"),
        ("git push -n origin main", "github.com:acme/app.git"),
        ("git push origin main", "/tmp/tmp.x/o.git"),
        ("git push origin main", "file:///var/folders/x/o.git"),
        ('git -C "$TMP/w" push origin main', "../o.git"),
    ],
)
def test_a_push_that_reaches_nobody_is_none(story: Story, command: str, remote: str) -> None:
    story.run(command, f"To {remote}\n   aaa1111..bbb2222  main -> main")
    assert story.claims == []


def test_what_the_agent_says_it_did_is_no_claim(story: Story) -> None:
    story.says("All tests pass and it has been pushed.")
    assert story.claims == []


@pytest.mark.parametrize(
    ("command", "printed", "exit_code"),
    [
        ("git commit --dry-run -am x", "On branch main\nChanges to be committed:\n\tmodified: a.py", 0),
        ("echo '[main 1a2b3c4] x' && git log --oneline -1", "[main 1a2b3c4] x\nabc1234 y", 0),
        ("make test && git commit -qam x && git push -q", "1 failing", 1),
        ("gh pr view 7 --json url", "https://example.com/o/r/pull/7", 0),
    ],
)
def test_what_only_looks_like_a_commit_or_a_request_is_none(
    story: Story, command: str, printed: str, exit_code: int
) -> None:
    story.edit("a.py")
    story.run(command, printed, exit_code)
    assert story.claims == []


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("git push -q", ""),
        ("git push >/dev/null 2>&1", ""),
        ("git push", "Everything up-to-date"),
        ("git push -u origin main 2>&1 | tail -1", "branch 'main' set up to track 'origin/main'."),
    ],
)
def test_a_push_that_printed_no_ids_was_seen(story: Story, command: str, printed: str) -> None:
    story.edit("a.py")
    story.run("git commit -am x", "[main 1a2b3c4] x\n 1 file changed")
    story.run(command, printed)
    assert story.unpushed == []


def test_commits_are_pushed_with_any_branch_that_a_list_shows_to_hold_them(story: Story) -> None:
    story.edit("a.py")
    story.run("git commit -am One", "[main 1a2b3c4] One\n 1 file changed")
    story.edit("b.py")
    story.run(
        "git commit -am Two && git log --oneline -3",
        "[topic 2b3c4d5] Two\n 1 file changed\n2b3c4d5 Two\n1a2b3c4 One\n0f0f0f0 Before",
    )
    assert story.unpushed == ["no push was seen of 2 commits on topic (1a2b3c4, 2b3c4d5)"]
    story.run("git push -u origin topic", " * [new branch]      topic -> topic")
    assert story.unpushed == []


def test_a_commit_that_only_another_branch_holds_is_not_pushed_with_this_one(story: Story) -> None:
    story.edit("a.py")
    story.run("git commit -am One", "[main 1a2b3c4] One\n 1 file changed")
    story.edit("b.py")
    story.run("git commit -am Two", "[topic 2b3c4d5] Two\n 1 file changed")
    story.run("git push -u origin topic", " * [new branch]      topic -> topic")
    assert story.unpushed == ["no push was seen of 1 commit on main (1a2b3c4)"]


@pytest.mark.parametrize(
    ("command", "printed", "exit_code"),
    [
        (
            "gh pr create --fill --dry-run",
            "Would have created a Pull Request with:\nhttps://x.org/o/r/pull/9",
            0,
        ),
        (
            "gh pr create --fill",
            "a pull request for this branch already exists:\nhttps://x.org/o/r/pull/7",
            1,
        ),
    ],
)
def test_a_request_that_was_not_opened_is_not_told_as_opened(
    story: Story, command: str, printed: str, exit_code: int
) -> None:
    story.run(command, printed, exit_code)
    assert story.claims == []
