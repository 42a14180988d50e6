"""Every byte of a JSONL file ends up in a record or in an `unreadable` entry with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.agents import _jsonl
from segue.model.entry import Entry

Told = tuple[int, int, Any]


def records(path: Path, raw: bytes) -> list[Told]:
    """Line, offset and value; for an unreadable entry its reason."""
    path.write_bytes(raw)
    found = _jsonl.records(str(path))
    return [(line, at, value.reason if isinstance(value, Entry) else value) for line, at, value in found]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b'{"a":1}\n{"b":2}\n', [(1, 0, {"a": 1}), (2, 8, {"b": 2})]),
        (b'{"a":1}\n{"b":2}', [(1, 0, {"a": 1}), (2, 8, {"b": 2})]),
        (b'{"a":1}\r\n{"b":2}\r\n', [(1, 0, {"a": 1}), (2, 9, {"b": 2})]),
        (b'{"a":1}{"b":2}\n{"c":3}\n', [(1, 0, {"a": 1}), (1, 7, {"b": 2}), (2, 15, {"c": 3})]),
        (b'\n\n{"a":1}\n\n', [(3, 2, {"a": 1})]),
        (b'\xef\xbb\xbf{"a":1}\n', [(1, 0, {"a": 1})]),
        (b'{"a":1}\n{"b":"hal', [(1, 0, {"a": 1}), (2, 8, "still being written")]),
        (
            b'{"b":"hal\n{"a":1}\n',
            [(1, 0, "not JSON: unterminated string starting at character 5"), (2, 10, {"a": 1})],
        ),
        (
            b'{"a":"hel{"b":{"c":1}}\n',
            [(1, 0, "not JSON: expecting ',' delimiter at character 11"), (1, 9, {"b": {"c": 1}})],
        ),
        (b'{"a":1}stray\n', [(1, 0, {"a": 1}), (1, 7, "not JSON: expecting value at character 7")]),
        (b'\0\0{"a":1}\n', [(1, 0, "NUL bytes"), (1, 2, {"a": 1})]),
        (b'{"a":"\xff"}\n', [(1, 0, "bytes that are not UTF-8 were replaced"), (1, 0, {"a": "\ufffd"})]),
        (b'{"a":"\\ud83d"}\n', [(1, 0, {"a": "\ufffd"})]),
        (b'{"a":NaN,"b":1e999}\n', [(1, 0, {"a": None, "b": None})]),
        (b'{"a":"tab\there"}\n', [(1, 0, {"a": "tab\there"})]),
        (b"[1]\n3\n", [(1, 0, "not a JSON object"), (2, 4, "not a JSON object")]),
        (b"", [(1, 0, "the file holds no records")]),
        (b"\n \n", [(1, 0, "the file holds no records")]),
    ],
)
def test_records_and_faults_have_their_places(tmp_path: Path, raw: bytes, told: list[Told]) -> None:
    assert records(tmp_path / "x.jsonl", raw) == told


def test_deep_nesting_is_a_fault_of_its_line(tmp_path: Path) -> None:
    told = records(tmp_path / "x.jsonl", b"[" * 100_000 + b'\n{"a":1}\n')
    assert told == [(1, 0, "nested too deeply"), (2, 100_001, {"a": 1})]


def test_binary_data_is_called_so(tmp_path: Path) -> None:
    (_, _, reason), *_ = records(tmp_path / "x.jsonl", bytes(range(128, 256)) * 8)
    assert reason == "binary data"


def test_a_record_of_another_shape_comes_as_it_is(tmp_path: Path) -> None:
    class Shape(msgspec.Struct):
        a: int

    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a":1}\n{"a":"one"}\n')
    values = [value for _, _, value in _jsonl.records(str(path), msgspec.json.Decoder(Shape).decode)]
    assert values == [Shape(1), {"a": "one"}]


@settings(max_examples=60, deadline=None)
@given(sizes=st.lists(st.integers(0, 400_000), max_size=8), newline=st.booleans())
def test_lines_of_any_length_keep_their_place(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], newline: bool
) -> None:
    lines = [json.dumps({"n": number, "x": "y" * size}).encode() for number, size in enumerate(sizes)]
    raw = b"\n".join(lines) + (b"\n" if newline else b"")
    path = tmp_path_factory.mktemp("lines") / "x.jsonl"
    path.write_bytes(raw)
    told = [
        (line, at, value["n"]) for line, at, value in _jsonl.records(str(path)) if isinstance(value, dict)
    ]
    assert told == [(n + 1, raw.index(line), n) for n, line in enumerate(lines)]


@settings(max_examples=60, deadline=None)
@given(raw=st.binary(max_size=300))
def test_every_byte_is_accounted_for(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    path = tmp_path_factory.mktemp("bytes") / "x.jsonl"
    path.write_bytes(raw)
    found = [value for _, _, value in _jsonl.records(str(path))]
    assert all(isinstance(value, dict | Entry) for value in found)
    kept = sum(value.data.get("bytes", 0) for value in found if isinstance(value, Entry))
    blank = sum(raw.count(bytes([byte])) for byte in b" \t\r\n") + 3 * raw.count(b"\xef\xbb\xbf")
    if not any(isinstance(value, dict) for value in found):
        assert kept + blank >= len(raw)
