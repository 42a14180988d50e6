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
        ("We support Python 3.10.", "We need to support Python 3.9 as well, one customer is stuck on it."),
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


@pytest.mark.parametrize(
    "later",
    [
        "In the meantime do the import job as well: POST /import/v1/files must answer 409 when taken.",
        "Meanwhile do the import job: POST /import/v1/files must answer 409 when taken.",
        "Do the import job too: POST /import/v1/files must answer 409 when taken.",
    ],
)
def test_an_order_beside_the_first_one_does_not_withdraw_it(story: Story, later: str) -> None:
    story.prompt(
        "Importer 'files': two users can import the same files at the same time. Make that impossible."
    )
    story.prompt(later)
    story.edit("job.py", new="return 409  # the import is taken", old="return 200  # two users")
    story.says("Done.")
    assert not any(word.superseded_by or word.doubted_by for word in story.index.words)
