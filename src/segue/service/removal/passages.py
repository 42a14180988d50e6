"""Passages of texts, to be found again wherever they were quoted.

Who quotes rarely quotes all of it: a packet takes the first sentences of a prompt, a summary a line. So a text counts as
quoted where some words of it stand in a row, whatever their case and what is between them; a text or a line of fewer
words, where it stands whole. What is shorter still is no sign of anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from segue.model.tombstone import texts

_ROW = 8
"""Words in a row that two texts do not share by chance."""
_WHOLE = 8
"""Characters of a text of fewer words that is looked for as a whole, at least."""
_LINE = 32
"""Characters of a line of fewer words, at least: an address, a path, a key."""
_WORD = re.compile(r"\w+")


class Passages:
    def __init__(self, spoken: Iterable[str]) -> None:
        self._rows: set[int] = set()
        self._short: set[str] = set()
        for text in spoken:
            self._learn(text)

    def __bool__(self) -> bool:
        return bool(self._rows or self._short)

    def occur_in(self, spoken: Iterable[str]) -> bool:
        """Whether one of the passages stands in any of the texts."""
        return bool(self) and any(map(self._stands_in, spoken))

    def _learn(self, text: str) -> None:
        rows = set(_rows(text))
        self._rows |= rows
        whole = _plain(text)
        if not rows and len(whole) >= _WHOLE:
            self._short.add(whole)
        lines = map(_plain, text.splitlines())
        self._short.update(line for line in lines if len(line) >= _LINE and not any(_rows(line)))

    def _stands_in(self, text: str) -> bool:
        if any(row in self._rows for row in _rows(text)):
            return True
        return bool(self._short and self._automaton.find_matches_as_indexes(_plain(text)))

    @cached_property
    def _automaton(self) -> Any:
        from ahocorasick_rs import AhoCorasick  # 1 ms

        return AhoCorasick(sorted(self._short))


def _rows(text: str) -> Iterator[int]:
    """Every row of so many words, as a number that stands for it."""
    words = _WORD.findall(text.lower())
    return (hash(tuple(words[at : at + _ROW])) for at in range(len(words) - _ROW + 1))


def _plain(text: str) -> str:
    return " ".join(text.split())


def texts_of(data: bytes) -> Iterator[str]:
    """The texts in a file or an artifact: JSON is looked through text by text, line by line where it is JSONL."""
    text = data.decode(errors="replace")
    try:
        yield from texts(json.loads(text))
        return
    except (ValueError, RecursionError):
        pass
    yield text
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                yield from texts(json.loads(line))
            except (ValueError, RecursionError):
                continue
