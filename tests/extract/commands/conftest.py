"""A session in which work was asked for: nothing here depends on the words."""

from __future__ import annotations

import pytest

from ..story import Story


@pytest.fixture
def story(story: Story) -> Story:
    story.prompt("go")
    return story
