"""What the agent quoted of the code and an edit took away since is not told as how things are."""

from __future__ import annotations

import pytest

from .story import Story

EDITED = ("lib/registry.toml", 'backend = "new/plugin-a"', 'backend = "old/plugin-a"')


def told(story: Story, said: str, *, before: bool = False) -> list[str]:
    story.prompt("move the registry over")
    if before:
        story.edit(*EDITED)
    story.says(said)
    if not before:
        story.edit(*EDITED)
    story.says("I go on.")
    index = story.index
    return [note.text for note in (*index.notes, *index.said)]


@pytest.mark.parametrize(
    "said",
    [
        "The registry uses `old/plugin-a`, which nobody maintains.",
        "`lib/registry.toml` still points at `old/plugin-a`, not at the fork.",
        "Moved the registry from `some/plugin` to `old/plugin-a`, because the docs say so.",
    ],
)
def test_what_an_edit_took_away_is_not_told(story: Story, said: str) -> None:
    assert told(story, said) == []


@pytest.mark.parametrize(
    "said",
    [
        "The registry should move from `old/plugin-a` to `new/plugin-a`, because that one is maintained.",
        "`new/plugin-a` is ahead of `old/plugin-a`, so nothing is lost.",
        "The loader reads `backend` before the cache, so the order matters.",
        "The registry is read once, since it never changes.",
    ],
)
def test_what_the_edit_carries_out_or_leaves_is_told(story: Story, said: str) -> None:
    assert told(story, said) == [said]


def test_what_was_said_after_the_edit_is_told(story: Story) -> None:
    said = "The registry used `old/plugin-a` before, which nobody maintains."
    assert told(story, said, before=True) == [said]


def test_what_was_put_back_is_told(story: Story) -> None:
    said = "The registry uses `old/plugin-a`, which nobody maintains."
    path, new, old = EDITED
    story.prompt("move the registry over")
    story.says(said)
    story.edit(path, new, old)
    story.edit(path, old, new)
    story.says("I go on.")
    assert [note.text for note in story.index.said] == [said]


def test_a_cause_that_was_edited_away_is_told_as_mended(story: Story) -> None:
    assert told(story, "The root cause is `old/plugin-a` in the registry.") == [
        "mended since: The root cause is `old/plugin-a` in the registry."
    ]


def test_a_reason_that_tells_how_a_file_was_is_none(story: Story) -> None:
    story.prompt("move it")
    story.says("The registry is using `old/plugin-a`.")
    story.edit(*EDITED)
    assert [(file.path, file.why) for file in story.index.files] == [("lib/registry.toml", "")]
