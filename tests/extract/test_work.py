"""Work states: how far along a file is, from the checks that concern it."""

from __future__ import annotations

import pytest

from .story import Story

FAILS_A = "FAILED tests/test_a.py::test_x - AssertionError: assert 1 == 2\n1 failed in 0.1s\n"


def state(story: Story, path: str) -> str | None:
    (found,) = [file.work_state for file in story.index.files if file.path == path]
    return found


def begin(story: Story, *paths: str) -> None:
    story.prompt("go")
    for path in paths:
        story.edit(path)


@pytest.mark.parametrize("later", ["pytest tests/test_b.py", "ruff check .", "make build"])
def test_a_failing_test_of_a_file_outweighs_what_passes_later(story: Story, later: str) -> None:
    begin(story, "a.py", "b.py")
    story.run("pytest tests/test_a.py", FAILS_A, 1)
    story.run(later, "2 passed in 0.1s")
    story.says("Stopping here.")
    assert state(story, "a.py") == "partially_done"
    assert state(story, "b.py") == "ready"


@pytest.mark.parametrize(
    ("path", "command", "output"),
    [
        (
            "src/io.rs",
            "cargo test",
            "thread 'io::reads' panicked at src/io.rs:10\ntest result: FAILED. 1 failed",
        ),
        ("pkg/sync/sync.go", "go test ./...", "--- FAIL: TestX\nFAIL\texample.com/m/pkg/sync\t0.1s"),
        ("src/hooks/deliver.ts", "npx jest", "FAIL src/hooks/deliver.test.ts\n  ● retries"),
        ("src/hooks/index.ts", "npx jest", "FAIL test/hooks.spec.ts\n  ● retries"),
        ("src/theme.ts", "npm run build", "src/theme.ts(5,15): error TS2305: no exported member 'X'."),
        ("app/Retry.java", "mvn test", "[ERROR] RetryTest.java:[12,4] cannot find symbol"),
    ],
)
def test_a_failure_names_a_file_by_its_path_its_test_its_module_or_its_package(
    story: Story, path: str, command: str, output: str
) -> None:
    begin(story, path, "elsewhere/other.py")
    story.run(command, output, 1)
    story.run("make lint", "0 issues.")
    story.says("Stopping here.")
    assert (state(story, path), state(story, "elsewhere/other.py")) == ("partially_done", "ready")


def test_a_failure_that_names_no_changed_file_concerns_them_all(story: Story) -> None:
    begin(story, "a.py", "b.py")
    story.run("pytest", "FAILED tests/test_flow.py::test_x - KeyError: 'x'\n1 failed in 0.1s\n", 1)
    story.run("ruff check .", "All checks passed!")
    story.says("Stopping here.")
    assert {state(story, "a.py"), state(story, "b.py")} == {"partially_done"}
    story.run("pytest tests/test_a.py", "3 passed in 0.1s")
    story.says("Stopping here.")
    assert (state(story, "a.py"), state(story, "b.py")) == ("ready", "partially_done")


def test_what_failed_before_the_edit_is_made_good_by_no_lesser_check(story: Story) -> None:
    begin(story, "a.py")
    story.run("pytest tests/test_a.py", FAILS_A, 1)
    story.edit("a.py")
    story.run("ruff check .", "All checks passed!")
    story.says("Stopping here.")
    assert state(story, "a.py") == "needs_review"
    story.run("make test", "12 passed in 0.1s")
    story.says("Stopping here.")
    assert state(story, "a.py") == "ready"


def test_a_check_of_other_changed_files_proves_nothing(story: Story) -> None:
    begin(story, "internal/a/a.go", "internal/b/b.go")
    story.run("go test ./internal/b/...", "ok  \tx/internal/b\t0.1s")
    story.says("Stopping here.")
    assert (state(story, "internal/a/a.go"), state(story, "internal/b/b.go")) == ("needs_review", "ready")


