"""A later word about something else leaves a rule standing, however alike the two are built."""

from __future__ import annotations

import pytest

from ..story import Story


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Use pnpm for everything.", "No, sort descending."),
        ("Use type hints.", "Actually, drop the sidebar."),
        ("Use conventional commits.", "Actually, put it in the footer."),
        ("Use pnpm.", "No, the other button."),
        ("Use pnpm.", "Actually, run the linter too."),
        ("Use pnpm, not npm.", "Actually use Redis for the cache."),
        ("Use pnpm, not npm.", "I changed my mind, make it a dropdown."),
        ("I prefer small functions.", "No, use pandas."),
        ("I prefer small functions.", "Actually, use pandas after all."),
        ("I prefer tabs.", "No, use sqlite."),
        ("I prefer short names.", "Actually, write it in Rust."),
        ("I like short commits.", "Wait, make the header sticky."),
    ],
)
def test_a_correction_that_does_not_fit_in_its_place_leaves_a_choice(
    story: Story, rule: str, later: str
) -> None:
    assert story.fate(rule, later) == "stands"


@pytest.mark.parametrize(
    ("rule", "between", "later"),
    [
        ("Use pnpm.", "Add a login page.", "No, use a modal."),
        ("Use pnpm.", "Add a login page.", "No, blue."),
        ("Use TypeScript.", "Plot the sales.", "Actually, use bars."),
    ],
)
def test_a_correction_is_about_the_prompt_before_it(
    story: Story, rule: str, between: str, later: str
) -> None:
    assert story.fate(rule, between, later) == "stands"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Use MySQL.", "Switch to MariaDB."),
        ("Use MySQL.", "No, use Postgres."),
        ("I prefer tabs.", "hmm, spaces please"),
        ("I prefer tabs.", "No, spaces."),
        ("Use a modal.", "Actually, use a drawer."),
        ("Use tailwind for styling.", "Revert that, I prefer plain css modules."),
        ("Use port 8080.", "No, 9090."),
    ],
)
def test_a_correction_that_fits_in_its_place_replaces_a_choice(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "replaced"
