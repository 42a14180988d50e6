"""Whether two runs of one command were about the same thing: `deploy --env staging` is not `deploy --env production`.

Told by the words that only one of them has. Options, numbers given to them, versions, scratch and inline code are ways
to do something; any other word names what it is done to.
"""

from __future__ import annotations

from itertools import pairwise

from segue.model.scratch import is_scratch

_INLINE = 60
"""Characters from which on a word is code or prose."""
_AROUND = "./:=@,_-~+"


def same_object(failed: tuple[str, ...], later: tuple[str, ...]) -> bool:
    """Neither names what the other does not: who leaves something out, or adds something, speaks of the same."""
    one, other = _names(failed), _names(later)
    return not (one - other and other - one)


def _names(words: tuple[str, ...]) -> frozenset[str]:
    found: set[str] = set()
    for before, word in pairwise(words):
        value = word.partition("=")[2] if word[:1] == "-" else word
        code = len(value) > _INLINE or any(letter in value for letter in " \n{$*<")
        if not value or code or is_scratch(value):
            continue
        if value.isdecimal() and value is word and before[:1] != "-":
            found.add(value)
        for mark in _AROUND:
            value = value.replace(mark, " ")
        found.update(part for part in value.split() if not any(map(str.isdigit, part)))
    return frozenset(found)
