"""The ledger of commands: which failures are open, and what they said."""

from __future__ import annotations

import pytest

from segue.extract import judge
from segue.extract.commands.verdict import conclusion, error_lines, printed_failure
from segue.extract.text.relevance import aim_of

from .story import Story

FAILED = "FAILED tests/test_a.py::test_b - AssertionError: assert 1 == 2\n1 failed, 3 passed in 0.41s\n"


def states(story: Story) -> dict[str, str]:
    return {command.key: command.state for command in story.index.commands}


def test_a_failure_is_open_until_the_same_command_succeeds(story: Story) -> None:
    story.prompt("go")
    at = story.run("pytest tests/test_a.py", FAILED, 1)
    (run,) = story.index.commands
    assert (run.state, run.last_bad.evidence.line, run.last_bad.exit_code) == ("open", at, 1)
    assert run.last_bad.error_lines[0] == "FAILED tests/test_a.py::test_b - AssertionError: assert 1 == 2"
    story.run("cd sub && pytest tests/test_a.py -q", "4 passed in 0.1s\n")
    assert states(story) == {"pytest tests/test_a.py": "resolved"}


def test_a_wider_run_of_the_same_tool_makes_a_failure_good(story: Story) -> None:
    story.prompt("go")
    story.run("go test ./a", "--- FAIL: TestA\nFAIL\n", 1)
    story.run("go test ./...", "ok  \tx/a\t0.1s\n")
    assert states(story)["go test ./a"] == "resolved"


def test_a_check_whose_exit_a_pipe_swallowed_failed_if_it_printed_so(story: Story) -> None:
    story.prompt("go")
    story.run("pytest -q 2>&1 | tail -3", FAILED, 0)
    assert states(story) == {"pytest": "open"}


@pytest.mark.parametrize(
    ("command", "output", "code"),
    [
        ("grep -rn nothing src", "", 1),
        ("cargo test --tets", "error: unexpected argument '--tets' found", 2),
        ("npm run watch", "", 130),
        ("mise x -- cross --version", "error: cross is not installed", 1),
    ],
)
def test_searches_slips_and_interruptions_are_no_open_failures(
    story: Story, command: str, output: str, code: int
) -> None:
    story.prompt("go")
    story.run(command, output, code)
    assert "open" not in states(story).values()


def test_a_command_that_the_person_refused_never_ran(story: Story) -> None:
    story.prompt("go")
    name = story.call("Bash", "shell", command="make deploy")
    story.add("rejection", "not now", by="person", via="rejection", call_id=name)
    assert states(story) == {}


def test_a_poll_of_a_running_command_is_no_second_run(story: Story) -> None:
    story.prompt("go")
    name = story.call("exec", "shell", command="make test")
    story.add("tool_result", "still going", call_id=name, background=True)
    story.add(
        "tool_call", tool="wait", tool_kind="shell", call_id=name, command="make test", data={"resumes": name}
    )
    story.add("tool_result", "3 passed in 1s", call_id=name, exit_code=0, is_error=False)
    (run,) = story.index.commands
    assert (run.runs, run.state, run.last_ok.outcome) == (1, "ok", "3 passed in 1s")


def test_a_command_still_running_at_the_end_is_told(story: Story) -> None:
    story.prompt("go")
    name = story.call("exec", "shell", command="make serve")
    story.add("tool_result", "listening", call_id=name, background=True)
    assert [job.text for job in story.index.background] == ["make serve"]


def test_error_lines_hold_the_first_complaint_and_the_decisive_ones() -> None:
    noise = "\n".join(f"line {n} of output that says little" for n in range(50))
    text = f"{noise}\nsrc/a.rs:3:5: error[E0308]: mismatched types\n{noise}\n\x1b[31merror\x1b[0m: could not compile `a`\n"
    assert error_lines(text) == (
        "src/a.rs:3:5: error[E0308]: mismatched types",
        "error : could not compile `a`",
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("....\n4 passed in 0.38s\n", "4 passed in 0.38s"),
        ("test result: ok. 12 passed; 0 failed\n", "ok. 12 passed; 0 failed"),
        ("Tests:  5 passed, 5 total\n", "Tests: 5 passed, 5 total"),
        ("nothing to say\n", ""),
    ],
)
def test_a_check_sums_itself_up_in_one_line(text: str, line: str) -> None:
    assert conclusion(text) == line


def test_passing_runs_that_count_no_failures_did_not_fail() -> None:
    assert not printed_failure("12 passed, 0 failed\n0 errors\n")


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
    story.prompt("go")
    story.run(command, output)
    assert [c.state for c in story.index.commands] == ["open"]
    assert not story.index.claims


