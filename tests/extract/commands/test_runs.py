"""One run: whether it passed, failed or proves nothing, by its exit status and by what it printed."""

from __future__ import annotations

import pytest

from segue.model.claim import PROVEN

from ..story import Story
from .printed import FAILED


def seen(story: Story) -> list[tuple[str, str, bool]]:
    """The runs by key and state, and whether they prove anything."""
    return [(c.key, c.state, bool(c.last_ok and c.last_ok.proved)) for c in story.index.commands]


def test_a_check_whose_exit_a_pipe_swallowed_failed_if_it_printed_so(story: Story) -> None:
    story.run("pytest -q 2>&1 | tail -3", FAILED, 0)
    assert story.states == {"pytest": "open"}


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("npx tsc --noEmit 2>&1 | head -20", "src/a.ts(5,15): error TS2305: no exported member 'X'."),
        ("make 2>&1 | tail -20", "gcc -c foo.c\nfoo.c:3:5: error: unknown type name 'bar'"),
        ("go build ./... | head", "# example.com/x\n./main.go:3:5: undefined: foo"),
        ("npm run build 2>&1 | tail -5", "npm error Lifecycle script `build` failed\nnpm error code 1"),
        ("./gradlew build | tail", "FAILURE: Build failed with an exception.\n* What went wrong:"),
        ("dotnet build | tail", "Program.cs(3,5): error CS0103: The name 'x' does not exist"),
        ("cargo build 2>&1 | tail", "error[E0425]: cannot find value `x` in this scope"),
        ("make check | tail -1", "make: *** [Makefile:4: check] Error 2"),
        ("python -m pytest | tail -1", "SyntaxError: invalid syntax"),
        (
            "pnpm build 2>&1 | tail -3",
            "✓ Compiled successfully in 9s\n  Checking types ...\nFailed to compile.",
        ),
        (
            "pnpm build | tail",
            "✓ Compiled successfully in 9s\nbuild worker exited with code: 1 and signal: null",
        ),
        ("yarn build | tail -4", "✓ built in 2.1s\nerror Command failed with exit code 1."),
        ("docker build . | tail -2", "ERROR: failed to solve: process did not complete: exit code: 1"),
        ("docker compose build api | tail -2", "target api: failed to solve: exit code: 1"),
        ("dotnet test | tail -2", "Failed!  - Failed:     1, Passed:     4, Skipped:     0"),
        ("npm run lint | tail", "\x1b[31merror: \x1b[0munused variable"),
    ],
)
def test_what_a_compiler_prints_behind_a_pipe_is_a_failure(story: Story, command: str, output: str) -> None:
    story.run(command, output)
    assert [c.state for c in story.index.commands] == ["open"]
    assert story.claims == []


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("npm test | head -5", "npm test"),
        ("pytest -q || true; ls", "pytest"),
        ("make lint; git status", "make lint"),
    ],
)
def test_a_check_whose_exit_was_lost_and_that_tells_no_success_has_not_passed(
    story: Story, command: str, key: str
) -> None:
    story.edit("a.py")
    story.run(command, "collecting …")
    assert seen(story) == [(key, "ok", False)]
    assert not any(state in PROVEN for state, _ in story.claims)
    assert [(file.path, file.work_state) for file in story.index.files] == [("a.py", "editing")]


@pytest.mark.parametrize(
    ("command", "output", "runs"),
    [
        ("npm run lint || true", "", [("npm run lint", "ok", False)]),
        ("npx tsc --noEmit 2>&1 | head -20", "", [("npx tsc", "ok", False)]),
        ("go build ./... | tail", "", [("go build ./...", "ok", False)]),
        ("ruff check src 2>/dev/null | head", "", [("ruff check src", "ok", False)]),
        ("pytest -q > /tmp/t.log 2>&1 &", "", []),
        ("(npm test) | tail -3", "collecting …", [("npm test", "ok", False)]),
        ("(cd app && npm test 2>&1) | tail -3", "collecting …", [("npm test", "ok", False)]),
        ("cd x && (npm test | tail)", "collecting …", [("npm test", "ok", False)]),
        ("(npm test) || true", "collecting …", [("npm test", "ok", False)]),
    ],
)
def test_a_check_of_which_neither_exit_nor_success_is_seen_proves_nothing(
    story: Story, command: str, output: str, runs: list[tuple[str, str, bool]]
) -> None:
    story.run(command, output)
    assert seen(story) == runs
    assert story.claims == []


