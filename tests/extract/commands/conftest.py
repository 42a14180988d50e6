"""Every session here is one in which work was asked for."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def begun(asked: None) -> None:
    pass