@pytest.mark.parametrize("command", ["npm test | head -5", "pytest -q || true; ls", "make lint; git status"])
def test_a_check_whose_exit_was_lost_and_that_tells_no_success_has_not_passed(
    story: Story, command: str
) -> None:
    story.prompt("go")
    story.edit("a.py")
    story.run(command, "collecting …")
    assert not story.index.claims
    assert [f.work_state for f in story.index.files if f.path == "a.py"] == ["editing"]


@pytest.mark.parametrize(
    "command",
    [
        "npm run lint || true",
        "npx tsc --noEmit 2>&1 | head -20",
        "go build ./... | tail",
        "ruff check src 2>/dev/null | head",
        "pytest -q > /tmp/t.log 2>&1 &",
    ],
)
def test_that_nothing_is_seen_of_a_check_whose_exit_was_lost_proves_nothing(
    story: Story, command: str
) -> None:
    story.prompt("go")
    story.run(command, "")
    assert not story.index.claims


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
    story.prompt("go")
    story.run("npx tsc --noEmit", "src/a.ts(3,1): error TS2322: Type 'x'", 2)
    story.run(command, "")
    assert [c.state for c in story.index.commands if c.last_bad] == [state]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest -q | tail -1", "3 passed in 0.1s"),
        ("set -o pipefail; npm test | head -5", "collecting …"),
        ("cd app && npm run lint", "> lint"),
        (
            "npm test | tail",
            "Failed to load a source map\nattempt exited with code 1, retrying\n12 passing (3s)",
        ),
        ("npm run build", "ERROR: a plugin is out of date"),
    ],
)
def test_a_check_that_shows_its_success_has_passed(story: Story, command: str, output: str) -> None:
    story.prompt("go")
    story.run(command, output)
    assert [c.text.split(" passed")[0] != c.text for c in story.index.claims] == [True]


@pytest.mark.parametrize(
    "command",
    [
        "(npm test) | tail -3",
        "(cd app && npm test 2>&1) | tail -3",
        "cd x && (npm test | tail)",
        "(npm test) || true",
    ],
)
def test_the_exit_of_a_check_in_a_subshell_is_lost_behind_a_pipe(story: Story, command: str) -> None:
    story.prompt("go")
    story.run(command, "collecting …")
    assert not story.index.claims


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("mvn -q test", ""),
        ("cd x && (go test ./...)", "ok  \texample.com/x\t0.1s"),
        (
            "(mvn test) | tail -3",
            "[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS",
        ),
    ],
)
def test_a_check_in_a_subshell_or_behind_a_quiet_flag_has_passed(
    story: Story, command: str, output: str
) -> None:
    story.prompt("go")
    story.run(command, output)
    assert [c.state for c in story.index.claims] == ["tested"]


def test_what_maven_counts_as_failed_failed(story: Story) -> None:
    story.prompt("go")
    story.run("(mvn -q test) | tail -3", "Tests run: 12, Failures: 1, Errors: 0, Skipped: 1")
    assert states(story) == {"mvn test": "open"}


@pytest.mark.parametrize(
    ("missing", "output", "later"),
    [
        ("python tools/gen.py", "bash: line 1: python: command not found", "python3 tools/gen.py"),
        ("eslint src", "sh: 1: eslint: not found", "./node_modules/.bin/eslint src"),
        ("vitest run", "zsh: command not found: vitest", "npx vitest run src"),
        ("cargo fetch", "bash: cargo: command not found", "~/.cargo/bin/cargo build"),
        ("ruff check src", "bash: ruff: command not found", "uv run ruff check ."),
        ("mkdocs build", "bash: mkdocs: command not found", "python3 -m mkdocs build"),
    ],
)
def test_a_tool_that_was_not_found_and_works_later_under_another_name_is_no_open_failure(
    story: Story, missing: str, output: str, later: str
) -> None:
    story.prompt("go")
    story.run(missing, output, 127)
    assert "open" in states(story).values()
    story.run(later, "done")
    assert "open" not in states(story).values()


def test_a_job_in_the_background_is_told_once(story: Story) -> None:
    story.prompt("go")
    name = story.call("Bash", "shell", command="npm run serve")
    story.add("tool_result", "listening", call_id=name, background=True)
    story.run("ls", "")
    assert [job.text for job in story.index.background] == ["npm run serve"]
    assert story.index.in_flight is None


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
    story.prompt("go")
    story.run(failed, "error: it is broken", 1)
    story.run(later, "fine")
    (found,) = [c.state for c in story.index.commands if c.last_bad]
    assert found == state


@pytest.mark.parametrize(
    "command",
    ["mypy src | grep error", "cd x && ./lint.sh check 2>&1 | grep -E '^lib/'", "npm test | rg TODO"],
)
def test_a_search_behind_a_pipe_that_finds_nothing_tells_neither_failure_nor_success(
    story: Story, command: str
) -> None:
    story.prompt("go")
    story.run(command, "", 1)
    assert "open" not in states(story).values()
    assert not story.index.claims


