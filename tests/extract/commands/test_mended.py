"""A failure is open until later runs make it good."""

from __future__ import annotations

import pytest

from ..story import Story
from .printed import FAILED


def test_a_failure_is_open_until_the_same_command_succeeds(story: Story) -> None:
    at = story.run("pytest tests/test_a.py", FAILED, 1)
    (run,) = story.index.commands
    assert (run.state, run.last_bad.evidence.line, run.last_bad.exit_code) == ("open", at, 1)
    assert run.last_bad.error_lines[0] == "FAILED tests/test_a.py::test_b - AssertionError: assert 1 == 2"
    story.run("cd sub && pytest tests/test_a.py -q", "4 passed in 0.1s\n")
    assert story.states == {"pytest tests/test_a.py": "resolved"}


def test_a_wider_run_of_the_same_tool_makes_a_failure_good(story: Story) -> None:
    story.run("go test ./a", "--- FAIL: TestA\nFAIL\n", 1)
    story.run("go test ./...", "ok  \tx/a\t0.1s\n")
    assert story.states == {"go test ./a": "resolved", "go test ./...": "ok"}


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("npx tsc --noEmit 2>&1 | head", "resolved"),
        ("npx tsc --noEmit 2>/dev/null | head", "open"),
        ("npx tsc --noEmit | grep src/b.ts", "open"),
    ],
)
def test_a_compiler_that_complained_and_says_nothing_more_does_not_fail(
    story: Story, command: str, state: str
) -> None:
    story.run("npx tsc --noEmit", "src/a.ts(3,1): error TS2322: Type 'x'", 2)
    story.run(command, "")
    assert [c.state for c in story.index.commands if c.last_bad] == [state]


@pytest.mark.parametrize(
    ("missing", "output", "later", "states"),
    [
        (
            "python tools/gen.py",
            "bash: line 1: python: command not found",
            "python3 tools/gen.py",
            {"python3 tools/gen.py": "ok"},
        ),
        ("eslint src", "sh: 1: eslint: not found", "./node_modules/.bin/eslint src", {}),
        ("vitest run", "zsh: command not found: vitest", "npx vitest run src", {"npx vitest run src": "ok"}),
        ("cargo fetch", "bash: cargo: command not found", "~/.cargo/bin/cargo build", {"cargo build": "ok"}),
        (
            "ruff check src",
            "bash: ruff: command not found",
            "uv run ruff check .",
            {"uv run ruff check .": "ok"},
        ),
        (
            "mkdocs build",
            "bash: mkdocs: command not found",
            "python3 -m mkdocs build",
            {"python3 -m mkdocs build": "ok"},
        ),
    ],
)
def test_a_tool_that_was_not_found_and_works_later_under_another_name_is_not_missing(
    story: Story, missing: str, output: str, later: str, states: dict[str, str]
) -> None:
    story.run(missing, output, 127)
    assert [run.last_bad and run.last_bad.missing for run in story.index.commands] == [missing.split()[0]]
    story.run(later, "done")
    assert story.states == {missing: "resolved", **states}
    assert not any(run.last_bad and run.last_bad.missing for run in story.index.commands)


