"""Of what a very long session has more of than is remembered the number is told."""

from __future__ import annotations

import pytest

from segue.extract.text.overflow import Gone, counted, let_go, met_again

from .story import Story

KEPT = 1200


def last_line(story: Story, budget: int = 4000) -> str:
    return story.packet("go", budget).rstrip("\n").rpartition("\n")[2]


def many_runs(story: Story, number: int) -> None:
    story.prompt("Draw all of them.")
    for n in range(number):
        story.run(
            f"node tools/draw{n}.js", "Error: no such figure" if n % 10 == 0 else "drawn", int(n % 10 == 0)
        )


def test_commands_that_are_not_remembered_are_counted_with_those_that_failed(story: Story) -> None:
    many_runs(story, KEPT + 100)
    assert story.index.forgotten == ("100 earlier command lines, 10 of which failed when last run",)
    assert last_line(story).endswith(
        "; too long ago to be remembered: 100 earlier command lines, 10 of which failed when last run."
    )
    assert "too long ago" in last_line(story, 300)


def test_a_command_that_was_run_again_is_remembered(story: Story) -> None:
    many_runs(story, KEPT + 3)
    story.run("node tools/draw0.js", "drawn")
    assert story.index.forgotten == ("3 earlier command lines",)


def test_a_session_that_is_remembered_whole_says_nothing_of_it(story: Story) -> None:
    many_runs(story, 30)
    assert (story.index.forgotten, "too long ago" in last_line(story)) == ((), False)


def test_files_that_are_not_remembered_are_counted(story: Story) -> None:
    story.prompt("Rename foo to bar.")
    for n in range(3001):
        story.edit(f"src/f{n}.py")
    assert story.index.forgotten == ("1500 earlier files, all of which were changed",)


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        ({}, ()),
        ({"a": False}, ("1 cup",)),
        ({"a": True, "b": False}, ("2 cups, 1 of which broke",)),
        ({"a": True, "b": True}, ("2 cups, all of which broke",)),
    ],
)
def test_how_many_are_gone_is_told_in_words(gone: Gone, told: tuple[str, ...]) -> None:
    known: Gone = {}
    for name, apart in gone.items():
        let_go(known, name, apart)
    assert counted(known, "cup", "broke") == told


def test_what_is_met_again_is_not_gone() -> None:
    gone: Gone = {}
    let_go(gone, "a", True)
    met_again(gone, "b")
    met_again(gone, "a")
    assert gone == {}
