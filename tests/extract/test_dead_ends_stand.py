"""Dead ends that give a reason stand, whatever is committed; and each says what it is about."""

from __future__ import annotations

import pytest

from .story import Story

FAILED = "Caching tiles in sqlite did not work out: the journal doubles every write on the tablets."


def dead_ends(story: Story) -> list[str]:
    return [end.tried for end in story.index.dead_ends]


def commit(story: Story, subject: str) -> None:
    story.run(f"git commit -am '{subject}'", f"[main 1a2b3c4] {subject}\n 2 files changed\n")


@pytest.mark.parametrize(
    "subject", ["Caching tiles on disk", "Caching tiles in sqlite blobs", "sqlite tiles"]
)
def test_no_commit_settles_a_dead_end_that_gives_a_reason(story: Story, subject: str) -> None:
    story.prompt("make the map fast")
    story.says(FAILED)
    commit(story, subject)
    assert dead_ends(story) == [FAILED]


def test_a_commit_settles_a_dead_end_without_a_reason(story: Story) -> None:
    story.prompt("make the map fast")
    story.says("Caching tiles in sqlite did not work.")
    commit(story, "Cache tiles in sqlite after fixing the journal")
    assert dead_ends(story) == []


def test_a_choice_of_the_very_thing_settles_a_dead_end(story: Story) -> None:
    story.prompt("make the map fast")
    story.says(FAILED)
    story.says("I decided to keep caching tiles in sqlite after all, with the journal off.")
    assert dead_ends(story) == []


@pytest.mark.parametrize(
    "given_up", ["I'm abandoning it and stay with flat files.", "I backed it out for good."]
)
def test_what_only_points_is_told_with_what_it_points_to(story: Story, given_up: str) -> None:
    story.prompt("make the map fast")
    story.says(f"{FAILED} {given_up}")
    assert dead_ends(story) == [f"{FAILED} {given_up}"]


def test_what_points_to_nothing_is_no_dead_end(story: Story) -> None:
    story.prompt("make the map fast")
    story.says("Right.\n\nI'm abandoning it and stay with flat files.")
    assert dead_ends(story) == []
