"""A decision that the person objected to is not handed on as one that stands."""

from __future__ import annotations

import pytest

from .story import Story

CHOICE = "I'm using a write-behind queue instead of a transaction because the importer blocks otherwise."


@pytest.mark.parametrize(
    ("objection", "answer"),
    [
        ("hold on, why would we queue the writes? a transaction is what the importer needs", "You're right."),
        ("no, the importer must not queue anything", "Good catch, I overcomplicated this."),
        ("this queue in front of the importer doesn't look right to me", "Fair point. Removing it."),
        ("isn't a queue for one importer overkill?", "Oh, you're absolutely right. I'll drop it."),
        ("I don't want a queue there, the importer can wait for the transaction", "Understood, no queue."),
        ("one importer and a queue before it? the writes come in order anyway", "Good point, it goes."),
        ("please undo the write-behind queue, importer stays as it was", "My mistake, reverting."),
    ],
)
def test_a_choice_that_the_agent_took_back_is_not_to_be_made_again(
    story: Story, objection: str, answer: str
) -> None:
    story.prompt("make the import faster")
    chosen = story.says(CHOICE)
    objected = story.prompt(objection)
    story.says(answer)
    assert story.index.decisions == ()
    (dead,) = story.index.dead_ends
    assert dead.tried == f"dropped by the person: {CHOICE}"
    assert [at.line for at in dead.evidence] == [chosen, objected]


def test_a_choice_that_nobody_was_seen_to_take_back_stands_with_the_objection(story: Story) -> None:
    story.prompt("make the import faster")
    chosen = story.says(CHOICE)
    objected = story.prompt("no, the importer must not queue anything")
    story.says("Looking at the importer.")
    (decision,) = story.index.decisions
    assert decision.text == f"the person objected: {CHOICE}"
    assert [at.line for at in decision.evidence] == [chosen, objected]


@pytest.mark.parametrize(
    "reply",
    [
        "no, leave the header as it is",
        "great, now the settings page",
        "why is the footer grey?",
        "the queue of the importer looks fine, go on",
    ],
)
def test_a_prompt_about_something_else_leaves_a_choice_alone(story: Story, reply: str) -> None:
    story.prompt("make the import faster")
    story.says(CHOICE)
    story.prompt(reply)
    story.says("You're right, on it.")
    assert [decision.text for decision in story.index.decisions] == [CHOICE]


def test_an_objection_that_was_itself_given_up_leaves_a_choice_alone(story: Story) -> None:
    story.prompt("make the import faster")
    story.says(CHOICE)
    story.prompt("why would we queue in the importer?")
    story.says("Because each row takes a second there.")
    story.prompt("ok, then keep it")
    assert [decision.text for decision in story.index.decisions] == [CHOICE]
