"""Orders that hold from now on and have no marker word, and the word that lifts what was said about something."""

from __future__ import annotations

import pytest

from segue.extract.words.signals import heard

from ..story import Story


@pytest.mark.parametrize(
    "sentence",
    ["Put tests in tests/unit", "Put fixtures under tests/data.", "run everything with -W error", "Build everything with -O2."],
)  # fmt: skip
def test_an_order_about_many_things_is_a_rule(sentence: str) -> None:
    signal = heard(sentence)
    assert signal is not None
    assert (signal.kind, signal.strength) == ("constraint", 1)


@pytest.mark.parametrize(
    "sentence",
    ["Put the test in tests/unit", "put this in the readme", "run everything again", "run everything", "put tests back"],
)  # fmt: skip
def test_an_order_about_one_thing_or_for_once_is_none(sentence: str) -> None:
    assert heard(sentence) is None


@pytest.mark.parametrize(
    ("rule", "later", "lifted"),
    [
        ("Always use feature branches.", "ignore what I said about feature branches", True),
        ("Work on feature branches only.", "Ignore what I told you about feature branches.", True),
        ("Always use feature branches.", "ignore what I said about the linter", False),
    ],
)
def test_what_was_said_about_something_is_lifted(story: Story, rule: str, later: str, lifted: bool) -> None:
    story.prompt(f"Build the importer for CSV files. {rule}")
    story.says("Understood, I start.")
    story.prompt(later)
    story.says("Done.")
    (old,) = (word for word in story.index.words if rule.rstrip(".") in word.text)
    assert bool(old.superseded_by) is lifted


@pytest.mark.parametrize(
    "sentence",
    [
        "drop windows, nobody uses it and the antivirus complains.",
        "ok: drop windows.",
        "Please drop windows.",
        "Ditch IE11.",
        "Mets la clé étrangère vers orders, pas vers orders_archive.",
    ],
)
def test_what_is_given_up_or_turned_down_is_a_firm_rule(sentence: str) -> None:
    signal = heard(sentence)
    assert signal is not None
    assert (signal.kind, signal.strength) == ("constraint", 2)


@pytest.mark.parametrize(
    "sentence",
    [
        "and sign the checksums with cosign keyless.",
        "Compress the release artifacts with zstd",
        "Ditch the Electron build.",
        "encrypt backups with age",
        "Expire the tokens after 1 hour.",
        "Assume Europe/Berlin for those.",
        "Pour le PDF prends la police DejaVu.",
    ],
)
def test_how_the_program_does_it_is_a_rule(sentence: str) -> None:
    signal = heard(sentence)
    assert signal is not None
    assert (signal.kind, signal.strength) == ("constraint", 1)


@pytest.mark.parametrize(
    "sentence",
    [
        "drop the table",
        "drop a comment in the PR",
        "drop the file into tmp",
        "drop it",
        "Rerun the tests with -v",
        "Escape the name in the header",
        "fix the bug in the parser",
        "Email the report to the team",
        "in the meantime do the docs for it",
        "I assume that it is done",
        "The plan reads as an answer to that review.",
        "Our users log in with a password",
        "tool execution uses to text color types",
    ],
)
def test_what_an_agent_does_once_is_no_rule(sentence: str) -> None:
    assert heard(sentence) is None


@pytest.mark.parametrize(
    ("prompt", "stated"),
    [
        ("Split the package. Node 20.", ["Node 20."]),
        ("accent #8abeb7\nerror cc6666\ntool error bg 3c2828", ["accent #8abeb7", "error cc6666", "tool error bg 3c2828"]),
        ("#b5bd68 is what the code block was in markdown", ["#b5bd68 is what the code block was in markdown"]),
        ("Step 20.", []),
        ("commit 3c2828", []),
    ],
)  # fmt: skip
def test_a_name_with_its_version_or_colour_is_stated(story: Story, prompt: str, stated: list[str]) -> None:
    story.prompt(prompt)
    assert [word.text for word in story.index.words] == stated


def test_a_list_of_facts_is_told_whole(story: Story) -> None:
    story.prompt("\n".join(f"pane {name} bg 28322{n}" for n, name in enumerate("abcdefgh")))
    assert len(story.index.words) == 8
