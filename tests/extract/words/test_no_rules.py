"""What a person says that rules nothing: questions, small talk, what is done with one act, and the same thing again."""

from __future__ import annotations

import pytest

from segue.extract.words.signals import heard

from ..story import Story


@pytest.mark.parametrize(
    "question",
    [
        "Can we record a rosbag in the demo without losing rate?",
        "Will it work without the flag?",
        "Would the tests pass without network?",
        "Can you explain why it must be called twice?",
        "Can you check whether we only log errors?",
    ],
)
def test_who_wants_to_know_something_rules_nothing(question: str) -> None:
    assert heard(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "Can you make sure that it never blocks?",
        "Could you please not touch the schema?",
        "Could we avoid the extra query?",
        "could you only change the header?",
    ],
)
def test_who_asks_politely_is_firm(question: str) -> None:
    signal = heard(question)
    assert signal is not None
    assert signal.strength == 2


@pytest.mark.parametrize(
    "order",
    ["commit only the version command for now", "Just push the docs for now.", "ok, merge only the parser for the moment"],
)  # fmt: skip
def test_what_one_act_fulfils_is_no_standing_rule(order: str) -> None:
    assert heard(order) is None


@pytest.mark.parametrize(
    "rule", ["Don't commit for now.", "Only commit when the tests pass.", "Keep the old API for now."]
)
def test_what_holds_until_it_is_lifted_is_one(rule: str) -> None:
    assert heard(rule) is not None


def test_a_version_with_a_remark_behind_it_is_a_line_of_a_form() -> None:
    assert heard("Next.js version: 16.2.4 (Turbopack)") is None
    assert heard("Python version: 3.12 or newer") is not None


def test_small_talk_states_nothing(story: Story) -> None:
    story.prompt("good. my tea is cold by now lol. My cat is on the keyboard. my machine has 16 GB.")
    assert [word.text for word in story.index.words] == ["my machine has 16 GB."]


def test_a_smiley_ends_a_sentence(story: Story) -> None:
    story.prompt("The kids think he is great :-) You may use 2 cores at most, the camera needs the others.")
    (word,) = story.index.words
    assert (word.text, word.kind) == (
        "You may use 2 cores at most, the camera needs the others.",
        "constraint",
    )


def test_a_refusal_whose_reasons_are_rules_is_told_as_these(story: Story) -> None:
    story.prompt(
        "No! never connect to shop_prod, not even for reads. Use the snapshot shop_snap.", via="rejection"
    )
    assert [word.text for word in story.index.words] == [
        "never connect to shop_prod, not even for reads.",
        "Use the snapshot shop_snap.",
    ]


def test_a_refusal_is_told_with_what_would_be_lost_without_it(story: Story) -> None:
    story.prompt("no, that's horrible.\n- never use red\n- it was fine in the old version")
    assert story.index.words[0].text == (
        "no, that's horrible. - never use red - it was fine in the old version"
    )


def test_what_can_happen_is_stated_and_not_wished_for(story: Story) -> None:
    story.prompt("Plugin 'booking': two visitors can book the same slot at the same time.")
    story.prompt("Figures: viridis palette, captions in the qmd.")
    assert [word.kind for word in story.index.words] == ["stated", "constraint"]


def test_what_is_dismissed_is_told_with_the_question(story: Story) -> None:
    story.prompt("go on. Should names with spaces be quoted? never mind, ask the docs team.")
    (word,) = story.index.words
    assert word.text == "Should names with spaces be quoted? never mind, ask the docs team."


@pytest.mark.parametrize(
    "report",
    [
        "ok, i manually removed almost all uses of it, except for the border.",
        "I built it without the cache",
        "we've already shipped everything except the docs",
        "alright, i think there's only one file left to fix up, read it in full",
    ],
)
def test_what_a_person_did_or_counts_is_stated(report: str) -> None:
    signal = heard(report)
    assert signal is not None
    assert (signal.kind, signal.strength) == ("stated", 1)


@pytest.mark.parametrize(
    "rule",
    [
        "I removed it, so leave it out.",
        "I wanted only the header",
        "we've decided to keep only v2",
        "I need it without the cache",
        "I fixed the tests, only touch docs now",
        "There's only one file left, keep it as it is.",
    ],
)
def test_what_a_person_wants_after_what_they_did_is_firm(rule: str) -> None:
    signal = heard(rule)
    assert signal is not None
    assert signal.strength == 2
