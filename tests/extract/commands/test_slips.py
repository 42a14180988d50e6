"""A line that was wrongly written or stopped is no failure of the work."""

from __future__ import annotations

import pytest

from ..story import Story
from .printed import FAILED


@pytest.mark.parametrize(
    ("command", "output", "code", "states"),
    [
        ("grep -rn nothing src", "", 1, {}),
        ("cargo test --tets", "error: unexpected argument '--tets' found", 2, {"cargo test": "resolved"}),
        ("npm run watch", "", 130, {"npm run watch": "resolved"}),
        ("mise x -- cross --version", "error: cross is not installed", 1, {"mise x cross": "resolved"}),
    ],
)
def test_searches_slips_and_interruptions_are_no_open_failures(
    story: Story, command: str, output: str, code: int, states: dict[str, str]
) -> None:
    story.run(command, output, code)
    assert story.states == states


def test_that_something_exists_already_is_no_open_failure_but_in_a_check(story: Story) -> None:
    story.run(
        "gh pr create --fill",
        'a pull request for branch "x" already exists: https://github.com/a/b/pull/3',
        1,
    )
    story.run("pytest", "E  OperationalError: table orders already exists\n1 failed in 0.1s", 1)
    assert story.states == {"gh pr create": "resolved", "pytest": "open"}


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (
            "pnpm test",
            "FAIL src/a.test.ts\n  ● Test suite failed to run\n    SyntaxError: Unexpected token '}' (12:4)",
        ),
        (
            "go test ./...",
            "y/z.go:265:34: invalid argument: s.caps for built-in len\nFAIL\tx/y [build failed]",
        ),
        ("go vet ./...", "y/z.go:265:34: invalid argument: s.caps (variable of type List) for built-in len"),
        ("pytest -q", "E   error: unrecognized arguments: --port\n1 failed, 3 passed in 0.2s"),
        ("pytest -q --port 80", "E   error: unrecognized arguments: --port\n1 failed, 3 passed in 0.2s"),
        ("pytest -q", "ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --cov"),
        ("cargo test", "thread 'io::reads' panicked at src/io.rs:10: message: \"Invalid argument\""),
        ("npm test", "error: unknown option '--runInBand'"),
        ("make test", "usage: runner.py [-h] FILE\nmake: *** [Makefile:4: test] Error 2"),
        ("npm run build", "src/a.css: unknown command `@layer`"),
        ("./build.sh check", "./build.sh: line 3: syntax error near unexpected token `fi'"),
        ("python cli.py serve --port 1", "cli.py: error: unrecognized arguments: --port 1"),
        ("go run ./cmd/app --port 1", "flag provided but not defined: -port"),
        ("python manage.py migrate", 'ProgrammingError: relation "orders_item" already exists'),
        ("psql app -f schema.sql", "ERROR:  relation already exists"),
    ],
)
def test_a_run_that_failed_is_open_whatever_words_its_failure_is_told_in(
    story: Story, command: str, output: str
) -> None:
    story.run(command, output, 1)
    assert [c.state for c in story.index.commands] == ["open"]


@pytest.mark.parametrize(
    ("command", "output", "key"),
    [
        (
            "cargo test a:: b::",
            "error: unexpected argument 'b::' found\n\nUsage: cargo test [OPTIONS]",
            "cargo test a::",
        ),
        ("gh pr list --sate open", "unknown flag: --sate\n\nUsage:  gh pr list [flags]", "gh pr list open"),
        (
            "gh pr create",
            "must provide `--title` and `--body` when not running interactively",
            "gh pr create",
        ),
        (
            "python -m pytest --nocov",
            "ERROR: usage: pytest [options]\n__main__.py: error: unrecognized arguments: --nocov",
            "python -m pytest",
        ),
        (
            "go test -vv ./...",
            "flag provided but not defined: -vv\nusage: go test [build/test flags]",
            "go test ./...",
        ),
        (
            "uv run pytest --nope",
            "ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --nope",
            "uv run pytest",
        ),
        ("cargo test --lib x", "error: no library targets found in package `x`", "cargo test x"),
        ("npm test (a)", "/bin/bash: -c: line 1: syntax error near unexpected token `('", "npm test"),
        ("git worktree add ../x main", "fatal: '../x' already exists", ""),
        (
            "gh label create bug",
            'label with name "bug" already exists; use `--force` to update',
            "gh label create bug",
        ),
    ],
)
def test_a_line_that_was_wrongly_written_is_no_open_failure(
    story: Story, command: str, output: str, key: str
) -> None:
    story.run(command, output, 2)
    assert story.states == ({key: "resolved"} if key else {})


@pytest.mark.parametrize(
    ("later", "output", "code"),
    [
        ("pytest tests --nope", "pytest: error: unrecognized arguments: --nope", 4),
        ("pytest tests", "collecting …", 130),
    ],
)
def test_a_slip_and_a_run_that_somebody_stopped_hide_no_failure_of_the_same_check(
    story: Story, later: str, output: str, code: int
) -> None:
    at = story.run("pytest tests", FAILED, 1)
    story.run(later, output, code)
    (run,) = story.index.commands
    assert (run.state, run.last_bad.evidence.line) == ("open", at)


@pytest.mark.parametrize(
    ("command", "output", "code", "state"),
    [
        pytest.param(
            "pytest --cov",
            "pytest: error: unrecognized arguments: --cov",
            4,
            "open",
            id="not wrongly written",
        ),
        pytest.param("pytest", "collecting …", 130, "ok", id="stopped"),
    ],
)
def test_a_line_that_worked_before_fails_if_it_is_refused_and_not_if_somebody_stops_it(
    story: Story, command: str, output: str, code: int, state: str
) -> None:
    story.run(command, "4 passed in 0.1s")
    story.run(command, output, code)
    assert story.states == {"pytest": state}


def test_a_script_that_was_called_rightly_since_does_not_fail(story: Story) -> None:
    story.run("./deploy.sh --stage", "deploy.sh: unknown option --stage", 2)
    assert story.states == {"./deploy.sh": "open"}
    story.run("./deploy.sh staging", "done")
    assert story.states == {"./deploy.sh": "resolved", "./deploy.sh staging": "ok"}
