"""Cline: a command that its result says is still running."""

from __future__ import annotations

import pytest

from segue.agents._record import At
from segue.agents.cline.speech import Call, result


@pytest.mark.parametrize(
    ("tool", "text", "running"),
    [
        (
            "execute_command",
            "Command is still running in the user's terminal.\nHere's the output so far:",
            True,
        ),
        ("execute_command", "Command executed.\nOutput:\nCommand is still running", False),
        ("read_file", "Command is still running", False),
    ],
)
def test_a_command_goes_on_in_the_background_where_its_result_says_so(
    tool: str, text: str, running: bool
) -> None:
    (told,) = result(At("s.json", 1), Call("c1", tool), text)
    assert told.background is running
