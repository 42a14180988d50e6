"""Runs whose exit status the line hides: what they printed may tell against them, and an exit may be printed."""

from __future__ import annotations

import pytest

from ..story import Story

HIDDEN, WORKED, FAILS = "hidden", "worked", "fails"


def told(story: Story) -> dict[str, tuple[str, str]]:
    """How each run is told, by its key, and the line that tells."""
    found = {}
    for run in story.index.commands:
        if run.state == "open" and run.last_bad:
            found[run.key] = FAILS, run.last_bad.error_lines[-1] if run.last_bad.error_lines else ""
        elif run.last_ok:
            unknown = not run.last_ok.proved
            found[run.key] = HIDDEN if unknown else WORKED, run.last_ok.outcome
    return found


@pytest.mark.parametrize(
    ("command", "output", "line"),
    [
        ("./sync.sh eu | head -20", "copied 3\nThis host will NOT be synced", "This host will NOT be synced"),
        ("./names.sh figs || true", "LEAK: figs/2.svg names a vessel", "LEAK: figs/2.svg names a vessel"),
        ("gh release view v9 2>&1 | head -5", "release not found", "release not found"),
        ("./compare.sh a b; ls", "p1 ok\np2 DIFFERS\na b", "p2 DIFFERS"),
        ("curl -sI https://x.test/a | head -3", "HTTP/2 404 \ndate: today", "HTTP/2 404"),
        ("curl -s https://x.test/a -o /dev/null -w '%{http_code}' | cat", "503", "503"),
        ("./probe.sh all | tail -2", "db ok\n3 of 4 hosts healthy", "3 of 4 hosts healthy"),
        (
            "./tool sync a b c 2>&1 | tail -3",
            "error: accepts at most 2 arg(s)",
            "error: accepts at most 2 arg(s)",
        ),
    ],
)
def test_a_hidden_exit_beside_trouble_is_told_with_the_telling_line(
    story: Story, command: str, output: str, line: str
) -> None:
    story.run(command, output)
    (how, telling), *_ = told(story).values()
    assert how in (HIDDEN, FAILS)
    assert telling == line


def test_a_command_that_is_given_only_values_of_flags_is_told_too(story: Story) -> None:
    story.run(
        'pg_dump -Fc "$PG" -t keys -f /b/pre.dump || true', "pg_dump: error: query failed: permission denied"
    )
    assert told(story) == {
        "pg_dump keys /b/pre.dump": (HIDDEN, "pg_dump: error: query failed: permission denied")
    }


def test_the_telling_line_stands_beside_the_command_whose_exit_is_hidden(story: Story) -> None:
    story.run("./roll.sh api; ./pods.sh api", "Error: timed out\nNAME READY\napi-1 1/1")
    assert told(story) == {"./roll.sh api": (HIDDEN, "Error: timed out"), "./pods.sh api": (WORKED, "")}


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("web1 : ok=12 changed=3 failed=1 skipped=0", "web1 : ok=12 changed=3 failed=1 skipped=0"),
        ("web1 : ok=12 changed=3 failed=0 skipped=2", ""),
        ("ran: 5 failed: 0", ""),
        ("passed: 5 failed: 2", "passed: 5 failed: 2"),
        ("no errors, 3 files", ""),
        ("12 vulnerabilities (3 moderate, 9 high)", "12 vulnerabilities (3 moderate, 9 high)"),
        ("copy failed: No such file or directory (2)", "copy failed: No such file or directory (2)"),
        ("error_pages.html\nfailures.txt", ""),
    ],
)
def test_only_what_counts_or_tells_trouble_speaks_against_a_run(story: Story, output: str, line: str) -> None:
    story.run("./roll.sh api | cat", output)
    assert told(story)["./roll.sh api"] == (HIDDEN, line)


@pytest.mark.parametrize(
    "command",
    [
        "./deploy.sh eu || true",
        "./deploy.sh eu; true",
        "./deploy.sh eu | cat",
        "./deploy.sh eu && x | cat; ls",
    ],
)
def test_a_hidden_exit_beside_nothing_that_tells_is_not_called_success(story: Story, command: str) -> None:
    story.run(command, "eu-west-1\n12 hosts")
    assert told(story)["./deploy.sh eu"] == (HIDDEN, "")


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("./deploy.sh eu", "eu-west-1"),
        ("cd infra && ./deploy.sh eu", "eu-west-1"),
        ("./deploy.sh eu && ls | head", "a b"),
        ("set -o pipefail; ./deploy.sh eu | tail -3", "eu-west-1"),
        ("ls; ./deploy.sh eu", "a b"),
        ("./deploy.sh eu | tail -1", "Deployment complete"),
        ("./deploy.sh eu; echo rc=$?", "eu-west-1\nrc=0"),
    ],
)
def test_what_the_line_could_not_hide_worked(story: Story, command: str, output: str) -> None:
    story.run(command, output)
    assert told(story)["./deploy.sh eu"][0] == WORKED


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest -q; echo status:$?", "collecting\nstatus:2"),
        ("pytest -q > /tmp/o; echo EXIT=$?", "EXIT=1"),
        ('pytest -q | tail -3; echo "rc=${PIPESTATUS[0]}"', "collecting\nrc=1"),
        ("pytest -q; rc=$?; tail -3 log; echo rc is $rc", "collecting\nrc is 1"),
        ("pytest -q; printf 'exit %d\\n' $?", "collecting\nexit 4"),
        ('pytest -q; echo -e "\\n--- exit: $? ---"', "collecting\n\n--- exit: 1 ---"),
        ("pytest -q; echo $?", "collecting\n1"),
    ],
)
def test_a_printed_exit_of_a_check_is_its_exit(story: Story, command: str, output: str) -> None:
    story.run(command, output)
    (run,) = story.index.commands
    assert run.state == "open"
    assert run.last_bad and run.last_bad.exit_code == int(
        output.split()[-2 if output.endswith("---") else -1].rpartition(":")[2].rpartition("=")[2]
    )
    assert story.claims == []


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("make lint; echo status:$?", "linted a\nstatus:0"),
        ('make lint 2>&1 | tail -3; echo "rc=${PIPESTATUS[0]}"', "linted a\nrc=0"),
    ],
)
def test_a_check_that_printed_exit_0_passed(story: Story, command: str, output: str) -> None:
    story.run(command, output)
    assert story.claims == [("done", "`make lint` passed")]


