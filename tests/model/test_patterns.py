"""What is kept of a pattern is the pattern: `re` itself says whether two are equal."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest

import segue.extract
import segue.handoff
import segue.redaction
from segue.model import patterns
from segue.model.patterns import Made, Written, compiled
from segue.redaction.rules import RULES

ROOMS = (segue.extract, segue.handoff, segue.redaction)


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_kept", {})
    monkeypatch.setattr(patterns, "_new", {})


def in_the_code() -> Iterator[re.Pattern[Any]]:
    """Every pattern that a module of the thinking rooms has, and those of the rules."""
    for room in ROOMS:
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, re.Pattern):
                    yield value
    for rule in RULES:
        yield compiled(rule.pattern.encode())


def kept_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goes on as the next run would."""
    kept = patterns.known()
    monkeypatch.setattr(patterns, "_new", {})
    patterns.recall(kept)


def test_every_pattern_of_the_code_is_what_python_makes_of_it() -> None:
    found = list(in_the_code())
    assert len(found) > 300
    assert [each for each in found if each != re.compile(each.pattern, each.flags)] == []


def test_what_was_kept_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    written = r"(?P<year>\d{4})-(\d\d)"
    compiled(written, re.I)
    assert len(patterns.new()) == 1
    kept_and_forgotten(monkeypatch)
    again = compiled(written, re.I)
    assert patterns.new() == {}
    assert again == re.compile(written, re.I)
    found = again.search("On 2026-11 it rained.")
    assert found is not None
    assert (found["year"], found.lastindex, found.groupdict()) == ("2026", 2, {"year": "2026"})


def test_text_bytes_and_flags_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        assert compiled("a").search("A") is None
        assert compiled("a", re.I).search("A") is not None
        assert compiled(b"a").search(b"ba") is not None
        kept_and_forgotten(monkeypatch)
    assert len(patterns.known()) == 3


@pytest.mark.parametrize(
    "made",
    [
        Made(32, b"", 0, {}),
        Made(32, b"\x01", 0, {}),
        Made(32, b"\xff" * 40, 0, {}),
        Made(32, b"\x00" * 40, 3, {"a": 9}),
        Made(2**40, b"\x01\x00\x00\x00", 0, {}),
        Made(32, b"\x01\x00\x00\x00", -5, {}),
    ],
)
def test_a_damaged_program_is_made_again(made: Made) -> None:
    written = Written(str, r"\bword\b", 0)
    patterns.recall({written: made})
    assert compiled(r"\bword\b") == re.compile(r"\bword\b")
    assert set(patterns.new()) == {written}


def test_a_pattern_that_is_none_is_refused_as_ever() -> None:
    with pytest.raises(re.error, match="unterminated"):
        compiled("(")


def test_where_python_makes_patterns_in_another_way_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("re._compiler._code")
    patterns._made_as_known.cache_clear()
    try:
        assert not patterns._made_as_known()
        monkeypatch.undo()
        assert compiled("a+") == re.compile("a+")
        assert Written(str, "a+", 0) not in patterns.new()
    finally:
        patterns._made_as_known.cache_clear()
