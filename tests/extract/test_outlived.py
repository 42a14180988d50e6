"""What was so when the agent said it and is not, or may not be, so any more is not told as if it were."""

from __future__ import annotations

import pytest

from .story import Story

pytestmark = pytest.mark.usefixtures("asked")


def told(story: Story) -> str:
    index = story.index
    return "\n".join(note.text for note in (*index.notes, *index.said))


@pytest.mark.parametrize(
    "said",
    [
        "The package doesn't have a top-level `NOTICE.md` file, so the scanner reports it as unknown.",
        "There is no `NOTICE.md` in this package, so the scanner reports it as unknown.",
        "The scanner reports it as unknown because `NOTICE.md` does not exist.",
    ],
)
def test_a_file_that_is_there_after_all_is_not_told_as_missing(story: Story, said: str) -> None:
    story.says(said)
    story.read("/home/me/app/NOTICE.md")
    story.says("Reading on.")
    assert "NOTICE.md" not in told(story)


@pytest.mark.parametrize(
    "said",
    [
        "The history has no `NOTICE.md` change after the tag, so the scanner reports it as unknown.",
        "`NOTICE.md` names every author, but not the year, so the scanner reports it as unknown.",
        "There is no `LEGAL.md` in this package, so the scanner reports it as unknown.",
    ],
)
def test_what_is_said_of_a_file_otherwise_stands(story: Story, said: str) -> None:
    story.says(said)
    story.read("/home/me/app/NOTICE.md")
    story.says("Reading on.")
    assert said in told(story)


def test_a_file_that_was_looked_at_before_is_told_as_missing(story: Story) -> None:
    story.read("/home/me/app/NOTICE.md")
    story.says("There is no `NOTICE.md` on the release branch, so the scanner reports it as unknown.")
    story.says("Reading on.")
    assert "no `NOTICE.md` on the release branch" in told(story)


@pytest.mark.parametrize("later", [True, False])
def test_that_work_is_not_committed_is_told_until_the_person_speaks(story: Story, later: bool) -> None:
    story.says("The two parsers share `read_row` now. The changes are uncommitted, not pushed either.")
    if later:
        story.prompt("now the docs")
    story.says("Reading on.")
    assert ("uncommitted" in told(story)) is not later
    assert "share `read_row`" in told(story)


@pytest.mark.parametrize(
    ("said", "mended"),
    [
        ("Verification is blocked by the old compiler: the parser needs 1.9 and this shell has 1.7.", True),
        ("Merging is blocked by a policy of theirs: two people have to look at the parser.", False),
    ],
)
def test_what_stood_in_the_way_of_a_check_that_passed_since_is_told_as_mended(
    story: Story, said: str, mended: bool
) -> None:
    story.says(said)
    story.run("pytest -q", "3 passed")
    (note,) = story.index.notes
    assert note.text == (f"mended since: {said}" if mended else said)


@pytest.mark.parametrize(
    ("gone", "said", "stands"),
    [
        ("SaveTicker.cs", "Adding a SaveTicker with 300 seconds, since the disk is slow.", False),
        ("ticker.cs", "The ticker waits 300 seconds, since the disk is slow.", True),
        ("SaveTicker.cs", "The SaveTimer waits 300 seconds, since the disk is slow.", True),
    ],
)
def test_what_is_about_a_thing_whose_file_is_gone_is_not_told(
    story: Story, gone: str, said: str, stands: bool
) -> None:
    story.says(said)
    story.edit(f"/home/me/app/{gone}", action="deleted")
    story.says("Reading on.")
    assert (said in told(story)) is stands
