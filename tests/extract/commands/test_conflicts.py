"""What stopped at a conflict is over when it is concluded."""

from __future__ import annotations

import pytest

from ..story import Story

CONFLICT = "CONFLICT (content): Merge conflict in src/a.py\nAutomatic merge failed; fix conflicts and then commit the result."


@pytest.mark.parametrize(
    ("began", "concluded", "printed"),
    [
        ("git merge origin/main", "git add src/a.py && git commit --no-edit", "[main 1234abc] Merge branch"),
        ("git merge origin/main", "git commit -qam merge", ""),
        ("git cherry-pick abc1234", "git -c core.editor=true cherry-pick --continue", "[main 1234abc] Fix"),
        ("git rebase main", "git -c core.editor=true rebase --continue", "Successfully rebased"),
        ("git rebase main", "git -C . rebase --abort", ""),
    ],
)
def test_what_stopped_at_a_conflict_is_over_when_it_is_concluded(
    story: Story, began: str, concluded: str, printed: str
) -> None:
    story.run(began, CONFLICT, 1)
    assert story.states[" ".join(began.split()[:2])] == "open"
    story.run(concluded, printed)
    assert story.states[" ".join(began.split()[:2])] == "resolved"


def test_a_commit_ends_no_rebase_and_no_merge_that_failed_otherwise(story: Story) -> None:
    story.run("git rebase main", CONFLICT, 1)
    story.run("git merge other", "merge: other - not something we can merge", 1)
    story.run("git commit -am x", "[main 1234abc] x")
    assert [story.states[key] for key in ("git rebase", "git merge")] == ["open", "open"]


def test_a_merge_whose_conflicts_were_added_waits_for_its_commit(story: Story) -> None:
    story.run("git merge origin/main", CONFLICT, 1)
    story.run("git add src/other.py", "")
    assert story.states["git merge"] == "open"
    at = story.run("git add src/a.py && git status --short", "M  src/a.py")
    assert story.states["git merge"] == "resolved"
    (told,) = [c for c in story.index.claims if c.state == "inferred"]
    assert told.text == "the conflicts of `git merge` were resolved and added; it is not concluded yet"
    assert told.evidence[0].line == at
    story.run("git commit --no-edit", "[main 1234abc] Merge")
    assert story.claims == [("done", "commit 1234abc on main: Merge")]


def test_conflicts_count_as_added_by_a_line_that_has_got_past_that_and_goes_on(story: Story) -> None:
    story.run("git merge origin/main", CONFLICT, 1)
    name = story.call("Bash", "shell", command="git add src/a.py && cargo test")
    assert story.states["git merge"] == "open"
    story.add("tool_result", "M  src/a.py\n   Compiling a", call_id=name, background=True)
    assert story.states["git merge"] == "resolved"


@pytest.mark.parametrize(("code", "state"), [(101, "resolved"), (128, "open")])
def test_conflicts_count_as_added_where_only_what_came_after_that_failed(
    story: Story, code: int, state: str
) -> None:
    story.run("git merge origin/main", CONFLICT, 1)
    story.run("git add src/a.py && cargo test", "could not compile", code)
    assert story.states["git merge"] == state