@pytest.mark.parametrize("command", ["pytest tests/test_upload.py", "cd build && ctest", "go test ./cmd/app"])
def test_a_check_that_was_given_nothing_that_was_changed_was_run_for_what_was(
    story: Story, command: str
) -> None:
    begin(story, "src/retries.py")
    story.run(command, "3 passed in 0.1s")
    story.says("Stopping here.")
    assert state(story, "src/retries.py") == "ready"


def test_tests_that_were_changed_too_stand_for_the_code_they_were_changed_with(story: Story) -> None:
    begin(story, "src/retries.py", "tests/test_upload.py")
    story.run("pytest tests/test_upload.py", "3 passed in 0.1s")
    story.says("Stopping here.")
    assert state(story, "src/retries.py") == "ready"


@pytest.mark.parametrize(
    ("command", "output", "code"),
    [
        ("mix compile && mix dialyzer 2>&1 | grep '^lib/'", "", 1),
        ("mix compile && mix credo | head -5", "Checking 12 files", 0),
    ],
)
def test_what_had_to_succeed_before_a_pipe_began_has_passed(
    story: Story, command: str, output: str, code: int
) -> None:
    begin(story, "lib/slice.ex")
    at = story.run(command, output, code)
    story.says("Stopping here.")
    assert state(story, "lib/slice.ex") == "ready"
    assert [(c.state, c.text, c.evidence[0].line) for c in story.index.claims] == [
        ("built", "`mix compile` passed", at)
    ]


@pytest.mark.parametrize(
    "command",
    ["mix compile; mix dialyzer | grep '^lib/'", "mix compile | tail -1 && mix dialyzer | grep '^lib/'"],
)
def test_what_need_not_have_succeeded_before_a_pipe_began_has_not(story: Story, command: str) -> None:
    begin(story, "lib/slice.ex")
    story.run(command, "", 1)
    assert (story.states, story.claims) == ({"mix compile": "ok", "mix dialyzer": "ok"}, [])
    assert state(story, "lib/slice.ex") == "editing"


def test_a_check_whose_exit_was_lost_is_not_proved_to_have_worked(story: Story) -> None:
    begin(story, "a.py")
    story.run("npm test | head -5", "collecting …")
    story.run("npm run lint", "> lint")
    assert {c.key: c.last_ok.proved for c in story.index.commands} == {
        "npm test": False,
        "npm run lint": True,
    }


def test_prose_is_judged_by_no_failure_that_does_not_name_it(story: Story) -> None:
    begin(story, "docs/guide.md")
    story.run("cargo fmt --check", "")
    story.run("cargo test", "error: the toolchain is too old", 101)
    story.says("Stopping here.")
    assert state(story, "docs/guide.md") == "ready"


def test_what_another_check_says_of_unchanged_files_does_not_undo_a_pass(story: Story) -> None:
    begin(story, "a.py", "b.py")
    story.run("pytest", "9 passed in 0.1s")
    story.edit("b.py")
    story.run("make lint", "vendor/x.py:3:1: error: could not import y", 1)
    story.says("Stopping here.")
    assert (state(story, "a.py"), state(story, "b.py")) == ("ready", "partially_done")


def test_a_checker_that_is_not_installed_says_nothing_of_a_file(story: Story) -> None:
    begin(story, "scripts/build.sh")
    story.run("ninja lint scripts/build.sh", "bash: ninja: command not found", 127)
    story.says("Stopping here.")
    assert state(story, "scripts/build.sh") == "needs_review"


def test_a_file_that_had_passed_is_not_blamed_for_what_fails_after_another_was_edited(story: Story) -> None:
    begin(story, "a.py")
    story.run("pytest", "9 passed in 0.1s")
    story.edit("b.py")
    story.run(
        "pytest tests/test_flow.py", "FAILED tests/test_flow.py::test_x - KeyError\n1 failed in 0.1s\n", 1
    )
    story.says("Stopping here.")
    assert (state(story, "a.py"), state(story, "b.py")) == ("ready", "partially_done")


