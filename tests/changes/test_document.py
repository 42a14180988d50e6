"""Files are read with every fault named and written back in the manner they were found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.changes.document import Manner, read, write
from segue.errors import BadInput

FIXTURES = Path(__file__).parent / "fixtures"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(st.text(), VALUES, max_size=5)


@pytest.mark.parametrize(
    "path", sorted(FIXTURES.rglob("*.json")), ids=lambda path: f"{path.parts[-5]}-{path.name}"
)
def test_a_file_of_the_original_scripts_is_written_back_byte_for_byte(path: Path) -> None:
    data = path.read_bytes()
    assert write(*read(data, path.name)) == data


@given(DOCUMENTS, st.sampled_from(["  ", "    ", "\t"]), st.booleans(), st.booleans())
def test_whatever_json_dump_wrote_is_written_back_byte_for_byte(
    document: dict[str, object], indent: str, ascii: bool, newline: bool
) -> None:
    data = (json.dumps({"first": 1, **document}, indent=indent, ensure_ascii=ascii) + "\n" * newline).encode()
    assert write(*read(data, "x")) == data


def test_windows_line_ends_stay() -> None:
    data = b'{\r\n  "a": "x"\r\n}\r\n'
    assert read(data, "x") == ({"a": "x"}, Manner("  ", False, True, True))
    assert write(*read(data, "x")) == data


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (
            b'{\n<<<<<<< HEAD\n "a": 1\n=======\n "a": 2\n>>>>>>> other\n}',
            r"merge-conflict markers \(line 2\)",
        ),
        (b'{"a": 1, "a": 2}', "'a' stands twice"),
        (b'{"a": NaN}', "NaN is not a JSON value"),
        (b'{"a": 1', "is not JSON"),
        (b"[1]", "is not a JSON object"),
        (b"\xff\xfe", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"", "is not JSON"),
    ],
)
def test_a_damaged_file_gets_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        read(data, "tc_record.json")


def test_a_byte_order_mark_does_no_harm() -> None:
    assert read(b'\xef\xbb\xbf{"a": 1}', "x")[0] == {"a": 1}


def test_a_lone_surrogate_is_written_as_an_escape() -> None:
    assert write({"a": "\ud800"}) == b'{\n  "a": "\\ud800"\n}\n'
