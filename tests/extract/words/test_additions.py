"""What is wanted as well leaves standing what was wanted before."""

from __future__ import annotations

import pytest

from ..story import Story


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("We support Python 3.10.", "We need to support Python 3.9 as well."),
        ("Use Python 3.10.", "We need to support Python 3.9 as well"),
        ("We support Python 3.10.", "We need to support Python 3.9 too."),
        ("We support Python 3.10.", "We also need to support Python 3.9."),
        ("We support Python 3.10.", "Also support Python 3.9."),
        ("We support Python 3.10.", "Additionally, we support Python 3.9."),
        ("Verwende Python 3.10.", "Verwende auch Python 3.9."),
        ("Usa Python 3.10.", "Usa también Python 3.9."),
        ("Utilise Python 3.10.", "Utilise aussi Python 3.9."),
    ],
)
def test_an_addition_replaces_nothing(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "stands"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Use port 8080.", "Also, use port 9090 instead of 8080."),
        ("Don't push.", "You can push now too."),
        ("We support Python 3.10.", "We need to support Python 3.9."),
        ("Keep the logs for 30 days.", "30 days is too long for them, 10 it is. Tell the team as well."),
    ],
)
def test_what_only_begins_as_an_addition_replaces(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "replaced"