def test_a_search_that_finds_nothing_below_other_output_tells_nothing_either(story: Story) -> None:
    story.prompt("go")
    story.run("echo '== suite'; go test ./... | grep FAIL", "== suite\n", 1)
    assert "open" not in states(story).values()


def test_a_search_that_finds_nothing_does_not_hide_what_fails_before_it(story: Story) -> None:
    story.prompt("go")
    story.run("make check && grep -r nothing src", "lib.c:3: it is broken", 1)
    assert "open" in states(story).values()


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("mix compile 2>&1 | grep '^lib/'", "lib/slice.ex:44:22:call_without_opaque Type mismatch in call"),
        ("npx eslint . | grep error", "  3:5  error  'x' is not defined  no-undef"),
        ("golangci-lint run | grep a.go | head", "./pkg/a.go:3:1: exported function X lacks a comment"),
    ],
)
def test_complaints_that_a_search_lets_through_are_a_failure_until_it_finds_none(
    story: Story, command: str, output: str
) -> None:
    story.prompt("go")
    at = story.run(command, output)
    (run,) = story.index.commands
    assert (run.state, run.last_bad.evidence.line, run.last_bad.exit_code) == ("open", at, None)
    story.run(command, "", 1)
    assert [c.state for c in story.index.commands] == ["resolved"]
    assert not story.index.claims


def test_what_the_same_search_no_longer_finds_in_a_longer_line_is_made_good(story: Story) -> None:
    story.prompt("go")
    story.run("./lint.sh check | grep '^lib/'", "lib/slice.ex:44:22:call Type mismatch in call")
    story.run("make && ./lint.sh check | grep '^lib/'", "", 1)
    assert states(story)["./lint.sh check"] == "resolved"


@pytest.mark.parametrize(
    "output", ["src/a.rs:3:5: warning: unused variable", "Found 0 errors.", "Compiling error-chain v1"]
)
def test_warnings_and_names_that_a_search_lets_through_are_no_failure(story: Story, output: str) -> None:
    story.prompt("go")
    story.run("cargo build 2>&1 | grep -E 'error|warning'", output)
    assert "open" not in states(story).values()


def test_that_something_exists_already_is_no_open_failure_but_in_a_check(story: Story) -> None:
    story.prompt("go")
    story.run(
        "gh pr create --fill",
        'a pull request for branch "x" already exists: https://github.com/a/b/pull/3',
        1,
    )
    story.run("pytest", "E  OperationalError: table orders already exists\n1 failed in 0.1s", 1)
    assert states(story) == {"gh pr create": "resolved", "pytest": "open"}


def test_a_job_that_was_only_started_has_not_worked_yet(story: Story) -> None:
    story.prompt("go")
    name = story.call("Bash", "shell", command="npm run serve")
    story.add("tool_result", "in background", call_id=name, background=True, exit_code=0, is_error=False)
    assert [(c.key, c.last_ok) for c in story.index.commands] == [("npm run serve", None)]
    assert [job.text for job in story.index.background] == ["npm run serve"]


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
    story.prompt("go")
    story.run("pnpm build 2>&1 | tail -20", "✓ Compiled successfully in 9s\nFailed to type check.")
    story.run(later, output)
    assert states(story) == {"pnpm build": state}
    seen = ["`pnpm build` passed (end seen)"] if state == "resolved" else []
    assert [claim.text for claim in story.index.claims] == seen


def test_tests_whose_end_was_empty_are_not_made_good(story: Story) -> None:
    story.prompt("go")
    story.run("npm test 2>&1 | tail -20", "Command failed with exit code 1.")
    story.run("npm test 2>&1 | tail -5", "")
    assert states(story) == {"npm test": "open"}


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
    story.prompt("go")
    story.run(command, output, 1)
    assert set(states(story).values()) == {"open"}


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cargo test a:: b::", "error: unexpected argument 'b::' found\n\nUsage: cargo test [OPTIONS]"),
        ("gh pr list --sate open", "unknown flag: --sate\n\nUsage:  gh pr list [flags]"),
        ("gh pr create", "must provide `--title` and `--body` when not running interactively"),
        (
            "python -m pytest --nocov",
            "ERROR: usage: pytest [options]\n__main__.py: error: unrecognized arguments: --nocov",
        ),
        ("go test -vv ./...", "flag provided but not defined: -vv\nusage: go test [build/test flags]"),
        (
            "uv run pytest --nope",
            "ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --nope",
        ),
        ("cargo test --lib x", "error: no library targets found in package `x`"),
        ("npm test (a)", "/bin/bash: -c: line 1: syntax error near unexpected token `('"),
        ("git worktree add ../x main", "fatal: '../x' already exists"),
        ("gh label create bug", 'label with name "bug" already exists; use `--force` to update'),
    ],
)
def test_a_line_that_was_wrongly_written_is_no_open_failure(story: Story, command: str, output: str) -> None:
    story.prompt("go")
    story.run(command, output, 2)
    assert "open" not in states(story).values()


