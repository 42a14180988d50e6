"""A search behind a pipe: what it finds and what it does not find tells of the check before it."""

from __future__ import annotations

import pytest

from ..story import Story


@pytest.mark.parametrize(
    ("command", "output", "key"),
    [
        ("mypy src | grep error", "", "mypy src"),
        ("cd x && ./lint.sh check 2>&1 | grep -E '^lib/'", "", "./lint.sh check"),
        ("npm test | rg TODO", "", "npm test"),
        ("echo '== suite'; go test ./... | grep FAIL", "== suite\n", "go test ./..."),
    ],
)
def test_a_search_behind_a_pipe_that_finds_nothing_tells_neither_failure_nor_success(
    story: Story, command: str, output: str, key: str
) -> None:
    story.run(command, output, 1)
    (run,) = story.index.commands
    assert (run.key, run.state, run.last_bad) == (key, "ok", None)
    assert story.claims == []


def test_a_search_that_finds_nothing_does_not_hide_what_fails_before_it(story: Story) -> None:
    story.run("make check && grep -r nothing src", "lib.c:3: it is broken", 1)
    assert story.states == {"make check": "open"}


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
    at = story.run(command, output)
    (run,) = story.index.commands
    assert (run.state, run.last_bad.evidence.line, run.last_bad.exit_code) == ("open", at, None)
    story.run(command, "", 1)
    assert [c.state for c in story.index.commands] == ["resolved"]
    assert story.claims == []


def test_what_the_same_search_no_longer_finds_in_a_longer_line_is_made_good(story: Story) -> None:
    story.run("./lint.sh check | grep '^lib/'", "lib/slice.ex:44:22:call Type mismatch in call")
    story.run("make && ./lint.sh check | grep '^lib/'", "", 1)
    assert story.states["./lint.sh check"] == "resolved"


@pytest.mark.parametrize(
    ("output", "claims"),
    [
        ("src/a.rs:3:5: warning: unused variable", []),
        ("Found 0 errors.", [("built", "`cargo build` passed — Found 0 errors.")]),
        ("Compiling error-chain v1", []),
    ],
)
def test_warnings_and_names_that_a_search_lets_through_are_no_failure(
    story: Story, output: str, claims: list[tuple[str, str]]
) -> None:
    story.run("cargo build 2>&1 | grep -E 'error|warning'", output)
    assert (story.states, story.claims) == ({"cargo build": "ok"}, claims)


HIT = "x/empty.go:11:func NewEmpty() *static {"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("d=$(go list -m acme.io/x); grep -n NewEmpty $d/*.go; echo; grep -rn 'func init' $d", HIT),
        ("d=$(go list -m acme.io/x)\ngrep -n NewEmpty $d/*.go\nrg init $d", f"{HIT}\n"),
        ("go list -m acme.io/x; grep -n err x/a.go; grep -n init x/b.go", "x/a.go:3:\treturn error: failed"),
        ("pytest -q; grep -rn TODO src", "4 passed in 0.1s"),
    ],
)
def test_a_search_at_the_end_that_finds_nothing_is_no_failure_of_what_ran_before_it(
    story: Story, command: str, output: str
) -> None:
    story.run(command, output, 1)
    assert [run.last_bad for run in story.index.commands if run.last_bad or run.state != "ok"] == []


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest -q; grep -rn TODO src", "FAILED tests/a.py::test_b\n1 failed in 0.1s"),
        ("go build ./...; grep -n init x/b.go", "x/a.go:3: error: it is broken"),
        ("go build ./...; grep -n init x/b.go", "x/a.go:3:1: error: it is broken"),
        ("go list -m acme.io/x && grep -n init x/b.go", "it is not there"),
    ],
)
def test_a_search_at_the_end_does_not_hide_a_complaint_or_an_exit_that_may_be_of_another(
    story: Story, command: str, output: str
) -> None:
    story.run(command, output, 1)
    (run,) = story.index.commands
    assert run.last_bad is not None