def test_a_file_that_fails_right_after_it_had_passed_is_not_ready(story: Story) -> None:
    begin(story, "a.py")
    story.run("make test", "9 passed in 0.1s")
    story.run(
        "pytest tests/test_flow.py", "FAILED tests/test_flow.py::test_x - KeyError\n1 failed in 0.1s\n", 1
    )
    story.says("Stopping here.")
    assert state(story, "a.py") == "partially_done"


def test_a_linter_that_was_given_other_files_proves_nothing_of_these(story: Story) -> None:
    begin(story, "src/open.ts")
    story.run("npx eslint src/open.ts", "")
    story.edit("src/close.ts")
    story.run("npx eslint src/open.ts src/other.ts", "")
    story.says("Stopping here.")
    assert state(story, "src/close.ts") == "needs_review"


def test_a_file_that_an_open_failure_names_is_not_ready_whatever_passes_later(story: Story) -> None:
    begin(story, "src/close.ts")
    story.run("npx tsc --noEmit", "src/close.ts(3,18): error TS2304: Cannot find name 'group'.", 2)
    story.edit("src/close.ts")
    story.run("npx vitest run", " Tests  12 passed (12)")
    story.says("Stopping here.")
    assert state(story, "src/close.ts") == "needs_review"


def test_a_file_that_a_pasted_failure_names_is_not_ready(story: Story) -> None:
    begin(story, "src/ask.py")
    story.run("pytest", "4 passed in 0.1s")
    story.prompt("I get this:\nFAILED tests/test_ask.py::test_prompt - TypeError: unexpected keyword 'x'")
    story.says("Looking.")
    assert state(story, "src/ask.py") == "partially_done"
    story.run("pytest", "5 passed in 0.1s")
    story.says("Fixed.")
    assert state(story, "src/ask.py") == "ready"


@pytest.mark.parametrize(
    "claim",
    [
        "All tests pass.",
        "The suite is green and the alert works.",
        "Everything passes and the bench is below ten seconds now.",
        "Alle Tests laufen durch.",
        "テストはすべて通りました。",
        "Todas las pruebas pasan.",
        "Tous les tests passent.",
        "Tutti i test passano adesso.",
        "所有测试都通过了。",
    ],
)
def test_a_claim_that_all_is_well_is_no_reason_of_an_edit(story: Story, claim: str) -> None:
    story.prompt("Split the reader into two.")
    story.says(claim)
    story.edit("src/reader.py")
    story.says("Stopping here.")
    assert [file.why for file in story.index.files] == ['for: "Split the reader into two."']


@pytest.mark.parametrize(
    "why", ["Pass the token to the build step.", "The tests of the reader need a clean directory."]
)
def test_what_only_speaks_of_checks_is_a_reason(story: Story, why: str) -> None:
    story.prompt("go")
    story.says(why)
    story.edit("src/reader.py")
    story.says("Stopping here.")
    assert [file.why for file in story.index.files] == [why.rstrip(".")]


def test_a_commit_settles_only_the_files_it_holds(story: Story) -> None:
    begin(story, "src/b.py", "src/c.py")
    story.run("git add src/b.py && git commit -m x", "[main 1a2b3c4] x")
    story.says("Stopping here.")
    assert (state(story, "src/b.py"), state(story, "src/c.py")) == ("ready", "needs_review")


def test_a_commit_that_went_through_its_hook_makes_its_files_ready(story: Story) -> None:
    begin(story, "src/a.py")
    story.run("pytest", "3 passed in 0.1s")
    story.edit("src/b.py")
    story.run("git commit -am x", "ruff.....................Passed\n[main 1a2b3c4] x")
    story.says("Stopping here.")
    assert state(story, "src/b.py") == "ready"
