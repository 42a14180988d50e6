"""Choices told in the present tense, with the reason or with what they are preferred to."""

from __future__ import annotations

import pytest

from .story import Story


@pytest.mark.parametrize(
    "said",
    [
        "I take the embedded store since it needs no server; the hosted one is rejected because it costs a hop.",
        "I prefer a ring buffer over a queue, because the reader may lag.",
        "I go for one manifest instead of nine, because the release is frozen.",
        "We stay on the old runtime since the image has nothing newer.",
        "The mirror is closed to us; I write the parser by hand instead.",
        "I sort in the database; a heap would be leaner, yet nobody maintains it, so I leave that aside.",
        "Ich nehme die Warteschlange statt der Abfrage, weil sie Neustarts übersteht.",
        "Je garde deux tables car la facture ne change plus.",
        "Prefiero un índice parcial en vez de una tabla nueva porque casi nada cambia.",
        "Предпочитаю очередь вместо опроса, потому что опрос грузит базу.",
        "我改用连接池而不是单个连接。",
        "ポーリングではなく通知を使います。",
    ],
)
def test_a_choice_with_its_reason_is_a_decision(story: Story, said: str) -> None:
    assert story.decided(said) == [said]


@pytest.mark.parametrize(
    "said",
    [
        "I use the debugger to see where it hangs because the logs are silent.",
        "I take a look at the logs because the run hangs.",
        "I prefer to read the tests first because they show the intent.",
        "I keep reading since nothing shows up.",
        "I leave the rest of the file as it is.",
        "I put the file aside and look at the next one.",
        "I move to the next controller. It has the route that we need.",
        "I run the tests again since the last run was cancelled.",
    ],
)
def test_what_is_only_done_next_is_no_decision(story: Story, said: str) -> None:
    assert story.decided(said) == []


def test_a_move_is_a_decision_with_what_was_weighed_against_it(story: Story) -> None:
    said = "I move to the streaming reader. I considered the mapped one, but it fails on pipes; so streaming stays."
    assert story.decided(said) == [said]


def test_a_choice_that_names_the_other_last_is_told_with_it(story: Story) -> None:
    said = "The helper is missing from the old runtime. I use the plain loop instead."
    assert story.decided(said) == [said]


@pytest.mark.parametrize(
    "said",
    [
        "J'ai choisi d'arrondir une fois par taux, parce que la loi le demande ; l'arrondi par ligne est écarté.",
        "I decided on one lock per slot, and polling was ruled out.",
        "Ich habe mich für Postgres entschieden, weil zwei Prozesse schreiben; SQLite ist verworfen.",
    ],
)
def test_what_is_given_up_for_a_choice_does_not_make_it_a_dead_end(story: Story, said: str) -> None:
    assert story.decided(said) == [said]
    assert not story.index.dead_ends


def test_a_choice_that_did_not_work_is_a_dead_end(story: Story) -> None:
    assert story.decided("We decided to use a mutex, but it did not work under load.") == []
    assert len(story.index.dead_ends) == 1
