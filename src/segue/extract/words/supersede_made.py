"""What is made otherwise: `change the name to grabber` after `use the name fetcher`.

The sentence says of which thing, and what it shall be from now on. It replaces the rule that gave just that thing
something else; where the rule may only say how the thing must be, both are told. A rule that says more of it, or speaks
of a part of it, stands.
"""

from __future__ import annotations

from functools import lru_cache

from segue.extract.text.prose import plainly, word_set
from segue.extract.words.conduct import TASKS
from segue.extract.words.supersede_subject import is_choice
from segue.extract.words.supersede_turn import clauses, spelled
from segue.model.value import NamedTuple

_CHANGES = word_set("change set switch")
_LEADS = word_set(
    "please so then ok okay yes no well actually and but just now oh hm sorry let's lets can you"
)
_BEHIND = word_set("please now instead then everywhere")
_DOES = TASKS | word_set("match pass fail be have do not reflect include cover")
"""What follows `to` where the thing is to do something."""
_ARTICLES = word_set("the our my its")
_PLACES = word_set("in on at for of with as when where")
_NAMES = word_set("name call")
_IS = (["must", "be"], ["should", "be"], ["shall", "be"], ["has", "to", "be"], ["is"], ["are"])
_LONGEST = 3
"""Words that a thing has at most."""


class Made(NamedTuple):
    """A thing, and what it shall be."""

    thing: list[str]
    value: str


@lru_cache(maxsize=1024)
def made_otherwise(sentence: str) -> Made | None:
    """What a sentence says to change, and to what; nothing where it is `it`, or one place of many."""
    words = spelled(next((clause for clause in clauses(plainly(sentence)) if " " in clause), ""))
    while words and words[0] in _LEADS:
        del words[0]
    while words and words[-1] in _BEHIND:
        del words[-1]
    if sentence.endswith("?") or _CHANGES.isdisjoint(words[:1]) or "to" not in words:
        return None
    at = words.index("to")
    told, value = words[1:at], words[at + 1 :]
    if "from" in told:
        told = told[: told.index("from")]
    thing = [word for word in told if word not in _ARTICLES]
    if not 0 < len(thing) <= _LONGEST or len(thing) == len(told) or not _PLACES.isdisjoint(thing):
        return None
    if len(value) != 1 or (words[0] != "set" and value[0] in _DOES):
        return None
    return Made(thing, value[0])


def gave_it(made: Made, old: str) -> bool:
    """The old rule named the same thing, or chose another of its kind."""
    first, said = _told(old)
    if made.value in said:
        return False
    if first in _NAMES:
        return made.thing[-1:] == ["name"] and said[:-1] == made.thing[:-1]
    return is_choice(old) and said[:-1] == made.thing


def may_have_given_it(made: Made, old: str) -> bool:
    """The old rule chose something for the same thing, or says in one word what it must be: `info`, or `unique`."""
    first, said = _told(old)
    if is_choice(old):
        return made.value not in said and _purpose(said) == made.thing
    told = said if first in _ARTICLES else [first, *said]
    return told[-1:] != [made.value] and any(told[:-1] == [*made.thing, *verb] for verb in _IS)


def _told(old: str) -> tuple[str, list[str]]:
    """How a rule begins, and what else it says."""
    first, *rest = spelled(plainly(old)) or [""]
    return first, [word for word in rest if word not in _ARTICLES]


def _purpose(words: list[str]) -> list[str]:
    """What something is chosen for: `indentation` of `tabs for indentation`."""
    return words[words.index("for") + 1 :] if "for" in words else []
