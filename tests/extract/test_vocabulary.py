"""Our counts are those of the reference tokenizer; run this file to write the vocabulary again from it."""

from __future__ import annotations

import os
from collections import defaultdict
from functools import cache
from pathlib import Path
from struct import pack
from zlib import crc32

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from splintr import Tokenizer

from segue.extract import tokens, vocabulary

ROOT = Path(__file__).parents[2]
TOKENS = 199_998
"""What follows in the reference are control tokens, which count as plain text here."""


@cache
def reference() -> Tokenizer:
    return Tokenizer.from_pretrained("o200k_base")


def reference_count(text: str) -> int:
    return len(reference().encode_ordinary(text))


def packed() -> bytes:
    buckets = defaultdict(list)
    for rank in range(TOKENS):
        token = reference().decode_token_bytes(rank)
        buckets[crc32(token) % vocabulary.BUCKETS].append(
            bytes((len(token),)) + rank.to_bytes(vocabulary.RANK_BYTES, "little") + token
        )
    rows = [b"".join(buckets[bucket]) for bucket in range(vocabulary.BUCKETS)]
    places = [4 * (vocabulary.BUCKETS + 1)]
    for row in rows:
        places.append(places[-1] + len(row))
    return pack(f"<{len(places)}I", *places) + b"".join(rows)


def test_the_file_holds_the_vocabulary_of_the_reference() -> None:
    with open(vocabulary.PATH, "rb") as file:
        assert file.read() == packed()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "\n\n\n  \n",
        "a\n/b\n\tc\n d\r\ne",
        "I'm, you'RE, it'S, they'll, we'd; 'so 'Tis o'clock x'ſ",
        "HTTPServer getURLs snake_case camelCase ALLCAPS Ünïcödé ÉCOLE",
        "1234567 12,345.67 ١٢٣٤ ½ 四十二",
        "日本語のテキスト、そして漢字。 한국어 ไทย हिन्दी עברית العربية",
        "e\u0301 ne\u0308 a\u200bb \u00a0\u2003x \u3000y \u2028z \x85w \x1c\x1d q",
        "🙂👩‍👩‍👧‍👦🇩🇪 ✓ → — … “quoted”",
        "ªº ǅ ʰ Ⅷ ⓐ",
        "<|endoftext|> <|im_start|>",
        "a" * 5000,
        "=" * 300 + "\n" + " " * 300 + "x",
        "QWxhZGRpbjpvcGVuIHNlc2FtZQ" * 40,
    ],
)
def test_a_text_counts_as_the_reference_counts_it(text: str) -> None:
    assert tokens.count(text) == reference_count(text)


CHARACTERS = st.one_of(
    st.sampled_from("aZz'SsLl09 \t\r\n/_-.([{\"…—×éÉßª漢ไ́\u00a0"),
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cn")),
)


@given(st.text(CHARACTERS, max_size=60))
@settings(max_examples=400, deadline=None)
@example("\r\n \r\n/x")
@example(":\x08\u0591/A")
def test_any_text_counts_as_the_reference_counts_it(text: str) -> None:
    assert tokens.count(text) == reference_count(text)


def test_the_pages_of_this_repository_count_as_the_reference_counts_them() -> None:
    pages = [page.read_text("utf-8") for page in (ROOT / "docs").rglob("*.md")]
    pages += [page.read_text("utf-8") for page in (ROOT / "src").rglob("*.py")]
    assert [tokens.count(page) for page in pages] == [reference_count(page) for page in pages]


def test_half_a_character_is_counted_and_not_refused() -> None:
    assert tokens.count("a\ud800b") >= 3


if __name__ == "__main__":
    with open(vocabulary.PATH, "wb") as file:
        file.write(packed())
    print(os.path.relpath(vocabulary.PATH))
