"""What an earlier session was asked to do with the work, and what it asked itself, is open until somebody sees to it."""

from __future__ import annotations

import pytest

from segue.service.handoffs.walk import Draft, Source, draft

from .story import Story

QUESTION = "Which queue should the nightly jobs use, fast or slow?"


def hand_off(story: Story, goal: str = "finish the jobs") -> Draft:
    return draft(Source("pi", "s", story.entries), goal, budget=3000)


def after(made: Draft, name: str = "second") -> Story:
    story = Story(name)
    story.prompt(made.text)
    return story


def steps(made: Draft, basis: str) -> list[tuple[str, str]]:
    return [(step.text, step.origin) for step in made.facts.next_steps if step.basis == basis]


@pytest.fixture
def ordered() -> Draft:
    story = Story("first")
    story.prompt("Move the jobs to the queue. Commit it and open a pull request.")
    story.edit("jobs/a.py", "def a(): ...")
    story.says("Job a is moved.")
    return hand_off(story)


def test_an_order_that_nobody_carried_out_is_a_step_after_ten_hops(ordered: Draft) -> None:
    owing = [text for text, _ in steps(ordered, "owed")]
    assert len(owing) == 2
    made = ordered
    for hop in range(10):
        story = after(made, f"hop-{hop}")
        story.read("jobs/a.py")
        story.says("I looked at it.")
        made = hand_off(story)
    assert steps(made, "owed") == [(text, "first") for text in owing]


def test_an_order_that_the_next_session_carried_out_is_none(ordered: Draft) -> None:
    story = after(ordered)
    story.run("git commit -am 'Move job a'", "[jobs 1a2b3c4] Move job a\n 1 file changed")
    story.says("Committed.")
    made = hand_off(story)
    assert [text.partition(" when")[0] for text, _ in steps(made, "owed")] == ["Open the pull request"]
    story = after(made, "third")
    story.run("gh pr create --fill", "https://github.com/acme/jobs/pull/3")
    story.says("Opened.")
    assert steps(hand_off(story), "owed") == []


def test_an_order_that_the_person_took_back_is_none(ordered: Draft) -> None:
    story = after(ordered)
    story.prompt("Do not commit anything, and never open a pull request for it.")
    story.says("As you like.")
    made = hand_off(story)
    assert steps(made, "owed") == []
    assert steps(hand_off(after(made, "third")), "owed") == []


def test_an_order_that_is_given_again_is_told_once(ordered: Draft) -> None:
    story = after(ordered)
    story.prompt("Now job b, and commit it.")
    story.edit("jobs/b.py", "def b(): ...")
    story.says("Job b is moved.")
    told = steps(hand_off(story), "owed")
    assert [origin for text, origin in told if text.startswith("Commit")] == [""]
    assert [origin for text, origin in told if text.startswith("Open")] == ["first"]


@pytest.fixture
def asked() -> Draft:
    story = Story("first")
    story.prompt("Move the jobs to the queue.")
    story.edit("jobs/a.py", "def a(): ...")
    story.says(f"Job a is moved. {QUESTION}")
    return hand_off(story)


def test_a_question_that_nobody_answered_is_open_after_ten_hops(asked: Draft) -> None:
    made = asked
    for hop in range(10):
        story = after(made, f"hop-{hop}")
        story.prompt("continue")
        story.read("jobs/a.py")
        story.says("I looked at it.")
        made = hand_off(story)
    told = f'Settle what the agent asked and nobody answered: "{QUESTION}"'
    assert steps(made, "question") == [(told, "first")]


@pytest.mark.parametrize("reply", ["use the slow queue", "slow", "the fast one please"])
def test_a_question_that_the_person_answered_is_settled(asked: Draft, reply: str) -> None:
    story = after(asked)
    story.prompt(reply)
    story.says("Done.")
    assert steps(hand_off(story), "question") == []


def test_a_goal_that_speaks_of_the_question_answers_it() -> None:
    story = Story("first")
    story.prompt("Move the jobs to the queue.")
    story.says(f"Job a is moved. {QUESTION}")
    story = after(hand_off(story, "finish it with the slow queue"))
    story.says("Done.")
    assert steps(hand_off(story), "question") == []


def test_a_question_that_the_person_passed_over_is_still_open(asked: Draft) -> None:
    story = after(asked)
    story.prompt("Write the release notes for the importer first.")
    story.says("Written.")
    assert len(steps(hand_off(story), "question")) == 1
