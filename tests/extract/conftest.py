"""Sessions to be told by a test."""

from __future__ import annotations

import pytest

from .story import Story


@pytest.fixture
def story() -> Story:
    return Story()


@pytest.fixture
def asked(story: Story) -> None:
    """The person has asked for something; nothing depends on the words."""
    story.prompt("go")
