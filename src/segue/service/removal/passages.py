"""Passages of texts, to be found again wherever they were quoted.

A text is looked for as a whole while it is short, and by its longer lines; how white space falls does not matter. What is
shorter than a passage is no sign of anything: two texts that share it need have nothing to do with each other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from segue.model.tombstone import texts

_WHOLE = (8, 400)
"""Characters of a text that is looked for as a whole, at least and at most."""
_LINE = 32
"""Characters of a line that is looked for by itself, at least."""
_LONGEST = 200
"""Characters of a passage: others quote the beginning of a long line."""


class Passages:
    def __init__(self, spoken: Iterable[str]) -> None:
        self._all = sorted({passage for text in spoken for passage in _passages(text)})

    def __bool__(self) -> bool:
        return bool(self._all)

    def occur_in(self, spoken: Iterable[str]) -> bool:
        """Whether any of the texts has one of the passages."""
        if not self._all:
            return False
        return any(self._automaton.find_matches_as_indexes(" ".join(text.split())) for text in spoken)

    def occur_in_bytes(self, data: bytes) -> bool:
        """The same of a file or an artifact: JSON is looked through text by text, line by line where it is JSONL."""
        return bool(self._all) and self.occur_in(_texts_of(data))

    @cached_property
    def _automaton(self) -> Any:
        from ahocorasick_rs import AhoCorasick  # 1 ms

        return AhoCorasick(self._all)


def _passages(text: str) -> Iterator[str]:
    whole = " ".join(text.split())
    if _WHOLE[0] <= len(whole) <= _WHOLE[1]:
        yield whole
    for line in text.splitlines():
        plain = " ".join(line.split())
        if len(plain) >= _LINE:
            yield plain[:_LONGEST].rstrip()


def _texts_of(data: bytes) -> Iterator[str]:
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
