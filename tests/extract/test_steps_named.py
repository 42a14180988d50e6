"""Steps that name a file or a prompt: only what the goal names is said to be named, and no ban is taken up."""

from __future__ import annotations

import pytest

from segue.extract.facts import select

from .story import Story


def steps(story: Story, goal: str = "") -> list[str]:
    return [step.text for step in select(story.index, goal, budget=4000)[0].next_steps]


def session(story: Story) -> Story:
    story.prompt("Add a save system to the game.")
    story.read("Assets/Scripts/SaveSystem.cs")
    story.edit("Assets/Scripts/Save/JsonStore.cs", action="created")
    story.says("The store writes JSON.")
    return story


@pytest.mark.parametrize("goal", ["Go on with the save system", "finish the save system tests"])
def test_a_file_that_was_only_read_is_not_where_a_goal_begins_that_shares_words_with_it(
    story: Story, goal: str
) -> None:
    told = steps(session(story), goal)
    assert not any("SaveSystem.cs" in step for step in told)
    assert "Begin with what was edited last: Assets/Scripts/Save/JsonStore.cs." in told


@pytest.mark.parametrize("goal", ["Port SaveSystem.cs", "look at Assets/Scripts/SaveSystem.cs again"])
def test_a_file_that_the_goal_spells_out_is_what_it_names(story: Story, goal: str) -> None:
    told = steps(session(story), goal)
    assert "Begin with what the goal names: Assets/Scripts/SaveSystem.cs." in told


def test_an_edited_file_that_shares_its_words_with_the_goal_is_what_it_is_about(story: Story) -> None:
    told = steps(session(story), "finish the json store")
    assert "Begin with what the goal is about: Assets/Scripts/Save/JsonStore.cs." in told


BANS = [
    "please do not touch src/legacy.rs, the lab has signed that file",
    "Don't change the wire format. And never rename the topics.",
    "Bitte nicht am Protokoll drehen.",
]
ORDERS = [
    "do not touch src/legacy.rs but port src/adc.rs",
    "Don't guess, measure it; then write the numbers down.",
    "The watchdog does not feed, look into it.",
    "Do not forget to update the register map.",
    "Never mind the watchdog, go on with the timer.",
]


def in_flight(story: Story, last: str) -> list[str]:
    story.prompt("Port the ADC driver to DMA.")
    story.edit("src/adc.rs")
    story.prompt(last)
    story.says("Understood.")
    story.call("Bash", "shell", command="probe-rs run selftest")
    return steps(story)


@pytest.mark.parametrize("last", BANS)
def test_a_ban_is_no_work_to_take_up(story: Story, last: str) -> None:
    assert in_flight(story, last)[0].startswith(
        'Take up "Port the ADC driver to DMA." and find out how far `probe-rs run selftest` got'
    )


@pytest.mark.parametrize("last", ORDERS)
def test_a_prompt_that_also_asks_for_something_is_taken_up(story: Story, last: str) -> None:
    assert in_flight(story, last)[0].startswith(f'Take up "{last}" and find out')


def test_a_promise_to_keep_a_ban_is_no_step(story: Story) -> None:
    story.prompt("Port the ADC driver to DMA.")
    story.edit("src/adc.rs")
    story.prompt("Do not touch src/legacy.rs.")
    story.says("I will leave it alone.")
    assert not any("legacy" in step for step in steps(story))


@pytest.mark.parametrize(
    ("output", "told"),
    [
        (
            "Tests: 12 passed, 1 failed\nCheckpointTests.SavesOnTrigger: Timeout value of 180000ms was exceeded",
            "CheckpointTests.SavesOnTrigger: Timeout value of 180000ms was exceeded",
        ),
        (
            "31 tests completed, 1 failed\nFareTest > surcharge() FAILED",
            "FareTest > surcharge() FAILED",
        ),
        ("3 failed, 9 passed in 0.4s", "3 failed, 9 passed in 0.4s"),
    ],
)
def test_a_failure_is_taken_up_by_what_fails_where_the_output_names_it(
    story: Story, output: str, told: str
) -> None:
    story.prompt("Get the tests green.")
    story.run("./gradlew test", output, 1)
    assert steps(story)[-1] == f"Make `./gradlew test` pass — {told}"
