"""A claim that a later run or a later number corrects is not told; what nothing speaks against is."""

from __future__ import annotations

import pytest

from .story import Story

REFUSED = 'fatal: [edge-2]: FAILED! => {"msg": "proxy: cannot load the certificate: permission denied"}'


def told(story: Story) -> list[str]:
    story.says("I go on.")
    index = story.index
    return [note.text for note in (*index.notes, *index.said)]


@pytest.mark.parametrize(
    "claim",
    [
        "edge-2 is upgraded and the proxy is running again.",
        "The new proxy on edge-2 is live, so the old one can go.",
        "edge-2 läuft wieder, der alte Proxy kann weg.",
    ],
)
def test_what_is_said_to_run_and_fails_in_a_later_run_is_not_told(story: Story, claim: str) -> None:
    story.prompt("upgrade the edges")
    story.says(claim)
    story.run("ansible-playbook up.yml --limit edge-2", REFUSED, 2)
    assert told(story) == []


@pytest.mark.parametrize(
    "claim",
    [
        "edge-1 is upgraded and its proxy is running again, as the ticket wanted.",
        "edge-2 is not running yet, because the certificate has another owner.",
        "edge-2 should be live once the certificate is readable, not before.",
    ],
)
def test_what_a_later_failure_does_not_speak_against_is_told(story: Story, claim: str) -> None:
    story.prompt("upgrade the edges")
    story.says(claim)
    story.run("ansible-playbook up.yml --limit edge-2", REFUSED, 2)
    assert told(story) == [claim]


def test_a_failure_before_the_claim_does_not_correct_it(story: Story) -> None:
    claim = "edge-2 is upgraded and the proxy is running again, since the owner is right now."
    story.prompt("upgrade the edges")
    story.run("ansible-playbook up.yml --limit edge-2", REFUSED, 2)
    story.says(claim)
    story.run("ansible-playbook up.yml --limit edge-2", "ok=11 changed=1 failed=0")
    assert told(story) == [claim]


@pytest.mark.parametrize(
    "correction",
    [
        "31 Hz and not 40: I misjudged it, since the log was cut.",
        "It is not 40 Hz but 31, because the log was cut.",
    ],
)
def test_a_number_that_the_agent_took_back_is_not_told(story: Story, correction: str) -> None:
    story.prompt("make it faster")
    story.says("With two threads the sensor gives a steady 40 Hz, so one core is free.")
    story.says(correction)
    assert told(story) == [correction]


def test_a_number_that_was_measured_otherwise_since_is_not_told(story: Story) -> None:
    story.prompt("make it faster")
    story.says("With two threads the rate is a steady 40 Hz, so one core is free.")
    story.run("ros2 topic hz /points", "average rate: 31.07\n\tmin: 0.01s max: 0.12s")
    assert told(story) == []


@pytest.mark.parametrize(
    "claim",
    [
        "With two threads the rate is a steady 31 Hz, so one core is free.",
        "The window holds 40 readings, so the edge needs padding.",
    ],
)
def test_a_number_that_agrees_or_is_of_something_else_is_told(story: Story, claim: str) -> None:
    story.prompt("make it faster")
    story.says(claim)
    story.run("ros2 topic hz /points", "average rate: 31.07")
    assert told(story) == [claim]