def test_a_slip_hides_no_failure_of_the_same_check(story: Story) -> None:
    story.prompt("go")
    at = story.run("pytest tests", FAILED, 1)
    story.run("pytest tests --nope", "pytest: error: unrecognized arguments: --nope", 4)
    (run,) = story.index.commands
    assert (run.state, run.last_bad.evidence.line) == ("open", at)


def test_a_line_that_ran_before_is_not_wrongly_written(story: Story) -> None:
    story.prompt("go")
    story.run("pytest --cov", "4 passed in 0.1s")
    story.run("pytest --cov", "pytest: error: unrecognized arguments: --cov", 4)
    assert states(story) == {"pytest": "open"}


def test_a_script_that_was_called_rightly_since_does_not_fail(story: Story) -> None:
    story.prompt("go")
    story.run("./deploy.sh --stage", "deploy.sh: unknown option --stage", 2)
    assert states(story) == {"./deploy.sh": "open"}
    story.run("./deploy.sh staging", "done")
    assert "open" not in states(story).values()


def test_a_run_that_somebody_stopped_hides_no_failure(story: Story) -> None:
    story.prompt("go")
    at = story.run("pytest", FAILED, 1)
    story.run("pytest", "collecting …", 130)
    (run,) = story.index.commands
    assert (run.state, run.last_bad.evidence.line) == ("open", at)


def test_a_run_that_somebody_stopped_does_not_undo_a_success(story: Story) -> None:
    story.prompt("go")
    story.run("pytest", "4 passed in 0.1s")
    story.run("pytest", "collecting …", 130)
    assert states(story) == {"pytest": "ok"}


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
    story.prompt("go")
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
    story.prompt("go")
    story.run("gh pr checks 7", output, 1)
    assert states(story) == {"gh pr checks 7": "open"}


def test_a_task_that_failed_beside_others_is_told_by_its_own_lines() -> None:
    text = (
        "[lint:go] $ golangci-lint run\n[lint:mod] module files modified, please commit them\n"
        "[lint:mod]  M go.mod\n[lint:go] 0 issues.\n[lint:go] Finished in 833.4ms\nFinished in 836.4ms\n"
        "[lint:mod] ERROR task failed"
    )
    assert error_lines(text) == (
        "[lint:mod] module files modified, please commit them",
        "[lint:mod] M go.mod",
    )


def test_how_long_a_run_took_does_not_say_why_it_failed() -> None:
    assert error_lines("3 files would be reformatted\nDone in 0.41s.\n") == ("3 files would be reformatted",)


def test_an_echo_of_the_code_is_not_the_first_complaint() -> None:
    text = ">       with pytest.raises(ClientError):\nE       Failed: DID NOT RAISE <class 'ClientError'>\n"
    assert error_lines(text) == ("Failed: DID NOT RAISE <class 'ClientError'>",)


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
    story.prompt("go")
    story.run(failed, output, 1)
    story.run(later, "fine")
    (found,) = [c.state for c in story.index.commands if c.last_bad]
    assert found == state


def test_a_run_without_a_result_does_not_lend_its_words_to_the_one_that_went_well(story: Story) -> None:
    went_well = story.run('git commit -m "Add the parser"', "[main 1a2b3c4] Add the parser")
    story.call("Bash", "shell", command='git commit --amend -m "Add the video"')
    (commit,) = [run for run in story.index.commands if run.key == "git commit"]
    assert commit.last_ok and commit.last_ok.evidence.line == went_well
    assert commit.command == 'git commit -m "Add the parser"'


def _begun(story: Story, command: str) -> str:
    name = str(story.call("Bash", "shell", command=command))
    story.add("tool_result", "in background", call_id=name, background=True, data={"task": "b7"})
    return name


@pytest.mark.parametrize("tool", ["KillShell", "KillBash", "TaskStop"])
def test_a_job_that_a_tool_stopped_no_longer_runs(story: Story, tool: str) -> None:
    story.prompt("go")
    _begun(story, "npm run dev")
    story.call(tool, "other", text='{"shell_id":"b8"}')
    story.add("tool_result", "stopped b8", call_id="c2", is_error=False)
    assert [job.text for job in story.index.background] == ["npm run dev"]
    story.call(tool, "other", text='{"shell_id":"b7"}')
    story.add("tool_result", "stopped b7", call_id="c3", is_error=False)
    assert story.index.background == ()


def test_a_job_that_was_killed_by_its_name_no_longer_runs(story: Story) -> None:
    story.prompt("go")
    _begun(story, "npm run dev")
    story.run('pkill -f "npm run web"')
    assert [job.text for job in story.index.background] == ["npm run dev"]
    story.run('pkill -f "npm run dev"')
    assert story.index.background == ()


