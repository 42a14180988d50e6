"""`Make that X` and `change the <noun> to X` replace the rule about the same thing, and no other."""

from __future__ import annotations

import pytest

from ..story import Story


def _replaced(story: Story, rules: str, later: str) -> list[str]:
    story.prompt(f"Build the client. {rules}")
    story.says("Understood, I start.")
    story.prompt(later)
    story.says("Done.")
    return [word.text for word in story.index.words if word.superseded_by]


@pytest.mark.parametrize(
    ("rules", "later", "gone"),
    [
        ("Retry 3 times on 503. Retry 5 times on 429.", "make that 4 times on 503", "Retry 3 times on 503."),
        ("Retry 3 times on 503. Retry 5 times on 429.", "make it 4 times on 429", "Retry 5 times on 429."),
        ("Use the name fetcher.", "change the name to grabber", "Use the name fetcher."),
        ("Use the name fetcher.", "ok, change the name from fetcher to grabber please", "Use the name fetcher."),
        ("Name the class Foo.", "change the class name to Bar", "Name the class Foo."),
        ("Use Redis for caching.", "make that Memcached for caching", "Use Redis for caching."),
    ],
)  # fmt: skip
def test_what_is_made_otherwise_replaces_its_rule(story: Story, rules: str, later: str, gone: str) -> None:
    assert _replaced(story, rules, later) == [gone]


@pytest.mark.parametrize(
    ("rules", "later"),
    [
        ("Retry 3 times on 503.", "make that 4 times on 429"),
        ("The name column must be unique.", "change the name to grabber"),
        ("Use the name fetcher.", "change the name in the header to Grabber"),
        ("Use the name fetcher.", "change the title to grabber"),
        ("Use the name fetcher.", "change the name to fetcher everywhere"),
        ("Name the class Foo.", "change the class to a dataclass"),
        ("Use pytest for the tests.", "change the tests to cover the parser"),
        ("Use the name fetcher.", "change the name to match the file"),
        ("The log level must be info.", "set the log file to debug.log"),
        ("Never change the log level.", "set the title to debug"),
        ("Use Redis for caching.", "make it fast for caching"),
    ],
)
def test_what_is_made_otherwise_leaves_other_rules_standing(story: Story, rules: str, later: str) -> None:
    assert _replaced(story, rules, later) == []


def test_the_words_that_replace_a_rule_are_told_as_a_correction(story: Story) -> None:
    _replaced(story, "Use the name fetcher.", "change the name to grabber")
    (later,) = (word for word in story.index.words if "grabber" in word.text)
    assert (later.kind, later.strength) == ("correction", 2)


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("The log level must be info.", "set the log level to debug"),
        ("The default color should be red.", "Change the default color to blue."),
        ("Use tabs for indentation.", "change the indentation to spaces"),
    ],
)
def test_what_a_thing_must_be_is_doubted_where_the_thing_is_changed(
    story: Story, rule: str, later: str
) -> None:
    assert _replaced(story, rule, later) == []
    assert [word.doubted_text for word in story.index.words if word.text == rule] == [later]
