"""Of a chain that failed the command that failed is open, and those before it went well."""

from __future__ import annotations

import pytest

from ..story import Story

_PASSED = "test result: ok. 4 passed; 0 failed; 0 ignored\n"
_INSTALL = "target/debug/tool install cask:cat"


def _open(story: Story) -> list[str]:
    return [c.last_bad.command for c in story.index.commands if c.state == "open" and c.last_bad]


@pytest.mark.parametrize(
    ("line", "printed", "failed"),
    [
        (f"cargo test && {_INSTALL}", f"{_PASSED}Error: 0: cask:cat: no preflight", _INSTALL),
        (f"cargo build && {_INSTALL}", "Finished dev\ncask:cat 4 MB\nError: cannot mount", _INSTALL),
        ("cargo test && cargo clippy", f"{_PASSED}error: this loop never loops", "cargo clippy"),
        ("npm run lint && npm test", "Tests: 1 failed, 3 passed, 4 total", "npm test"),
        ("make lint && make test", "lint: ok\n--- FAIL: TestOpen (0.00s)\nFAIL\tapp/a\t0.1s", "make test"),
        ("npm test && git push", "Tests: 4 passed, 4 total\n ! [rejected] main -> main", "git push"),
        ("git commit -m a && git push", "[main 1a2b3c4] a\n ! [rejected] main -> main", "git push"),
        ("make && ./bin/serve --config conf/dev.yaml", "cc -o x\nconf/dev.yaml is not there", None),
        (
            "cd app && pytest -q && psql -f a.sql",
            "4 passed in 0.1s\npsql: error: no server",
            "cd app && psql -f a.sql",
        ),
    ],
)
def test_the_command_that_failed_is_the_open_one(
    story: Story, line: str, printed: str, failed: str | None
) -> None:
    story.run(line, printed, 1)
    assert _open(story) == [failed or line.partition(" && ")[2]]


def test_what_went_well_before_it_makes_an_earlier_failure_good(story: Story) -> None:
    story.run("cargo test", "test result: FAILED. 3 passed; 1 failed; 0 ignored\n", 101)
    story.run(f"cargo test && {_INSTALL}", f"{_PASSED}Error: 0: cask:cat: no preflight", 1)
    assert story.states["cargo test"] == "resolved"


def test_a_part_that_failed_again_in_a_longer_line_is_told_with_its_last_failure(story: Story) -> None:
    story.run(_INSTALL, "Error: cask:cat: loop", 1)
    story.edit("src/file.rs", "fn copy() {}")
    story.run(f"cargo build && {_INSTALL}", "Finished dev\nError: cask:cat: cannot mount", 1)
    story.edit("src/file.rs", "fn copy() { }")
    story.run(f"cargo test && {_INSTALL}", f"{_PASSED}Error: cask:cat: no preflight", 1)
    story.run("cargo test", _PASSED)
    ((lines, state),) = [
        (c.last_bad.error_lines, c.state) for c in story.index.commands if c.last_bad and c.state == "open"
    ]
    assert (lines, state) == (("Error: cask:cat: no preflight",), "open")


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("ruff check . && python tools/gen.py", "tools/gen.py:3:1: E501 line too long\nFound 1 error."),
        ("cargo build && cargo test", "error[E0308]: mismatched types\nerror: could not compile"),
        ("git commit -m a && git push", "error: gpg failed to sign\nfatal: failed to write commit object"),
        (f"cargo test; {_INSTALL}", f"{_PASSED}Error: 0: cask:cat: no preflight"),
        (f"cargo build || {_INSTALL}", "Error: 0: cask:cat: no preflight"),
    ],
)
def test_a_line_whose_failing_command_cannot_be_told_is_open_as_a_whole(
    story: Story, line: str, printed: str
) -> None:
    story.run(line, printed, 1)
    assert [c.key for c in story.index.commands if c.last_ok] == []
    assert len(_open(story)) == 1


def test_a_chain_that_was_waited_for_is_told_apart_when_it_failed(story: Story) -> None:
    name = story.call("Bash", "shell", command=f"cargo test && {_INSTALL}")
    story.add("tool_result", "Compiling", call_id=name, background=True)
    story.add(
        "tool_result", f"{_PASSED}Error: cask:cat: no preflight", call_id=name, exit_code=1, is_error=True
    )
    assert _open(story) == [_INSTALL]