@pytest.mark.parametrize(
    ("command", "output", "claim"),
    [
        ("pytest -q | tail -1", "3 passed in 0.1s", ("tested", "`pytest -q` passed — 3 passed in 0.1s")),
        ("set -o pipefail; npm test | head -5", "collecting …", ("tested", "`npm test` passed")),
        ("cd app && npm run lint", "> lint", ("done", "`cd app && npm run lint` passed")),
        (
            "npm test | tail",
            "Failed to load a source map\nattempt exited with code 1, retrying\n12 passing (3s)",
            ("tested", "`npm test` passed — 12 passing (3s)"),
        ),
        ("npm run build", "ERROR: a plugin is out of date", ("built", "`npm run build` passed")),
        ("mvn -q test", "", ("tested", "`mvn -q test` passed")),
        (
            "cd x && (go test ./...)",
            "ok  \texample.com/x\t0.1s",
            ("tested", "`cd x && go test ./...` passed — ok example.com/x 0.1s"),
        ),
        (
            "(mvn test) | tail -3",
            "[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS",
            ("tested", "`mvn test` passed — Tests run: 12, Failures: 0, Errors: 0, Skipped: 1"),
        ),
    ],
)
def test_a_check_that_shows_its_success_has_passed(
    story: Story, command: str, output: str, claim: tuple[str, str]
) -> None:
    story.run(command, output)
    assert story.claims == [claim]


def test_what_maven_counts_as_failed_failed(story: Story) -> None:
    story.run("(mvn -q test) | tail -3", "Tests run: 12, Failures: 1, Errors: 0, Skipped: 1")
    assert story.states == {"mvn test": "open"}


@pytest.mark.parametrize(
    ("command", "output", "key"),
    [
        ("pytest -q", "error: retry exhausted (expected)\n12 passed in 0.3s", "pytest"),
        ("cd app && make all", "error: none found\nBuild succeeded", "make all"),
    ],
)
def test_a_check_whose_own_exit_status_is_good_passed_whatever_it_printed(
    story: Story, command: str, output: str, key: str
) -> None:
    story.run(command, output)
    assert story.states == {key: "ok"}
    story.run(f"{command} | tail -3", output)
    assert story.states == {key: "open"}


def test_a_linter_that_counts_its_issues_at_its_end_failed(story: Story) -> None:
    story.run(
        "golangci-lint run ./... 2>&1 | tail -4",
        "a.go:33:1: returns interface (ireturn)\n2 issues:\n* ireturn: 2",
    )
    assert story.states == {"golangci-lint run ./...": "open"}
    story.run("golangci-lint run ./... 2>&1 | tail -4", "0 issues.")
    assert story.states == {"golangci-lint run ./...": "ok"}


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest --collect-only -q", "tests/test_a.py::test_x\n14 tests collected in 0.02s"),
        ("ctest --test-dir build -N", "Test project /b\nTotal Tests: 4"),
        ("go test -list . ./...", "TestA\nok  \tx\t0.1s"),
        ("npx playwright test --list", "Total: 9 tests in 2 files"),
        ("make -n check", "cc -c a.c"),
        ("pytest --collect-only -q", "tests/test_a.py::test_x\n14 tests collected in 0.12s"),
        ("npx playwright test --list", "Total: 3 tests in 1 file"),
        ("npx vitest list", "src/a.test.ts > adds"),
    ],
)
def test_what_only_lists_proves_nothing(story: Story, command: str, output: str) -> None:
    story.run(command, output)
    assert (story.states, story.claims) == ({}, [])


def test_what_only_lists_takes_no_proof_away(story: Story) -> None:
    at = story.run("pytest -q", "4 passed in 0.1s")
    story.run("pytest -q --collect-only", "4 tests collected in 0.1s")
    (run,) = story.index.commands
    assert (run.last_ok.evidence.line, run.last_ok.proved) == (at, True)


@pytest.mark.parametrize(
    ("command", "output", "code"),
    [
        ("gh pr checks 7", "lint\tpending\t0\thttps://x/1\nlist-changed\tskipping\t0\thttps://x/2", 8),
        ("gh pr checks 7 --watch", "0 cancelled, 0 failing, 5 successful, and 8 pending checks", 1),
        ("gh run watch 12", "* main build · 12", 130),
        ("timeout 60 gh pr checks 7 --watch", "lint\tpending\t0\thttps://x/1", 124),
        (
            "gh run view 12 --log",
            "run 12 is still in progress; logs will be available when it is complete",
            1,
        ),
    ],
)
def test_checks_of_others_that_are_not_over_are_no_failure(
    story: Story, command: str, output: str, code: int
) -> None:
    story.run(command, output, code)
    (run,) = story.index.commands
    assert (run.state, run.last_ok.proved, run.last_bad) == ("ok", False, None)
    assert run.last_ok.outcome.startswith("not over yet")


@pytest.mark.parametrize(
    "output",
    [
        "lint\tfail\t9s\thttps://x/1\nunit\tpending\t0\thttps://x/2",
        "0 cancelled, 1 failing, 5 successful, and 8 pending checks",
    ],
)
def test_checks_of_others_that_fail_are_a_failure_while_some_are_pending(story: Story, output: str) -> None:
    story.run("gh pr checks 7", output, 1)
    assert story.states == {"gh pr checks 7": "open"}


def test_a_run_without_a_result_does_not_lend_its_words_to_the_one_that_went_well(story: Story) -> None:
    went_well = story.run('git commit -m "Add the parser"', "[main 1a2b3c4] Add the parser")
    story.call("Bash", "shell", command='git commit --amend -m "Add the video"')
    (commit,) = [run for run in story.index.commands if run.key == "git commit"]
    assert commit.last_ok and commit.last_ok.evidence.line == went_well
    assert commit.command == 'git commit -m "Add the parser"'
