"""Lines that were run: the harness's verdict on the last run of each, and what stood in its way."""

from __future__ import annotations

import pytest

from segue.extract.commands.line import line_of
from segue.model.facts import CommandFact

from .story import Story

pytestmark = pytest.mark.usefixtures("asked")


def only(story: Story) -> CommandFact:
    (command,) = story.index.commands
    return command


@pytest.mark.parametrize(
    ("command", "output", "exit_code", "state"),
    [
        ("pytest", "4 passed in 0.1s", 0, "ok"),
        ("pytest", "1 failed in 0.1s", 1, "failing"),
        ("pytest", "", 0, "ok"),
        ("pytest", "", 5, "failing"),
        ("make deploy", "error: none of these matter", 0, "ok"),
        ("pytest | tail -3", "1 failed in 0.1s", 0, "failing"),
        ("pytest | tail -3", "4 passed in 0.1s", 0, "ok"),
        ("pytest | tail -3", "collecting", 0, "unknown"),
        ("pytest | grep -c x", "", 1, "unknown"),
        ("set -o pipefail; pytest | tail -3", "collecting", 1, "failing"),
        ("set -o pipefail; pytest | tail -3", "collecting", 0, "ok"),
        ("pytest; echo $?", "1", 0, "unknown"),
        ("pytest || true", "", 0, "unknown"),
        ("pytest || exit 3", "", 3, "failing"),
        ("pytest > log.txt", "", 1, "failing"),
        ("cd app && pytest", "", 0, "ok"),
        ("pytest &", "", 0, "unknown"),
        ("pytest", "4 passed in 0.1s", None, "ok"),
        ("pytest", "1 failed in 0.1s", None, "failing"),
        ("pytest", "collecting", None, "unknown"),
        ("./deploy.sh prod", "1 failed in 0.1s", None, "unknown"),
    ],
)
def test_a_run_is_judged_by_its_status_else_by_its_printed_sum(
    story: Story, command: str, output: str, exit_code: int | None, state: str
) -> None:
    story.run(command, output, exit_code)
    assert only(story).state == state


@pytest.mark.parametrize(
    ("command", "through"),
    [
        ("pytest", ""),
        ("cd app && pytest -q", ""),
        ("pytest | tail -3", "piped through tail -3"),
        ("pytest 2>&1 | grep x | head", "piped through grep x | head"),
        ("pytest > log.txt", "output written to log.txt"),
        ("pytest > /dev/null", "output discarded"),
        ("pytest 2>/dev/null", ""),
        ('pytest; echo "$?"', "followed by echo $?"),
        ("pytest || true", "followed by true"),
    ],
)
def test_what_stands_between_a_command_and_its_record_is_told(command: str, through: str) -> None:
    assert line_of(command).through == through


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("make build && pytest tests/a.py && ls", ("pytest", "tests/a.py")),
        ("cargo build && cargo test", ("cargo", "test")),
        ("docker compose up -d && curl localhost", ("curl", "localhost")),
        ("npm run build && scp dist host:", ("npm", "run", "build")),
        ("ls && cat a.py", ()),
    ],
)
def test_a_line_is_known_by_its_last_test_else_check_else_command(command: str, key: tuple[str, ...]) -> None:
    assert line_of(command).key == key


def test_runs_of_one_line_are_one_whatever_shows_their_output(story: Story) -> None:
    for command in ("pytest -q", "cd /home/me/app && pytest -q | tail -3", "pytest -q 2>&1 | head"):
        story.run(command, "4 passed in 0.1s")
    assert (only(story).runs, only(story).state) == (3, "ok")


def test_another_line_of_the_same_program_is_another_line(story: Story) -> None:
    story.run("pytest tests/a.py", "1 failed in 0.1s", 1)
    story.run("pytest tests/b.py", "4 passed in 0.1s")
    assert story.states == {"pytest tests/a.py": "failing", "pytest tests/b.py": "ok"}


def test_a_run_of_which_nothing_is_known_settles_nothing(story: Story) -> None:
    story.run("pytest", "1 failed in 0.1s", 1)
    story.run("pytest | tail -3", "collecting")
    assert (only(story).state, only(story).runs) == ("failing", 2)


def test_how_often_a_line_failed_is_counted(story: Story) -> None:
    for code in (1, 1, 0, 2):
        story.run("make all", "error: no", code)
    assert (only(story).runs, only(story).failures, only(story).failed.exit_code) == (4, 3, 2)


