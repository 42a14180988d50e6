"""What is taken up is what the person asked for, not what was said in passing."""

from __future__ import annotations

import pytest

from segue.extract.settled import todos
from segue.extract.steps import next_steps

from .story import Story

_ASKED = "Move the sessions into the new table."


def _first(story: Story) -> str:
    index = story.index
    return next_steps(index, [], todos(index, 0), [], 0)[0].text


def _stopped_after(story: Story, said: str) -> None:
    story.prompt(_ASKED)
    story.says("The table is there; the reader comes next.")
    story.edit("src/reader.py", "x = 1")
    story.prompt(said)
    story.says("Noted, I go on.")
    story.read("src/writer.py")


@pytest.mark.parametrize(
    "said",
    [
        "while you are at it: don't touch config/prod.exs, the ops team owns it.",
        "Don't edit web/src until the 20th, there is a freeze. And keep the lockfile as it is.",
        "[Image 1]",
        "[Image #1] [Image #2]",
        "go on. Should names with blanks be quoted? never mind, I ask the team.",
        "By the way, never run it against production.",
        "hmm wait. don't delete the old job yet, billing still uses it.",
        "Oh, and no new dependencies please.",
        "Bitte nicht die Tests anfassen. Nicht pushen.",
    ],
)
def test_an_aside_leaves_what_was_asked_before_under_way(story: Story, said: str) -> None:
    _stopped_after(story, said)
    assert _first(story) == f'Take up "{_ASKED}", which was under way when the session stopped.'


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "I'm back. Make the reader lazy, it eats memory. Don't push yet.",
            "Make the reader lazy, it eats memory.",
        ),
        ("Don't use a thread but a queue for the reader.", "Don't use a thread but a queue for the reader."),
        ("It never returns for an empty queue. Fix it.", "It never returns for an empty queue. Fix it."),
        ("Don't forget the writer, it has the same bug.", "Don't forget the writer, it has the same bug."),
        ("Keep the old column readable for one release.", "Keep the old column readable for one release."),
        ("Fix the lexer. Don't push.", "Fix the lexer. Don't push."),
        ("No, the other table: sessions_v2 it is.", "No, the other table: sessions_v2 it is."),
        ("[Image 1] the header overlaps, see the picture", "[Image 1] the header overlaps, see the picture"),
        ("Don't touch prod. Can the reader skip broken rows?", "Can the reader skip broken rows?"),
    ],
)
def test_what_asks_for_work_is_taken_up(story: Story, said: str, told: str) -> None:
    _stopped_after(story, said)
    assert _first(story) == f'Take up "{told}", which was under way when the session stopped.'


def test_after_an_aside_the_to_do_in_progress_comes_first_and_once(story: Story) -> None:
    story.prompt(_ASKED)
    story.todos(
        ("write the table", "completed"), ("move the reader", "in_progress"), ("write the notes", "pending")
    )
    story.prompt("while you are at it: don't touch config/prod.exs, the ops team owns it.")
    story.says("Noted, I go on.")
    story.read("src/writer.py")
    index = story.index
    told = [step.text for step in next_steps(index, [], todos(index, 0), [], 0)]
    assert told[:2] == ["Finish: move the reader", "Do: write the notes"]


def test_what_was_taken_back_is_not_taken_up(story: Story) -> None:
    story.prompt("Split the package.")
    story.says("Split.")
    story.prompt("Publish the old format as well.")
    story.prompt("Scratch that, never mind.")
    story.prompt("[Image 1]")
    story.edit("src/reader.py", "x = 1")
    assert "old format" not in _first(story)
