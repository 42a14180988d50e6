"""A ban falls to leave for the same act only; a complaint, the same rule again and small talk replace nothing."""

from __future__ import annotations

import pytest

from segue.extract.words.signals import heard

from ..story import Story


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Never delete rows from the orders table.", "Change of plan: we move the orders table from MySQL to Postgres."),
        ("Never ship without showing me the plan first.", "Change of plan: we ship to Oslo from Bergen."),
        (
            "Do not touch the payment module without asking me.",
            "Instead of the old payment module we now port the payment code from Java to Kotlin.",
        ),
        ("Never write to the prod bucket.", "Actually, rename the prod bucket variable to live bucket."),
        ("Never store card numbers in the logs.", "The logs are still full of card numbers, that's wrong."),
        ("So the aim now is a valid archive file with checksum.", "The archive checksum still says FAIL, don't tell me that."),
        ("Work in infra/ only.", "Hm, stop: I said infra/ only."),
        ("Don't rename public functions.", "I told you: don't rename public functions."),
        ("Must support Windows 12.", "Windows 12 is out since May."),
        ("Use Postgres for storage.", "sorry for shouting before"),
        ("Use Postgres for storage.", "hm, weird"),
        ("Use Postgres for storage.", "hm, looks good"),
        ("Only one PR per ticket.", "Two tickets are open now."),
        ("Always put fixtures in test/data.", "don't put binaries in test/data"),
        ("Use port 9090.", "Never use port 9191."),
    ],
)  # fmt: skip
def test_a_rule_outlives_what_only_shares_its_words(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "stands"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("No source changes, flags only.", "Source changes are allowed now in src/simd only."),
        ("Compiler flags only, no source changes.", "OK, source changes ARE allowed in src/simd/ only."),
        ("No new endpoints.", "New endpoints are allowed under /internal only."),
        ("Only one voucher per order.", "Up to three vouchers per order are allowed now."),
        ("At most two retries per call.", "Up to five retries per call are ok now."),
        ("Never touch the vendored code.", "You can change the vendored code now."),
        ("Never use eval in the parser.", "OK you can use eval in the parser after all."),
        ("Tests should be put in tests/unit.", "don't put them in tests/unit, tests/parser is better"),
        ("The function should be called load_rows.", "rename it to read_rows, load_rows is taken"),
        ("Write the changelog in Spanish.", "Change of plan: write the changelog in English."),
    ],
)
def test_a_rule_falls_to_what_allows_or_sets_the_same_thing(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "replaced"


@pytest.mark.parametrize(
    ("rule", "between", "back"),
    [
        ("Use port 8080.", "no, 9090", "go back to 8080"),
        ("Use port 8080.", "no, 9090", "sorry, back to 8080"),
        ("Use port 8080.", "no, 9090", "use 8080 again after all"),
        ("Use Vite for the build.", "Use webpack for the build instead.", "let's go back to Vite"),
        ("Verwende Port 5432.", "nein, 5433", "zurück zu 5432"),
    ],
)
def test_a_rule_that_is_returned_to_stands_again(story: Story, rule: str, between: str, back: str) -> None:
    assert story.fate(rule, between, back) == "stands"
    (left,) = (word for word in story.index.words if word.text == between)
    assert left.superseded_text == back


@pytest.mark.parametrize(
    "talk", ["port 8080 is blocked again", "run the tests again", "now back to the parser"]
)
def test_what_only_speaks_of_the_old_value_returns_to_nothing(story: Story, talk: str) -> None:
    assert story.fate("Use port 8080.", "no, 9090", talk) == "replaced"


@pytest.mark.parametrize(
    "said",
    [
        "Please use biblatex, wait no, use bibtex.",
        "Please use biblatex with biber, wait no, stay with bibtex.",
        "Please use biblatex with biber - no wait, stay with bibtex.",
        "Please use biblatex with biber, not bibtex... wait no, stay with bibtex, the server has no biber.",
    ],
)
def test_whoever_turns_within_a_sentence_means_its_end(story: Story, said: str) -> None:
    story.prompt(said)
    story.says("Done.")
    first, last = story.index.words
    assert first.text.startswith("Please use biblatex")
    assert first.superseded_text == last.text
    assert not last.superseded_by


@pytest.mark.parametrize(
    "talk",
    [
        "hm, go on", "hmm ok", "actually great work", "nope all good", "oh no", "sorry for shouting before", "nah it's fine",
        "wait, I love it",
    ],
)  # fmt: skip
def test_small_talk_corrects_nothing(talk: str) -> None:
    assert heard(talk) is None


@pytest.mark.parametrize(
    "said", ["no", "nope", "no, go ahead", "sorry, 9090", "sorry about that, 9090", "actually no"]
)
def test_a_refusal_is_no_small_talk(said: str) -> None:
    signal = heard(said)
    assert signal
    assert signal.kind == "correction"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Account is 441907.", "stated"),
        ("It is 34 MB.", "stated"),
        ("Submission is on 30 September.", "stated"),
        ("The limit is 34 MB.", "constraint"),
        ("Change in plan: all files in the root.", "correction"),
    ],
)
def test_a_number_that_is_told_is_a_fact_and_one_that_bounds_a_rule(said: str, kind: str) -> None:
    signal = heard(said)
    assert signal
    assert signal.kind == kind


def test_an_aside_about_oneself_states_nothing(story: Story) -> None:
    story.prompt("how was your weekend? mine was rainy")
    story.says("Fine.")
    assert not story.index.words


def test_a_word_that_replaces_one_rule_hides_no_other_that_it_may_replace(story: Story) -> None:
    story.prompt("Work on the ticket. Do not restart anything in prod. Never restart the api pods.")
    story.says("Understood.")
    story.prompt("You may restart the api pods in prod now.")
    story.says("Done.")
    wide, narrow = (word for word in story.index.words if "restart" in word.text and word.strength == 3)
    assert narrow.superseded_by
    assert not wide.superseded_by
    assert not wide.doubted_by


def test_a_rule_about_the_same_place_judges_no_other(story: Story) -> None:
    rule = "#b5bd68 is what the code block was in markdown"
    story.prompt(rule)
    story.prompt(
        "bullet in markdown should be same as in code in markdown.\nlink text should be same as accent"
    )
    (old,) = (word for word in story.index.words if word.text == rule)
    assert not (old.superseded_by or old.doubted_by)
