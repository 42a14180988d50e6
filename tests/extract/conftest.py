"""Sessions to be told by a test."""

from __future__ import annotations

import pytest

from .story import Story


@pytest.fixture
def story() -> Story:
    return Story()
