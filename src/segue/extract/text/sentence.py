"""A sentence, parsed once: its words, what it names, how many numbers it holds, and which roles its markers give it."""

from __future__ import annotations

import re
from functools import lru_cache

from segue.extract.text import prose
from segue.extract.text.markers import roles, words_of
from segue.model.facts import Role
from segue.model.value import NamedTuple

_NAMED = re.compile(
    r"`[^`\n]{2,60}`|\b[\w-]+(?:/[\w.-]+)+|\b\w+\.[a-z]{1,4}\b|\b\w*[a-z][A-Z]\w*|\b\w+_\w+|#\d+"
)
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*\b")
_SHORT = 2


class Sentence(NamedTuple):
    text: str
    words: tuple[str, ...]
    names: int
    numbers: int
    roles: tuple[Role, ...]

    @property
    def terms(self) -> frozenset[str]:
        """Its words that are long enough to carry something; any of a script without spaces."""
        return frozenset(word for word in self.words if len(word) > _SHORT or not word.isascii())


@lru_cache(1 << 13)
def parsed(text: str) -> Sentence:
    words = tuple(words_of(text))
    return Sentence(text, words, len(_NAMED.findall(text)), len(_NUMBER.findall(text)), roles(text, words))


def sentences(text: str) -> list[Sentence]:
    """The sentences of the prose in a text, in order."""
    return [parsed(part) for part in prose.sentences(text)]
