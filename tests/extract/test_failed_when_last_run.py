"""A failure that nobody looked at again after edits may be mended; a tool that is not there is no failing check."""

from __future__ import annotations

import pytest

from segue.extract.facts import select
from segue.model.facts import CommandFact

from .story import Story

FAILED = "FAILED tests/test_a.py::test_b - AssertionError\n1 failed, 3 passed in 0.41s\n"


def runs(story: Story) -> list[CommandFact]:
    return list(select(story.index, "go on", budget=4000)[0].commands)


def steps(story: Story) -> list[str]:
    return [step.text for step in select(story.index, "go on", budget=4000)[0].next_steps]


@pytest.fixture
def story(story: Story) -> Story:
    story.prompt("mend the retry")
    return story


def test_a_failure_before_a_later_edit_is_not_known_to_fail_now(story: Story) -> None:
    story.run("pytest -q", FAILED, 1)
    at = story.edit("src/a.py")
    (run,) = runs(story)
    assert (run.state, run.edited_since) == ("open", at - 1)
    assert [step for step in steps(story) if "pytest" in step][:1] == [
        "Run `pytest -q` again: it failed before the last edits — FAILED tests/test_a.py::test_b - AssertionError"
    ]


@pytest.mark.parametrize("path", ["notes.md", "/tmp/try.py", "README.md"])
def test_an_edit_that_no_check_judges_leaves_a_failure_as_it_is(story: Story, path: str) -> None:
    story.run("pytest -q", FAILED, 1)
    story.edit(path)
    assert [run.edited_since for run in runs(story)] == [0]


def test_a_failure_after_the_last_edit_fails_now(story: Story) -> None:
    story.edit("src/a.py")
    story.run("pytest -q", FAILED, 1)
    assert [run.edited_since for run in runs(story)] == [0]
    assert any(step.startswith("Make `pytest -q` pass") for step in steps(story))


@pytest.mark.parametrize(
    ("command", "output", "code", "tool"),
    [
        ("shellcheck a.sh", "zsh:1: command not found: shellcheck", 127, "shellcheck"),
        ("npm test", "sh: 1: vitest: not found", 127, "vitest"),
        ("poetry run pytest", "Command not found: pytest", 1, "pytest"),
        ("uv run mypy src", "error: Failed to spawn: `mypy`\n  Caused by: No such file", 2, "mypy"),
        ("ffprobe a.mp4 | head -3", "bash: ffprobe: command not found", 0, "ffprobe"),
        (
            "golangci-lint run ./... || true",
            "bash: line 1: golangci-lint: command not found",
            0,
            "golangci-lint",
        ),
    ],
)
def test_a_tool_that_is_not_installed_is_no_failing_check_and_no_step(
    story: Story, command: str, output: str, code: int, tool: str
) -> None:
    story.run(command, output, code)
    assert [(run.state, run.last_bad and run.last_bad.missing) for run in runs(story)] == [("resolved", tool)]
    assert not [step for step in steps(story) if tool in step]


@pytest.mark.parametrize(
    ("command", "output", "code"),
    [
        ("./scripts/ci.sh", "./scripts/ci.sh: line 4: frobnicate: command not found", 127),
        ("make test", "make: frobnicate: command not found\nmake: *** [test] Error 127", 2),
        ("./build/app --once", "bash: ./build/app: No such file or directory", 127),
        ("pytest -q", "E   assert 'x: command not found' in out\n1 failed in 0.1s", 1),
    ],
)
def test_what_the_project_itself_lacks_is_a_failure(
    story: Story, command: str, output: str, code: int
) -> None:
    story.run(command, output, code)
    assert [(run.state, run.last_bad and run.last_bad.missing) for run in runs(story)] == [("open", "")]