@pytest.mark.parametrize(
    ("failed", "later", "state"),
    [
        ("npm run test", "npm run lint", "open"),
        ("uv run pytest tests/a.py", "uv run ruff check", "open"),
        ("uv run pytest tests/a.py", "uv run pytest tests/b.py", "open"),
        ("uv run pytest tests/a.py", "uv run pytest", "resolved"),
        ("gh pr create --fill", "gh pr view 3", "open"),
        ("mise x -- cargo test", "mise x -- cargo fmt", "open"),
        ("go run /tmp/a.go", "go run /tmp/b.go", "resolved"),
        ("go run ./cmd/a", "go run ./cmd/b", "open"),
        ("docker compose exec app pytest", "docker compose exec app ls", "open"),
        ("pytest tests/a.py", "pytest", "resolved"),
        ("pytest tests/a.py", "pytest tests/b.py", "open"),
        ("npm test -- src/a", "npm test", "resolved"),
        ("python -m pytest tests/a.py", "python -m pytest tests/b.py", "open"),
        ("python -m pytest tests/a.py", "python -m pytest", "resolved"),
        ("go test ./a", "go test ./b", "open"),
        ("go test ./a/...", "go test ./...", "resolved"),
        ("go test ./a/x", "go test ./a/...", "resolved"),
        ("go test ./...", "go test ./a", "open"),
        ("cargo test retries", "cargo test uploads", "open"),
        ("cargo test retries::tests", "cargo test retries", "resolved"),
        ("cargo test retries", "cargo test", "resolved"),
        ("go test ./a", "go test -run TestOther ./a", "open"),
        ("go test ./a", "go test -run '^$' ./a", "open"),
        ("pytest tests/a.py", "pytest tests/a.py -k other", "open"),
        ("go test -run TestA ./a", "go test -run TestA ./a -v", "resolved"),
        ("cargo build -p core", "cargo build", "resolved"),
        ("gh pr view 1", "gh pr view 2", "resolved"),
    ],
)
def test_only_the_same_work_makes_a_failure_good(story: Story, failed: str, later: str, state: str) -> None:
    story.run(failed, "error: it is broken", 1)
    story.run(later, "fine")
    (found,) = [c.state for c in story.index.commands if c.last_bad]
    assert found == state


@pytest.mark.parametrize(
    ("later", "output", "state"),
    [
        ("pnpm build 2>&1 | tail -15", "├ /robots.txt\n└ /sponsor", "resolved"),
        ("pnpm build 2>&1 | head -15", "> next build", "open"),
        ("pnpm build 2>&1 | tail -15", "Failed to compile.", "open"),
    ],
)
def test_a_failure_seen_at_the_end_of_the_output_is_made_good_by_an_end_without_one(
    story: Story, later: str, output: str, state: str
) -> None:
    story.run("pnpm build 2>&1 | tail -20", "✓ Compiled successfully in 9s\nFailed to type check.")
    story.run(later, output)
    assert story.states == {"pnpm build": state}
    seen = ["`pnpm build` passed as far as its last lines show"] if state == "resolved" else []
    assert [claim.text for claim in story.index.claims] == seen


def test_tests_whose_end_was_empty_are_not_made_good(story: Story) -> None:
    story.run("npm test 2>&1 | tail -20", "Command failed with exit code 1.")
    story.run("npm test 2>&1 | tail -5", "")
    assert story.states == {"npm test": "open"}


@pytest.mark.parametrize(
    ("failed", "output", "later", "state"),
    [
        ("go test ./a", "--- FAIL: TestA (0.1s)\nFAIL\tx/a", "go test -run TestA ./a", "resolved"),
        ("go test ./a", "--- FAIL: TestA (0.1s)\n--- FAIL: TestB (0.1s)", "go test -run TestA ./a", "open"),
        (
            "go test ./a",
            "--- FAIL: TestA (0.1s)\n--- FAIL: TestB (0.1s)",
            "go test -run 'TestA|TestB' ./a",
            "resolved",
        ),
        (
            "pytest tests/a.py",
            "FAILED tests/a.py::test_x - KeyError",
            "pytest tests/a.py -k test_x",
            "resolved",
        ),
        ("pytest", "FAILED tests/a.py::test_x - KeyError", "pytest tests/a.py::test_x", "resolved"),
        ("pytest", "FAILED tests/a.py::test_x - KeyError", "pytest tests/a.py", "resolved"),
        ("pytest", "FAILED tests/a.py::test_x - KeyError", "pytest tests/b.py", "open"),
        ("cargo test", "test io::reads ... FAILED\ntest result: FAILED.", "cargo test io::reads", "resolved"),
        ("cargo test", "test io::reads ... FAILED\ntest result: FAILED.", "cargo test net", "open"),
    ],
)
def test_tests_that_failed_and_pass_when_they_are_run_alone_are_made_good(
    story: Story, failed: str, output: str, later: str, state: str
) -> None:
    story.run(failed, output, 1)
    story.run(later, "fine")
    (found,) = [c.state for c in story.index.commands if c.last_bad]
    assert found == state


UNCOMMITTED = "go module files modified, please commit result of 'go mod tidy'!\n M go.mod\n"