@pytest.mark.parametrize("tool", ["BashOutput", "TaskOutput"])
def test_a_job_whose_output_says_how_it_ended_is_a_run_that_ended(story: Story, tool: str) -> None:
    story.prompt("go")
    _begun(story, "pytest")
    story.call(tool, "other", text='{"bash_id":"b7"}')
    story.add("tool_result", "<status>running</status>", call_id="c2", is_error=False)
    assert [job.text for job in story.index.background] == ["pytest"]
    story.call(tool, "other", text='{"bash_id":"b7"}')
    ended = "<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<stdout>\n3 passed in 0.1s\n</stdout>"
    story.add("tool_result", ended, call_id="c3", exit_code=0, is_error=False)
    assert story.index.background == ()
    assert [(c.state, c.text) for c in story.index.claims] == [
        ("tested", "`pytest` passed — 3 passed in 0.1s")
    ]


@pytest.mark.parametrize(
    ("status", "code", "state"), [("completed", 0, "ok"), ("failed", 2, "open"), ("killed", None, "running")]
)
def test_a_notice_tells_how_a_job_ended(story: Story, status: str, code: int | None, state: str) -> None:
    story.prompt("go")
    _begun(story, "make test")
    data = {"task": "b7", "status": status}
    story.add("user", "it ended", by="harness", via="notification", exit_code=code, data=data)
    assert story.index.background == ()
    assert [(run.command, run.state) for run in story.index.commands] == [("make test", state)]


def test_what_a_job_printed_is_read_after_the_notice_of_its_end(story: Story) -> None:
    story.prompt("go")
    _begun(story, "pytest")
    data = {"task": "b7", "status": "completed"}
    story.add("user", "it ended", by="harness", via="notification", exit_code=0, data=data)
    story.call("TaskOutput", "other", text='{"task_id":"b7"}')
    ended = "<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<output>\n3 passed in 0.1s\n</output>"
    line = story.add("tool_result", ended, call_id="c2", exit_code=0, is_error=False)
    assert [(c.text, c.evidence[0].line) for c in story.index.claims] == [
        ("`pytest` passed — 3 passed in 0.1s", line)
    ]


UNCOMMITTED = "go module files modified, please commit result of 'go mod tidy'!\n M go.mod\n"


def test_a_check_that_asks_for_a_commit_is_made_good_by_one(story: Story) -> None:
    story.prompt("go")
    story.run("mise run lint", UNCOMMITTED, 1)
    assert states(story)["mise run lint"] == "open"
    story.run("git commit -am 'Tidy'", "[main 1a2b3c4] Tidy\n 2 files changed\n")
    assert states(story)["mise run lint"] == "resolved"


def test_a_commit_makes_good_nothing_but_the_lack_of_one(story: Story) -> None:
    story.prompt("go")
    story.run("mise run lint", "a.go:3: unused variable\n1 issues\n", 1)
    story.run(
        "git pull",
        "error: cannot pull with rebase: You have unstaged changes.\nerror: Please commit them.",
        1,
    )
    story.run("git commit -am 'Tidy'", "[main 1a2b3c4] Tidy\n 2 files changed\n")
    assert (states(story)["mise run lint"], states(story)["git pull"]) == ("open", "open")


def left_behind(story: Story, command: str, commands: int = 40, handed_in: bool = True) -> str:
    story.prompt("go")
    story.run(command, '{"url": "https://ci.example.com/7"}', 1)
    if handed_in:
        story.run("git commit -am 'Tidy'", "[main 1a2b3c4] Tidy\n 2 files changed\n")
    for i in range(commands):
        story.run(f"./report{i}.sh", "fine\n")
    return story.index.commands[0].state


def test_what_nobody_came_back_to_while_work_was_handed_in_is_abandoned(story: Story) -> None:
    assert left_behind(story, "python3 inspect_checks.py --json") == "resolved"


@pytest.mark.parametrize(
    ("command", "commands", "handed_in"),
    [
        ("python3 inspect_checks.py --json", 39, False),
        ("python3 inspect_checks.py --json", 3, True),
        ("pytest tests/test_a.py", 40, True),
        ("git push", 40, True),
    ],
)
def test_what_is_recent_or_judges_the_work_is_not_abandoned(
    story: Story, command: str, commands: int, handed_in: bool
) -> None:
    assert left_behind(story, command, commands, handed_in) == "open"


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
    story.prompt("go")
    story.run(failed, printed[0], 1)
    story.run(later, printed[1])
    assert [c.state for c in story.index.commands if c.last_bad] == [state]


