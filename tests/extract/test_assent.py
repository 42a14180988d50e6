"""A reply that says nothing by itself is told with what it answers."""

from __future__ import annotations

import pytest

from segue.extract.facts import select
from segue.extract.words.assent import leans, referred

from .story import Story

OFFER = (
    "Both would work.\n\n1. **Cache** the rows for an hour.\n2. **Stream** the rows as they come.\n\n"
    "I would take the second, since memory is short. Which one do you want?"
)
TABLE = (
    "Three formats:\n\n| Option | Sent |\n|---|---|\n| A | name and version |\n| B | name only |\n\nWhich?"
)


@pytest.mark.parametrize(
    ("reply", "told", "to"),
    [
        ("let's do 2", OFFER, "2. Stream the rows as they come."),
        ("yes, do option 1", OFFER, "1. Cache the rows for an hour."),
        ("1 and 2", OFFER, "1. Cache the rows for an hour. 2. Stream the rows as they come."),
        ("the clients should do B instead.", TABLE, "B. name only"),
        ("yep", OFFER, "2. **Stream**"),
        ("go ahead", "Done with it.\n\nShall I push the branch?", "Done with it. Shall I push the branch?"),
        ("mach das", "Soll ich den Cache leeren?", "Soll ich den Cache leeren?"),
    ],
)
def test_a_reply_is_told_with_what_it_answers(reply: str, told: str, to: str) -> None:
    found = referred(reply, [(7, told)])
    assert found is not None and found.line == 7
    assert to.replace("2. **Stream**", "I would take the second") in found.text


@pytest.mark.parametrize(
    "reply",
    ["use 2 spaces", "add a retry to the uploader", "the timeout is 2", "why?", "now fix the login form"],
)
def test_a_reply_that_speaks_for_itself_is_told_alone(reply: str) -> None:
    assert referred(reply, [(7, OFFER)]) is None


def test_an_option_may_have_been_offered_a_message_earlier(story: Story) -> None:
    story.prompt("how could the import be faster?")
    offered = story.says(OFFER)
    story.prompt("how much work would that be?")
    story.says("About an hour for the first, a day for the second.")
    story.prompt("let's do 2")
    last = story.index.prompts[-1]
    assert (last.text, last.to, last.to_line) == ("let's do 2", "2. Stream the rows as they come.", offered)


def test_two_assents_are_two_prompts(story: Story) -> None:
    story.prompt("fix the parser")
    story.says("Fixed. Shall I commit?")
    story.prompt("yes")
    story.says("Committed. Shall I push?")
    story.prompt("yes")
    assert [p.to for p in story.index.prompts] == ["", "Fixed. Shall I commit?", "Committed. Shall I push?"]


def test_a_goal_that_only_consents_is_about_what_the_agent_proposed(story: Story) -> None:
    story.prompt("what next?")
    line = story.says("I would add a probe command for the mirror.")
    facts, _ = select(story.index, "let's do this", budget=1000)
    assert (facts.goal_to, facts.goal_to_line) == ("I would add a probe command for the mirror.", line)


def test_a_yes_or_no_with_something_behind_it_is_told_with_the_question(story: Story) -> None:
    story.prompt("port the theme")
    line = story.says("I ported it. Should I delete the old file as well?")
    story.prompt("no, keep it for the release")
    (word,) = story.index.words
    assert (word.to, word.to_line) == ("Should I delete the old file as well?", line)


def test_a_no_to_what_was_no_question_stands_alone(story: Story) -> None:
    story.prompt("port the theme")
    story.says("I ported it and deleted the old file.")
    story.prompt("no, keep it for the release")
    assert [word.to for word in story.index.words] == [""]


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Which format should be the default, CSV or JSON?", "JSON."),
        ("Which port shall it listen on?", "8080"),
        ("What shall I call the branch?", "fix-retries"),
        ("Where should the cache live?", "in Redis"),
        ("Which Python is the floor?", "Python 3.11"),
        ("Tabs or spaces?", "spaces please"),
        ("Shall I delete the old table?", "not yet"),
        ("Welche Datenbank soll es sein?", "Postgres."),
        ("How long should sessions last?", "30 days"),
        ("Soll ich die alten Tabellen löschen?", "nein"),
    ],
)
def test_a_word_or_two_is_told_with_the_question_that_wanted_it(question: str, reply: str) -> None:
    told = referred(reply, [(7, f"The first part is done. {question}")])
    assert told and told.text.endswith(question) and told.line == 7 and leans(reply)


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Shall I refactor it?", "run the tests"),
        ("Which port shall it listen on?", "write the docs first"),
        ("Which format should be the default, CSV or JSON?", "sort descending"),
        ("Shall I go on with the parser?", "fix lint"),
        ("Does it matter how it is stored?", "Postgres."),
        ("Which port shall it listen on?", "why?"),
    ],
)
def test_an_order_is_not_told_as_an_answer(question: str, reply: str) -> None:
    assert referred(reply, [(7, f"The first part is done. {question}")]) is None


def test_a_goal_of_one_word_is_no_answer() -> None:
    assert referred("release", [(7, "Done. Which port shall it listen on?")], spoken=False) is None
