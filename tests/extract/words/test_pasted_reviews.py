"""Reviews that a person pastes are not the person's rules; plans that they adopt are."""

from __future__ import annotations

from ..story import Story

_POINTS = """
1. **The importer swallows errors.** Never catch the base class here, only the parse error. That hides what the operator must
   see, and the retry loop makes it worse since it runs without a limit. Spelled out: the queue fills, the worker restarts.

2. **Commit 3 mixes two things.** It should be split into the counting and the tests, so that each part can be read alone and
   taken back alone. The tests belong with the code that they cover, and the docs last.

3. **The flag is decided too late.** Make that decision before the first commit, not in the middle of the work. It is one
   line to check whether the parser accepts it, and there is no reason to defer it.

Otherwise the order of the steps and their scope are right. Keep the first commit free of changes in behaviour.
"""


def test_a_review_point_by_point_is_pasted(story: Story) -> None:
    story.prompt("The revised plan holds up. Three things I'd still flag before you start:\n" + _POINTS)
    words = story.index.words
    assert words
    assert {(word.kind, word.strength) for word in words} == {("pasted", 1)}


def test_points_that_the_person_tells_to_do_are_theirs(story: Story) -> None:
    story.prompt("Implement the review:\n" + _POINTS)
    assert "constraint" in {word.kind for word in story.index.words}


def test_a_plan_in_points_is_no_review(story: Story) -> None:
    story.prompt("This is how the importer has to work.\n" + _POINTS)
    assert "pasted" not in {word.kind for word in story.index.words}
