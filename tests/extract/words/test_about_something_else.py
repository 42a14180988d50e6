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
        ("Use Biome.", "Nope, bold."),
        ("Verwende Postgres.", "不，用红色的按钮。"),
        ("Keep the logs for 14 days.", "No, 16 px."),
        ("Let's use Postgres.", "Hm, use lines."),
        ("Deploy to fra1 only.", "Deploy it now."),
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
        ("Page size is 25.", "Add a login page.", "No, 16."),
        ("Keep the logs for 14 days.", "Add a login page.", "No, 16 px."),
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
        ("Use Flask.", "Actually, use FastAPI."),
        ("Use MySQL.", "Nope, use Postgres after all."),
        ("Use tailwind for styling.", "Revert that, I prefer plain css modules."),
        ("Use port 8080.", "No, 9090."),
        ("Keep the logs for 14 days.", "No, 10."),
    ],
)
def test_a_correction_that_fits_in_its_place_replaces_a_choice(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "replaced"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("The minimum age is 18.", "The maximum age is 99."),
        ("The min length is 3.", "The max length is 30."),
        ("The lower bound is 0.", "Set the upper bound to 100."),
        ("Passwords have at least 8 characters.", "Passwords have at most 64 characters."),
        ("Titles must be over 10 characters.", "Titles must be under 60 characters."),
        ("The read timeout is 5 s.", "The write timeout is 9 s."),
        ("The retry delay is 2 seconds.", "The poll delay is 10 seconds."),
        ("Make the header 40px high.", "Make the footer 60px high."),
        ("Set the left padding to 8 px.", "Now set the right padding to 12 px."),
        ("Unit tests must finish in 10 s.", "Integration tests must finish in 60 s."),
        ("Table users must have 3 columns.", "Table orders must have 5 columns."),
        ("Names have at most 50 characters.", "Comments have at most 500 characters."),
        ("The timeout of the login page is 5 s.", "The timeout of the cart page is 9 s."),
        ("Keep the records for 30 days.", "Keep the audit logs for 90 days."),
        ("Keep module_a under 300 lines.", "Keep module_b under 500 lines."),
        ("Mobile breakpoints start at 480 px.", "Desktop breakpoints start at 1024 px."),
        ("Use 4 workers for the import.", "Use 8 workers for the export."),
    ],
)
def test_a_number_of_another_thing_leaves_a_number(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "stands"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("The minimum age is 18.", "No, the minimum age is 16."),
        ("The read timeout is 5 s.", "The read timeout must be 9 s."),
        ("Keep the logs for 30 days.", "Retain the logs for 10 days instead."),
        ("Passwords have at least 8 characters.", "Passwords have at least 12 characters."),
        ("Stay under 100 MB.", "No, stay under 80 MB."),
        ("Set retries to 3.", "Change retries to 5."),
        ("Bitte nutze Port 8080.", "Nein, doch lieber Port 9090."),
    ],
)
def test_another_number_of_the_same_thing_replaces_the_first(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "replaced"


@pytest.mark.parametrize(
    ("ban", "later"),
    [
        ("Never write to /etc.", "Write the docs now."),
        ("Never deploy on Friday.", "Deploy now."),
        ("Never log user emails.", "Actually, log user ids."),
        ("Don't rename the public functions.", "You may rename the private functions now."),
        ("Never restart the database server.", "Restart the web server now."),
        ("Don't write tests for the UI.", "Write tests for the API now."),
        ("Never send mails from tests.", "Send the mail to Ana now."),
        ("Don't edit generated files.", "You may alter the handwritten files now."),
        ("Never move the legacy tests.", "You can move the new tests now."),
        ("Don't use pandas.", "Actually, use polars after all."),
    ],
)
def test_the_same_act_on_another_thing_leaves_a_ban(story: Story, ban: str, later: str) -> None:
    assert story.fate(ban, later) == "stands"


@pytest.mark.parametrize(
    ("ban", "later"),
    [
        ("Don't use pandas.", "Actually, use pandas after all."),
        ("Do not use Redis.", "No, use Redis."),
        ("Don't run migrations.", "Actually, run the migrations after all."),
        ("Never run the slow tests.", "Run the slow tests from now on."),
        ("Don't touch the billing module.", "You can change the billing module now."),
    ],
)
def test_the_same_act_on_the_same_thing_lifts_a_ban(story: Story, ban: str, later: str) -> None:
    assert story.fate(ban, later) == "replaced"


def test_a_ban_is_lifted_and_not_the_wish_beside_it(story: Story) -> None:
    story.prompt("Don't use pandas. I prefer small functions.")
    story.prompt("Add a reader.")
    story.prompt("Actually, use pandas after all.")
    replaced = {word.text: word.superseded_text for word in story.index.words}
    assert replaced["Don't use pandas."] == "Actually, use pandas after all."
    assert replaced["I prefer small functions."] == ""


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Old records go to the archive.", "New records go to the table."),
        ("Write the docs in English.", "Now write the comments in German."),
        ("The primary button is blue.", "Now the secondary button is grey."),
        ("The source format is CSV.", "The target format is JSON."),
    ],
)
def test_a_choice_for_another_thing_leaves_a_choice(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "stands"


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Old records go to the archive.", "Old records go to the table now."),
        ("Write the docs in English.", "Now write the docs in German."),
        ("The primary button is blue.", "No, the primary button is grey."),
    ],
)
def test_another_choice_for_the_same_thing_replaces_the_first(story: Story, rule: str, later: str) -> None:
    assert story.fate(rule, later) == "replaced"


def test_a_port_is_known_a_prompt_later(story: Story) -> None:
    assert story.fate("Use port 8080.", "Add a login page.", "No, 9090.") == "replaced"
