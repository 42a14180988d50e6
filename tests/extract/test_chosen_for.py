"""What is chosen for a purpose replaces what was chosen for it before, however its name is spelled."""

from __future__ import annotations

import pytest

from .story import Story


@pytest.mark.parametrize(
    ("rule", "later", "replaced"),
    [
        ("Use SQLite for storage.", "Let's use Postgres for storage instead.", True),
        ("Use GraphQL for the gateway.", "Use plain REST for the gateway instead.", True),
        ("Use SQLite for storage.", "Use Redis for the cache instead of files.", False),
        ("Use SQLite for storage.", "Use Postgres for the reports.", False),
    ],
)
def test_another_choice_for_the_same_purpose_replaces_the_first(
    story: Story, rule: str, later: str, replaced: bool
) -> None:
    story.prompt(rule)
    story.prompt(later)
    old = next(word for word in story.index.words if word.text == rule)
    assert (old.superseded_text == later) is replaced
