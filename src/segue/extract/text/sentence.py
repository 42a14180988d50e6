"""A sentence, parsed once: its words, what it names, how many numbers it holds, and which roles its markers give it."""

from __future__ import annotations

from functools import lru_cache

from segue.extract.text import prose
from segue.extract.text.markers import roles, words_of
from segue.model.facts import Role
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_NAMED = compiled(
    r"(?:[A-Za-z][a-z]*+(?![\w/.-])[ ,]*)++"
    r"|(`[^`\n]{2,60}`|\b(?:[\w-]++(?:/[\w.-]+)+|\w++\.[a-z]{1,4}\b|\w*[a-z][A-Z]\w*|\w+_\w+)|#\d+)"
)
"""Names are in its group; ordinary words are passed over as wholes, which halves the time."""
_NUMBER = compiled(r"\d(?<![\w.]\d)[\d.,]*\b")
_SHORT = 2


class Sentence(NamedTuple):
    text: str
    words: tuple[str, ...]
    roles: tuple[Role, ...]

    @property
    def named(self) -> tuple[int, int]:
        """How many names and how many numbers it holds."""
        return _counted(self.text)

    @property
    def terms(self) -> frozenset[str]:
        """Its words that are long enough to carry something; any of a script without spaces."""
        return frozenset([word for word in self.words if len(word) > _SHORT or not word.isascii()])


@lru_cache(1 << 13)
def parsed(text: str) -> Sentence:
    words = tuple(words_of(text))
    return Sentence(text, words, roles(text, words))


@lru_cache(1 << 13)
def _counted(text: str) -> tuple[int, int]:
    """The names and the numbers in a sentence: only those that compete are asked for them."""
    found = _NAMED.findall(text)
    return len(found) - found.count(""), len(_NUMBER.findall(text))


def sentences(text: str) -> list[Sentence]:
    """The sentences of the prose in a text, in order."""
    return [parsed(part) for part in prose.sentences(text)]