def test_a_line_that_failed_is_told_with_one_of_its_kind_that_went_well_since(story: Story) -> None:
    story.run("go test ./a", "FAIL\tx/a\t0.1s", 1)
    at = story.run("go test ./a ./b", "ok  \tx/a\t0.1s")
    failing = story.index.commands[0]
    assert (failing.state, failing.settled_by, failing.settled_line) == ("failing", "go test ./a ./b", at)


def test_one_of_its_kind_that_went_well_before_settles_nothing(story: Story) -> None:
    story.run("go test ./a ./b", "ok  \tx/a\t0.1s")
    story.run("go test ./a", "FAIL\tx/a\t0.1s", 1)
    assert story.index.commands[-1].settled_by == ""


def test_a_call_without_a_result_is_running(story: Story) -> None:
    story.run("pytest", "1 failed in 0.1s", 1)
    story.call("Bash", "shell", command="pytest")
    assert story.states == {"pytest": "running"}


@pytest.mark.parametrize(
    ("said", "failed"),
    [
        ("exec command rejected by user", None),
        ("[Operation Cancelled] Reason: User denied execution.", None),
        ("The user rejected permission to use this specific tool call with the following feedback: no", True),
        ("The user denied this operation.", True),
        ("Tool execution was declined by the user", True),
        ("<tool_use_error>InputValidationError</tool_use_error>", True),
        ("Cancelled: parallel tool call Bash errored", True),
    ],
)
def test_what_was_never_run_neither_worked_nor_failed(story: Story, said: str, failed: bool | None) -> None:
    name = story.call("Bash", "shell", command="pip install pandas")
    story.add("tool_result", said, call_id=name, is_error=failed)
    assert story.index.commands == ()


def test_a_program_that_speaks_of_a_refusal_did_run(story: Story) -> None:
    story.run("make login", "the user was denied by the user database", 1)
    assert story.states == {"make login": "failing"}


def test_what_was_rejected_and_then_allowed_has_run(story: Story) -> None:
    story.rejects(story.call("Bash", "shell", command="make deploy"), "not yet")
    story.run("make deploy", "deployed")
    assert story.states == {"make deploy": "ok"}


def test_a_harness_that_records_some_statuses_lacks_none(story: Story) -> None:
    for n in range(4):
        story.run(f"make {n}", "", None if n else 0)
    assert story.index.gaps == ()


def test_a_harness_s_own_word_leaves_the_outcome_open(story: Story) -> None:
    story.run("./compare.sh a b", "a differs", 1, reason="Files differ")
    assert (only(story).state, only(story).last.said) == ("unknown", "Files differ")
    assert "outcome not recorded (Files differ): a differs" in story.packet()


def test_a_run_that_timed_out_behind_a_pipe_is_not_told_as_ok(story: Story) -> None:
    name = story.call("Bash", "shell", command="pytest | tail -3")
    story.add("tool_result", "Command timed out after 2m", call_id=name, is_error=True)
    assert only(story).state != "ok"
    assert "Command timed out after 2m" in story.packet()


def test_an_error_flag_counts_where_the_status_says_nothing(story: Story) -> None:
    name = story.call("Bash", "shell", command="make deploy")
    story.add("tool_result", "it was cut off", call_id=name, is_error=True)
    assert (only(story).state, only(story).failures) == ("failing", 1)


def test_a_line_that_passed_is_not_failing_because_a_further_run_was_rejected(story: Story) -> None:
    story.run("pytest", "1 failed in 0.1s", 1)
    story.run("pytest", "4 passed in 0.1s")
    story.rejects(story.call("Bash", "shell", command="pytest"), "no need")
    assert story.states == {"pytest": "ok"}


def test_a_line_that_ran_is_known_after_a_further_run_was_rejected(story: Story) -> None:
    story.run("cat src/a.py", "x")
    story.run("make build", "built")
    for command in ("cat src/a.py", "make build"):
        story.rejects(story.call("Bash", "shell", command=command), "no need")
    assert story.states == {"make build": "ok"}
    assert "[#0]" not in story.packet()


def test_one_task_of_a_runner_does_not_settle_another(story: Story) -> None:
    story.run("npm run lint", "error: unused variable", 1)
    story.run("npm run build", "built")
    assert story.index.commands[0].settled_by == ""


def test_a_line_that_says_ok_is_no_complaint(story: Story) -> None:
    story.run("go test ./... | tail -3", "ok  \tx/a\t0.1s\nok  \tx/b\t0.2s\nFAIL")
    (command,) = story.index.commands
    assert command.failed
    assert not any(line.startswith("ok") for line in command.failed.printed)
