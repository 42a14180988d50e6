"""Words that ask the agent for nothing leave what was finished before them finished."""

from __future__ import annotations

import pytest

from segue.extract.steps import next_steps

from .story import Story


def _finished(story: Story, closing: str = "Committed as 1a2b3c4.") -> None:
    story.prompt("commit the retry fix")
    story.run("git commit -am 'Fix retry'", "[main 1a2b3c4] Fix retry\n 1 file changed, 1 insertion(+)")
    story.says(closing)


def _steps(story: Story) -> list[str]:
    return [step.text for step in next_steps(story.index, [], [], [], 0)]


@pytest.mark.parametrize("command", ["/review", "/simplify the parser", "/login returns 500, mend it"])
def test_a_command_to_the_agent_is_under_way(story: Story, command: str) -> None:
    _finished(story)
    story.prompt(command, via="command")
    assert (story.index.source.ended, len(story.index.turns)) == ("mid_turn", 2)


def test_a_command_that_the_person_ran_is_nothing_under_way(story: Story) -> None:
    _finished(story)
    story.add("user", "a b", by="person", via="shell", command="ls")
    assert story.index.source.ended == "finished"


@pytest.mark.parametrize(
    "said",
    [
        "thanks",
        "ok great, thank you!",
        "perfect. that's all for today",
        "exit",
        "👍",
        "🎉🎉",
        "vielen Dank!",
        "don't push again until I review",
        "Never deploy on Fridays.",
    ],
)
def test_words_that_ask_for_nothing_are_not_taken_up(story: Story, said: str) -> None:
    _finished(story)
    story.prompt(said)
    assert story.index.source.ended == "finished"
    assert not [text for text in _steps(story) if text.startswith(("Take up", "Go on with"))]


@pytest.mark.parametrize(
    "said", ["thanks, now push it", "great. add a test", "ok", "exit code 3 is wrong", "🚀", "all done"]
)
def test_words_that_ask_for_more_are_under_way(story: Story, said: str) -> None:
    _finished(story)
    story.prompt(said)
    assert story.index.source.ended == "mid_turn"


@pytest.mark.parametrize("said", ["👍", "yes, thanks", "perfect"])
def test_praise_that_answers_a_question_is_a_yes(story: Story, said: str) -> None:
    _finished(story, "Committed as 1a2b3c4.\n\nShall I push it?")
    story.prompt(said)
    assert story.index.source.ended == "mid_turn"


def test_a_ban_after_work_that_was_handed_in_without_a_word_takes_nothing_up(story: Story) -> None:
    story.prompt("commit the retry fix")
    story.run("git commit -am 'Fix retry'", "[main 1a2b3c4] Fix retry\n 1 file changed, 1 insertion(+)")
    story.prompt("don't push until I review")
    assert not [text for text in _steps(story) if text.startswith("Take up")]


def test_a_ban_in_the_midst_of_work_leaves_the_work_under_way(story: Story) -> None:
    story.prompt("rewrite the parser")
    story.edit("src/parser.py", "new", "old")
    story.prompt("don't touch the tests")
    assert _steps(story)[0].startswith('Take up "rewrite the parser"')
