"""A session of many commands: what a run is known as is worked out for each run, not for each pair of them."""

from __future__ import annotations

import pytest

from segue.extract.commands import run_keys, runs

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