@pytest.mark.parametrize(
    "command",
    [
        "./scripts/deploy.sh staging",
        "python manage.py migrate",
        "bundle exec rake db:migrate",
        "npx prisma migrate deploy",
        "helm upgrade --install app ./chart",
        "docker compose up -d",
        "ansible-playbook site.yml",
        "bash tools/release-all.sh",
    ],
)
@pytest.mark.parametrize("commands", [40, 120])
def test_what_was_to_be_changed_and_was_not_is_never_abandoned(
    story: Story, command: str, commands: int
) -> None:
    assert left_behind(story, command, commands) == "open"
    judged = judge.commands(story.index.commands, aim_of(""))
    assert [c.state for c in judged if c.last_bad] == ["open"]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("docker ps", "Cannot connect to the Docker daemon"),
        ("kubectl get pods", "error: no context"),
        ("gh pr view 12", "no pull requests found"),
        ("npm ls react", "(empty)"),
        ("lsof -i :3000", ""),
        ("curl -sf localhost:3000/health", ""),
        ("aws s3 ls s3://x", "An error occurred (NoSuchBucket)"),
    ],
)
def test_what_was_only_looked_for_and_not_found_is_no_open_failure(
    story: Story, command: str, output: str
) -> None:
    story.prompt("go")
    story.run(command, output, 1)
    assert [c.state for c in story.index.commands] == ["resolved"]


_TRACE = "Traceback (most recent call last):\n  File \"run.py\", line 3, in <module>\nKeyError: 'rate'"


@pytest.mark.parametrize(
    ("command", "output", "exit_code"),
    [
        ("python run.py 2>&1 | tail -5", _TRACE, 0),
        ("python reproduce.py", _TRACE, None),
        ("./bin/tool sync; echo done >/dev/null", "reading\nerror: no such remote", 0),
        (
            "cargo run --bin sync | tail -4",
            "thread 'main' panicked at src/main.rs:4:5:\nno entry\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
            0,
        ),
        (
            "node tools/gen.js 2>&1 | tail",
            "TypeError: x is not a function\n    at gen (/app/tools/gen.js:3:1)\n    at node:internal/main:1:1\n\nNode.js v20.1.0",
            0,
        ),
        (
            "go run ./cmd/sync; true",
            "panic: index out of range\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:12 +0x1d\nexit status 2",
            0,
        ),
        ("mix run seeds.exs 2>&1 | tail -2", "** (KeyError) key :rate not found\n    seeds.exs:3: (file)", 0),
        (
            "ruby tools/gen.rb | tail -3",
            "tools/gen.rb:4:in `fetch': key not found: :rate (KeyError)\n\tfrom tools/gen.rb:4:in `<main>'",
            0,
        ),
        ("pip install nothere | tail -2", "ERROR: No matching distribution found for nothere", 0),
    ],
)
def test_a_crash_at_the_end_of_what_was_printed_is_a_failure_where_the_exit_is_not_its_own(
    story: Story, command: str, output: str, exit_code: int | None
) -> None:
    story.prompt("go")
    story.run(command, output, exit_code)
    assert [c.state for c in story.index.commands] == ["open"]


@pytest.mark.parametrize(
    ("command", "output", "exit_code"),
    [
        ("python run.py", f"{_TRACE}\nhandled, going on", 0),
        ("python run.py | tail", f"{_TRACE}\nretried: 3 rows written", 0),
        ("python expect_crash.py", _TRACE, 0),
        ("kubectl logs web-1 | tail -3", _TRACE, 0),
        ("python report.py | head", "errors: 0\nwarnings: 3", None),
    ],
)
def test_a_crash_that_is_shown_or_survived_is_no_failure(
    story: Story, command: str, output: str, exit_code: int | None
) -> None:
    story.prompt("go")
    story.run(command, output, exit_code)
    assert [c.state for c in story.index.commands if c.state == "open"] == []


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
    story.prompt("go")
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
    story.prompt("go")
    name = story.call("Bash", "shell", command="make deploy")
    story.add("rejection", "not yet", by="person", via="rejection", call_id=name)
    story.run("make deploy", "deployed")
    index = story.index
    assert [c.state for c in index.commands] == ["ok"]
    assert [c for c in index.claims if "rejected" in c.text] == []