def test_the_exit_of_a_filter_is_not_that_of_the_check_before_it(story: Story) -> None:
    story.run("make lint | tail -3; echo $?", "linted a\n0")
    assert story.claims == []


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("python verify/sums.py --all", "p1 ok\np2 DIFFERS\n35/36 partitions match"),
        ("python check.py", "3 of 4 ok"),
        ("python lint.py", "2/3 files are clean"),
        ('elixir --name a --cookie c -e "IO.inspect Node.connect(:b)"', "false\n"),
        ("./bin/ready web", "no"),
        ("./bin/peer --connect b", ":error"),
    ],
)
def test_what_counts_less_than_all_or_only_says_no_has_not_gone_well(
    story: Story, command: str, output: str
) -> None:
    story.run(command, output)
    ((how, line),) = told(story).values()
    assert (how, line) == (HIDDEN, output.strip().rpartition("\n")[2])
    assert story.claims == []


@pytest.mark.parametrize(
    "output",
    [
        "no errors",
        "true",
        "none of 4 changed",
        "debug: false\nready",
        "36/36 partitions match",
        "4 of 4 ok",
        "page 1 of 4",
        "wrote 3/4 inch",
        "2026/11/16 all is ok",
    ],
)
def test_a_check_that_counts_all_or_something_else_passed(story: Story, output: str) -> None:
    story.run("python verify/sums.py --all", output)
    assert [state for state, _ in story.claims] == ["done"]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("quarto render notes/a.qmd | tail -2", "ERROR: Error in file('x') : cannot open\nExecution halted"),
        (
            "./fuzz/run.sh --seconds 60 2>&1 | grep -v INFO | tail -3",
            "==44==ERROR: AddressSanitizer: heap-use-after-free\nSUMMARY: AddressSanitizer: heap-use-after-free a.c:2",
        ),
        ("./bench/all.sh | tail -2", "core: 3 runs\nSegmentation fault (core dumped)"),
    ],
)
def test_a_crash_behind_a_pipe_is_a_failure(story: Story, command: str, output: str) -> None:
    story.run(command, output)
    assert [how for how, _ in told(story).values()] == [FAILS]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("mix credo --strict 2>&1 | tail -3", "412 mods/funs, found 2 refactoring opportunities."),
        ("cargo clippy 2>&1 | tail -2", "warning: `app` (lib) generated 3 warnings\n    Checking app v0.1"),
        ("mix dialyzer | tail -2", "Total errors: 2, Skipped: 0\ndone (warnings were emitted)"),
    ],
)
def test_issues_that_a_linter_counts_are_no_success(story: Story, command: str, output: str) -> None:
    story.run(command, output)
    assert [how for how, _ in told(story).values()] in ([HIDDEN], [FAILS])
    assert story.claims == []


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ('mix test 2>&1 | grep -E "(tests|failures)"', "14 doctests, 410 tests, 0 failures"),
        ("bin/rails test | tail -1", "5 runs, 12 assertions, 0 failures, 0 errors, 0 skips"),
        ("vendor/bin/phpunit | grep OK", "OK (12 tests, 30 assertions)"),
        ("bun test 2>&1 | grep -E 'pass|fail'", " 12 pass\n 0 fail"),
        ("ctest | grep tests", "100% tests passed, 0 tests failed out of 12"),
        ("swift test | tail -1", "\t Executed 12 tests, with 0 failures (0 unexpected) in 0.5 seconds"),
        ("dotnet test | grep -i passed", "Passed!  - Failed:     0, Passed:     4, Skipped:     0"),
    ],
)
def test_a_summary_counts_although_a_search_let_it_through(story: Story, command: str, output: str) -> None:
    story.edit("a.py")
    story.run(command, output)
    assert [state for state, _ in story.claims] == ["tested"]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ('mix test 2>&1 | grep -E "(tests|failures)"', "14 doctests, 410 tests, 2 failures"),
        ("bun test 2>&1 | grep -E 'pass|fail'", " 12 pass\n 1 fail"),
        ("ctest | grep tests", "92% tests passed, 1 tests failed out of 12"),
    ],
)
def test_a_summary_of_failures_counts_as_well(story: Story, command: str, output: str) -> None:
    story.run(command, output)
    assert [run.state for run in story.index.commands] == ["open"]
