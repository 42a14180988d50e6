"""A crash at the end of what was printed."""

from __future__ import annotations

import pytest

from ..story import Story

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
    story.run(command, output, exit_code)
    assert [c.state for c in story.index.commands] == ["open"]


@pytest.mark.parametrize(
    ("command", "output", "exit_code", "key"),
    [
        ("python run.py", f"{_TRACE}\nhandled, going on", 0, "python run.py"),
        ("python run.py | tail", f"{_TRACE}\nretried: 3 rows written", 0, "python run.py"),
        ("python expect_crash.py", _TRACE, 0, "python expect_crash.py"),
        ("python report.py | head", "errors: 0\nwarnings: 3", None, "python report.py"),
    ],
)
def test_a_crash_that_is_shown_or_survived_is_no_failure(
    story: Story, command: str, output: str, exit_code: int | None, key: str
) -> None:
    story.run(command, output, exit_code)
    assert story.states == {key: "ok"}


def test_a_crash_in_what_was_only_looked_at_is_no_failure(story: Story) -> None:
    story.run("kubectl logs web-1 | tail -3", _TRACE)
    assert story.states == {}