@pytest.mark.parametrize(
    ("failed", "said", "later", "output"),
    [
        ("npx tsc --noEmit", "src/a.ts(1,1): error TS2304: x", "npm run check", "> tsgo --noEmit\n"),
        ("npx tsc", "src/a.ts(1,1): error TS2304: x", "make check 2>&1 | tail -3", "checked 3 files"),
        (
            "cargo check",
            "error[E0433]: x\nerror: could not compile `m`",
            "cargo test",
            "test result: ok. 3 passed; 0 failed",
        ),
        ("go build ./...", "pkg/a.go:3:2: undefined: x", "go test ./...", "ok  \tx/pkg\t0.1s"),
        ("mvn -q compile", "[ERROR] A.java:[1,2] cannot find symbol", "mvn verify", "[INFO] BUILD SUCCESS"),
        ("npm run lint", 'npm error Missing script: "lint"', "npm run typecheck", ""),
        (
            "./gradlew compileJava",
            "A.java:3: error: cannot find symbol",
            "./gradlew check",
            "BUILD SUCCESSFUL in 9s",
        ),
        ("poe lnt", "Error: Unrecognised task 'lnt'", "poe lint", "All checks passed!"),
        ("make chekc", "make: *** No rule to make target 'chekc'.  Stop.", "make test", "3 passed in 0.1s"),
        ("just tset", "error: Justfile does not contain recipe `tset`", "just test", "3 passed in 0.1s"),
        (
            "ruff check .",
            "a.py:1:1: F401 unused",
            'git commit -qm "x"',
            "ruff.....................Passed\nmypy.....................Passed",
        ),
    ],
)
def test_a_broader_check_or_one_that_is_there_overtakes_a_failure(
    story: Story, failed: str, said: str, later: str, output: str
) -> None:
    story.prompt("go")
    story.run(failed, said, 1)
    story.run(later, output)
    assert "open" not in states(story).values()


@pytest.mark.parametrize(
    ("failed", "said", "later", "output"),
    [
        ("cargo test", "test a ... FAILED\ntest result: FAILED. 1 failed", "cargo check", "Finished dev"),
        ("go build ./...", "pkg/a.go:3:2: undefined: x", "go test ./cmd", "ok  \tx/cmd\t0.1s"),
        ("npx vitest run", " Tests  1 failed | 3 passed (4)", "npm run check", ""),
        ("npx tsc", "src/a.ts(1,1): error TS2304: x", "npm run build", ""),
        ("pytest", FAILED, 'git commit -qm "x"', "ruff.....................Passed"),
    ],
)
def test_a_lesser_check_overtakes_none(story: Story, failed: str, said: str, later: str, output: str) -> None:
    story.prompt("go")
    story.run(failed, said, 1)
    story.run(later, output)
    assert "open" in states(story).values()


@pytest.mark.parametrize(
    "said",
    [
        "That failure is pre-existing: it fails on main as well.",
        "This is an artifact of the sandbox, which has no network, not of the change.",
        "The failing test is unrelated to this work.",
        "Der Test war schon vorher kaputt.",
        "That run hit a setup issue: the tests expect a global registry.",
    ],
)
def test_a_failure_that_the_agent_puts_down_to_something_else_is_not_open(story: Story, said: str) -> None:
    story.prompt("go")
    story.run("pytest tests/test_net.py", FAILED, 1)
    story.says(said)
    assert "open" not in states(story).values()
    story.run("pytest tests/test_net.py", FAILED, 1)
    assert "open" in states(story).values()


@pytest.mark.parametrize(
    "said",
    [
        "Let me check whether this is pre-existing.",
        "It might be unrelated to this work.",
        "Is this pre-existing?",
        "This is not a pre-existing failure.",
        "My change broke it, unrelated to the earlier timeout.",
        "The failure is not from the socket code; the cache is not primed yet.",
        "The sandbox flag is parsed in the wrong place.",
    ],
)
def test_a_doubt_explains_no_failure(story: Story, said: str) -> None:
    story.prompt("go")
    story.run("pytest tests/test_net.py", FAILED, 1)
    story.says(said)
    assert "open" in states(story).values()


_LINTED = """  x import-plugin(no-named-as-default): Module "@/ui/link" has named export "Link01"
   ,-[demo/link-demo.tsx:3:8]
 2 |
 3 | import Link01, {
   :        ^^^^^^
   `----
  help: Using default import as "Link01" can be confusing. Use another name to avoid an error.

Found 0 warnings and 1 error.
"""


def test_of_a_linter_the_rule_and_the_place_are_told_before_its_help() -> None:
    told = error_lines(_LINTED)
    assert told[:2] == (
        'x import-plugin(no-named-as-default): Module "@/ui/link" has named export "Link01"',
        ",-[demo/link-demo.tsx:3:8]",
    )
    assert not any("help:" in line for line in told)


def test_help_is_told_where_there_is_nothing_else() -> None:
    assert error_lines("help: the flag cannot be used here\n") == ("help: the flag cannot be used here",)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest -q", "error: retry exhausted (expected)\n12 passed in 0.3s"),
        ("cd app && make all", "error: none found\nBuild succeeded"),
    ],
)
def test_a_check_whose_own_exit_status_is_good_passed_whatever_it_printed(
    story: Story, command: str, output: str
) -> None:
    story.prompt("go")
    story.run(command, output)
    assert set(states(story).values()) == {"ok"}
    story.run(f"{command} | tail -3", output)
    assert "open" in states(story).values()


CONFLICT = "CONFLICT (content): Merge conflict in src/a.py\nAutomatic merge failed; fix conflicts and then commit the result."


