"""Whether a later run of a command was about what an earlier one failed with: `deploy --env staging` is not
`deploy --env production`, and `test ./a` is not all of `test ./a ./b`.

What a command is done to are the words that it is given, and the values of options that both runs have. Numbers,
versions, scratch and inline code are ways to do something. Who names nothing means everything.
"""

from __future__ import annotations

from itertools import pairwise

from segue.model.scratch import is_scratch

_INLINE = 60
"""Characters from which on a word is code or prose."""
_AROUND = "./:=@,_-~+"
_NEVER_INSIDE = " \n{}$*<>|"


def same_object(failed: tuple[str, ...], later: tuple[str, ...], begin: int = 1) -> bool:
    """All that the failed run was given, the later one was given, too. Both begin with the words by which the command
    is known, `begin` of them."""
    one, options = _given(failed[begin - 1 :])
    other, later_options = _given(later[begin - 1 :])
    everywhere = [*other, *later_options.values()]
    if other and not all(any(_covers(word, given) for word in everywhere) for given in one):
        return False
    return all(
        name not in later_options or _covers(later_options[name], given) for name, given in options.items()
    )


def _given(words: tuple[str, ...]) -> tuple[list[str], dict[str, str]]:
    """The words a command was given, and the values of its options; a word after an option may be either."""
    found: list[str] = []
    options: dict[str, str] = {}
    for before, word in pairwise(words):
        name, _, value = word.partition("=") if word[:1] == "-" else ("", "", word)
        if not value or len(value) > _INLINE or is_scratch(value) or not set(_NEVER_INSIDE).isdisjoint(value):
            continue
        if name or before[:1] == "-":
            options[name or before] = value
        else:
            found.append(value)
    return found, options


def _covers(word: str, given: str) -> bool:
    """It is the same, as far as numbers and versions do not matter, or a place that holds it."""
    place = word.removesuffix("...").removeprefix("./").rstrip("/.")
    if not place or given.removeprefix("./").startswith((f"{place}/", f"{place}::")):
        return True
    if runs_everywhere(word, given):
        return True
    if word.isdecimal() and given.isdecimal():
        return word == given
    return _names(word) == _names(given)


def runs_everywhere(word: str, given: str) -> bool:
    """`test` runs in every project, that of `:api:test` too, and `//api/...` holds `//api:server`."""
    if given[:1] == ":":
        return given.rpartition(":")[2] == word
    return given[:2] == "//" and word.endswith("/...") and given.startswith(f"{word[:-4]}:")


def _names(word: str) -> list[str]:
    for mark in _AROUND:
        word = word.replace(mark, " ")
    return [part for part in word.split() if not any(map(str.isdigit, part))]
