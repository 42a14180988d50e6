"""Facts for a goal: what weighs most for the reader, judged once."""

from __future__ import annotations

import msgspec
import pytest

from segue.extract import facts
from segue.model.facts import Facts
from segue.model.turn import Index

from .story import Story, told


def test_the_first_and_the_last_prompt_and_rules_weigh_most(story: Story) -> None:
    for text in (
        "Build the importer.",
        "what is this",
        "Never push to main.",
        "and that",
        "hm",
        "ok then",
        "Ship it.",
    ):
        story.prompt(text)
        story.says("Fine.")
    by_score = sorted(story.facts("").prompts, key=lambda prompt: -prompt.score)
    assert {prompt.text for prompt in by_score[:3]} == {
        "Build the importer.",
        "Never push to main.",
        "Ship it.",
    }


def test_a_prompt_about_the_goal_weighs_more_than_without_it(story: Story) -> None:
    story.prompt("Build the importer.")
    story.prompt("The retry policy lives in the client.")
    for n in range(4):
        story.prompt(f"other matter {n} here now")
    score = {goal: story.facts(goal).prompts[1].score for goal in ("", "retry policy of the client")}
    assert score["retry policy of the client"] > score[""]


def test_changed_files_come_before_read_ones_and_those_of_the_goal_first(story: Story) -> None:
    story.prompt("go")
    story.edit("src/omega.py")
    story.edit("src/alpha.py")
    for n in range(5):
        story.read(f"src/read_{n}.py")
    paths = [file.path for file in story.facts("finish omega").files]
    assert paths[:2] == ["src/omega.py", "src/alpha.py"]


def test_files_that_were_asked_for_are_named_in_the_smallest_packet(story: Story) -> None:
    story.prompt("go")
    for n in range(300):
        story.read(f"src/f{n}.py")
    chosen = story.facts("", 300, include_files=("src/f0.py", "docs/new.md"))
    assert [file.path for file in chosen.files if file.wanted] == ["docs/new.md", "src/f0.py"]


def test_symbols_that_the_goal_names_come_first(story: Story) -> None:
    story.prompt("go")
    story.edit(
        "src/a.py", new="\n".join(f"def helper_{n}_do(): pass" for n in range(20)) + "\ndef nextDelay(): x"
    )
    (file,) = story.facts("the delay between retries").files
    assert file.symbols[0] == "nextDelay"


def test_failing_lines_weigh_more_than_those_that_went_well(story: Story) -> None:
    story.prompt("go")
    story.run("pytest tests/a.py", "1 failed in 0.1s", 1)
    for n in range(9):
        story.run(f"make part{n}", "done")
    best = max(story.facts("").commands, key=lambda command: command.score)
    assert best.state == "failing"


def test_a_failure_long_ago_is_still_told(story: Story) -> None:
    story.prompt("go")
    story.run("pytest tests/a.py", "1 failed in 0.1s", 1)
    for n in range(200):
        story.run(f"node tools/draw{n}.js now", "drawn")
    assert "`pytest tests/a.py` exit 1" in told(story.packet(), "Failing")


def test_an_edit_after_a_failure_is_told_only_where_a_check_could_judge_it(story: Story) -> None:
    story.prompt("go")
    story.run("pytest", "1 failed in 0.1s", 1)
    story.edit("README.md")
    story.edit("/tmp/try.py")
    assert [command.edited_since for command in story.facts().commands] == [0]
    story.edit("src/a.py")
    assert [bool(command.edited_since) for command in story.facts().commands] == [True]


@pytest.mark.parametrize("undone", ["failed", "put back"])
def test_an_edit_that_left_nothing_is_no_edit_since_a_failure(story: Story, undone: str) -> None:
    story.prompt("go")
    story.run("pytest", "1 failed in 0.1s", 1)
    story.edit("src/a.py", ok=undone != "failed")
    if undone == "put back":
        story.run("git checkout -- src/a.py")
    assert [command.edited_since for command in story.facts().commands] == [0]


def test_index_and_facts_survive_a_round_trip(story: Story) -> None:
    story.prompt("Never push. Why?")
    story.edit("a.py")
    story.run("pytest | tail -1", "1 failed in 0.1s")
    story.todos(("x", "pending"))
    story.add("plan", "y")
    story.asks("z?")
    built, chosen = story.index, story.facts()
    assert msgspec.json.decode(msgspec.json.encode(built), type=Index) == built
    assert msgspec.json.decode(msgspec.json.encode(chosen), type=Facts) == chosen


def test_the_same_index_and_goal_give_the_same_facts(story: Story) -> None:
    story.prompt("Never push.")
    story.edit("a.py")
    built = story.index
    assert facts.select(built, "go") == facts.select(built, "go")
    assert built == story.index


def test_only_the_last_summary_is_told(story: Story) -> None:
    story.prompt("go")
    story.add("summary", "The first half is done.")
    story.add("compaction")
    story.add("summary", "The second half is done.")
    story.says("On.")
    text = story.packet()
    assert "The second half is done." in text
    assert "The first half is done." not in text


def test_a_recap_is_no_summary(story: Story) -> None:
    story.prompt("go")
    story.add("summary", "Next: push the branch.", via="recap")
    assert story.index.summaries == ()
