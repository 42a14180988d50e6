"""What an earlier session committed, pushed, opened and checked is known after any number of handoffs, as its doing."""

from __future__ import annotations

from segue.model.facts import Claim
from segue.service.handoffs.walk import Draft, Source, draft

from .story import Story

CODE = "src/exporter.py"
REQUEST = "https://github.com/acme/exporter/pull/42"


def hand_off(story: Story, goal: str = "finish the exporter", budget: int = 3000) -> Draft:
    return draft(Source("pi", "s", story.entries), goal, budget=budget)


def shipped(name: str = "first") -> Story:
    """A session that committed, pushed, opened a request and saw its tests pass."""
    story = Story(name)
    story.prompt("Ship the exporter as a pull request. Then write its docs.")
    story.edit(CODE, "def export(rows):\n    return rows\n")
    story.run("git commit -am 'Export rows'", "[feat 1a2b3c4] Export rows\n 1 file changed")
    story.run("git push origin feat", "To github.com:acme/exporter.git\n   abc1234..1a2b3c4  feat -> feat")
    story.run("gh pr create --fill", REQUEST)
    story.run("pytest", "12 passed in 1s")
    story.says("The pull request is open.")
    return story


def after(made: Draft, name: str = "second") -> Story:
    story = Story(name)
    story.prompt(made.text)
    return story


def hops(made: Draft, number: int) -> Draft:
    for hop in range(number):
        story = after(made, f"hop-{hop}")
        story.read("docs/index.md")
        story.says("I looked at the docs.")
        made = hand_off(story)
    return made


def told(made: Draft) -> list[str]:
    """The rows that tell the state of the work."""
    lines = made.text.split("\n")
    if "**State of the work**" not in lines:
        return []
    rows = lines[lines.index("**State of the work**") + 1 :]
    return rows[: next(n for n, row in enumerate(rows) if not row.startswith("- "))]


def claims(made: Draft, *acts: str) -> list[Claim]:
    return [claim for claim in made.facts.claims if claim.act in acts]


HANDED_IN = [
    "- done: commit 1a2b3c4 on feat: Export rows [#6 of first]",
    "- pushed: pushed feat -> feat (abc1234..1a2b3c4) [#8 of first]",
    f"- done: opened {REQUEST} [#10 of first]",
    "- tested: `pytest` passed — 12 passed in 1s [#12 of first]",
]


def test_what_was_handed_in_and_checked_is_told_after_one_hop_and_after_ten() -> None:
    first = hand_off(shipped())
    assert told(hops(first, 1)) == HANDED_IN
    assert told(hops(first, 10)) == HANDED_IN


def test_the_command_that_passed_is_known_to_work_after_ten_hops() -> None:
    made = hops(hand_off(shipped()), 10)
    assert "- `pytest` — 12 passed in 1s [#12 of first]" in made.text.split("\n")


def test_nothing_is_owed_for_what_an_earlier_session_handed_in() -> None:
    made = hops(hand_off(shipped()), 1)
    assert not [step for step in made.facts.next_steps if step.basis == "owed"]


def test_a_request_of_an_earlier_session_is_not_the_one_asked_for_now() -> None:
    story = after(hand_off(shipped()))
    story.prompt("Now write the importer, and open a pull request for it.")
    story.edit("src/importer.py", "def load(): ...")
    story.says("The importer is written.")
    assert [step.basis for step in hand_off(story).facts.next_steps].count("owed") == 1


def test_a_check_to_end_with_names_the_session_in_which_it_passed() -> None:
    made = hops(hand_off(shipped()), 1)
    steps = [step for step in made.facts.next_steps if step.basis == "check"]
    assert [(step.text, step.origin) for step in steps] == [
        ("Verify with `pytest`, which passed in an earlier session.", "first")
    ]


def test_after_an_edit_no_check_has_passed_since() -> None:
    story = after(hand_off(shipped()))
    line = story.edit(CODE, "def export(rows):\n    return list(rows)\n") - 1
    story.says("Changed.")
    made = hand_off(story)
    lack = f"- not tested: no check has passed since the last edits of {CODE}"
    assert f"{lack} [#{line}]" in told(made)
    assert f"{lack} [#{line} of second]" in told(hops(made, 3))


def test_a_check_that_passed_again_speaks_for_itself() -> None:
    story = after(hand_off(shipped()))
    story.edit(CODE, "def export(rows):\n    return list(rows)\n")
    line = story.run("pytest", "13 passed in 1s")
    story.says("Changed.")
    made = hand_off(story)
    assert [(c.text, c.origin) for c in claims(made, "check", "lack")] == [
        ("`pytest` passed — 13 passed in 1s", "")
    ]
    assert [row for row in told(hops(made, 2)) if "pytest" in row] == [
        f"- tested: `pytest` passed — 13 passed in 1s [#{line} of hop-0]".replace("hop-0", "second")
    ]


def test_a_check_that_fails_now_is_not_told_to_have_passed() -> None:
    story = after(hand_off(shipped()))
    story.run("pytest", "FAILED tests/test_export.py::test_rows\n1 failed, 11 passed", 1)
    story.says("Red.")
    made = hand_off(story)
    assert not claims(made, "check")
    assert not any("12 passed in 1s" in row for row in made.text.split("\n"))


