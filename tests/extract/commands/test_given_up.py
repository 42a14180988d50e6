"""A way that failed and that the agent gives up is not taken again."""

from __future__ import annotations

import pytest

from ..story import Story

_REFUSED = "error: 403 Forbidden - GET https://npm.example.com/throttle - not in the allow list"


def _state(story: Story, command: str, said: str) -> str:
    story.run(command, _REFUSED, 1)
    story.says(said)
    story.edit("src/throttle.js", "export const throttle = 1", action="created")
    return story.index.commands[0].state


@pytest.mark.parametrize(
    "said",
    [
        "The registry does not have it, so that way is closed; I write it by hand.",
        "That's a dead end. I copy the ten lines we need.",
        "The proxy refuses it. I'll use the built-in timer instead.",
        "Installing it is not an option behind this proxy, so the timer does it.",
        "Das ist eine Sackgasse, ich schreibe es selbst.",
        "Le paquet est interdit, j'utilise setTimeout à la place.",
        "这条路行不通，我自己写。",
    ],
)
def test_what_the_agent_gives_up_is_not_open(story: Story, said: str) -> None:
    assert _state(story, "npm install throttle", said) == "resolved"


@pytest.mark.parametrize(
    "said",
    [
        "The registry refuses it. I'll look at the settings of the proxy.",
        "Is that a dead end?",
        "This might be a dead end, let me see.",
        "It is not a dead end: the token is missing.",
        "I use the timer instead for now and come back to it.",
        "Let me check the proxy instead.",
    ],
)
def test_what_the_agent_comes_back_to_stays_open(story: Story, said: str) -> None:
    assert _state(story, "npm install throttle", said) == "open"


@pytest.mark.parametrize("command", ["npm test", "git push", "gh pr create --fill", "go vet ./..."])
def test_what_judges_or_hands_in_the_work_is_not_given_up_by_going_another_way(
    story: Story, command: str
) -> None:
    assert _state(story, command, "That is a dead end, I look at the other file instead.") == "open"


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("The disk is full. I look at the smaller table instead.", "open"),
        ("One insert for all rows fills the disk; that's a dead end.", "resolved"),
    ],
)
def test_what_was_to_change_something_is_given_up_only_in_so_many_words(
    story: Story, said: str, state: str
) -> None:
    assert _state(story, "psql -d shop -f scripts/backfill_all.sql", said) == state


def test_what_was_given_up_and_tried_again_is_open_again(story: Story) -> None:
    assert _state(story, "npm install throttle", "That's a dead end.") == "resolved"
    story.run("npm install throttle", _REFUSED, 1)
    assert story.index.commands[0].state == "open"
