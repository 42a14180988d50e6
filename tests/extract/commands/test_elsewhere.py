"""Commands that ran elsewhere than in the root of the project are told with the way there."""

from __future__ import annotations

import pytest

from ..story import Story

ROOT = "/home/me/app"
PASSED = "5 passed in 0.1s"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("cd web && pytest -q", "cd web && pytest -q"),
        (f"cd {ROOT}/web && pytest -q", "cd web && pytest -q"),
        ("cd web; DB=pg pytest -q", "cd web && DB=pg pytest -q"),
        ("cd 'my web' && pytest -q", "cd 'my web' && pytest -q"),
        ("cd ../other && pytest -q", "cd /home/me/other && pytest -q"),
        ("cd web && ls && cd .. && pytest -q", "pytest -q"),
        (f"cd {ROOT} && pytest -q", "pytest -q"),
        ("cd . && pytest -q", "pytest -q"),
        ("(cd web && ls) && pytest -q", "pytest -q"),
        ("cd $SRC && pytest -q", "pytest -q"),
        ("cd - && pytest -q", "pytest -q"),
        ("pytest -q", "pytest -q"),
    ],
)
def test_a_check_is_told_with_the_way_to_where_it_ran(story: Story, line: str, told: str) -> None:
    story.edit("web/a.py")
    story.run(line, PASSED)
    assert [text for state, text in story.claims if state == "tested"] == [f"`{told}` passed — {PASSED}"]
    assert [command.command for command in story.index.commands] == [told]


def test_the_same_check_in_two_places_is_told_twice(story: Story) -> None:
    story.edit("web/a.py")
    story.run("cd api && pytest -q", PASSED)
    story.run("cd web && pytest -q", PASSED)
    assert [
        text.partition("`")[2].partition("`")[0] for state, text in story.claims if state == "tested"
    ] == [
        "cd api && pytest -q",
        "cd web && pytest -q",
    ]


def test_a_failure_is_told_with_the_way_to_where_it_ran(story: Story) -> None:
    story.edit("web/a.py")
    story.run("cd web && pytest -q", "FAILED tests/test_a.py::test_one - assert 1 == 2\n1 failed", 1)
    (command,) = story.index.commands
    assert (command.state, command.last_bad.command) == ("open", "cd web && pytest -q")
