"""Whole documents are read as far as they go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.agents import _document

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(VALUES.filter(lambda value: value is not None), min_size=1, max_size=6), st.data())
def test_a_document_that_breaks_off_keeps_every_element_before_the_break(
    values: list[object], data: st.DataObject
) -> None:
    whole = json.dumps(values, ensure_ascii=False).encode()
    ends = [len(json.dumps(values[:count], ensure_ascii=False).encode()) - 1 for count in range(len(values))]
    cut = data.draw(st.integers(1, len(whole) - 1))
    document = _document.parse("f", whole[:cut])
    complete = sum(end < cut for end in ends[1:])
    assert document.flaw is not None
    assert (document.value or [])[:complete] == values[:complete]


def test_brackets_and_quotes_inside_strings_close_nothing() -> None:
    document = _document.parse("f", rb'{"a": "]}\"", "b": [1, {"c": "[{"}, {"d')
    assert document.value == {"a": ']}"', "b": [1, {"c": "[{"}]}


def test_the_break_is_reported_where_it_is() -> None:
    flaw = _document.parse("f", b'[1, 2, "thr').flaw
    assert flaw is not None
    assert (flaw.kind, flaw.offset, flaw.reason) == ("unreadable", 5, "the document breaks off here")


@pytest.mark.parametrize("raw", [b"", b"nonsense", b"[" * 200_000, b"\x00\x01\x02", b"]"])
def test_what_is_no_document_is_reported_without_a_value(raw: bytes) -> None:
    document = _document.parse("f", raw)
    assert document.value is None
    assert document.flaw is not None


def test_text_that_is_not_utf_8_costs_only_its_characters() -> None:
    assert _document.parse("f", b'["ab\xffc", "\\ud800"]').value == ["ab\ufffdc", "\ufffd"]


def test_a_document_over_the_limit_is_reported_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "big.json"
    path.write_text("[1]")
    monkeypatch.setattr(_document, "LIMIT", 2)
    document = _document.load(str(path))
    assert document.value is None
    assert document.flaw is not None and "larger than" in document.flaw.reason
