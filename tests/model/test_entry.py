"""Texts that are kept in part."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from segue.agents._toolcall import EXCERPT, excerpt
from segue.model.entry import clip

WORDS = st.lists(st.text("abcXYZ019_-", min_size=1, max_size=30), min_size=60, max_size=90)


@given(words=WORDS, between=st.sampled_from([" ", "\n"]))
def test_a_clipped_text_holds_whole_words_only(words: list[str], between: str) -> None:
    text = between.join(words)
    kept, size = clip(text, 200)
    head, mark, tail = kept.partition("\n[… ")
    assert size == (len(text) if mark else 0)
    assert set(head.split()) <= set(words)
    assert set(tail.partition("…]\n")[2].split()) <= set(words)


@given(words=WORDS)
def test_an_excerpt_holds_whole_words_only(words: list[str]) -> None:
    text = " ".join(words * (EXCERPT // 30))
    assert len(excerpt(text)) <= EXCERPT
    assert set(excerpt(text).split()) <= set(words)


def test_one_long_word_is_cut_where_it_must() -> None:
    assert len(excerpt("x" * 2 * EXCERPT)) == EXCERPT