def test_another_check_that_passed_after_edits_leaves_no_older_one_unqualified() -> None:
    story = after(hand_off(shipped()))
    story.edit(CODE, "def export(rows):\n    return list(rows)\n")
    story.run("ruff check .", "All checks passed!")
    story.says("Linted.")
    assert [c.text for c in claims(hand_off(story), "check")] == [
        "`ruff check .` passed — All checks passed!"
    ]


def test_a_push_of_the_same_branch_takes_the_place_of_the_earlier_one() -> None:
    story = after(hand_off(shipped()))
    story.run("git commit -am 'Stream rows'", "[feat 5d6e7f8] Stream rows\n 1 file changed")
    line = story.run(
        "git push origin feat", "To github.com:acme/exporter.git\n   1a2b3c4..5d6e7f8  feat -> feat"
    )
    story.says("Pushed.")
    made = hand_off(story)
    assert [row for row in told(made) if row.startswith("- pushed")] == [
        f"- pushed: pushed feat -> feat (1a2b3c4..5d6e7f8) [#{line}]"
    ]
    assert [c.text for c in claims(made, "commit")] == [
        "commit 1a2b3c4 on feat: Export rows",
        "commit 5d6e7f8 on feat: Stream rows",
    ]


def test_a_commit_that_was_amended_is_told_by_its_new_id_alone() -> None:
    story = after(hand_off(shipped()))
    story.run("git commit --amend -m 'Export all rows'", "[feat 9a8b7c6] Export all rows\n 1 file changed")
    story.says("Amended.")
    made = hand_off(story)
    assert [c.text for c in claims(made, "commit")] == ["commit 9a8b7c6 on feat: Export all rows"]
    assert "the branch was rewritten since" in next(c.text for c in claims(made, "push"))
    later = [row for row in told(hops(made, 3)) if row.startswith("- pushed")]
    assert later == [
        "- pushed: pushed feat -> feat (abc1234..1a2b3c4); the branch was rewritten since and not pushed again"
        " [#8 of first]"
    ]


def test_a_commit_that_was_thrown_away_is_no_longer_told_as_done() -> None:
    story = after(hand_off(shipped()))
    story.run("git reset --hard HEAD~1", "HEAD is now at abc1234 Begin")
    story.says("Thrown away.")
    made = hand_off(story)
    assert not claims(made, "commit")
    lost = "no longer there since `git reset`: commit 1a2b3c4 (Export rows)"
    assert [c.text for c in claims(made, "loss")] == [lost]
    assert [c.text for c in claims(hops(made, 2), "loss")] == [lost]


def test_a_commit_that_was_reverted_is_no_longer_told_as_done() -> None:
    story = after(hand_off(shipped()))
    story.run("git revert --no-edit 1a2b3c4", '[feat 77aa88b] Revert "Export rows"\n 1 file changed')
    story.says("Reverted.")
    assert [c.text for c in claims(hand_off(story), "commit")] == [
        'commit 77aa88b on feat: Revert "Export rows"'
    ]


def test_commits_over_many_hops_are_the_last_ones_and_each_is_told_once() -> None:
    made = hand_off(shipped())
    for hop in range(10):
        story = after(made, f"hop-{hop}")
        story.run(f"git commit -am 'Step {hop}'", f"[feat abcdef{hop}] Step {hop}\n 1 file changed")
        story.says("Committed.")
        made = hand_off(story, budget=6000)
    assert [c.text.rpartition(" ")[2] for c in claims(made, "commit")] == ["4", "5", "6", "7", "8", "9"]
    assert [c.origin for c in claims(made, "commit")] == [*(f"hop-{n}" for n in range(4, 9)), ""]
    assert claims(made, "opening")


def test_a_carried_commit_does_not_name_the_branch_of_a_session_that_told_none() -> None:
    assert hops(hand_off(shipped()), 1).facts.source.branch == ""


def test_two_packets_in_one_session_tell_a_commit_once() -> None:
    first = hand_off(shipped())
    second = hops(first, 1)
    story = Story("third")
    story.prompt(first.text)
    story.prompt(second.text)
    story.says("Read both.")
    assert told(hand_off(story)) == HANDED_IN


def test_what_no_commit_holds_is_told_until_there_is_one() -> None:
    story = shipped()
    line = story.edit("src/late.py", "LATE = 1") - 1
    story.says("One more thing.")
    row = f"- pending: no commit was seen since the last edits of src/late.py [#{line} of first]"
    made = hops(hand_off(story), 4)
    assert row in told(made)
    story = after(made, "last")
    story.run("git commit -am 'Late'", "[feat 2b3c4d5] Late\n 1 file changed")
    story.says("Committed.")
    assert not claims(hand_off(story), "uncommitted")


def test_a_check_of_which_a_part_fails_now_is_not_told_to_have_passed() -> None:
    story = after(hand_off(shipped()))
    story.run("pytest tests/test_export.py", "FAILED tests/test_export.py::test_rows\n1 failed", 1)
    story.says("Red.")
    assert not claims(hand_off(story), "check")


def test_a_merge_request_is_told_and_carried_like_a_pull_request() -> None:
    url = "https://gitlab.com/acme/exporter/-/merge_requests/9"
    story = Story("first")
    story.prompt("Open a merge request.")
    story.run("glab mr create --fill", f"!9 Export rows\n {url}")
    story.says("Opened.")
    assert [c.text for c in claims(hops(hand_off(story), 2), "opening")] == [f"opened {url}"]
