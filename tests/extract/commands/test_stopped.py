"""A run that somebody stopped did not fail by itself, whatever it had printed."""

from __future__ import annotations

import pytest

from ..story import Story

_NOISE = "Error in the bootloader, please report it\n> node --test\n"
_PRINTED = "having printed: Error in the bootloader, please report it"


@pytest.mark.parametrize(
    ("printed", "exit_code", "told"),
    [
        (f"{_NOISE}\n\nCommand aborted", 1, f"Command aborted, {_PRINTED}"),
        (f"{_NOISE}Operation aborted", 1, f"Operation aborted, {_PRINTED}"),
        (_NOISE, 130, f"stopped from outside, {_PRINTED}"),
        ("Running 12 tests", 143, "stopped from outside"),
    ],
)
def test_what_a_stopped_run_printed_before_is_told_as_that(
    story: Story, printed: str, exit_code: int, told: str
) -> None:
    story.run("npm test", printed, exit_code)
    ((state, bad),) = [(c.state, c.last_bad) for c in story.index.commands]
    assert bad
    assert (state, bad.error_lines) == ("resolved", (told,))


def test_a_run_that_aborts_by_itself_has_failed(story: Story) -> None:
    story.run("npm test", "Error: assertion failed\nAborted (core dumped)", 134)
    ((state, bad),) = [(c.state, c.last_bad) for c in story.index.commands]
    assert bad
    assert (state, bad.error_lines[0]) == ("open", "Error: assertion failed")
