"""What a person gives up, undoes or renames takes the rule with it that asked for it, and no other."""

from __future__ import annotations

import pytest

from segue.extract.words.signals import heard

from ..story import Story


def _was_replaced(story: Story, rule: str, later: str) -> bool:
    story.prompt(f"Build the importer for CSV files. {rule}")
    story.says("Understood, I start.")
    story.prompt(later)
    story.says("Done.")
    old = [word for word in story.index.words if rule in word.text]
    return any(word.superseded_by for word in old)


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Use camelCase for JSON keys.", "snake_case for JSON keys please, scrap camelCase."),
        ("Must support Windows.", "Drop Windows support, Linux only."),
        ("Use Terraform for the buckets.", "Scrap Terraform, Pulumi for the buckets."),
        ("The exporter must support XLSX.", "We're dropping XLSX support."),
        ("Use LangChain for the agent loop.", "I decided to ditch LangChain altogether."),
        ("Always use dark mode in the screenshots.", "Abandon dark mode, the printer hates it."),
        ("Keep the Python 2 shims.", "Get rid of the Python 2 shims."),
        ("Must handle late-arriving records.", "Forget about late-arriving records."),
        ("Use gRPC between the services.", "Let's abandon gRPC and go with plain HTTP."),
        ("Use Sphinx for the docs.", "Drop Sphinx in favour of MkDocs."),
        ("Must stay compatible with IE11.", "IE11 is history."),
        ("Windows muss unterstützt werden.", "Windows-Support fällt weg, nur noch Linux."),
        ("Verwende Docker für die Tests.", "Streiche Docker, wir testen lokal."),
        ("Usa Redis para la caché.", "Quita Redis, usa Memcached para la caché."),
        ("Utilise Vue pour le frontend.", "Laisse tomber Vue, on prend Svelte."),
    ],
)
def test_what_is_given_up_takes_its_rule_with_it(story: Story, rule: str, later: str) -> None:
    assert _was_replaced(story, rule, later)


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Use Postgres for storage.", "Drop the table users_old in Postgres."),
        ("Keep the users table sorted by name.", "Drop the users table and recreate it."),
        ("Must support Windows.", "Drop the unused import in windows.py."),
        ("Must support Windows.", "Don't drop Windows support."),
        ("Must support Windows.", "Drop Windows support from the installer only."),
        ("Must handle empty rows.", "Drop empty rows."),
        ("Use gRPC between the services.", "Drop gRPC requests and use a retry."),
        ("Keep lunch orders in the orders table.", "Forget about lunch, keep going."),
        ("Use TypeScript for the client.", "Get rid of the TypeScript warnings."),
        ("Use Redux for the app state.", "Get rid of the console.log calls in the Redux store."),
        ("Use tabs, not spaces.", "Drop spaces everywhere."),
        ("Never use Redux.", "Drop Redux."),
        ("Always run the linter before a commit.", "Don't forget about the linter."),
        ("Verwende Postgres für die Daten.", "Vergiss nicht, Postgres neu zu starten."),
        ("Usa Redis para la caché.", "Borra la clave vieja de Redis."),
    ],
)
def test_what_is_done_to_data_or_in_one_place_lifts_no_rule(story: Story, rule: str, later: str) -> None:
    assert not _was_replaced(story, rule, later)


@pytest.mark.parametrize(
    ("rule", "later", "replaced"),
    [
        ("Name the branch feature/a.", "Rename the branch to feature/b.", True),
        ("Use branch feature/a.", "Rename the branch to feature/b.", True),
        ("Name the enemy class Goblin.", "Rename Goblin to Orc.", True),
        ("Call the guide Quickstart.", "Call it Getting Started instead.", True),
        ("Call the release candidate aurora.", "No, call it borealis.", True),
        ("Nenne den Dienst rechnung.", "Benenne den Dienst in faktura um.", True),
        ("Name the branch feature/a.", "Rename the variable in a.py.", False),
        ("Name the branch feature/a.", "Rename the column to created_at.", False),
        ("Use port 8080 for the server.", "Rename port to http_port.", False),
        ("Call the endpoint /v1/search.", "Please call it twice.", False),
        ("Call the release aurora.", "Let's call it a day instead.", False),
    ],
)
def test_another_name_replaces_the_one_that_the_thing_had(
    story: Story, rule: str, later: str, replaced: bool
) -> None:
    assert _was_replaced(story, rule, later) is replaced


@pytest.mark.parametrize(
    ("rule", "later", "replaced"),
    [
        ("Log at INFO level.", "Log at DEBUG level.", True),
        ("Logge auf INFO.", "Logge auf DEBUG.", True),
        ("Run the backfill nightly.", "Run the backfill weekly, nightly is too expensive.", True),
        ("Return 400 for invalid JSON.", "Return 422 for invalid JSON.", True),
        ("Keep staging on t3.medium.", "Put staging on t3.large.", True),
        ("Cap the frame rate at 60.", "Uncap the frame rate.", True),
        ("Log at INFO level.", "The audit service should log at DEBUG level.", False),
        ("Rotate the keys monthly.", "Rotate the logs weekly.", False),
        ("Return 404 for missing users.", "Return 403 for locked accounts.", False),
        ("Keep staging on t3.medium.", "Put the new logo on staging.", False),
        ("Pin numpy to 1.26.", "Unpin the toolbar.", False),
    ],
)
def test_a_level_a_pace_or_a_code_is_set_anew_for_the_same_thing(
    story: Story, rule: str, later: str, replaced: bool
) -> None:
    assert _was_replaced(story, rule, later) is replaced


@pytest.mark.parametrize(
    ("later", "replaced"),
    [("You may change config.yml now.", True), ("You may change other.yml now.", False)],
)
def test_leave_to_change_the_one_file_of_a_ban_lifts_it(story: Story, later: str, replaced: bool) -> None:
    assert _was_replaced(story, "Do not touch config.yml.", later) is replaced


@pytest.mark.parametrize(
    "said", ["Log the error to the end of the file.", "Add a nightly job.", "Return the rows."]
)
def test_a_request_for_one_thing_sets_no_level_and_no_pace(said: str) -> None:
    assert heard(said) is None
