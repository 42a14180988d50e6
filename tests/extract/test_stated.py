"""Which plain sentences of a person state a fact that outlasts the turn."""

from __future__ import annotations

import pytest

from segue.extract.text.prose import plainly
from segue.extract.words.stated import states

from .story import Story

FACTS = [
    "Python 3.10 is the floor.",
    "We're still on React 17.",
    "Nobody but CI publishes packages.",
    "chunk size 50k rows.",
    "retention 30 days.",
    "Everything user-visible goes through i18n.",
    "The audit trail belongs to the platform team.",
    "The reviewers are allergic to default exports, by the way.",
    "Marketing hates modals.",
    "The nightly job owns that table.",
    "The CSV uses semicolons.",
    "Timestamps come in as local time.",
    "CI has no GPU.",
    "This repo is a monorepo with pnpm workspaces.",
    "There are two databases.",
    "fyi: the API keys rotate every Sunday.",
    "Die Fixtures gehören dem Plattform-Team.",
    "Nous sommes encore sur React 17.",
    "Los precios vienen en centavos.",
    "Os preços chegam em centavos.",
    "Мы всё ещё на Python 3.8.",
    "我们还在用 React 17。",
    "最低バージョンはPython 3.10です。",
]
PASSING = [
    "the tests are green now",
    "lint is failing",
    "it works now, thanks",
    "The button is broken on mobile.",
    "I tried it and nothing happened.",
    "I think the loader is slow.",
    "this is what I get",
    "you are on the branch already",
    "The page is still blank.",
    "the color is too bright",
    "all I see is getters",
    "confirm that the header is in the response",
    "commit and push",
    "exit status 1",
    "is the cache on?",
    "Der Build ist kaputt.",
    "Ça marche, merci.",
    "ありがとうございます。",
    "还是报错。",
]


@pytest.mark.parametrize("sentence", FACTS)
def test_how_something_is_is_a_fact(sentence: str) -> None:
    assert states(plainly(sentence))


@pytest.mark.parametrize("sentence", PASSING)
def test_what_passes_states_no_fact(sentence: str) -> None:
    assert not states(plainly(sentence))


def test_a_stated_fact_is_a_word_of_the_person_below_the_rules(story: Story) -> None:
    story.prompt("Write the loader. Python 3.10 is the floor. Use the csv module.")
    assert [(w.text, w.kind, w.strength) for w in story.index.words] == [
        ("Python 3.10 is the floor.", "stated", 1),
        ("Use the csv module.", "constraint", 1),
    ]


def test_what_a_program_wrote_around_it_is_no_fact_of_the_person(story: Story) -> None:
    story.prompt("$ make\nThe target is newer than the cache.\nerror: no rule\nwhy?")
    assert story.index.words == ()


def test_a_person_who_talks_all_day_is_not_told_in_full(story: Story) -> None:
    for n in range(60):
        story.prompt(f"Next one. The queue of shop{n} belongs to team{n}.")
    texts = [word.text for word in story.index.words]
    assert (len(texts), "shop0 " in texts[0], "shop59 " in texts[-1]) == (24, True, True)
