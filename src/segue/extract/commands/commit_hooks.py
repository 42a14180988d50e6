"""The hook of a commit: what it ran and let through, by what it printed before the commit was made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from segue.extract.commands.command_line import Simple
from segue.extract.commands.verdict import conclusion

_SIGNS = (
    *("....Passed", "pre-commit", "husky", "lint-staged", "lefthook", "Running tasks for staged files"),
    *("hook passed", "checks passed"),
)


def hook(commands: Sequence[Simple], text: str) -> Literal["", "checks", "tests"]:
    """`tests` where tests summed themselves up in it; nothing where no hook spoke or the commit went past it."""
    commits = [s.words for s in commands if s.words[:2] == ("git", "commit")]
    if not commits or any("--no-verify" in words or "-n" in words for words in commits):
        return ""
    if conclusion(text, of_tests=True):
        return "tests"
    return "checks" if any(sign in text for sign in _SIGNS) or conclusion(text) else ""
