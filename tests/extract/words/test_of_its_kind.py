"""Where there are few of a kind and one is wanted, the one wanted before is not; a series of corrections leaves the last."""

from __future__ import annotations

import pytest

from ..story import Story


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("The header must be blue.", "No, the header must be green."),
        ("The header must be blue.", "The header should be teal after all."),
        ("Error text in German.", "no, English"),
        ("The default theme must be dark.", "Change of plan: light is the default."),
        ("Keep the button on the left.", "no, on the right"),
        ("The padding should be 8px.", "no, 12px"),
    ],
)
def test_another_one_of_its_kind_replaces_the_first(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "replaced"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("The header must be blue.", "No, the footer must be green."),
        ("The header must be blue.", "The header must be sticky."),
        ("Comments in English.", "no, the docs in German please"),
        ("The header must be blue.", "The header must be green on phones as well."),
        (
            "Let's modify the grays in the dark theme.",
            "ok, now we need to adjust the light theme accordingly.",
        ),
        ("The left panel must stay.", "The right panel needs a scrollbar."),
        ("Never use blue in the header.", "No, the header must be green."),
    ],
)
def test_another_one_of_something_else_replaces_nothing(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "stands"


@pytest.mark.parametrize(
    "said",
    [
        ("The header must be blue.", "No, the header must be green.", "The header should be teal after all."),
        ("Name the command sync.", "no, call it mirror", "hm, call it replicate"),
        ("The padding should be 8px.", "no, 12px", "make it 10px"),
        ("Use 4 workers.", "no, 8 workers", "actually 6 is enough"),
        ("Retry 3 times.", "wait, 10 is enough"),
    ],
)
def test_of_a_series_of_corrections_the_last_one_stands(story: Story, said: tuple[str, ...]) -> None:
    for prompt in said:
        story.prompt(prompt)
        story.says("Done.")
    assert [word.text for word in story.index.words if not word.superseded_by] == [said[-1]]
