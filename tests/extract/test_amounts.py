"""An amount that the person set otherwise is not told as what holds, wherever the agent had said it."""

from __future__ import annotations

import pytest

from .story import Story


def heard(story: Story, said: str, asked: str) -> Story:
    story.prompt("Fill the new table.")
    story.says(said)
    story.prompt(asked, via="queued")
    story.says("I go on with that.")
    story.run("ls")
    return story


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("I take 16 partitions since the planner is slow beyond that.", "make it 32 partitions please"),
        ("I decided on port 9090 because 8080 is taken by the proxy.", "the port should be 9191"),
        ("I chose a timeout of 30s because the far offices are slow.", "please use a timeout of 45s"),
    ],
)
def test_a_decision_says_that_its_amount_was_changed(story: Story, said: str, asked: str) -> None:
    assert [d.text for d in heard(story, said, asked).index.decisions] == [
        f"changed by the person since: {said}"
    ]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("I decided on 3 retries because the network is flaky.", "wait 5 seconds between the retries"),
        ("I decided on port 9090 because 8080 is taken.", "start another service on port 9191"),
        ("I decided on 3 workers because of the memory.", "the tests took 12 seconds, good"),
        ("Decision: keep 4 replicas, because one may die.", "add 2 more replicas for the read side"),
        ("I chose a timeout of 30s because the offices are slow.", "is a timeout of 45s possible?"),
    ],
)
def test_another_amount_changes_no_decision(story: Story, said: str, asked: str) -> None:
    assert [d.text for d in heard(story, said, asked).index.decisions] == [said]


def test_a_dead_end_is_told_without_an_amount_that_holds_no_more(story: Story) -> None:
    end = "One insert for the whole year fills the disk; that's a dead end"
    told = heard(story, f"{end}, so batches of 50k it is.", "use batches of 10k please")
    assert [dead.tried for dead in told.index.dead_ends] == [f"{end}."]


def test_a_statement_of_an_amount_that_holds_no_more_is_not_told(story: Story) -> None:
    said = "The backfill runs in batches of 50k because the table is hot."
    assert not heard(story, said, "use batches of 10k please").index.said
    assert heard(Story(), said, "use batches of 50k, as you do").index.said
