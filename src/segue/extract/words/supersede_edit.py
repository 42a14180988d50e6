"""What the agent did about a prompt: an edit that takes away what an earlier rule says and puts there what the prompt
says shows that the one replaced the other, whatever words the person used."""

from __future__ import annotations

from collections.abc import Sequence

from segue.extract.text.prose import plainly, word_set
from segue.extract.words.supersede_prompt import amounts_of
from segue.extract.words.supersede_turn import named, spelled

_SHORTEST = 4
"""Letters from which on a word without a digit is no chance."""
_INSTEAD = word_set("instead stattdessen lieber plutôt invece вместо zamiast")
"""What says that something stood there before."""
_APART = str.maketrans(dict.fromkeys("=*()[]{}:;,.'\"`<>/+|&!?%#$@_", " "))


def names_what_was_put(new: str, made: Sequence[tuple[str, str]]) -> bool:
    """The sentence names something that one of the edits put there."""
    said = _spelled(new)
    return any(not said.isdisjoint(_spelled(after) - _spelled(before)) for before, after in made)


def carried_out(new: str, old: str, made: Sequence[tuple[str, str]]) -> bool:
    """An edit put what the new sentence says where stood what the old one says, and both speak of the same thing or
    count the same, or the new one says that it stands in place of something: values alone may agree by chance."""
    said, ruled = _spelled(new), _spelled(old)
    for before, after in made:
        gone, put = _spelled(before) - _spelled(after), _spelled(after) - _spelled(before)
        gone, put = (gone & ruled) - said, (put & said) - ruled
        if gone and put:
            return (
                not named(new).isdisjoint(named(old))
                or not _INSTEAD.isdisjoint(spelled(plainly(new)))
                or _count_the_same(new, old, put, gone)
            )
    return False


def _count_the_same(new: str, old: str, put: frozenset[str], gone: frozenset[str]) -> bool:
    mine = {unit for value, unit in amounts_of(new) if value in put and unit}
    return any(unit in mine for value, unit in amounts_of(old) if value in gone)


def _spelled(text: str) -> frozenset[str]:
    """The numbers and words of a text that may be what is set."""
    return frozenset(
        word
        for word in plainly(text).translate(_APART).split()
        if len(word) >= _SHORTEST or word[0].isdigit()
    )
