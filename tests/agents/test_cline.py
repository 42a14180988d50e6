"""Cline: a command that its result says is still running, and the to-do list beside a task."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from segue.agents._record import At
from segue.agents.cline import reader as cline
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


def test_the_list_that_is_kept_beside_a_task_belongs_to_its_last_message(tmp_path: Path) -> None:
    said = [
        {"role": role, "content": [{"type": "text", "text": text}]}
        for role, text in (
            ("user", "<task>\nShrink it.\n</task>"),
            ("assistant", "Shrinking."),
            ("user", "<feedback>\nGo on.\n</feedback>"),
            ("assistant", "Going on."),
        )
    ]
    (tmp_path / "api_conversation_history.json").write_text(json.dumps(said))
    (tmp_path / "focus_chain_taskid_1.md").write_text("- [x] Split\n- [ ] Convert\n")
    (todo,) = [entry for entry in cline.read(str(tmp_path)) if entry.kind == "todo"]
    assert (todo.line, [item.state for item in todo.todos]) == (4, ["completed", "pending"])
