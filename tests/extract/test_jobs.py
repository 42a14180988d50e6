"""A job in the background runs until something shows that it ended."""

from __future__ import annotations

import pytest

from .story import Story

pytestmark = pytest.mark.usefixtures("asked")


def begin(story: Story, command: str) -> None:
    name = story.call("Bash", "shell", command=command)
    story.add("tool_result", "in background", call_id=name, background=True, data={"task": "b7"})


def test_a_poll_of_a_running_command_is_no_second_run(story: Story) -> None:
    name = story.call("exec", "shell", command="make test")
    story.add("tool_result", "still going", call_id=name, background=True)
    story.add(
        "tool_call", tool="wait", tool_kind="shell", call_id=name, command="make test", data={"resumes": name}
    )
    story.add("tool_result", "3 passed in 1s", call_id=name, exit_code=0, is_error=False)
    (run,) = story.index.commands
    assert (run.runs, run.state, run.last.printed) == (1, "ok", ("3 passed in 1s",))


def test_a_command_still_running_at_the_end_is_told(story: Story) -> None:
    begin(story, "make serve")
    assert story.running == ["make serve"]


def test_a_job_in_the_background_is_told_once(story: Story) -> None:
    begin(story, "npm run serve")
    story.run("ls", "")
    assert story.running == ["npm run serve"]
    assert story.index.in_flight is None


def test_a_job_that_was_only_started_has_not_worked_yet(story: Story) -> None:
    name = story.call("Bash", "shell", command="npm run serve")
    story.add("tool_result", "in background", call_id=name, background=True, exit_code=0, is_error=False)
    assert story.states == {"npm run serve": "running"}
    assert story.running == ["npm run serve"]


@pytest.mark.parametrize("tool", ["KillShell", "KillBash", "TaskStop"])
def test_a_job_that_a_tool_stopped_no_longer_runs(story: Story, tool: str) -> None:
    begin(story, "npm run dev")
    story.call(tool, "other", text='{"shell_id":"b8"}')
    story.add("tool_result", "stopped b8", call_id="c2", is_error=False)
    assert story.running == ["npm run dev"]
    story.call(tool, "other", text='{"shell_id":"b7"}')
    story.add("tool_result", "stopped b7", call_id="c3", is_error=False)
    assert story.running == []


@pytest.mark.parametrize("tool", ["BashOutput", "TaskOutput"])
def test_a_job_whose_output_says_how_it_ended_is_a_run_that_ended(story: Story, tool: str) -> None:
    begin(story, "pytest")
    story.call(tool, "other", text='{"bash_id":"b7"}')
    story.add("tool_result", "<status>running</status>", call_id="c2", is_error=False)
    assert story.running == ["pytest"]
    story.call(tool, "other", text='{"bash_id":"b7"}')
    ended = "<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<stdout>\n3 passed in 0.1s\n</stdout>"
    story.add("tool_result", ended, call_id="c3", exit_code=0, is_error=False)
    assert story.running == []
    assert [(c.state, c.last.printed) for c in story.index.commands] == [("ok", ("3 passed in 0.1s",))]


@pytest.mark.parametrize(
    ("status", "code", "state"),
    [("completed", 0, "ok"), ("failed", 2, "failing"), ("killed", None, "running")],
)
def test_a_notice_tells_how_a_job_ended(story: Story, status: str, code: int | None, state: str) -> None:
    begin(story, "make test")
    data = {"task": "b7", "status": status}
    story.add("user", "it ended", by="harness", via="notification", exit_code=code, data=data)
    assert story.running == []
    assert [(run.command, run.state) for run in story.index.commands] == [("make test", state)]


def test_what_a_job_printed_is_read_after_the_notice_of_its_end(story: Story) -> None:
    begin(story, "pytest")
    data = {"task": "b7", "status": "completed"}
    story.add("user", "it ended", by="harness", via="notification", exit_code=0, data=data)
    story.call("TaskOutput", "other", text='{"task_id":"b7"}')
    ended = "<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<output>\n3 passed in 0.1s\n</output>"
    line = story.add("tool_result", ended, call_id="c2", exit_code=0, is_error=False)
    assert [(c.last.printed, c.last.evidence.line) for c in story.index.commands] == [
        (("3 passed in 0.1s",), line)
    ]
