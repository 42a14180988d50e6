"""Canonical bytes: one value has one encoding, whichever encoder made it."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from segue.errors import BadInput
from segue.model import wire

any_text = st.text(st.characters())  # includes control characters and lone surrogates
leaves = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(any_text, values, max_size=5)


def bulk(value: dict[str, Any]) -> bytes:
    """The bytes that the encoder for many values makes of one."""
    return wire.canonical_many([value] * wire._BULK)[0]


@given(objects)
@example({"\U00010000": 1, "\uffff": 2, "\ud800": 3})
@example({"a": "\ud800", "b": "\udc00\ud800", "c": "\ud83d\ude00"})
@example({"a": "".join(map(chr, range(0x20))) + "\x7f\x80\u2028\u2029\ufeff\uffff"})
@example({"floats": [1e16, 1e-5, 1e22, 1e-7, 5e-324, -0.0, 1.7976931348623157e308]})
@example({"large": [2**63, 2**64, -(2**63) - 1, 10**40]})
def test_both_encoders_make_the_same_bytes(value: dict[str, Any]) -> None:
    assert bulk(value) == wire.canonical(value)


@given(objects)
@example({chr(0xD800): 1, "\ufffc": 2, chr(0xD801): 3})
def test_canonical_bytes_are_a_fixed_point_of_decoding_and_encoding(value: dict[str, Any]) -> None:
    encoded = wire.canonical(value)
    assert wire.canonical(wire.decode(encoded)) == encoded


@given(st.dictionaries(st.text(), values, max_size=5))
def test_order_of_insertion_does_not_show(value: dict[str, Any]) -> None:
    assert wire.canonical(dict(reversed(value.items()))) == wire.canonical(value)


@given(any_text)
def test_scrubbing_changes_lone_surrogates_only(text: str) -> None:
    scrubbed = wire.scrub(text)
    scrubbed.encode()
    if not any("\ud800" <= c <= "\udfff" for c in text):
        assert scrubbed == text


def test_the_form_is_sorted_utf8_without_spaces_or_needless_escapes() -> None:
    value = {"b": [1, 2.5, None, True], "a": 'é😀/\x7f\n\x1f"\\'}
    expected = '{"a":"é😀/\x7f\\n\\u001f\\"\\\\","b":[1,2.5,null,true]}'.encode()
    assert (wire.canonical(value), bulk(value)) == (expected, expected)


def test_a_lone_surrogate_becomes_the_replacement_character_in_both_encoders() -> None:
    expected = '{"a":"x\ufffdy"}'.encode()
    assert (wire.canonical({"a": "x\ud800y"}), bulk({"a": "x\ud800y"})) == (expected, expected)


def test_one_odd_value_does_not_change_its_neighbours() -> None:
    batch = [{"n": n} for n in range(100)] + [{"odd": "\ud800"}, {"float": 1e16}]
    assert wire.canonical_many(batch) == [wire.canonical(value) for value in batch]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, b"bytes", {1, 2}, object(), 1j])
def test_what_is_not_json_is_refused_by_both_encoders(value: object) -> None:
    for encode in (wire.canonical, bulk):
        with pytest.raises((TypeError, BadInput)):
            encode({"deep": [{"value": value}]})


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b'{"a":1}x'])
def test_what_cannot_be_decoded_is_bad_input_with_a_sentence(text: bytes | str) -> None:
    with pytest.raises(BadInput, match="This is not JSON"):
        wire.decode(text)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_what_is_nested_too_deeply_is_said_to_be(text: str) -> None:
    with pytest.raises(BadInput, match="nested too deeply"):
        wire.decode(text)


@pytest.mark.parametrize(
    ("value", "levels"), [("x", 0), ([], 1), ({}, 1), ({"a": 1, "b": [1]}, 2), ([[{"a": [2]}], 1], 4)]
)
def test_depth_counts_lists_and_objects_in_each_other(value: object, levels: int) -> None:
    assert not wire.is_deeper(value, levels)
    assert levels == 0 or wire.is_deeper(value, levels - 1)


def test_a_chain_hash_commits_to_everything_before_it() -> None:
    first, second = b'{"seq":0}', b'{"seq":1}'
    one = hashlib.sha256(wire.GENESIS + first).digest()
    two = hashlib.sha256(one + second).digest()
    assert wire.chain(wire.GENESIS, [first, second]) == [one, two]
    assert wire.chain(one, [second]) == [two]
    assert wire.chain(wire.GENESIS, [first + b" ", second])[1] != two


def test_an_artifact_is_named_by_the_sha256_of_its_bytes() -> None:
    assert wire.content_id(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_the_slow_encoder_is_the_standard_library() -> None:
    value = {"z": 1, "a": [1e16, "é"]}
    assert (
        wire.canonical(value)
        == json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    )
