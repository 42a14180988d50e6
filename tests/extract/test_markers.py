"""The marker tables: each row is found in its example and not in its counterexample."""

from __future__ import annotations

import os

import pytest

from segue import extract
from segue.extract.text import markers
from segue.extract.text.sentence import parsed, sentences

ROLES = ("rule", "decision", "cause", "failed", "open")
SOUGHT = ("handoff", "link")
"""Roles of markers that are asked for alone."""


def _rows() -> list[tuple[str, str, str, str, str]]:
    found = []
    for name in sorted(os.listdir(os.path.join(extract.__path__[0], "languages"))):
        with open(
            os.path.join(os.path.join(extract.__path__[0], "languages"), name), encoding="utf-8"
        ) as file:
            for line in file:
                if line[0] != "#":
                    parts = line.rstrip("\n").split("\t")
                    assert len(parts) == 4, (name, line)
                    found.append((name.removesuffix(".tsv"), *parts))
    return found  # type: ignore[return-value]


def _said(role: str, sentence: str) -> tuple[str, ...]:
    if role in ROLES:
        return markers.roles(sentence)
    assert role in SOUGHT
    return (role,) if markers.has_marker(role, sentence.lower()) else ()


ROWS = _rows()
IDS = [f"{language}-{role}-{marker}" for language, role, marker, _, _ in ROWS]


@pytest.mark.parametrize(("language", "role", "marker", "example", "other"), ROWS, ids=IDS)
def test_a_row_is_found_in_its_example_and_not_in_its_counterexample(
    language: str, role: str, marker: str, example: str, other: str
) -> None:
    assert role in _said(role, example)
    assert role not in _said(role, other)


@pytest.mark.parametrize(("language", "role", "marker", "example", "other"), ROWS, ids=IDS)
def test_the_marker_itself_stands_in_its_example(
    language: str, role: str, marker: str, example: str, other: str
) -> None:
    assert all(words in example.lower() for words in marker.lower().split(" … "))


def test_no_row_stands_twice() -> None:
    seen = [(role, marker) for _, role, marker, _, _ in ROWS]
    within = [(language, *pair) for (language, *_), pair in zip(ROWS, seen, strict=True)]
    assert len(within) == len(set(within))


def test_a_mixed_text_needs_no_guess_of_its_language() -> None:
    assert markers.roles("Bitte never push, weil CI 不要") == ("rule", "cause")


def test_a_marker_is_a_whole_word() -> None:
    assert markers.roles("The mustard, the neverland and an unmusted failedness.") == ()


def test_a_sentence_is_parsed_once_into_words_names_and_numbers() -> None:
    found = parsed("Never edit `a.py` or maxRetryCount before 12.5 or later.")
    assert (found.named, found.roles) == ((2, 1), ("rule",))


def test_only_prose_is_parsed() -> None:
    assert [s.text for s in sentences("Look:\n```\nnever this\n```\nMust stay.")] == ["Look:", "Must stay."]


def test_every_file_of_a_language_is_read() -> None:
    files = os.listdir(os.path.join(extract.__path__[0], "languages"))
    assert sorted(files) == [f"{language}.tsv" for language in markers.LANGUAGES]
