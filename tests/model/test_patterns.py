"""A pattern of the code is compiled once, and is what `re` makes of it."""

from __future__ import annotations

import re

import pytest

from segue.model import patterns
from segue.model.patterns import compiled


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "known", {})
    monkeypatch.setattr(patterns, "new", [])


def test_a_pattern_is_compiled_once() -> None:
    assert compiled(r"(?P<year>\d{4})", re.I) is compiled(r"(?P<year>\d{4})", re.I)
    assert compiled(r"(?P<year>\d{4})", re.I) == re.compile(r"(?P<year>\d{4})", re.I)
    assert len(patterns.new) == 1


def test_text_bytes_and_flags_are_different_patterns() -> None:
    assert compiled("a").search("A") is None
    assert compiled("a", re.I).search("A") is not None
    assert compiled(b"a").search(b"ba") is not None
    assert len(patterns.new) == 3


def test_a_wrong_pattern_is_refused_as_ever() -> None:
    with pytest.raises(re.error, match="unterminated"):
        compiled("(")
    assert patterns.new == []
