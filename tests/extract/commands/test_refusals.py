"""A command that the person refused never ran."""

from __future__ import annotations

import pytest

from ..story import Story


def test_a_command_that_the_person_refused_never_ran(story: Story) -> None:
    name = story.call("Bash", "shell", command="make deploy")
    story.add("rejection", "not now", by="person", via="rejection", call_id=name)
    assert story.states == {}


@pytest.mark.parametrize(
    ("said", "failed"),
    [
        ("exec command rejected by user", None),
        ("[Operation Cancelled] Reason: User denied execution.", None),
        ("The user rejected permission to use this specific tool call with the following feedback: no", True),
        ("The user denied this operation.", True),
        ("Tool execution was declined by the user", True),
    ],
)
def test_what_the_person_did_not_let_run_neither_worked_nor_failed(
    story: Story, said: str, failed: bool | None
) -> None:
    name = story.call("Bash", "shell", command="pip install pandas")
    line = story.add("tool_result", said, call_id=name, is_error=failed)
    story.add("rejection", "", by="person", via="rejection", call_id=name)
    story.says("Without it, then.")
    index = story.index
    assert index.commands == ()
    assert [(c.text, c.evidence[0].line) for c in index.claims] == [
        ("rejected by the person: `pip install pandas`", line)
    ]


def test_what_was_rejected_and_then_allowed_has_run(story: Story) -> None:
    name = story.call("Bash", "shell", command="make deploy")
    story.add("rejection", "not yet", by="person", via="rejection", call_id=name)
    story.run("make deploy", "deployed")
    index = story.index
    assert [c.state for c in index.commands] == ["ok"]
    assert story.claims == [("done", "`make deploy` passed")]
