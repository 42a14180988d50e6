"""A decision that the person changed later is told as changed, however friendly the words were."""

from __future__ import annotations

import pytest

from .story import Story


def decided(story: Story, choice: str, asked: str, answer: str) -> list[tuple[str, list[int]]]:
    story.prompt("Make it faster.")
    story.says(choice)
    story.prompt("Thanks, looks good so far.")
    story.says("Going on with the next file.")
    story.prompt(asked)
    story.says(answer)
    return [(fact.text, [at.line for at in fact.evidence]) for fact in story.index.decisions]


@pytest.mark.parametrize(
    ("choice", "asked", "answer"),
    [
        (
            "Decision: compile for armv8-a53 with link time optimisation.",
            "The lab has older boards too. So armv7-a53.",
            "Changing to armv7-a53.",
        ),
        (
            "I decided to build with clang-9 because the lab has it.",
            "the lab has moved on: clang-17 please",
            "Taking clang-17.",
        ),
        (
            "I decided on Kafka over NATS because the consumers replay.",
            "Ops has no room for it. Use Redis streams instead of Kafka.",
            "Redis streams it is.",
        ),
        (
            "Entscheidung: SQLite als Ablage, weil nichts zu installieren ist.",
            "Bitte nimm Postgres statt SQLite.",
            "Gut, Postgres.",
        ),
        (
            "I went with webpack because the plugins exist.",
            "we should build with esbuild, not webpack",
            "Moving the build.",
        ),
        (
            "I'll go with Redis as the cache since we already run it.",
            "Not Redis, please take Memcached.",
            "OK, Memcached it is.",
        ),
        (
            "I decided to use the csv module instead of pandas because it avoids a heavy dependency.",
            "Actually, use pandas after all.",
            "OK, using it.",
        ),
        (
            "I'll go with regexes rather than a parser because the grammar is small.",
            "Regexes won't do, write a real parser.",
            "OK.",
        ),
        (
            "Entscheidung: eine Datei statt Redis, weil nichts zu betreiben ist.",
            "Bitte nimm doch Redis.",
            "Gut.",
        ),
    ],
)
def test_a_decision_that_the_person_changed_says_so(
    story: Story, choice: str, asked: str, answer: str
) -> None:
    assert decided(story, choice, asked, answer)[0] == (f"changed by the person since: {choice}", [3, 6])


@pytest.mark.parametrize(
    ("choice", "asked", "answer"),
    [
        (
            "I decided on Kafka over NATS because the consumers replay.",
            "please use the Kafka client of the platform team, not NATS",
            "Taking their client.",
        ),
        (
            "I decided to keep the table in chapter2.tex because it is cited there.",
            "now do chapter3.tex",
            "Reading chapter3.tex.",
        ),
        (
            "I went with webpack because the plugins exist.",
            "is esbuild faster, not just webpack?",
            "It is, by a factor of four.",
        ),
        (
            "I went with a queue because the plugins are slow.",
            "the bug is in the cache of the loader, and not the queue",
            "Looking at the loader.",
        ),
        (
            "Decision: compile for armv8-a53 with link time optimisation.",
            "does armv7-a53 run it?",
            "It does not, for lack of the vector unit.",
        ),
    ],
)
def test_a_decision_that_nobody_changed_stands(story: Story, choice: str, asked: str, answer: str) -> None:
    assert decided(story, choice, asked, answer)[0] == (choice, [3])


@pytest.mark.parametrize(
    "asked",
    [
        "Good, don't use pandas anywhere.",
        "Is pandas slow?",
        "Remove the import of pandas from setup.",
        "Write the tests for it now.",
        "The old script used pandas.",
    ],
)
def test_who_only_speaks_of_what_was_rejected_changes_nothing(story: Story, asked: str) -> None:
    choice = "I decided to use the csv module instead of pandas because it avoids a heavy dependency."
    assert decided(story, choice, asked, "Done.")[0][0] == choice


def right_after(story: Story, choice: str, asked: str, answer: str) -> list[tuple[str, list[int]]]:
    story.prompt("Build the job store.")
    story.says(choice)
    story.prompt(asked)
    story.says(answer)
    return [(fact.text, [at.line for at in fact.evidence]) for fact in story.index.decisions]


@pytest.mark.parametrize(
    ("choice", "asked", "answer"),
    [
        (
            "I decided to use SQLite because it needs no server.",
            "No, use Postgres.",
            "Switching to Postgres.",
        ),
        ("I went with webpack because the plugins exist.", "no, go with vite please", "Vite then."),
        ("I decided to use 4 workers because of the cores.", "No, use 16.", "16 workers now."),
        ("Entscheidung: SQLite als Ablage, weil nichts fehlt.", "Nein, nimm Postgres.", "Gut, Postgres."),
    ],
)
def test_a_short_no_with_another_choice_changes_the_decision_right_before_it(
    story: Story, choice: str, asked: str, answer: str
) -> None:
    assert right_after(story, choice, asked, answer)[0] == (f"changed by the person since: {choice}", [3, 4])


@pytest.mark.parametrize(
    ("choice", "asked", "answer"),
    [
        ("I decided to use SQLite because it needs no server.", "No, sort descending.", "Sorted."),
        ("I decided to use SQLite because it needs no server.", "No, use 9090.", "Port 9090 now."),
        (
            "I decided to use SQLite because it needs no server.",
            "No, use SQLite with WAL.",
            "SQLite with WAL.",
        ),
        ("I decided to use SQLite because it needs no server.", "No problem, use it.", "SQLite it is."),
        ("I decided to use SQLite because it is easy. Shall I use tabs?", "No, use spaces.", "Spaces."),
        ("I decided to use SQLite because it needs no server.", "No, use the other file.", "Reading it."),
    ],
)
def test_a_no_to_something_else_changes_no_decision(
    story: Story, choice: str, asked: str, answer: str
) -> None:
    assert not right_after(story, choice, asked, answer)[0][0].startswith("changed by the person")
