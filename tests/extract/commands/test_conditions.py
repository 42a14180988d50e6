"""A check that asks for less than the one that failed says nothing of the failure."""

from __future__ import annotations

import pytest

from ..story import Story

TWO = "FAILED tests/test_a.py::test_one - assert 1 == 2\n1 failed, 8 passed in 0.2s"
RUST = "test parse::one ... FAILED\ntest result: FAILED. 8 passed; 1 failed"
GO = "--- FAIL: TestOne (0.0s)\n    a_test.go:9: boom\nFAIL\tacme/x\nFAIL"
LINT = "src/a.py:1:1: F401 `os` imported but unused\nFound 1 error."
PRINTED = {"pytest": TWO, "python": TWO, "cargo": RUST, "go": GO, "ruff": LINT}


def fate(story: Story, failed: str, later: str, printed: str) -> str:
    story.run(failed, printed, 1)
    story.edit("src/a.py")
    story.run(later, "")
    return next(command.state for command in story.index.commands if command.last_bad)


def printed_by(command: str) -> str:
    return next(said for tool, said in PRINTED.items() if tool in command)


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("pytest -q", "pytest -q --deselect tests/test_a.py::test_one"),
        ("pytest -q", "pytest -q --ignore=tests/test_a.py"),
        ("pytest -q", "pytest -q tests/test_a.py --deselect=tests/test_a.py::test_one"),
        ("pytest -q", "pytest -q -k test_two"),
        ("go test ./...", "go test -run TestTwo ./..."),
        ("cargo test", "cargo test -- --skip parse"),
        ("go test ./...", "go test -skip TestOne ./..."),
        ("go test ./...", "go test -short ./..."),
        ("cargo nextest run", "cargo nextest run -E 'not test(one)'"),
        ("ruff check .", "ruff check --ignore F401 ."),
        ("DB=postgres pytest -q", "DB=sqlite pytest -q"),
        ("DB=postgres pytest -q", "pytest -q"),
        ("pytest -q", "SKIP_SLOW=1 pytest -q"),
        ("python3.9 -m pytest", "python3.12 -m pytest"),
        ("cargo +nightly test", "cargo +stable test"),
        ("cargo test --features pg", "cargo test"),
        ("go test -race ./...", "go test ./..."),
        ("go test -tags=integration ./...", "go test ./..."),
    ],
)
def test_who_leaves_out_what_failed_or_asks_for_less_makes_nothing_good(
    story: Story, failed: str, later: str
) -> None:
    assert fate(story, failed, later, printed_by(failed)) == "open"
    assert next(file.work_state for file in story.index.files if file.path == "src/a.py") != "ready"


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("pytest -q", "pytest -q --deselect tests/test_b.py::test_two"),
        ("pytest -q --ignore=tests/slow", "pytest --ignore=tests/slow"),
        ("DB=postgres pytest -q", "DB=postgres pytest"),
        ("pytest -q", "DATABASE_URL=postgres://localhost/x pytest -q"),
        ("RUST_BACKTRACE=1 cargo test", "cargo test"),
        ("PYTHONPATH=src pytest -q", "pytest -q"),
        ("python3.9 -m pytest", "python -m pytest"),
        ("cargo test --features pg", "cargo test --all-features"),
        ("cargo test", "cargo test --features pg"),
        ("go test ./...", "go test -race ./..."),
        ("go test -v ./...", "go test ./..."),
        ("go build ./... && go test ./...", "go build ./... && go test -count=1 ./..."),
    ],
)
def test_who_asks_for_the_same_or_for_more_makes_it_good(story: Story, failed: str, later: str) -> None:
    assert fate(story, failed, later, printed_by(failed)) == "resolved"


def test_a_build_is_made_good_beside_tests_of_which_some_are_left_out(story: Story) -> None:
    assert fate(
        story, "go build ./...", "go build ./... && go test -short ./...", "a.go:3:1: undefined: x"
    ) == ("resolved")


def test_a_version_that_lacks_the_tool_is_made_good_by_one_that_has_it(story: Story) -> None:
    lacking = "/usr/bin/python3.9: No module named pytest"
    assert fate(story, "python3.9 -m pytest", "python3.12 -m pytest", lacking) == "resolved"


PASSED = "ok  \tacme/x\t0.1s"


@pytest.mark.parametrize(
    ("passed", "told"),
    [
        ("export DB=sqlite; go test ./...", "DB=sqlite go test ./..."),
        ("export DB=sqlite MODE=x\ngo test ./... 2>&1 | tail -3", "DB=sqlite MODE=x go test ./..."),
        ("cd sub && export DB=sqlite && go test ./...", "cd sub && DB=sqlite go test ./..."),
        ("export DB=sqlite; cd sub; go test ./...", "cd sub && DB=sqlite go test ./..."),
        ("DB=sqlite go test ./...", "DB=sqlite go test ./..."),
        ("export DB='a b'; go test ./...", "DB=… go test ./..."),
        ("export GOCACHE_DIR=out; go test ./...", "GOCACHE_DIR=out go test ./..."),
    ],
)
def test_a_check_that_passed_under_settings_of_its_line_is_told_with_them(
    story: Story, passed: str, told: str
) -> None:
    story.run(passed, PASSED)
    story.run("go test ./...", GO, 1)
    assert ("tested", f"`{told}` passed — ok acme/x 0.1s") in story.claims


@pytest.mark.parametrize(
    "passed",
    [
        "export GOCACHE_DIR=out; go test ./...",
        "go test ./...; export DB=sqlite",
        "export DB=sqlite; make gen; unset DB; go test ./...",
    ],
)
def test_a_check_is_told_without_settings_that_change_nothing_of_it(story: Story, passed: str) -> None:
    story.run(passed, PASSED)
    assert ("tested", "`go test ./...` passed — ok acme/x 0.1s") in story.claims


@pytest.mark.parametrize(
    ("passed", "failed"),
    [
        ("go test ./... | tail -5", "go test ./... 2>&1 | grep -v '^ok'"),
        ("export DB=x; go test ./...", "export DB=x; go test ./... | tail -3"),
    ],
)
def test_a_check_that_fails_since_in_a_line_written_otherwise_is_not_told_to_have_passed(
    story: Story, passed: str, failed: str
) -> None:
    story.run(passed, PASSED)
    story.run(failed, GO, 1)
    assert not [text for state, text in story.claims if "passed" in text]
    story.run(passed, PASSED)
    assert [text for state, text in story.claims if "passed" in text]