def test_a_check_that_asks_for_a_commit_is_made_good_by_one(story: Story) -> None:
    story.run("mise run lint", UNCOMMITTED, 1)
    assert story.states["mise run lint"] == "open"
    story.run("git commit -am 'Tidy'", "[main 1a2b3c4] Tidy\n 2 files changed\n")
    assert story.states["mise run lint"] == "resolved"


def test_a_commit_makes_good_nothing_but_the_lack_of_one(story: Story) -> None:
    story.run("mise run lint", "a.go:3: unused variable\n1 issues\n", 1)
    story.run(
        "git pull",
        "error: cannot pull with rebase: You have unstaged changes.\nerror: Please commit them.",
        1,
    )
    story.run("git commit -am 'Tidy'", "[main 1a2b3c4] Tidy\n 2 files changed\n")
    assert (story.states["mise run lint"], story.states["git pull"]) == ("open", "open")


PYTEST = "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 4 passed in 0.2s", "5 passed in 0.2s"
VITEST = (
    " FAIL  src/a.test.ts > adds\nAssertionError: expected 1 to be 2\n Tests  1 failed | 4 passed (5)",
    " Tests  5 passed (5)",
)
CARGO = (
    "test parse::x ... FAILED\ntest result: FAILED. 4 passed; 1 failed",
    "test result: ok. 5 passed; 0 failed",
)
MAVEN = "[ERROR] Tests run: 5, Failures: 1\n[ERROR] BUILD FAILURE", "Tests run: 5, Failures: 0, Errors: 0"


@pytest.mark.parametrize(
    ("failed", "later", "printed", "state"),
    [
        ("cargo test", "cargo +1.96.0 test", CARGO, "resolved"),
        ("cargo test", "rustup run nightly cargo test", CARGO, "resolved"),
        ("cargo test", "cargo +1.96.0 test --test other", CARGO, "open"),
        ("cargo test", "cargo test -p other", CARGO, "open"),
        ("pytest -q", ".venv/bin/python -m pytest", PYTEST, "resolved"),
        ("pytest", "venv/bin/pytest", PYTEST, "resolved"),
        ("uv run pytest", "uv run --python 3.13 python -m pytest", PYTEST, "resolved"),
        ("uv run pytest", "pytest", PYTEST, "resolved"),
        ("pytest tests/", "uv run pytest tests/test_b.py", PYTEST, "open"),
        ("pytest", "uv run pytest -m fast", PYTEST, "open"),
        ("pytest", "make test", PYTEST, "resolved"),
        ("make test", "pytest", PYTEST, "resolved"),
        ("make test", "pytest tests/test_b.py", PYTEST, "open"),
        ("make test", "pytest", (PYTEST[0], "2 passed in 0.1s"), "open"),
        ("make test", "npx vitest run", (PYTEST[0], VITEST[1]), "open"),
        ("docker compose exec -T app pytest", "docker compose run --rm app pytest", PYTEST, "resolved"),
        ("npm test", "npx vitest run", VITEST, "resolved"),
        ("npm test", "npx vitest run src/a.test.ts", VITEST, "resolved"),
        ("npm test", "npx vitest run src/b.test.ts", VITEST, "open"),
        ("npm test", "yarn test", VITEST, "resolved"),
        ("npx vitest run", "pnpm vitest run", VITEST, "resolved"),
        ("just test", "cargo test", CARGO, "resolved"),
        ("pytest", "docker run --rm -v .:/src -e CI=1 app pytest", PYTEST, "resolved"),
        ("pytest", "conda run -n ml pytest", PYTEST, "resolved"),
        ("mvn test", "./mvnw test", MAVEN, "resolved"),
        ("npm test", "npm run build", (VITEST[0], "built in 3s"), "open"),
    ],
)
def test_the_same_check_by_another_runner_makes_a_failure_good_and_a_lesser_one_does_not(
    story: Story, failed: str, later: str, printed: tuple[str, str], state: str
) -> None:
    story.run(failed, printed[0], 1)
    story.run(later, printed[1])
    assert [c.state for c in story.index.commands if c.last_bad] == [state]
