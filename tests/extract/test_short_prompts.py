"""A short prompt is told as any other, unless it only lets the agent go on."""

from __future__ import annotations

import pytest

from segue.extract import facts

from .story import Story


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("make a pr", True),
        ("okay open PR", True),
        ("ship it", True),
        ("bump deps", True),
        ("コミットして", True),
        ("ok", False),
        ("yes, please continue", False),
        ("go on!", False),
        ("2", False),
    ],
)
def test_a_short_prompt_that_asks_for_something_is_told(story: Story, prompt: str, told: bool) -> None:
    story.prompt("Write the importer for the new files.")
    story.prompt(prompt)
    story.prompt("Now look at the failing checks of the importer.")
    chosen, _ = facts.select(story.index, "", budget=4000)
    asked = [quote.text for quote in chosen.objective.shifts]
    words = [word.text for word in chosen.words]
    assert (prompt in (*asked, *words)) is told
