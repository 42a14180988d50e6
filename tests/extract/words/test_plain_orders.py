"""Orders that hold from now on and have no marker word, and the word that lifts what was said about something."""

from __future__ import annotations

import pytest

from segue.extract.words.signals import heard

from ..story import Story


@pytest.mark.parametrize(
    "sentence",
    ["Put tests in tests/unit", "Put fixtures under tests/data.", "run everything with -W error", "Build everything with -O2."],
)  # fmt: skip
def test_an_order_about_many_things_is_a_rule(sentence: str) -> None:
    signal = heard(sentence)
    assert signal is not None
    assert (signal.kind, signal.strength) == ("constraint", 1)


@pytest.mark.parametrize(
    "sentence",
    ["Put the test in tests/unit", "put this in the readme", "run everything again", "run everything", "put tests back"],
)  # fmt: skip
def test_an_order_about_one_thing_or_for_once_is_none(sentence: str) -> None:
    assert heard(sentence) is None


@pytest.mark.parametrize(
    ("rule", "later", "lifted"),
    [
        ("Always use feature branches.", "ignore what I said about feature branches", True),
        ("Work on feature branches only.", "Ignore what I told you about feature branches.", True),
        ("Always use feature branches.", "ignore what I said about the linter", False),
    ],
)
def test_what_was_said_about_something_is_lifted(story: Story, rule: str, later: str, lifted: bool) -> None:
    story.prompt(f"Build the importer for CSV files. {rule}")
    story.says("Understood, I start.")
    story.prompt(later)
    story.says("Done.")
    (old,) = (word for word in story.index.words if rule.rstrip(".") in word.text)
    assert bool(old.superseded_by) is lifted
