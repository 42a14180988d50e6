"""A failure is overtaken by a broader check, not by a lesser one."""

from __future__ import annotations

import pytest

from ..story import Story
from .printed import FAILED


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
    story.run(failed, said, 1)
    story.run(later, output)
    assert list(story.states.values()) == ["resolved", "ok"]


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
    story.run(failed, said, 1)
    story.run(later, output)
    assert list(story.states.values()) == ["open", "ok"]
