"""The check that is advised concerns what was edited."""

from __future__ import annotations

import pytest

from segue.extract.steps import next_steps

from .story import Story

_PASSED = {
    "go test ./...": "ok  \tapp/a\t0.1s",
    "go build": "",
    "go test ./pkg/osutil ./pkg/ui": "ok  \tapp/pkg/osutil\t0.1s",
    "goreleaser check": "1 configuration file validated",
    "npm test": "Tests: 4 passed, 4 total",
    "cargo test": "test result: ok. 4 passed; 0 failed; 0 ignored",
    "pytest -q": "4 passed in 0.1s",
    "pytest tests/unit": "4 passed in 0.1s",
    "pytest tests/billing": "4 passed in 0.1s",
    "mix test": "4 tests, 0 failures",
}


def _advised(story: Story, *checks: str, edited: str) -> str:
    story.prompt("Get the release ready.")
    story.edit(edited, "a")
    for check in checks:
        story.run(check, _PASSED[check])
    story.edit(edited, "b", "a")
    index = story.index
    failing = [run for run in index.commands if run.state == "open"]
    steps = next_steps(index, failing, [], [], 0)
    return next((step.text.partition(":")[0] for step in steps if step.basis == "check"), "")


@pytest.mark.parametrize(
    ("checks", "edited", "advised"),
    [
        (("goreleaser check", "go test ./..."), ".goreleaser.yaml", "Run `goreleaser check` again"),
        (("go test ./...",), ".github/workflows/release.yml", "Check the last edits"),
        (("go test ./...",), "pkg/osutil/file.go", "Run `go test ./...` again"),
        (
            ("go test ./pkg/osutil ./pkg/ui", "go build"),
            "pkg/osutil/file.go",
            "Run `go test ./pkg/osutil ./pkg/ui` again",
        ),
        (("go build",), "pkg/osutil/file.go", "Run `go build` again"),
        (("npm test",), "config/app.yml", "Run `npm test` again"),
        (("cargo test",), "Cargo.toml", "Run `cargo test` again"),
        (("cargo test",), "web/app.css", "Check the last edits"),
        (("pytest -q",), "tests/data/rows.csv", "Run `pytest -q` again"),
        (("pytest tests/unit",), "src/app/models.py", "Run `pytest tests/unit` again"),
        (("pytest tests/billing",), "src/app/models.py", "Check the last edits"),
        (("mix test",), "assets/js/typing.js", "Check the last edits"),
    ],
)
def test_the_check_that_is_advised_judges_the_file(
    story: Story, checks: tuple[str, ...], edited: str, advised: str
) -> None:
    assert _advised(story, *checks, edited=edited) == advised


def test_no_lesser_check_is_advised_where_the_tests_of_the_file_fail(story: Story) -> None:
    story.prompt("Make the parser faster.")
    story.run("cabal build", "Linking app")
    story.edit("src/Parser.hs", "b", "a")
    story.run("cabal test", "1) keeps comments\nexpected: 1\n143 examples, 1 failure", 1)
    index = story.index
    failing = [run for run in index.commands if run.state == "open"]
    assert [s.basis for s in next_steps(index, failing, [], [], 0)].count("check") == 0
