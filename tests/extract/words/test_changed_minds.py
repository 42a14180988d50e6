"""What a person thinks otherwise of, stops, or takes back without naming it."""

from __future__ import annotations

import pytest

from ..story import Story


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Error text in German please.", "The error text: I've reconsidered, make it English and let the .po files translate."),
        ("Error text in German please.", "I've reconsidered the error text: make it English by default."),
        ("Use Redis for the job queue.", "I've reconsidered Redis: a table in Postgres will do."),
        ("Name the flag --dry.", "I had second thoughts on the flag: call it --simulate."),
        ("Los mensajes de error en español.", "He cambiado de idea sobre los mensajes de error: mejor en inglés."),
        ("Les messages d'erreur en français.", "Les messages d'erreur : réflexion faite, mets-les en anglais."),
    ],
)  # fmt: skip
def test_what_is_reconsidered_is_replaced(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "replaced"
    assert story.index.words[-1].kind == "correction"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Error text in German please.", "I've reconsidered the log format: make it JSON."),
        ("Error text in German please.", "I haven't reconsidered the error text, keep it."),
        ("Never touch the error text.", "I've reconsidered the button text: make it English."),
    ],
)
def test_what_is_not_reconsidered_stands(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "stands"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("The cache TTL must be 5 minutes.", "I've reconsidered the cache: use Redis for it."),
        ("Keep the sidebar on the left.", "On second thought, move the sidebar to the right."),
        ("Nutze Redis als Cache.", "Ich hab's mir mit Redis anders überlegt, nimm Memcached."),
    ],
)
def test_a_rule_that_may_be_reconsidered_is_only_doubted(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "doubted"


def test_what_the_agent_put_there_instead_replaces_the_rule(story: Story) -> None:
    story.prompt("Migrate old data. Assume Europe/Berlin for those, most of our users are in Germany.")
    story.says("I write it.")
    story.prompt("Stop, legal objects. Use TimeZone.current at the moment of migration instead.")
    story.edit("m.swift", old="/* default Europe/Berlin */", new="s.map { $0.tz(TimeZone.current) }")
    story.says("Done.")
    (old,) = (word for word in story.index.words if word.text.startswith("Assume"))
    assert old.superseded_text == "Use TimeZone.current at the moment of migration instead."


@pytest.mark.parametrize(
    ("later", "fate"),
    [
        ("Stop, legal says we must not assume a location.", "doubted"),
        ("Wait, don't assume anything.", "doubted"),
        ("Stop, you must not log a location.", "stands"),
        ("Stop, you must not assume a user in the audit log.", "stands"),
    ],
)
def test_a_halt_casts_doubt_on_the_order_to_do_just_that(story: Story, later: str, fate: str) -> None:
    assert story.fate("Assume Europe/Berlin for those, our users are in Germany.", later) == fate


def test_what_should_have_been_done_corrects_what_was_asked(story: Story) -> None:
    rule = "The chip should use smooth-input while editing."
    later = "should have used smooth-input as inspiration, i wanted smooth-input like parts not the whole component"
    assert story.fate(rule, later) == "doubted"
    assert story.index.words[-1].kind == "correction"


@pytest.mark.parametrize(
    "later",
    [
        "Scratch that, the customer has upgraded: ESM only as at the start.",
        "Forget that, they have upgraded.",
        "Strike that, they have upgraded.",
        "Never mind that, the customer is gone.",
    ],
)
def test_that_is_the_last_order_of_the_prompt_before(story: Story, later: str) -> None:
    story.prompt("Split the package. Keep ESM only.")
    story.prompt("I'm on the train. One more wish: publish with CJS too, one customer still needs require().")
    story.prompt(later)
    gone = [word for word in story.index.words if word.superseded_by]
    assert [(word.text.partition(":")[0], word.superseded_in_part) for word in gone] == [
        ("One more wish", False)
    ]


@pytest.mark.parametrize(
    "later", ["Scratch that bug from the list.", "Scratch that, and thanks.", "Scrap that file."]
)
def test_nothing_is_taken_back_that_was_no_order(story: Story, later: str) -> None:
    story.prompt("Keep ESM only.")
    story.prompt("Looks good, thanks!")
    story.prompt(later)
    assert not [word for word in story.index.words if word.superseded_by]


def test_one_order_without_a_rule_is_taken_back_too(story: Story) -> None:
    story.prompt("Add a dark mode toggle.")
    story.prompt("Scratch that, do the login page first.")
    assert story.index.words[0].superseded_text == "Scratch that, do the login page first."
