"""Calls of tools that judge, in which they judge nothing."""

from __future__ import annotations

import pytest

from segue.extract.carried_runs import worked_of

from ..story import Story
from .printed import FAILED


def state_of(story: Story) -> str | None:
    """How far along the one edited file is."""
    return next(file.work_state for file in story.index.files if file.path == "app.py")


def test_a_tool_that_is_asked_for_its_version_makes_no_failure_good(story: Story) -> None:
    story.edit("app.py")
    story.run("pytest -q", FAILED, 1)
    story.run("pytest --version", "pytest 8.3.2")
    assert (story.states, state_of(story)) == ({"pytest": "open"}, "partially_done")


@pytest.mark.parametrize(
    "asked",
    [
        "pytest --help",
        "python -m pytest --version",
        "pytest --fixtures",
        "mypy --version",
        "npx eslint --version",
        "npx tsc -v",
        "cargo test --help",
        "cargo help test",
        "go vet -h",
        "make help",
        "npx playwright install",
        "npm ci",
        "npm install --save-dev jest",
        "cargo fmt",
        "ruff format .",
        "npx prettier --write src",
        "make fmt",
        "npm run format",
        "mise run fmt",
        "make clean",
        "pylint --list-msgs",
    ],
)
def test_who_judges_nothing_is_told_neither_as_passed_nor_makes_a_file_ready(
    story: Story, asked: str
) -> None:
    story.edit("app.py")
    story.run(asked, "done")
    story.says("Next I look at the rest.")
    assert state_of(story) != "ready"
    assert [text for state, text in story.claims if "passed" in text and "no check" not in text] == []
    assert [command.key for command in story.index.commands if command.check] == []


@pytest.mark.parametrize(
    "check",
    [
        "cargo fmt --check",
        "cargo fmt --all -- --check",
        "black --check .",
        "npx prettier --check .",
        "npx prettier --list-different .",
        "ruff format --check src app.py",
        "npm run format:check",
        "npm run check:fmt",
        "ctest -V",
        "npm run ci",
        "mvn install",
        "pytest -v",
    ],
)
def test_who_compares_or_only_talks_more_judges(story: Story, check: str) -> None:
    story.edit("app.py")
    story.run(check, "")
    assert (state_of(story), [command.check for command in story.index.commands]) == ("ready", [True])


@pytest.mark.parametrize(
    ("failed", "later", "state"),
    [
        ("cargo fmt --check", "cargo fmt", "resolved"),
        ("cargo fmt --all -- --check", "cargo fmt --all && git diff --stat", "resolved"),
        ("black --check src", "black .", "resolved"),
        ("npx prettier --check .", "npx prettier --write .", "resolved"),
        ("npm run format:check", "npm run format", "resolved"),
        ("black --check src", "black tests", "open"),
        ("cargo fmt --check", "ruff format .", "open"),
        ("cargo fmt --check && cargo test", "cargo fmt", "open"),
        ("mytool sync", "mytool sync --help", "open"),
    ],
)
def test_what_was_out_of_order_is_made_good_by_who_puts_it_in_order(
    story: Story, failed: str, later: str, state: str
) -> None:
    story.run(failed, "would reformat src/a.py", 1)
    story.run(later, "")
    assert [command.state for command in story.index.commands if command.last_bad] == [state]


@pytest.mark.parametrize(
    ("command", "output", "claim"),
    [
        (
            "deno test",
            "ok | 0 passed | 0 failed (2ms)",
            ("not tested", "`deno test` ran no test — ok | 0 passed | 0 failed (2ms)"),
        ),
        ("npx playwright test", "Error: No tests found", ("not tested", "`npx playwright test` ran no test")),
        ("npm test", "No tests found, exiting with code 0", ("not tested", "`npm test` ran no test")),
        ("go test ./...", "?   \tacme/x\t[no test files]", ("not tested", "`go test ./...` ran no test")),
        (
            "cargo test foo",
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 5 filtered out",
            (
                "not tested",
                "`cargo test foo` ran no test — ok. 0 passed; 0 failed; 0 ignored; 0 measured; 5 filtered out",
            ),
        ),
        (
            "pytest -q",
            "12 skipped in 0.1s",
            ("not tested", "`pytest -q` ran no test — 12 skipped in 0.1s"),
        ),
        (
            "cargo test --no-run",
            "    Finished `test` profile",
            ("built", "`cargo test --no-run` built the tests and ran none"),
        ),
    ],
)
def test_tests_of_which_none_ran_have_passed_nothing(
    story: Story, command: str, output: str, claim: tuple[str, str]
) -> None:
    story.edit("app.py")
    story.run(command, output)
    story.says("Next I look at the rest.")
    assert claim in story.claims
    assert (state_of(story) != "ready", [c.check for c in story.index.commands]) == (True, [False])


def test_tests_of_which_some_ran_have_passed(story: Story) -> None:
    story.edit("app.py")
    story.run("go test ./...", "?   \tacme/x\t[no test files]\nok  \tacme/y\t0.1s")
    assert (state_of(story), [c.check for c in story.index.commands]) == ("ready", [True])


def test_a_build_beside_tests_of_which_none_ran_has_passed(story: Story) -> None:
    story.edit("app.py")
    story.run("cargo build && cargo test foo", "test result: ok. 0 passed; 0 failed; 5 filtered out")
    assert (state_of(story), [state for state, text in story.claims if "cargo build" in text]) == (
        "ready",
        ["built"],
    )


def test_a_check_in_flight_is_not_told_as_the_one_that_passed_last(story: Story) -> None:
    story.run("ruff check .", "All checks passed!")
    story.edit("app.py")
    story.run("ruff check .", "app.py:1:1: F401 `os` imported but unused\nFound 1 error.", 1)
    story.run("ruff check --fix .", "Found 1 error (1 fixed, 0 remaining).")
    story.call("Bash", "shell", command="ruff check .")
    (command,) = story.index.commands
    assert (command.command, command.last_ok.outcome) == (
        "ruff check --fix .",
        "Found 1 error (1 fixed, 0 remaining).",
    )
    assert [text for state, text in story.claims if state == "done"] == [
        "`ruff check --fix .` passed — Found 1 error (1 fixed, 0 remaining)."
    ]


def test_a_check_that_failed_since_is_not_told_as_passed(story: Story) -> None:
    story.run("cargo fmt --check", "")
    story.edit("app.py")
    story.run("cargo fmt --check", "Diff in app.rs:1:", 1)
    story.run("cargo fmt", "")
    assert [text for state, text in story.claims if state == "done"] == []


@pytest.mark.parametrize(
    ("output", "outcome"), [("No tests found", "no test ran"), ("12 skipped in 0.1s", "12 skipped in 0.1s")]
)
def test_a_command_that_ran_no_test_is_told_so_and_advised_to_nobody(
    story: Story, output: str, outcome: str
) -> None:
    story.run("npm test", output)
    (command,) = story.index.commands
    assert (command.last_ok.outcome, command.check) == (outcome, False)
    (carried,) = worked_of([f"- `npm test` — {outcome} [#4]"], "s-0")
    assert carried.check is False
