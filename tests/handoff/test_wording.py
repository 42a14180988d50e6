"""Command lines and words are compared as a reader would: cut, folded, in other spelling."""

from __future__ import annotations

import pytest

from segue.handoff.wording import is_line, says


@pytest.mark.parametrize(
    ("command", "told", "so"),
    [
        ("cd /a && make  test", "make test", True),
        ("make test \\\n  -k x", "make test -k x", True),
        ("set -e\nmake test\ngit status", "set -e; make test; git status", True),
        ("echo long; make test", "… make test", True),
        ("make test --all --again", "make test…", True),
        ("make test", "make tests", False),
        ("make test --all", "make test", False),
        ("sleep 5; make test", "make test", False),
        ("export K=abc; run", "export K=[redacted:key]; run", True),
    ],
)
def test_a_command_line_is_the_one_told_but_for_what_was_cut(command: str, told: str, so: bool) -> None:
    assert is_line(command, told) is so


@pytest.mark.parametrize(
    ("text", "words", "so"),
    [
        ("It **works**,\n  mostly.", "It works, mostly.", True),
        ("It works mostly", "It … mostly", True),
        ("first line\nx\nlast line\nfix it", '[pasted, 3 lines: "first line" … "last line"] fix it', True),
        ("1. One thing.\n2. Another.", "One thing. Another.", True),
        ("It works", "It work", False),
        ("token abc here", "token [redacted:key] here", True),
        ("b then a", "a … b", False),
        ("anything", "'''", True),
    ],
)
def test_words_are_compared_by_letters_and_gaps(text: str, words: str, so: bool) -> None:
    assert says(text, words) is so
