"""A check that failed in an earlier session and was not run since says of files what it would say in one session."""

from __future__ import annotations

import pytest

from segue.service.handoffs.walk import Draft, Source, draft

from .story import Story

QUOTE, REPORT = "quote.py", "report.py"
FAILED = 'FAILED tests/test_quote.py::test_nested - AssertionError: "a""b"\n1 failed'
COMMITTED = "[main 1a2b3c4] Add report\n 1 file changed, 3 insertions(+)"


def hand_off(story: Story) -> Draft:
    return draft(Source("pi", "s", story.entries), "finish it", budget=3000)


def after(made: Draft, name: str) -> Story:
    story = Story(name)
    story.prompt(made.text)
    return story


def state(made: Draft, path: str) -> str | None:
    return next(file.work_state for file in made.facts.files if file.path == path)


@pytest.fixture
def failing() -> Draft:
    story = Story("first")
    story.prompt("Write unquote.")
    story.edit(QUOTE, "def unquote(s): pass")
    story.run("pytest tests/test_quote.py", FAILED, 1)
    story.says("Red.")
    return hand_off(story)


def test_a_commit_does_not_finish_a_file_whose_test_fails(failing: Draft) -> None:
    story = after(failing, "second")
    story.edit(REPORT, "def report(): pass")
    story.run("git commit -am 'Add report'", COMMITTED)
    story.says("ok")
    made = hand_off(story)
    assert state(made, QUOTE) == "partially_done"
    later = after(made, "third")
    later.run("git commit --allow-empty -m 'Nothing'", "[main 5d6e7f8] Nothing")
    later.says("ok")
    assert state(hand_off(later), QUOTE) == "partially_done"


def test_a_commit_does_not_finish_a_file_for_which_everything_fails() -> None:
    story = Story("first")
    story.prompt("Write unquote.")
    story.edit(QUOTE, "def unquote(s): pass")
    story.run("make test", "make: *** [test] Error 1", 2)
    story.says("Red.")
    story = after(hand_off(story), "second")
    story.run("git commit -am 'Add report'", COMMITTED)
    story.says("ok")
    assert state(hand_off(story), QUOTE) == "partially_done"


def test_a_linter_does_not_finish_a_file_whose_test_fails(failing: Draft) -> None:
    story = after(failing, "second")
    story.run("ruff check .", "All checks passed!")
    story.says("ok")
    assert state(hand_off(story), QUOTE) == "partially_done"


def test_the_test_itself_finishes_it(failing: Draft) -> None:
    story = after(failing, "second")
    story.run("pytest tests/test_quote.py", "1 passed in 0.1s")
    story.run("git commit -am 'Add report'", COMMITTED)
    story.says("ok")
    assert state(hand_off(story), QUOTE) == "ready"


def test_a_file_that_was_edited_and_committed_since_waits_for_the_test(failing: Draft) -> None:
    story = after(failing, "second")
    story.edit(QUOTE, "def unquote(s): return s")
    story.run("git commit -am 'Unquote'", "[main 1a2b3c4] Unquote\n 1 file changed")
    story.says("ok")
    assert state(hand_off(story), QUOTE) == "needs_review"


def test_what_the_failing_test_does_not_name_is_finished_by_its_commit(failing: Draft) -> None:
    story = after(failing, "second")
    story.edit(REPORT, "def report(): pass")
    story.run("git commit -am 'Add report'", COMMITTED)
    story.says("ok")
    assert state(hand_off(story), REPORT) == "ready"


def test_a_file_that_waits_since_its_last_edit_does_not_fail_on_the_next_hop() -> None:
    story = Story("first")
    story.prompt("Write unquote.")
    story.edit(QUOTE, "def unquote(s): pass")
    story.run("pytest tests/test_quote.py", FAILED, 1)
    story.edit(QUOTE, "def unquote(s): return s")
    story.says("Changed.")
    made = hand_off(story)
    assert state(made, QUOTE) == "needs_review"
    story = after(made, "second")
    story.says("ok")
    assert state(hand_off(story), QUOTE) == "needs_review"


def test_a_commit_finishes_nothing_where_checks_passed_before_and_none_did_since() -> None:
    story = Story("first")
    story.prompt("Write unquote.")
    story.edit(QUOTE, "def unquote(s): pass")
    story.run("pytest", "1 passed in 0.1s")
    story.says("Green.")
    story = after(hand_off(story), "second")
    story.edit(REPORT, "def report(): pass")
    story.run("git commit -am 'Add report'", COMMITTED)
    story.says("ok")
    made = hand_off(story)
    assert (state(made, QUOTE), state(made, REPORT)) == ("ready", "needs_review")


@pytest.fixture
def committed() -> Draft:
    """Two files that were committed one by one, and one that was not."""
    story = Story("first")
    story.prompt("Move the jobs.")
    for name, sha in (("a", "aaaa111"), ("b", "bbbb222")):
        story.edit(f"jobs/{name}.py", "def job(): ...")
        story.run(f"git commit -am 'Move job {name}'", f"[main {sha}] Move job {name}\n 1 file changed")
    story.edit("jobs/c.py", "def job(): ...")
    story.says("Job c is not committed.")
    return hand_off(story)


@pytest.mark.parametrize(
    ("command", "printed", "gone"),
    [
        ("git checkout -- jobs/c.py", "", "c"),
        ("git checkout .", "Updated 1 path from the index", "c"),
        ("git reset --hard", "HEAD is now at bbbb222 Move job b", "c"),
        ("git reset --hard HEAD~1", "HEAD is now at aaaa111 Move job a", "bc"),
        ("git reset --hard aaaa111", "HEAD is now at aaaa111 Move job a", "bc"),
        ("git revert --no-edit aaaa111", '[main cccc333] Revert "Move job a"\n 1 file changed', "a"),
        ("git checkout -- jobs/a.py", "", ""),
        ("git switch -c next", "Switched to a new branch 'next'", ""),
    ],
)
def test_git_takes_back_what_earlier_sessions_left_and_no_more(
    committed: Draft, command: str, printed: str, gone: str
) -> None:
    story = after(committed, "second")
    story.run(command, printed)
    story.says("ok")
    files = {f.path: f.action for f in hand_off(story).facts.files}
    assert "".join(n for n in "abc" if files[f"jobs/{n}.py"] == "reverted") == gone


def test_what_was_thrown_away_since_needs_no_check() -> None:
    story = Story("first")
    story.prompt("Move the jobs.")
    story.edit("jobs/a.py", "def job(): ...")
    story.run("pytest", "1 passed in 0.1s")
    story.edit("jobs/b.py", "def job(): ...")
    story.says("Job b is not tested.")
    made = hand_off(story)
    assert [claim.act for claim in made.facts.claims] == ["check", "lack"]
    story = after(made, "second")
    story.run("git checkout -- jobs/b.py", "")
    story.says("Put back.")
    assert [claim.act for claim in hand_off(story).facts.claims] == ["check"]


def test_what_an_earlier_session_stashed_and_this_one_took_out_is_there_again() -> None:
    story = Story("first")
    story.prompt("Write unquote.")
    story.edit(QUOTE, "def unquote(s): pass")
    story.run("git stash", "Saved working directory and index state WIP on dev: 1a2b3c4 x")
    story.says("Stashed.")
    story = after(hand_off(story), "second")
    story.run("git stash pop", "Dropped refs/stash@{0}")
    story.says("Back.")
    made = hand_off(story)
    assert [(f.action, f.work_state) for f in made.facts.files] == [("modified", "needs_review")]
    assert not [claim for claim in made.facts.claims if claim.act == "loss"]
