"""A session of many commands: what a run is known as is worked out for each run, not for each pair of them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from segue.extract.commands import concern, run_keys, runs, shell

from ..story import Story

RUNS = 200


@pytest.mark.parametrize("told", ["FAILED tests/test_it.py::test_it - AssertionError", "broken"])
def test_the_work_for_many_failures_grows_with_their_number(
    monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    asked = 0
    essence = run_keys.essence

    def counted(*given: object) -> tuple[str, ...]:
        nonlocal asked
        asked += 1
        return essence(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(runs, "essence", counted)
    story = Story()
    for number in range(RUNS):
        story.run(f"make step{number}", told if number % 2 else "done", exit_code=number % 2)
    open_ones = [command for command in story.index.commands if command.state == "open"]
    assert len(open_ones) == RUNS // 2
    assert asked <= 2 * RUNS


def test_what_many_tests_were_given_is_read_once_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    scope, runs_task = concern.scope, shell.runs_task

    def given(checks: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        nonlocal asked
        asked += 1
        return scope(checks)

    def is_task(words: tuple[str, ...]) -> bool:
        nonlocal asked
        asked += 1
        return runs_task(words)

    monkeypatch.setattr(concern, "scope", given)
    monkeypatch.setattr(shell, "runs_task", is_task)
    story = Story()
    for number in range(RUNS):
        failed = f"FAILED tests/test_{number}.py::test_it - AssertionError\n1 failed in 0.1s"
        output = failed if number % 2 else "3 passed in 0.1s"
        story.run(f"pytest tests/test_{number}.py", output, exit_code=number % 2)
    open_ones = [command for command in story.index.commands if command.state == "open"]
    assert len(open_ones) == RUNS // 2
    assert asked <= 4 * RUNS
