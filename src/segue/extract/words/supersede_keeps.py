"""What leaves a rule standing: the same rule said again, a complaint and, for a ban, whatever allows nothing.

`Never delete rows from the orders table` is not touched by `we move the orders table to Postgres`, however much they have
in common. A ban falls to leave for the same act, or to a request for that act where the ban knows no condition.
"""

from __future__ import annotations

from functools import lru_cache

from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.words.supersede_apart import qualified_otherwise
from segue.extract.words.supersede_lift import gives_leave
from segue.extract.words.supersede_turn import clauses, frees_something, named, spelled
from segue.model.value import NamedTuple

_SAID = phrases("i said |i told you|as i said|like i said|i already said|again: |once more: |i repeat")
_FORBIDS = word_set("never don't dont not stop avoid mustn't no nobody nothing without")
_CONDITIONS = word_set("without unless until before first only except")
_ANY_CHANGE = word_set("touch change edit modify alter update")
_CHANGES = _ANY_CHANGE | word_set(
    "add remove delete rename rewrite refactor move port fix extend adjust replace"
)
_MANNER = word_set("ever please just simply ever again you to be do")
_SMALL = word_set("the a an any our my please let's lets ok yes yeah always")
_FOR_GOOD = phrases(" after all| from now on| from here on| again| instead")
"""What says that something is done in spite of a ban."""
_PLACES = word_set("in on to at from against into onto for with under over")
_THERE = word_set("there it them these those here")
_SHUT = word_set("frozen froze closed off locked")
_STEM = 4
"""Letters by which an act is known with any ending: `push`, `pushing`."""


def is_said_again(new: str, old: str) -> bool:
    """`I said infra/ only` after `work in infra/ only`: what is insisted on is the old rule."""
    plain = plainly(new)
    lead = next((lead for lead in _SAID if lead in plain), "")
    if not lead:
        return False
    told = plain.partition(lead)[2]
    mine, others = spelled(told), spelled(plainly(old))
    numbers = {word for word in mine if word[0].isdigit()}
    return bool(named(told)) and named(told) <= named(old) and numbers.issubset(others)


def forbids_something_else(new: str, shared: frozenset[str]) -> bool:
    """`veraPDF still says FAIL, don't tell me that`: what is forbidden is not what both speak of."""
    parts = clauses(new)
    if len(parts) < 2 or not new.isascii():
        return False
    banning = [clause for clause in parts if not _FORBIDS.isdisjoint(spelled(clause.lower()))]
    return bool(banning) and all(
        shared.isdisjoint(named(clause)) and (_THERE | _SHUT).isdisjoint(spelled(clause.lower()))
        for clause in banning
    )


def opens(new: str, old: str) -> bool:
    """The new sentence speaks of the act that the old one forbids, and of the same thing."""
    if not (new.isascii() and old.isascii()):
        return True
    act, things, conditioned = _forbidden(old)
    if any(thing.isdisjoint(named(new)) for thing in things) or qualified_otherwise(new, old):
        return False
    begins = {word[:_STEM] for word in spelled(plainly(new))}
    does = not act or act[:_STEM] in begins
    if act in _ANY_CHANGE:
        does = not {word[:_STEM] for word in _CHANGES}.isdisjoint(begins)
    if gives_leave(new) or frees_something(new):
        return does or act in _ANY_CHANGE
    return bool(act) and does and not conditioned


def asks_for_it(new: str, old: str, *, corrects: bool) -> bool:
    """`Use pandas after all` after `don't use pandas`: the same act on the same thing, in the same words, and no more.
    Where it is neither a correction nor said for good, it may be wanted this once."""
    told = plainly(new).rstrip(" .!")
    for_good = next((sign for sign in _FOR_GOOD if told.endswith(sign)), "")
    if not (corrects or for_good):
        return False
    _, ban = _refused(old)
    asked = [word for word in spelled(told.removesuffix(for_good)) if word not in _SMALL]
    return len(ban) > 1 and asked == [word for word in ban if word not in _SMALL]


class _Ban(NamedTuple):
    """The verb of what is forbidden, what it is done to, and where; no verb where a thing is named."""

    act: str
    things: tuple[frozenset[str], ...]
    conditioned: bool


@lru_cache(maxsize=1024)
def _forbidden(ban: str) -> _Ban:
    word, behind = _refused(ban)
    conditioned = not _CONDITIONS.isdisjoint(behind)
    if not behind or word in ("no", "without"):
        return _Ban("", (), conditioned)
    act, *rest = behind
    place = next((n for n, word in enumerate(rest) if word in _PLACES), len(rest))
    things = (named(" ".join(part)) for part in (rest[:place], rest[place:]))
    return _Ban(act, tuple(filter(None, things)), conditioned)


def _refused(ban: str) -> tuple[str, list[str]]:
    """The word that forbids, and what stands behind it."""
    words = spelled(plainly(ban))
    place = next((n for n, word in enumerate(words) if word in _FORBIDS), len(words))
    return "".join(words[place : place + 1]), [word for word in words[place + 1 :] if word not in _MANNER]
