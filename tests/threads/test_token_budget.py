"""Tokens are spent once, never overspent, and a part of a text is bought where the whole is too dear."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from segue.threads.token_budget import ITEM_TOKENS, TokenBudget

Words = Callable[[str], int]


def test_every_text_of_an_item_is_paid_for(words: Words) -> None:
    item = {"type": "file_ref", "path": "one", "note": "two words", "content": "three more words"}
    assert TokenBudget(100, words).price(item) == ITEM_TOKENS + 6
    assert TokenBudget(100, words).price({"type": "artifact_ref", "artifact_id": "x"}) == ITEM_TOKENS


def test_a_share_spends_from_its_purse_and_stops_at_its_limit(words: Words) -> None:
    purse = TokenBudget(20, words)
    share = purse.share(8)
    assert share.buy({"content": "four words are here"})
    assert (share.left, purse.left) == (0, 12)
    assert not share.buy({"content": "no"})
    assert purse.buy({"content": "yes"})


def test_a_share_never_holds_more_than_its_purse(words: Words) -> None:
    purse = TokenBudget(10, words)
    share = purse.share(10)
    purse.buy({"content": "one"})
    assert share.left == 5


def test_a_text_that_cannot_fit_is_not_counted() -> None:
    def refuse(text: str) -> int:
        raise AssertionError("counted")

    assert not TokenBudget(10, refuse).buy({"content": "x" * 10_000})


def test_the_end_or_the_beginning_is_bought_as_asked(words: Words) -> None:
    text = "first " + "middle " * 500 + "last"
    end, beginning = (
        TokenBudget(60, words).buy_end({"content": text}),
        TokenBudget(60, words).buy_beginning({"content": text}),
    )
    assert end and beginning
    assert end["truncated"] and end["content"].startswith("[… ") and end["content"].endswith("last")
    assert beginning["content"].startswith("first") and beginning["content"].endswith(" …]")


@given(st.integers(0, 400), st.text(max_size=600), st.booleans())
def test_a_part_never_costs_more_than_there_is(tokens: int, text: str, end: bool) -> None:
    purse = TokenBudget(tokens, len)
    part = (purse.buy_end if end else purse.buy_beginning)({"content": text})
    assert purse.left >= 0
    assert tokens - purse.left == (ITEM_TOKENS + len(part["content"]) if part else 0)