@pytest.mark.parametrize(
    ("began", "concluded", "printed"),
    [
        ("git merge origin/main", "git add src/a.py && git commit --no-edit", "[main 1234abc] Merge branch"),
        ("git merge origin/main", "git commit -qam merge", ""),
        ("git cherry-pick abc1234", "git -c core.editor=true cherry-pick --continue", "[main 1234abc] Fix"),
        ("git rebase main", "git -c core.editor=true rebase --continue", "Successfully rebased"),
        ("git rebase main", "git -C . rebase --abort", ""),
    ],
)
def test_what_stopped_at_a_conflict_is_over_when_it_is_concluded(
    story: Story, began: str, concluded: str, printed: str
) -> None:
    story.prompt("go")
    story.run(began, CONFLICT, 1)
    assert states(story)[" ".join(began.split()[:2])] == "open"
    story.run(concluded, printed)
    assert states(story)[" ".join(began.split()[:2])] == "resolved"


def test_a_commit_ends_no_rebase_and_no_merge_that_failed_otherwise(story: Story) -> None:
    story.prompt("go")
    story.run("git rebase main", CONFLICT, 1)
    story.run("git merge other", "merge: other - not something we can merge", 1)
    story.run("git commit -am x", "[main 1234abc] x")
    assert [states(story)[key] for key in ("git rebase", "git merge")] == ["open", "open"]


def test_a_merge_whose_conflicts_were_added_waits_for_its_commit(story: Story) -> None:
    story.prompt("go")
    story.run("git merge origin/main", CONFLICT, 1)
    story.run("git add src/other.py", "")
    assert states(story)["git merge"] == "open"
    at = story.run("git add src/a.py && git status --short", "M  src/a.py")
    assert states(story)["git merge"] == "resolved"
    (told,) = [c for c in story.index.claims if c.state == "inferred"]
    assert told.text == "the conflicts of `git merge` were resolved and added; it is not concluded yet"
    assert told.evidence[0].line == at
    story.run("git commit --no-edit", "[main 1234abc] Merge")
    assert not [c for c in story.index.claims if c.state == "inferred"]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest --collect-only -q", "tests/test_a.py::test_x\n14 tests collected in 0.02s"),
        ("ctest --test-dir build -N", "Test project /b\nTotal Tests: 4"),
        ("go test -list . ./...", "TestA\nok  \tx\t0.1s"),
        ("npx playwright test --list", "Total: 9 tests in 2 files"),
        ("make -n check", "cc -c a.c"),
    ],
)
def test_what_only_lists_proves_nothing(story: Story, command: str, output: str) -> None:
    story.prompt("go")
    story.run(command, output)
    assert not story.index.claims
    assert not [c for c in story.index.commands if c.last_ok and c.last_ok.proved]


def test_what_only_lists_takes_no_proof_away(story: Story) -> None:
    story.prompt("go")
    at = story.run("pytest -q", "4 passed in 0.1s")
    story.run("pytest -q --collect-only", "4 tests collected in 0.1s")
    (run,) = story.index.commands
    assert (run.last_ok.evidence.line, run.last_ok.proved) == (at, True)


def test_what_was_left_running_has_not_worked_before_it_ended(story: Story) -> None:
    story.prompt("go")
    story.run("nohup python train.py > log.txt 2>&1 & echo $!", "4411")
    assert not [c for c in story.index.commands if c.last_ok]
    story.run("kill 4411")
    assert [c.command for c in story.index.commands if c.last_ok] == ["nohup python train.py"]


def test_a_linter_that_counts_its_issues_at_its_end_failed(story: Story) -> None:
    story.prompt("go")
    story.run(
        "golangci-lint run ./... 2>&1 | tail -4",
        "a.go:33:1: returns interface (ireturn)\n2 issues:\n* ireturn: 2",
    )
    assert states(story) == {"golangci-lint run ./...": "open"}
    story.run("golangci-lint run ./... 2>&1 | tail -4", "0 issues.")
    assert states(story) == {"golangci-lint run ./...": "ok"}


def test_conflicts_count_as_added_by_a_line_that_has_got_past_that_and_goes_on(story: Story) -> None:
    story.prompt("go")
    story.run("git merge origin/main", CONFLICT, 1)
    name = story.call("Bash", "shell", command="git add src/a.py && cargo test")
    assert states(story)["git merge"] == "open"
    story.add("tool_result", "M  src/a.py\n   Compiling a", call_id=name, background=True)
    assert states(story)["git merge"] == "resolved"


@pytest.mark.parametrize(("code", "state"), [(101, "resolved"), (128, "open")])
def test_conflicts_count_as_added_where_only_what_came_after_that_failed(
    story: Story, code: int, state: str
) -> None:
    story.prompt("go")
    story.run("git merge origin/main", CONFLICT, 1)
    story.run("git add src/a.py && cargo test", "could not compile", code)
    assert states(story)["git merge"] == state
