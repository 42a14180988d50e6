"""A failure that the agent puts down to something else."""

from __future__ import annotations

import pytest

from ..story import Story
from .printed import FAILED


@pytest.mark.parametrize(
    "said",
    [
        "That failure is pre-existing: it fails on main as well.",
        "This is an artifact of the sandbox, which has no network, not of the change.",
        "The failing test is unrelated to this work.",
        "Der Test war schon vorher kaputt.",
        "That run hit a setup issue: the tests expect a global registry.",
    ],
)
def test_a_failure_that_the_agent_puts_down_to_something_else_is_not_open(story: Story, said: str) -> None:
    story.run("pytest tests/test_net.py", FAILED, 1)
    story.says(said)
    assert story.states == {"pytest tests/test_net.py": "resolved"}
    story.run("pytest tests/test_net.py", FAILED, 1)
    assert story.states == {"pytest tests/test_net.py": "open"}


@pytest.mark.parametrize(
    "said",
    [
        "Let me check whether this is pre-existing.",
        "It might be unrelated to this work.",
        "Is this pre-existing?",
        "This is not a pre-existing failure.",
        "My change broke it, unrelated to the earlier timeout.",
        "The failure is not from the socket code; the cache is not primed yet.",
        "The sandbox flag is parsed in the wrong place.",
    ],
)
def test_a_doubt_explains_no_failure(story: Story, said: str) -> None:
    story.run("pytest tests/test_net.py", FAILED, 1)
    story.says(said)
    assert story.states == {"pytest tests/test_net.py": "open"}
