"""A budget of tokens, spent on items.

An item is priced by every text it carries, its note as well as its content, and by a little for itself,
so that neither long texts nor many bare references can outgrow the budget.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ITEM_TOKENS = 4
"""What an item costs beside its text: role, separators, reference."""
_TEXTS = ("content", "note", "path")
_CHARS_NO_TOKEN_EXCEEDS = 128
_SHORTEST = 64

Item = dict[str, Any]
Count = Callable[[str], int]


class TokenBudget:
    """Tokens left to spend; a share is a purse within a purse."""

    def __init__(self, tokens: int, count: Count, source: TokenBudget | None = None) -> None:
        self._given = self._left = tokens
        self._count = count
        self._source = source

    @property
    def left(self) -> int:
        return self._left if self._source is None else min(self._left, self._source.left)

    @property
    def spent(self) -> int:
        return self._given - self._left

    def share(self, tokens: int) -> TokenBudget:
        """At most so many tokens of this purse, set aside for one purpose; unspent, they stay in it."""
        return TokenBudget(tokens, self._count, self)

    def price(self, item: Item) -> int:
        """The cost of an item; without counting when it cannot fit anyway."""
        texts = [item[name] for name in _TEXTS if name in item]
        if sum(map(len, texts)) > (self.left + 1) * _CHARS_NO_TOKEN_EXCEEDS:
            return self.left + 1
        return ITEM_TOKENS + sum(map(self._count, texts))

    def buy(self, item: Item) -> bool:
        price = self.price(item)
        if price > self.left:
            return False
        self._spend(price)
        return True

    def buy_end(self, item: Item) -> Item | None:
        """The item with the end of its content, as much as fits; None when hardly anything does."""
        return self._buy_part(item, lambda text, keep, gap: f"{gap}\n{text[-keep:]}")

    def buy_beginning(self, item: Item) -> Item | None:
        """The item with the beginning of its content, as much as fits; None when hardly anything does."""
        return self._buy_part(item, lambda text, keep, gap: f"{text[:keep]}\n{gap}")

    def _buy_part(self, item: Item, cut: Callable[[str, int, str], str]) -> Item | None:
        text = item["content"]
        keep = min(self.left * 4, len(text))
        while keep >= _SHORTEST:
            gap = f"[… {len(text) - keep} characters left out …]"
            part = {**item, "content": cut(text, keep, gap), "truncated": True}
            if self.buy(part):
                return part
            keep = keep * 3 // 4
        return None

    def _spend(self, tokens: int) -> None:
        self._left -= tokens
        if self._source is not None:
            self._source._spend(tokens)
